//! BlockHound, which puts calls of itself into methods of the JDK by which threads wait.

use crate::machine::{compile_libraries, on_two_jvms, sources};
use crate::programs::check_with;

#[test]
fn threads_that_must_not_block_are_not_said_to_when_hooks_wait_for_each_other() {
    const CLASS: &str = "libraries.Blocking";
    let (class_path, _) = compile_libraries(CLASS, "blocking");
    on_two_jvms(|jvm| {
        // Without this flag, which came with Java 13 and is deprecated, a JVM lets no agent add BlockHound's methods to `Thread`.
        let flag = (jvm.feature() >= 13).then_some("-XX:+AllowRedefinitionToAddDeleteMethods");
        let arguments: Vec<&str> = flag.into_iter().chain(["-Xmixed", "-cp", &class_path, CLASS]).collect();
        check_with(jvm, &sources().join("libraries/Blocking.java"), &arguments)
    });
}
