//! A benchmark suite that runs like DaCapo: a jar with a harness as main class, the benchmarks in a jar inside it, a class loader
//! of its own for each iteration, and a callback. `-javaagent` needs no option for it.

use std::path::Path;

use crate::machine::{on_two_jvms, sources, tool, utf8};
use crate::programs::check_with;

/// Compiles sources into a folder, and packs the whole folder into a jar.
fn jar(folder: &Path, sources: &[&Path], jar: &Path, main: &[&str]) {
    let mut compile = vec!["--release", "11", "-Xlint:all,-options", "-Werror", "-d", utf8(folder)];
    compile.extend(sources.iter().map(|source| utf8(source)));
    tool("javac", &compile);
    std::fs::create_dir_all(jar.parent().expect("a jar lies in a folder")).expect("a folder");
    tool("jar", &[&["--create", "--file", utf8(jar)], main, &["-C", utf8(folder), "."]].concat());
}

#[test]
fn a_suite_whose_harness_loads_benchmarks_from_a_jar_in_its_jar_is_observed_without_an_option() {
    let folder = tempfile::tempdir().expect("a folder");
    let [outer, inner, suite] = ["outer", "inner", "suite.jar"].map(|name| folder.path().join(name));
    let from = sources();
    let bank = from.join("harness/suite/Bank.java");
    jar(&inner, &[&bank, &from.join("schedule/Steps.java")], &outer.join("jar/benchmarks.jar"), &[]);
    let harness = ["Harness", "run/Callback", "run/Quiet"].map(|name| from.join(format!("harness/{name}.java")));
    jar(&outer, &harness.each_ref().map(|file| file.as_path()), &suite, &["--main-class", "Harness"]);
    on_two_jvms(|jvm| {
        check_with(jvm, &bank, &["-jar", utf8(&suite), "Bank"])?;
        check_with(jvm, &bank, &["-jar", utf8(&suite), "-c", "run.Quiet", "-n", "3", "Bank"])
    });
}
