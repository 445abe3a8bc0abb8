//! Generated programs: what one schedule teaches, and what another schedule shows when guided by that.
//!
//! The rules are functions on traces ([`analysis_core::filter::guided`]). The agent must learn what they say about the schedule, and a
//! guided run must find what the reference finds in its schedule without what was left out. The agent may also learn something that several
//! threads use although the order that it gives is implied: after its first dependency a thread hands over some again.

use std::collections::{BTreeMap, BTreeSet};

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use analysis_core::filter::guided::{Shared, guided};
use analysis_core::profile::{FactKind, Profile};
use analysis_core::protocol::epochs::Nested;
use regiontrack_tests::compare::reference;
use regiontrack_tests::guided::other_schedule;
use regiontrack_tests::scripts::{schedule, text};
use serde_json::{Value, json};

use super::{Profiled, is_guided};
use crate::machine::{Jvm, is_full, on_newest_jvm};
use crate::recorded::of_methods;

/// The number of programs in a full run, and in any other.
const PROGRAMS: (u64, u64) = (200, 6);

/// The names in profiles of the variables, locks and blocks of the program that plays.
const FIELD: &str = "played.Parts.x";
const MONITOR: &str = "played.Parts.l";
const METHOD: (&str, &str) = ("played.Parts.m", "(I)V");

/// Returns the number in a name.
fn number(text: &str, before: &str, after: &str) -> Option<u32> {
    text.strip_prefix(before)?.strip_suffix(after)?.parse().ok()
}

/// Returns what a profile keeps of the program.
fn kept_by(profile: &Profile) -> Shared {
    let numbers = |kind: FactKind, before: &'static str, after: &'static str| {
        profile.facts_of(kind).filter_map(move |text| number(text, before, after))
    };
    Shared {
        vars: numbers(FactKind::Field, FIELD, "").map(VarId).collect(),
        locks: numbers(FactKind::Monitor, MONITOR, "").map(LockId).collect(),
        blocks: numbers(FactKind::Block, METHOD.0, METHOD.1).map(LabelId).collect(),
    }
}

/// Returns by brute force the verdict and, for each method, the numbers of violated blocks and of all blocks.
fn right(trace: &[Event]) -> Value {
    let mut engine = (reference().build)();
    engine.feed(trace);
    let mut blocks: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    let method = |label: LabelId| format!("{}{}(int)", METHOD.0, label.0);
    for violation in &engine.findings().violations {
        blocks.entry(method(violation.label)).or_default()[0] += 1;
    }
    for event in trace {
        if let Op::Begin(label) = event.op {
            blocks.entry(method(label)).and_modify(|counts| counts[1] += 1);
        }
    }
    let verdict = if engine.findings().is_non_serializable() { "non-serializable" } else { "undecided" };
    json!([verdict, blocks])
}

/// The same from a report.
fn said(report: &Value) -> Value {
    json!([report["verdict"], of_methods(&report["violations"])])
}

/// Plays a schedule with this profile. Returns the report.
fn play(jvm: &Jvm, profiled: &Profiled, schedule: &[Event], more: &str) -> Result<Value, String> {
    let [spec, file] = ["blocks.spec", "schedule"].map(|name| profiled.folder.path().join(name));
    std::fs::write(&spec, "+ played.Parts.m*(int)\n").map_err(|e| e.to_string())?;
    std::fs::write(&file, text(schedule)).map_err(|e| e.to_string())?;
    let options = format!("spec={},{more}", spec.display());
    let (run, report) = profiled.run(jvm, &options, &["played.Parts", &file.to_string_lossy()])?;
    if run.out == "played\n" { Ok(report) } else { Err(format!("{run:?}")) }
}

/// Plays the schedule of a seed, and another one of the same program guided by it. Returns whether something was left out, and
/// whether something was found.
fn check(jvm: &Jvm, seed: u64) -> Result<[bool; 2], String> {
    let first = schedule(seed);
    let second = other_schedule(&first, seed);
    let profiled = Profiled::new()?;
    play(jvm, &profiled, &first, "")?;
    let learnt = kept_by(&profiled.read()?);
    let told = |what: &str| format!("seed {seed}: {what}\n{}\nthen\n{}", text(&first), text(&second));
    is_learnt(&learnt, &Shared::default(), &first).map_err(|why| told(&why))?;
    let report = play(jvm, &profiled, &second, "slice=0")?;
    let kept: Vec<Event> = guided(&second, &learnt, |_| true).into_iter().map(|kept| kept.event).collect();
    let right = right(&kept);
    if said(&report) != right || !is_guided(&report) {
        return Err(told(&format!("the reference says {right} of what {learnt:?} keeps, the report {report}")));
    }
    is_learnt(&kept_by(&profiled.read()?), &learnt, &kept).map_err(|why| told(&format!("guided, {why}")))?;
    Ok([kept.len() < second.len(), right[0] == "non-serializable"])
}

/// Checks that the profile has what was known before and what the rules say of a trace, and otherwise only what several threads use.
fn is_learnt(learnt: &Shared, before: &Shared, trace: &[Event]) -> Result<(), String> {
    let rules = Shared::learn(trace, Nested::Exact);
    let (mut vars, mut locks) = (BTreeMap::new(), BTreeMap::new());
    for Event { thread, op } in trace {
        match op {
            Op::Read(x) | Op::Write(x) => _ = vars.entry(*x).or_insert_with(BTreeSet::new).insert(*thread),
            Op::Acquire(l) => _ = locks.entry(*l).or_insert_with(BTreeSet::new).insert(*thread),
            _ => {}
        }
    }
    let all = |shared: &Shared| {
        shared.vars.is_subset(&learnt.vars)
            && shared.locks.is_subset(&learnt.locks)
            && shared.blocks.is_subset(&learnt.blocks)
    };
    let is_used = |users: Option<&BTreeSet<ThreadId>>| users.is_some_and(|users| users.len() > 1);
    let is_all_used = learnt.vars.difference(&before.vars).all(|x| is_used(vars.get(x)))
        && learnt.locks.difference(&before.locks).all(|l| is_used(locks.get(l)));
    if all(before) && all(&rules) && is_all_used {
        Ok(())
    } else {
        Err(format!("learnt {learnt:?}, by the rules {rules:?} beside {before:?}"))
    }
}

#[test]
fn a_guided_run_finds_what_the_reference_finds_in_its_schedule_without_what_was_left_out() {
    on_newest_jvm(|jvm| {
        let programs = if is_full() { PROGRAMS.0 } else { PROGRAMS.1 };
        let mut seen = [0, 0];
        for seed in 0..programs {
            let [is_less, is_found] = check(jvm, seed)?;
            seen[0] += u64::from(is_less);
            seen[1] += u64::from(is_found);
        }
        if seen.iter().all(|count| 8 * count >= programs) { Ok(()) } else { Err(format!("{seen:?} of {programs}")) }
    });
}
