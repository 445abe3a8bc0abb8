//! Mockito, which puts calls of itself into classes of the JDK that the agent's hooks use, and into classes of the program.

use crate::machine::{Jvm, compile_libraries, on_two_jvms, sources};
use crate::programs::check_with;

#[test]
fn mocks_of_classes_that_hooks_use_work_and_the_program_beside_them_is_observed() {
    const CLASS: &str = "libraries.Mocks";
    let (class_path, _) = compile_libraries(CLASS, "mocks");
    // Otherwise Mockito starts another JVM to attach itself to this one.
    let arguments = ["-Djdk.attach.allowAttachSelf=true", "-cp", &class_path, CLASS];
    let arguments = [&Jvm::COMPILED[..], &arguments].concat();
    on_two_jvms(|jvm| check_with(jvm, &sources().join("libraries/Mocks.java"), &arguments));
}
