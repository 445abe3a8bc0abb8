//! `sample=`: only a part of the run is watched. Every finding is true, the program behaves the same, and the report says how
//! much was watched. A property for tests selects the watched calls by a number whose last three digits are per cent and the
//! others a seed, so no outcome depends on time.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::machine::{Jvm, Run, is_full, on_newest_jvm, scripted};
use crate::recorded::violated;

/// The report and the output of a run.
struct Outcome {
    report: Value,
    run: Run,
}

fn outcome(jvm: &Jvm, class: &str, options: &str, properties: &[&str]) -> Result<Outcome, String> {
    let options = format!("exclude=schedule.*,{options}");
    let (run, report) = jvm.reported(&options, &[properties, &[class]].concat())?;
    Ok(Outcome { report, run })
}

/// Watches a percentage of the calls, chosen by a seed.
fn sampled(jvm: &Jvm, class: &str, percent: u64, seed: u64) -> Result<Outcome, String> {
    outcome(jvm, class, "sample=30", &[&watched(percent, seed)])
}

/// The property that selects them.
fn watched(percent: u64, seed: u64) -> String {
    format!("-Dregiontrack.test.sampling={}", 1000 * seed + percent)
}

fn methods(report: &Value) -> BTreeSet<String> {
    violated(report).into_keys().collect()
}

/// Returns the entered methods of a report with their numbers of instances.
fn instances(report: &Value) -> Vec<(String, u64)> {
    let methods = report["sampling"]["methods"].as_array().into_iter().flatten();
    let mut all: Vec<_> = methods
        .map(|method| (method["method"].to_string(), method["instances"].as_u64().unwrap_or_default()))
        .collect();
    all.sort();
    all
}

fn on_scripted_programs(first: usize, check: impl Fn(&Jvm, &str) -> Result<(), String>) {
    on_newest_jvm(|jvm| {
        let wrong: Vec<String> = scripted(8, first).iter().filter_map(|class| check(jvm, class).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

/// The order in these programs comes from hand-overs through queues, which a partly watched run does not keep.
const BY_HAND_OVER: [&str; 5] = [
    "violating.BlockingDequesThereAndBack",
    "violating.QueueDrained",
    "violating.QueuePeeked",
    "violating.QueueRoundTrip",
    "violating.QueuesThereAndBack",
];

/// Programs that need every call or access from the start: states of queues, results of calls, who has filled a field,
/// initializers apart.
const OTHERWISE: [&str; 5] = [
    "atomic.FilledFields",
    "atomic.InitializersInBlocks",
    "violating.CallsOfSeveral",
    "violating.InitializersInBetween",
    "violating.OverlappingCalls",
];

#[test]
fn a_run_that_is_watched_as_a_whole_has_the_findings_of_one_without_sampling() {
    on_scripted_programs(0, |jvm, class| {
        let (whole, all) = (outcome(jvm, class, "", &[])?, sampled(jvm, class, 100, 0)?);
        if BY_HAND_OVER.contains(&class) {
            let is_missed = all.report["verdict"] == "undecided" && methods(&all.report).is_empty();
            return if is_missed { Ok(()) } else { Err(format!("{class}: {}", all.report)) };
        }
        if OTHERWISE.contains(&class) {
            return if all.report["verdict"] == "incomplete" {
                Err(format!("{class}: {}", all.report))
            } else {
                Ok(())
            };
        }
        let same = violated(&whole.report) == violated(&all.report) && whole.run.out == all.run.out;
        let verdict = if whole.report["verdict"] == "serializable" {
            "undecided".into()
        } else {
            whole.report["verdict"].clone()
        };
        if !same
            || all.report["verdict"] != verdict
            || all.report["sampling"]["blocks"] != all.report["sampling"]["watched"]
        {
            return Err(format!("{class}: {}\nwithout sampling {}", all.report, whole.report));
        }
        Ok(())
    });
}

#[test]
fn what_is_found_in_a_part_is_found_in_the_whole() {
    on_scripted_programs(1, |jvm, class| {
        let whole = methods(&outcome(jvm, class, "", &[])?.report);
        for seed in if is_full() { 1..4 } else { 1..2 } {
            let part = sampled(jvm, class, 60, seed)?;
            // A block inside an unwatched one is a block of its own, and is also violated in the whole run.
            if !methods(&part.report).is_subset(&whole) || part.report["verdict"] == "incomplete" {
                return Err(format!("{class}, seed {seed}: {}, in the whole {whole:?}", part.report));
            }
        }
        Ok(())
    });
}

#[test]
fn what_is_not_watched_is_counted_and_said() {
    on_newest_jvm(|jvm| {
        let class = "violating.Counter";
        let [none, all] = [sampled(jvm, class, 0, 1)?, sampled(jvm, class, 100, 1)?];
        let sampling = &none.report["sampling"];
        let is_counted = instances(&none.report) == instances(&all.report) && !instances(&all.report).is_empty();
        if none.report["verdict"] != "undecided" || sampling["watched"] != 0 || sampling["percent"] != 30 || !is_counted
        {
            return Err(format!("{}\n{}", none.report, all.report));
        }
        let text = jvm.run(Some("exclude=schedule.*,sample=30"), &["-Dregiontrack.test.sampling=0", class]).err;
        for words in [
            "no violation found in the part that was watched",
            "watched: 0 of 2 blocks (0 %); of 2 methods 2 never, 0 always",
        ] {
            if !text.contains(words) {
                return Err(format!("no '{words}' in {text}"));
            }
        }
        if text.contains("serializable") { Err(text) } else { Ok(()) }
    });
}

#[test]
fn the_exit_code_is_that_of_a_finding() {
    on_newest_jvm(|jvm| {
        for (percent, code) in [("0", 0), ("100", 42)] {
            let property = format!("-Dregiontrack.test.sampling={percent}");
            let run = jvm.run(Some("exclude=schedule.*,sample=10,exitcode=42"), &[&property, "violating.Counter"]);
            if run.code != Some(code) {
                return Err(format!("{percent} %: {run:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_program_sees_the_same_stack_in_both_bodies() {
    on_newest_jvm(|jvm| {
        let plain = jvm.run(None, &["sampled.Traces"]);
        for (percent, seed) in [(0, 0), (50, 1), (100, 0)] {
            let part = outcome(
                jvm,
                "sampled.Traces",
                "sample=30",
                &[&Jvm::COMPILED[..], &[&watched(percent, seed)]].concat(),
            )?;
            // The stack overflows, which loses events.
            if (plain.code, &plain.out) != (part.run.code, &part.run.out) {
                return Err(format!("{percent} %: plain {plain:?}, sampled {:?}, {}", part.run, part.report));
            }
        }
        let timed = outcome(jvm, "sampled.Traces", "sample=50", &Jvm::COMPILED)?;
        if plain.out == timed.run.out { Ok(()) } else { Err(format!("plain {plain:?}, sampled {:?}", timed.run)) }
    });
}

#[test]
fn what_throws_leaves_nothing_locked_and_no_order_that_there_is_not() {
    on_newest_jvm(|jvm| {
        for (percent, seed) in [(30, 1), (60, 2), (90, 3)] {
            let part = sampled(jvm, "sampled.LeftLocked", percent, seed)?;
            if part.run.out != "1200 1200\n" || part.run.code != Some(0) || part.report["verdict"] == "incomplete" {
                return Err(format!("{percent} %: {:?}, {}", part.run, part.report));
            }
        }
        Ok(())
    });
}
