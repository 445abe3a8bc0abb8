//! Modular programs, and runtime images that hold little more than the program: the agent needs `java.base` and `java.instrument`.
//!
//! The program is `tests/programs/modules`: a service in a package that is not exported.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::machine::{Jvm, Run, on_two_jvms, sources, tool, utf8};
use crate::programs::check_with;

const MAIN: [&str; 2] = ["-m", "shop/shop.Main"];

fn source() -> PathBuf {
    sources().join("modules/stock/stock/hidden/Shelf.java")
}

/// Compiles the modules of the program into a folder.
fn modules() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let (to, from) = (utf8(folder.path()).to_owned(), sources().join("modules"));
    let lint = ["--release", "11", "-Xlint:all,-options", "-Werror"];
    tool("javac", &[&lint[..], &["-d", &to, "--module-source-path", utf8(&from), "--module", "shop,stock"]].concat());
    folder
}

/// Links an image of the compiling JDK with these modules and those that they require.
fn image(modules: &Path, names: &str, to: &Path) -> Jvm {
    tool("jlink", &["--module-path", utf8(modules), "--add-modules", names, "--output", utf8(to)]);
    Jvm::of_image(to)
}

#[test]
fn a_modular_program_is_observed_in_packages_that_are_not_exported() {
    let modules = modules();
    let path = ["--module-path", utf8(modules.path())];
    on_two_jvms(|jvm| check_with(jvm, &source(), &[path, MAIN].concat()));
}

#[test]
fn an_image_needs_no_module_for_the_agent_but_that_of_agents() {
    let modules = modules();
    let folder = tempfile::tempdir().expect("a folder");
    let image = image(modules.path(), "shop,stock,java.instrument", &folder.path().join("image"));
    check_with(&image, &source(), &MAIN).expect("it runs in its image");
}

#[test]
fn an_image_without_the_module_of_agents_says_so() {
    let modules = modules();
    let folder = tempfile::tempdir().expect("a folder");
    let image = image(modules.path(), "shop,stock", &folder.path().join("image"));
    let Run { code, out, err } = image.run(Some(""), &MAIN);
    assert!(code == Some(1) && format!("{out}{err}").contains("Module java.instrument may be missing"), "{out}{err}");
}
