//! `regiontrack merge`: which reports of a folder count.

use crate::runner::{Folder, Ran};
use serde_json::{Value, json};

/// The report of a run with this number of blocks, as the agent writes it.
fn report(blocks: u64) -> String {
    let stats = json!({"classes": {"instrumented": 3, "skipped": 0, "failed": 0}, "threads": 2, "blocks": blocks,
        "events": {"accesses": 1, "filtered": 0, "recorded": 5, "dependencies": 3, "lost": 0}, "unmodelled": 0, "seconds": 1.0});
    json!({"schema": 1, "verdict": "serializable", "engine": "reach", "violations": [], "stats": stats}).to_string()
}

fn merged(folder: &Folder, arguments: &[&str]) -> Ran {
    let ran = folder.run(&[&["merge", "--format", "json"], arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

/// The number of blocks, and that of runs.
fn counts(ran: &Ran) -> (u64, usize) {
    let json: Value = ran.line();
    (json["stats"]["blocks"].as_u64().expect("a number"), json["runs"].as_array().map_or(0, Vec::len))
}

#[test]
fn a_merged_report_among_its_parts_is_left_out_and_that_is_said() {
    let folder = Folder::new().with("one.json", report(3)).with("two.json", report(5));
    let first = merged(&folder, &["."]);
    assert_eq!(counts(first.ended(0)), (8, 2));
    let folder = folder.with("all.json", first.stdout);
    let why = "regiontrack: ./all.json: left out, because each of its runs is in another of these reports, too\n";
    let again = merged(&folder, &["."]);
    assert_eq!((counts(&again), &*again.stderr), ((8, 2), why));
    // Also if the parts have other names by now.
    let folder = folder.with("three.json", report(7));
    std::fs::rename(folder.path().join("one.json"), folder.path().join("renamed.json")).expect("renamed");
    let more = merged(&folder, &["."]);
    assert_eq!((counts(&more), &*more.stderr), ((15, 3), why));
    let named = merged(&folder, &["renamed.json", "all.json", "two.json"]);
    assert_eq!((counts(&named), &*named.stderr), ((8, 2), &*why.replace("./", "")));
}

#[test]
fn a_merged_report_whose_parts_are_gone_counts_and_no_run_counts_twice() {
    let folder = Folder::new().with("one.json", report(3)).with("two.json", report(5));
    let first = merged(&folder, &["."]);
    let folder = Folder::new().with("all.json", &first.stdout).with("three.json", report(7));
    assert_eq!(counts(merged(&folder, &["."]).ended(0)), (15, 3));
    let folder = folder.with("two.json", report(5));
    let ran = merged(&folder, &["."]);
    let why = "regiontrack: ./two.json: left out, because ./all.json contains its run, and others\n";
    assert_eq!((counts(&ran), &*ran.stderr), ((15, 3), why));
    let pair = merged(&folder, &["two.json", "three.json"]);
    let folder = folder.with("pair.json", &pair.stdout);
    let ran = merged(&folder, &["all.json", "pair.json"]);
    let why = "regiontrack: pair.json: some of its runs are also in all.json, and count twice; merge the reports of single runs instead\n";
    assert_eq!((counts(&ran), &*ran.stderr), ((20, 4), why));
}
