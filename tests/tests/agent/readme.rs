//! The commands of the README's first screen print what the README shows.

use std::path::Path;

use crate::machine::{Jvm, on_two_jvms};

/// Returns the report of the example as shown in the README.
fn shown() -> String {
    let readme =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).expect("the README");
    assert!(
        readme.contains("    java -javaagent:dist/regiontrack.jar -cp target/example Prices\n"),
        "the command has changed"
    );
    let start = readme.find("```text\nregiontrack: ").expect("the report") + "```text\n".len();
    let length = readme[start..].find("```").expect("the end of the report");
    readme[start..start + length].to_owned()
}

/// The maximum number of runs of the example. Unlike in other tests, nothing forces its threads into their order, so that it
/// looks like code that a person would write: one thread sleeps for a tenth of a second, in which another one has to reach its first line.
const MOST: usize = 20;

fn check(jvm: &Jvm) -> Result<(), String> {
    let mut last = None;
    for _ in 0..MOST {
        let run = jvm.run(Some(""), &["Prices"]);
        let report = run.err.find("regiontrack: ").map_or("", |start| &run.err[start..]);
        if run.code == Some(0) && report == shown() {
            return Ok(());
        }
        last = Some(run);
    }
    Err(format!("{last:?}"))
}

#[test]
fn the_example_of_the_readme_prints_the_report_of_the_readme() {
    on_two_jvms(check);
}
