//! The commands of the README's first screen print what the README shows.

use std::path::Path;

use crate::machine::{Jvm, on_every_jvm};

/// The report of the example, as shown in the README.
fn shown() -> String {
    let readme =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).expect("the README");
    assert!(
        readme.contains("    java -javaagent:dist/regiontrack.jar examples/Counter.java\n"),
        "the command has changed"
    );
    let start = readme.find("```text\nregiontrack: ").expect("the report") + "```text\n".len();
    let length = readme[start..].find("```").expect("the end of the report");
    readme[start..start + length].to_owned()
}

fn check(jvm: &Jvm) -> Result<(), String> {
    let run = jvm.run(Some(""), &["Counter"]);
    let report = run.err.find("regiontrack: ").map_or("", |start| &run.err[start..]);
    if run.code == Some(0) && report == shown() { Ok(()) } else { Err(format!("{run:?}")) }
}

#[test]
fn the_example_of_the_readme_prints_the_report_of_the_readme() {
    on_every_jvm(check);
}
