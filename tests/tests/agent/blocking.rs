//! BlockHound, which puts calls of itself into methods of the JDK by which threads wait.

use crate::machine::{compile_libraries, on_two_jvms, sources};
use crate::programs::check_with;

#[test]
fn threads_that_must_not_block_are_not_said_to_when_hooks_wait_for_each_other() {
    const CLASS: &str = "libraries.Blocking";
    let (class_path, _) = compile_libraries(CLASS, "blocking");
    // Without this flag, which is deprecated, a JVM lets no agent add BlockHound's methods to `Thread`.
    let arguments = ["-XX:+AllowRedefinitionToAddDeleteMethods", "-Xmixed", "-cp", &class_path, CLASS];
    on_two_jvms(|jvm| check_with(jvm, &sources().join("libraries/Blocking.java"), &arguments));
}
