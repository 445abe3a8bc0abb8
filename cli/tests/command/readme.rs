//! What the README and the pages of `docs/` show is what their readers get.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the repository").to_owned()
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("a page")
}

/// What the command prints in the repository's root, where the reader stands.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_regiontrack")).args(arguments).current_dir(root()).output();
    String::from_utf8(output.expect("the command runs").stdout).expect("text")
}

#[test]
fn the_report_of_the_page_on_the_command_is_printed_by_its_words() {
    let page = page("docs/command.md");
    assert!(page.contains("    dist/regiontrack check examples/counter.std\n"), "the page's words have changed");
    let report = printed(&["check", "examples/counter.std"]);
    assert!(page.contains(&format!("```text\n{report}```\n")), "the page should show:\n{report}");
    let line = printed(&["check", "--format", "json", "examples/counter.std"]);
    assert!(page.contains(&format!("```json\n{line}```\n")), "the page should show:\n{line}");
}

#[test]
fn the_trace_of_the_page_on_the_command_is_the_one_in_examples() {
    let trace = std::fs::read_to_string(root().join("examples/counter.std")).expect("the example");
    let shown: String =
        trace.lines().filter(|line| !line.starts_with('#')).map(|line| format!("    {line}\n")).collect();
    assert!(page("docs/command.md").contains(&shown), "the page should show:\n{shown}");
}

#[test]
fn the_page_on_the_command_has_a_line_for_each_of_its_commands() {
    let help = printed(&["--help"]);
    let names = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> =
        names.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 10, "{help}");
    let page = page("docs/command.md");
    for name in names.into_iter().filter(|name| *name != "help") {
        assert!(page.contains(&format!("    regiontrack {name}")), "docs/command.md lacks {name}");
    }
}

#[test]
fn the_example_of_the_readme_is_the_one_in_examples() {
    let source = page("examples/Prices.java");
    let start = source.find("public class").expect("a class");
    assert!(page("README.md").contains(&format!("```java\n{}```\n", &source[start..])), "the README shows another one");
}

#[test]
fn the_page_on_engines_names_every_engine() {
    for engine in analysis_core::engines::ENGINES {
        assert!(page("docs/engines.md").contains(&format!("| `{}`", engine.name)), "the table lacks {}", engine.name);
    }
}
