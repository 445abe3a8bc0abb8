//! What the README shows is what a reader of the README gets.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the repository").to_owned()
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("the README")
}

/// What the command prints in the repository's root, where the README's reader stands.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_regiontrack")).args(arguments).current_dir(root()).output();
    String::from_utf8(output.expect("the command runs").stdout).expect("text")
}

#[test]
fn the_report_of_the_readme_is_printed_by_its_words() {
    assert!(readme().contains("    dist/regiontrack check examples/counter.std\n"), "the README's words have changed");
    let report = printed(&["check", "examples/counter.std"]);
    assert!(readme().contains(&format!("```text\n{report}```\n")), "the README should show:\n{report}");
    let line = printed(&["check", "--format", "json", "examples/counter.std"]);
    assert!(readme().contains(&format!("```json\n{line}```\n")), "the README should show:\n{line}");
}

#[test]
fn the_trace_of_the_readme_is_the_one_in_examples() {
    let trace = std::fs::read_to_string(root().join("examples/counter.std")).expect("the example");
    let shown: String =
        trace.lines().filter(|line| !line.starts_with('#')).map(|line| format!("    {line}\n")).collect();
    assert!(readme().contains(&shown), "the README should show:\n{shown}");
}

#[test]
fn the_readme_names_every_engine() {
    for engine in analysis_core::engines::ENGINES {
        assert!(readme().contains(&format!("| `{}`", engine.name)), "the README's table lacks {}", engine.name);
    }
}
