//! The agent's two modes, dependencies alone and the stream of all events, find the same on the same schedule: for
//! programs that force their schedule, and for generated schedules that one program plays and the reference judges.

use std::collections::BTreeMap;

use analysis_core::event::{Event, LockId, Op, ThreadId, VarId};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use regiontrack_tests::compare::reference;
use regiontrack_tests::scripts::{schedule, text};
use serde_json::{Value, json};

use crate::machine::{Jvm, is_full, on_newest_jvm, scripted};
use crate::recorded::{of_methods, violated};

const MODES: [&str; 2] = ["dependencies", "stream"];

/// Runs a program in one mode. Returns its report.
fn run(jvm: &Jvm, mode: &str, options: &str, arguments: &[&str]) -> Result<Value, String> {
    jvm.reported(&format!("mode={mode},exclude=schedule.*,{options}"), arguments).map(|(_, report)| report)
}

/// Returns what both modes report. This leaves out stacks, data, locks and the rank based on them, which only dependency
/// mode has, and tables, for which dependency mode does not always know that two events of a thread are in one
/// transaction.
fn common(report: &Value) -> Value {
    let mut report = report.clone();
    for list in ["violations", "waits_inside"] {
        for finding in report[list].as_array_mut().into_iter().flatten() {
            if let Some(finding) = finding.as_object_mut() {
                finding.retain(|field, _| !["stack", "table", "data"].contains(&&**field));
            }
            forget_locks(&mut finding["edges"]);
            number_anew(&mut finding["edges"], &mut Vec::new());
        }
        if let Some(findings) = report[list].as_array_mut() {
            findings.sort_by_key(|finding| finding["id"].to_string());
        }
    }
    for figure in ["events", "seconds"] {
        report["stats"][figure] = Value::Null;
    }
    report
}

/// Removes from edges whether their ends are under locks.
fn forget_locks(edges: &mut Value) {
    for edge in edges.as_array_mut().into_iter().flatten() {
        if let Some(end) = edge["to"].as_object_mut() {
            end.remove("locks");
        }
    }
}

/// Numbers the receivers of calls in the order in which they appear: with the stream, a thread gives numbers to more objects.
fn number_anew(value: &mut Value, known: &mut Vec<Value>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| number_anew(value, known)),
        Value::Object(fields) => {
            for (name, value) in fields {
                if name != "receiver" {
                    number_anew(value, known);
                    continue;
                }
                let number = known.iter().position(|receiver| receiver == value).unwrap_or(known.len());
                if number == known.len() {
                    known.push(value.take());
                }
                *value = json!(number);
            }
        }
        _ => {}
    }
}

#[test]
fn the_lock_of_a_class_is_called_by_the_name_of_that_class() {
    on_newest_jvm(|jvm| {
        for mode in MODES {
            let report = run(jvm, mode, "", &["violating.ClassLocks"])?;
            let edges = report["violations"][0]["edges"].as_array().map_or(&[][..], Vec::as_slice);
            let accesses: Vec<&Value> =
                edges.iter().flat_map(|edge| [&edge["from"]["access"], &edge["to"]["access"]]).collect();
            let (release, acquire) = ("release violating.ClassLocks.class", "acquire violating.ClassLocks.class");
            if accesses != [release, acquire, release, acquire] {
                return Err(format!("{mode}: {accesses:?}"));
            }
        }
        Ok(())
    });
}

/// Programs that have their findings in more than one order, or number, of threads.
const FREE: [&str; 24] = [
    "atomic.AsksOthers",
    "atomic.BarrierPhases",
    "atomic.BulkTasksApart",
    "atomic.NewStates",
    "atomic.OwnClasses",
    "atomic.PhaserPhases",
    "atomic.ReadsWithoutConsequence",
    "atomic.StructuredTasksApart",
    "atomic.ThreadBuilders",
    "atomic.TimerTurns",
    "atomic.VirtualThreadsApart",
    "violating.AsksOthersInVain",
    "violating.BarrierInside",
    "violating.BulkTasksInside",
    "violating.ForkedTasksInside",
    "violating.NewStatesWithConsequence",
    "violating.QueueRoundTrip",
    "violating.ReadsWithConsequence",
    "violating.ScopeOfPlatformThreads",
    "violating.TaskNeededFirst",
    "violating.TerminationInside",
    "violating.ThreadBuilders",
    "violating.VirtualThreads",
    "violating.YesterdaysLooks",
];

fn compare(jvm: &Jvm, class: &str) -> Result<(), String> {
    let [items, stream] = MODES.map(|mode| run(jvm, mode, "", &[class]));
    let (items, stream) = (items?, stream?);
    if FREE.contains(&class) {
        let is_same = violated(&items).keys().eq(violated(&stream).keys()) && items["verdict"] == stream["verdict"];
        return if is_same { Ok(()) } else { Err(format!("{class}: {items}, with the stream {stream}")) };
    }
    if common(&items) != common(&stream) {
        return Err(format!("{class}: with dependencies alone {items}, with the stream {stream}"));
    }
    let counted = items["violations"].as_array().into_iter().flatten();
    let bare: Vec<&Value> = counted.filter(|finding| finding["stack"].as_array().is_none()).collect();
    if bare.is_empty() { Ok(()) } else { Err(format!("{class}: no stack: {bare:?}")) }
}

#[test]
fn a_program_that_forces_its_schedule_has_the_same_findings_in_both_modes() {
    on_newest_jvm(|jvm| {
        let wrong: Vec<String> = scripted(8, 4).iter().filter_map(|class| compare(jvm, class).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

/// The number of schedules in a full run, and how many of them one JVM plays.
const SCHEDULES: u64 = 200;
const AT_ONCE: u64 = 20;

/// Joins the schedules, each with threads and variables of its own, into one trace.
fn joined(schedules: &[Vec<Event>]) -> Vec<Event> {
    let mut all = Vec::new();
    for (number, schedule) in (0..).zip(schedules) {
        all.extend(schedule.iter().map(|event| {
            let own = |id: u32| 8 * number + id;
            let op = match event.op {
                Op::Read(x) => Op::Read(VarId(own(x.0))),
                Op::Write(x) => Op::Write(VarId(own(x.0))),
                Op::Acquire(lock) => Op::Acquire(LockId(own(lock.0))),
                Op::Release(lock) => Op::Release(LockId(own(lock.0))),
                op => op,
            };
            Event::new(ThreadId(own(event.thread.0)), op)
        }));
    }
    all
}

/// Returns by brute force the verdict and, for each method, the numbers of violated blocks and of all blocks.
fn right(trace: &[Event]) -> Value {
    let mut engine = (reference().build)();
    engine.feed(trace);
    let method = |label: u32| format!("played.Blocks.m{label}(int)");
    let mut blocks: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for violation in &engine.findings().violations {
        blocks.entry(method(violation.label.0)).or_default()[0] += 1;
    }
    let entered = |event: &Event| if let Op::Begin(label) = event.op { Some(method(label.0)) } else { None };
    for method in trace.iter().filter_map(entered) {
        // Methods without a finding are not listed.
        blocks.entry(method).and_modify(|counts| counts[1] += 1);
    }
    // A run without a block has no answer.
    let verdict = match (engine.findings().is_non_serializable(), trace.iter().any(|event| entered(event).is_some())) {
        (true, _) => "non-serializable",
        (false, true) => "serializable",
        (false, false) => "undecided",
    };
    json!([verdict, blocks])
}

/// The same from a report.
fn said(report: &Value) -> Value {
    json!([report["verdict"], of_methods(&report["violations"])])
}

/// Returns kind and edges of the findings of methods that were violated once, for one cause, so that it cannot matter which cause
/// came first. Which further causes are reported depends on the mode: an order that is implied by a known one shows nothing more.
fn single(report: &Value) -> Vec<Value> {
    let list = report["violations"].as_array().cloned().unwrap_or_default();
    let all = of_methods(&report["violations"]);
    let is_once =
        |entry: &&Value| entry["again"].is_null() && all[entry["method"].as_str().unwrap_or_default()][0] == 1;
    let once = list.iter().filter(is_once);
    let mut told: Vec<Value> = once
        .map(|entry| {
            let mut edges = entry["edges"].clone();
            forget_locks(&mut edges);
            json!([entry["method"], entry["kind"], edges])
        })
        .collect();
    told.sort_by_key(Value::to_string);
    told
}

fn play(jvm: &Jvm, seeds: std::ops::Range<u64>) -> Result<usize, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [spec, file] = ["blocks.spec", "schedules"].map(|name| folder.path().join(name));
    let schedules: Vec<Vec<Event>> = seeds.clone().map(schedule).collect();
    let texts: Vec<String> = schedules.iter().map(|schedule| text(schedule)).collect();
    std::fs::write(&spec, "+ played.Blocks.*(...)\n").map_err(|e| e.to_string())?;
    std::fs::write(&file, texts.join("\n")).map_err(|e| e.to_string())?;
    let path = file.to_string_lossy();
    let options = format!("spec={}", spec.display());
    let [items, stream] = MODES.map(|mode| run(jvm, mode, &options, &["played.Play", &path]));
    let (items, stream) = (items?, stream?);
    let right = right(&joined(&schedules));
    for (mode, report) in MODES.iter().zip([&items, &stream]) {
        if said(report) != right {
            return Err(format!("seeds {seeds:?}, {mode}: the reference says {right}, the report {report}"));
        }
    }
    let [once, other] = [&items, &stream].map(single);
    if once != other {
        return Err(format!("seeds {seeds:?}: with dependencies alone {once:?}, with the stream {other:?}"));
    }
    Ok(once.len())
}

/// Adds rounds to a schedule: marks before and after its lines. Returns its text, and the trace without what is withdrawn.
fn with_rounds(schedule: &[Event], seed: u64) -> (String, Vec<Event>) {
    let mut chance = Pcg32::seed_from_u64(seed);
    let mut any = |bound: u32| chance.next_u32() % bound == 0;
    let mut rounds = [const { Round::new() }; 8];
    let mut lines = String::new();
    let mut kept: Vec<Option<Event>> = Vec::new();
    let settle = |round: &mut Round, thread: u32, is_used: bool, kept: &mut [Option<Event>], lines: &mut String| {
        if let Some(reads) = round.reads.take() {
            reads.into_iter().filter(|_| !is_used).for_each(|index| kept[index] = None);
            lines.push_str(&format!("{thread} {} 0\n", if is_used { 's' } else { 'f' }));
        }
    };
    for (event, line) in schedule.iter().zip(text(schedule).lines()) {
        let thread = event.thread.0;
        let round = &mut rounds[event.thread.index()];
        match event.op {
            Op::Read(_) if round.reads.is_none() && round.has_acted && any(2) => {
                lines.push_str(&format!("{thread} t 0\n"));
                round.reads = Some(Vec::new());
                round.inside.clear();
            }
            // The agent settles the round if two of its reads are in the block, or if it began in the block.
            Op::End if round.reads.is_some() && round.inside.pop().is_none_or(|reads| reads > 1) => {
                let is_used = any(2);
                settle(round, thread, is_used, &mut kept, &mut lines);
            }
            _ => {}
        }
        if !matches!(event.op, Op::Read(_) | Op::Begin(_) | Op::End) {
            if any(3) {
                settle(round, thread, false, &mut kept, &mut lines);
            }
            // The event itself settles it.
            round.reads = None;
        }
        lines.push_str(line);
        lines.push('\n');
        kept.push(Some(*event));
        match event.op {
            Op::Read(_) => {
                round.reads.iter_mut().for_each(|reads| reads.push(kept.len() - 1));
                round.inside.iter_mut().for_each(|reads| *reads += 1);
            }
            Op::Begin(_) => round.inside.push(0),
            _ => {}
        }
        round.has_acted |= !matches!(event.op, Op::Begin(_) | Op::End);
        if any(4) {
            let is_used = any(2);
            settle(round, thread, is_used, &mut kept, &mut lines);
        }
    }
    (lines, kept.into_iter().flatten().collect())
}

/// What a thread's round has read so far, by number in the trace, and how many of that in each block that began in it.
struct Round {
    reads: Option<Vec<usize>>,
    inside: Vec<u32>,
    has_acted: bool,
}

impl Round {
    const fn new() -> Round {
        Round { reads: None, inside: Vec::new(), has_acted: false }
    }
}

/// Plays schedules with rounds. Returns how many methods are violated, and how many more would be if nothing was withdrawn.
fn play_rounds(jvm: &Jvm, seeds: std::ops::Range<u64>) -> Result<[usize; 2], String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [spec, file] = ["blocks.spec", "schedules"].map(|name| folder.path().join(name));
    let schedules: Vec<Vec<Event>> = seeds.clone().map(schedule).collect();
    let marked = schedules.iter().zip(seeds.clone()).map(|(schedule, seed)| with_rounds(schedule, seed));
    let (texts, kept): (Vec<String>, Vec<Vec<Event>>) = marked.unzip();
    std::fs::write(&spec, "+ played.Blocks.*(...)\n").map_err(|e| e.to_string())?;
    std::fs::write(&file, texts.join("\n")).map_err(|e| e.to_string())?;
    let options = format!("spec={}", spec.display());
    let report = run(jvm, "dependencies", &options, &["played.Play", &file.to_string_lossy()])?;
    let right = right(&joined(&kept));
    if said(&report) != right {
        // One of them alone is easier to understand.
        let alone = seeds.clone().filter(|_| texts.len() > 1).map(|seed| play_rounds(jvm, seed..seed + 1));
        let told =
            || format!("seeds {seeds:?}: the reference says {right}, the report {}\n{}", said(&report), texts[0]);
        return alone.into_iter().find(Result::is_err).unwrap_or_else(|| Err(told()));
    }
    let count = |answer: &Value| {
        let counts = answer[1].as_object().into_iter().flatten();
        counts.map(|(_, counts)| counts[0].as_u64().unwrap_or_default() as usize).sum::<usize>()
    };
    let all = count(&self::right(&joined(&schedules)));
    Ok([count(&right), all.saturating_sub(count(&right))])
}

#[test]
fn reads_of_rounds_are_events_if_they_are_used() {
    on_newest_jvm(|jvm| {
        let schedules = if is_full() { 10 * SCHEDULES } else { SCHEDULES };
        let mut seen = [0, 0];
        for batch in 0..schedules / AT_ONCE {
            let [found, less] = play_rounds(jvm, batch * AT_ONCE..(batch + 1) * AT_ONCE)?;
            seen = [seen[0] + found, seen[1] + less];
        }
        if seen.iter().all(|count| *count > 20) { Ok(()) } else { Err(format!("{seen:?} violated and not any more")) }
    });
}

#[test]
fn generated_schedules_have_the_findings_of_the_reference_in_both_modes() {
    on_newest_jvm(|jvm| {
        // Some schedules run alone, so that many findings occur once.
        let (schedules, alone) = if is_full() { (SCHEDULES, AT_ONCE) } else { (SCHEDULES / 2, AT_ONCE / 2) };
        let batches = (0..schedules / AT_ONCE).map(|batch| batch * AT_ONCE..(batch + 1) * AT_ONCE);
        let runs = batches.chain((0..alone).map(|seed| seed..seed + 1));
        let mut once = 0;
        for seeds in runs {
            once += play(jvm, seeds)?;
        }
        if once > 3 { Ok(()) } else { Err(format!("only {once} findings could be compared in detail")) }
    });
}
