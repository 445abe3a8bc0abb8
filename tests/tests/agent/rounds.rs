//! Rounds of loops that may fail (`tests/programs/rounds`): what a round has read is no event if it tries a `compareAndSet` and fails, and
//! is if anything follows from it. The programs contain their findings as comments; and the methods that are violated if there are no
//! rounds, after `without rounds: `, or if all reads are events, after `with reads=all: `.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::machine::{Jvm, class_of, on_two_jvms, programs};
use crate::programs::{check, check_programs, expected, reported};

/// The exit code if a violation counts.
const EXIT_CODE: i32 = 66;

/// Runs a program with these options. Returns its exit code and its report.
fn run(jvm: &Jvm, source: &Path, options: &str) -> Result<(Option<i32>, Value), String> {
    let options = format!("exclude=schedule.*,exitcode={EXIT_CODE},{options}");
    let (run, report) = jvm.reported(&options, &[&class_of(source)])?;
    Ok((run.code, report))
}

/// The exit code says whether there is a finding.
fn ends_well(jvm: &Jvm, source: &Path) -> Result<(), String> {
    let (code, report) = run(jvm, source, "mode=dependencies")?;
    let expected = match expected(source, "finding").is_empty() {
        true => (Some(0), "serializable"),
        false => (Some(EXIT_CODE), "non-serializable"),
    };
    if (code, report["verdict"].as_str().unwrap_or_default()) == expected {
        return Ok(());
    }
    Err(format!("{} ended with {code:?}: {report}", class_of(source)))
}

/// With these options, at least these methods are violated.
fn violates(jvm: &Jvm, source: &Path, options: &str, methods: &BTreeSet<String>) -> Result<(), String> {
    if methods.is_empty() {
        return Ok(());
    }
    let (code, report) = run(jvm, source, options)?;
    let found = reported(&report, "violations", false);
    let missing: Vec<&String> = methods.difference(&found).collect();
    if code == Some(EXIT_CODE) && missing.is_empty() {
        return Ok(());
    }
    Err(format!("{} with {options} ended with {code:?}, without {missing:?}: {report}", class_of(source)))
}

fn compare(jvm: &Jvm, source: &Path) -> Result<(), String> {
    ends_well(jvm, source)?;
    let without = expected(source, "without rounds");
    violates(jvm, source, "mode=stream", &without)?;
    let all = without.union(&expected(source, "with reads=all")).cloned().collect();
    violates(jvm, source, "mode=dependencies,reads=all", &all)
}

#[test]
fn programs_with_rounds_have_exactly_the_findings_that_they_name() {
    check_programs("rounds", check);
}

#[test]
fn what_a_failed_round_has_read_is_an_event_where_there_are_no_rounds() {
    on_two_jvms(|jvm| {
        let wrong: Vec<String> = programs("rounds").iter().filter_map(|source| compare(jvm, source).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}
