//! What a first run learns, and what a run learns that watches something else.

use std::collections::BTreeSet;

use analysis_core::profile::FactKind;

use super::{Profiled, is_guided};
use crate::machine::{Jvm, on_newest_jvm, on_two_jvms, sources};
use crate::programs::{expected, reported};

/// Checks that the facts after a run of a program with these options are those that its source names.
fn learns_what_is_named(jvm: &Jvm, more: &str) -> Result<(), String> {
    let profiled = Profiled::new()?;
    let (run, report) = profiled.run(jvm, more, &["profiled.Facts"])?;
    let (facts, named) = (profiled.facts()?, expected(&sources().join("profiled/Facts.java"), "fact"));
    let wrong: Vec<_> = facts.symmetric_difference(&named).collect();
    if wrong.is_empty() && !is_guided(&report) && run.code == Some(0) {
        Ok(())
    } else {
        Err(format!("only learnt or only named: {wrong:#?}; {run:?} {report}"))
    }
}

#[test]
fn a_first_run_learns_which_fields_arrays_collections_monitors_and_blocks_threads_share() {
    on_two_jvms(|jvm| learns_what_is_named(jvm, "arrays=refs"));
}

/// All that a guided run knows of blocks without hooks is which methods are on the stack, so it may add some that cannot be blocks.
#[test]
fn a_guided_run_learns_the_same_again_and_no_variable_more() {
    on_newest_jvm(|jvm| {
        let profiled = Profiled::new()?;
        profiled.run(jvm, "", &["profiled.Facts"])?;
        let (facts, before) = (profiled.facts()?, profiled.read()?);
        let (_, report) = profiled.run(jvm, "slice=0", &["profiled.Facts"])?;
        let after = profiled.read()?;
        let new: BTreeSet<String> = profiled.facts()?.difference(&facts).cloned().collect();
        let is_same = after
            .facts()
            .filter(|fact| fact.kind != FactKind::Block)
            .eq(before.facts().filter(|fact| fact.kind != FactKind::Block))
            && new.iter().all(|fact| fact.starts_with("block profiled.Facts$Cell."));
        if is_guided(&report) && is_same && after.classes().eq(before.classes()) && (before.runs, after.runs) == (1, 2)
        {
            Ok(())
        } else {
            Err(format!("new: {new:?}\n{}\n{report}", profiled.text()))
        }
    });
}

/// The first run violates nothing: another thread's access comes before or after an update, or after the updating thread was joined. A run in which
/// the access comes inside the update is guided by what the first has learnt.
#[test]
fn what_goes_wrong_in_the_second_run_is_found_though_all_went_well_in_the_first() {
    let named = expected(&sources().join("profiled/Meetings.java"), "finding");
    on_newest_jvm(|jvm| {
        for (first, slice) in [("before", "slice=0"), ("after", "slice=0"), ("turns", "slice=0"), ("after", "")] {
            let profiled = Profiled::new()?;
            let (_, well) = profiled.run(jvm, "", &["profiled.Meetings", first])?;
            let (_, report) = profiled.run(jvm, slice, &["profiled.Meetings", "inside"])?;
            let found = reported(&report, "violations", true);
            if well["verdict"] != "serializable" || !is_guided(&report) || found != named {
                let wrong: Vec<_> = found.symmetric_difference(&named).collect();
                return Err(format!(
                    "learnt {first}: {}; only found or only named: {wrong:#?}\n{report}",
                    well["verdict"]
                ));
            }
        }
        Ok(())
    });
}

#[test]
fn a_run_with_other_settings_watches_everything_and_begins_anew() {
    on_newest_jvm(|jvm| {
        let profiled = Profiled::new()?;
        profiled.run(jvm, "", &["profiled.Meetings", "before"])?;
        let (_, report) = profiled.run(jvm, "arrays=all", &["profiled.Meetings", "before"])?;
        let is_whole = !is_guided(&report) && report["verdict"] == "serializable";
        let (_, again) = profiled.run(jvm, "arrays=all,slice=0", &["profiled.Meetings", "inside"])?;
        let named = expected(&sources().join("profiled/Meetings.java"), "finding");
        if is_whole && is_guided(&again) && reported(&again, "violations", true) == named {
            Ok(())
        } else {
            Err(format!("{report}\n{again}\n{}", profiled.text()))
        }
    });
}

#[test]
fn a_method_that_was_no_block_and_calls_that_had_no_model_are_found_once_they_are() {
    const CASES: [(&str, &str, &str); 2] = [
        ("exclude-method=violating.Counter.increment()", "violating.Counter", "violating.Counter.increment()"),
        (
            "models=none",
            "violating.MapCheckThenPut",
            "violating.MapCheckThenPut.addIfAbsent(java.lang.String,int,int,int)",
        ),
    ];
    on_newest_jvm(|jvm| {
        for (first, class, method) in CASES {
            let profiled = Profiled::new()?;
            let (_, before) = profiled.run(jvm, first, &[class])?;
            let (_, report) = profiled.run(jvm, "slice=0", &[class])?;
            let found = reported(&report, "violations", false);
            if before["verdict"] != "serializable" || found != [method.to_owned()].into() {
                return Err(format!("{first}: {found:?}\n{report}\n{}", profiled.text()));
            }
        }
        Ok(())
    });
}

/// Returns the methods that are violated in each of several runs, each guided by the runs before it.
fn found_in_turn(jvm: &Jvm, runs: &[(&str, &str)]) -> Result<Vec<BTreeSet<String>>, String> {
    let profiled = Profiled::new()?;
    let found = |(more, way): &(&str, &str)| {
        profiled.run(jvm, more, &["profiled.Paths", way]).map(|(_, report)| reported(&report, "violations", false))
    };
    runs.iter().map(found).collect()
}

#[test]
fn a_method_from_which_something_shared_is_reached_for_the_first_time_is_a_block_from_the_next_run_on() {
    on_newest_jvm(|jvm| {
        let found = found_in_turn(jvm, &[("", "usual"), ("slice=0", "other"), ("slice=0", "other")])?;
        let is_learnt = found[0].is_empty() && found[2] == ["profiled.Paths.other()".to_owned()].into();
        if is_learnt { Ok(()) } else { Err(format!("{found:?}")) }
    });
}

#[test]
fn what_is_shared_later_is_found_once_its_slice_has_been_watched() {
    on_newest_jvm(|jvm| {
        let guided = ("slice=3", "own");
        let found = found_in_turn(jvm, &[("", "usual"), guided, guided, guided, ("slice=0", "own")])?;
        let own = ["profiled.Paths.own()".to_owned()].into();
        let first = found.iter().position(|found| *found == own);
        // One finding is enough: afterwards the violation is known.
        if found[0].is_empty() && first.is_some_and(|first| first < 4) && found[4] == own {
            Ok(())
        } else {
            Err(format!("{found:?}"))
        }
    });
}
