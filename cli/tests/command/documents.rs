//! `regiontrack check --format` and `--report`: what browsers, build servers and reviews read.

use crate::runner::{BLAMELESS, CLEAN, Folder, VIOLATED};

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn several_traces_make_one_document() {
    let folder = Folder::new().with("a.std", VIOLATED).with("b.std", CLEAN).with("c.std", BLAMELESS);
    let traces = ["a.std", "b.std", "c.std"];
    for jobs in ["1", "3"] {
        let check = |format| {
            let arguments = [&["check", "--jobs", jobs, "--format", format], &traces[..]].concat();
            folder.run(&arguments).ended(1).stdout.clone()
        };
        let junit = check("junit");
        let suites: Vec<&str> =
            junit.lines().filter_map(|line| line.strip_prefix("<testsuite name=\"")?.split('"').next()).collect();
        assert_eq!(suites, traces);
        let log: serde_json::Value = serde_json::from_str(&check("sarif")).expect("JSON");
        let found =
            log["runs"].as_array().expect("runs").iter().map(|run| run["results"].as_array().map_or(9, Vec::len));
        assert_eq!(found.collect::<Vec<_>>(), [1, 0, 1]);
        assert_eq!(check("html").matches("<section class=\"report\">").count(), 3);
        assert_eq!(check("markdown").lines().filter(|line| line.starts_with("### ")).count(), 3);
        assert_eq!(check("github").lines().filter(|line| line.starts_with("::warning ")).count(), 2);
    }
}

#[test]
fn reports_are_written_beside_what_is_printed() {
    let folder = Folder::new().with("a.std", VIOLATED);
    let files = ["r.html", "r.sarif", "r.xml", "r.md", "r.json", "r"];
    let reports: Vec<&str> = files.iter().flat_map(|file| ["--report", *file]).collect();
    let ran = folder.run(&[&["check", "a.std", "--format", "github"], &reports[..]].concat());
    let printed = ran.ended(1).stdout.clone();
    assert!(printed.starts_with("::warning title=a.B.c%3A lost update::"), "{printed}");
    assert_eq!(read(&folder, "r"), printed);
    let begins = ["<!DOCTYPE html>", "{\n\"$schema\"", "<?xml ", "### a.std: non-serializable", "{\"schema\":1,"];
    for (file, begin) in files.iter().zip(begins) {
        assert!(read(&folder, file).starts_with(begin), "{file}: {}", read(&folder, file));
    }
    // The same file, and nothing of what was there before.
    folder.run(&["check", "a.std", "--report", "r.html", "--report", "r"]).ended(1);
    assert_eq!(read(&folder, "r"), folder.run(&["check", "a.std"]).ended(1).stdout);
}

#[test]
fn a_trace_that_cannot_be_read_is_no_passed_test() {
    let folder = Folder::new().with("a.std", CLEAN).with("b.std", "nonsense\n");
    let ran = folder.run(&["check", "--format", "junit", "--report", "r.sarif", "a.std", "b.std", "c.std"]);
    assert_eq!((ran.code, ran.stderr.lines().count()), (2, 2), "{}", ran.stderr);
    let junit = ran.stdout;
    assert_eq!((junit.matches("<testcase ").count(), junit.matches("<error ").count()), (3, 2), "{junit}");
    assert!(junit.contains("<testsuite name=\"c.std\" "), "{junit}");
    assert_eq!(read(&folder, "r.sarif").matches("\"executionSuccessful\": false").count(), 2);
}

#[test]
fn a_report_as_text_says_what_was_not_judged_and_why() {
    let folder = Folder::new().with("a.std", CLEAN).with("b.std", "nonsense\n");
    let ran = folder.run(&["check", "--report", "r.txt", "b.std", "c.std"]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    let said: Vec<&str> = ran.stderr.lines().filter_map(|line| line.strip_prefix("regiontrack: ")).collect();
    let [broken, gone] = said[..] else { panic!("{}", ran.stderr) };
    assert_eq!(read(&folder, "r.txt"), format!("b.std: not judged\n  {broken}\nc.std: not judged\n  {gone}\n"));
    folder.run(&["check", "--report", "r.txt", "a.std", "b.std"]);
    let judged = folder.run(&["check", "a.std"]).ended(0).stdout.clone();
    assert_eq!(read(&folder, "r.txt"), format!("{judged}b.std: not judged\n  {broken}\n"));
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let folder = Folder::new().with("a.std", CLEAN);
    let ran = folder.run(&["check", "a.std", "--report", "none/r.html"]);
    assert!(ran.code == 2 && ran.stderr.contains("r.html: cannot be written: "), "{}", ran.stderr);
}
