//! Running a program with an engine gives the engine's answer for the trace of that run.
//!
//! The default engine receives dependencies while the program runs, the others the recorded events. Each must give the same
//! answer as the engine that reads the trace afterwards. Engines are in Rust, so the newest JVM is enough; a full run has all.

use analysis_core::engine::{BlameClaim, EngineSpec, VerdictClaim};
use analysis_core::engines::ENGINES;

use crate::machine::{Jvm, is_full, on_newest_jvm};
use crate::recorded::{self, Recorded};

/// Programs that are small enough for every engine. The last one ends inside blocks.
const PROGRAMS: &[&str] = &[
    "violating.CheckThenAct",
    "violating.SectionsThatWrite",
    "atomic.WaitNotify",
    "atomic.SectionsThatRead",
    "life.ExitInsideBlock",
];

/// A program with thousands of threads that share few numbers, and more events than the reference accepts.
const LONG: &str = "life.ShortThreads";

fn is_answer_of_the_trace(run: &Recorded, spec: &EngineSpec) -> Result<(), String> {
    let (verdict, violated) = run.trace.judged_by(spec);
    let said = (run.report["verdict"].as_str().unwrap_or_default(), run.violated());
    if said != (verdict, violated.clone()) || run.report["engine"] != spec.name {
        return Err(format!("the trace has {verdict} {violated:?}, the report {}", run.report));
    }
    let may_have_missed =
        spec.claim.verdict == VerdictClaim::OnceBlocksClose && verdict == "serializable" && run.trace.has_open_blocks();
    if run.warns("open at the end") != may_have_missed || run.warns("blames no blocks") != is_silent(spec) {
        return Err(format!("wrong warnings: {}", run.report["warnings"]));
    }
    Ok(())
}

fn is_silent(spec: &EngineSpec) -> bool {
    spec.claim.blame == BlameClaim::Silent
}

fn check(jvm: &Jvm, class: &str, spec: &EngineSpec) -> Result<(), String> {
    let run = recorded::run(jvm, class, &format!("engine={}", spec.name))?;
    if spec.most_events.is_none_or(|most| run.trace.events.len() as u64 <= most) {
        return is_answer_of_the_trace(&run, spec);
    }
    let is_said = run.report["verdict"] == "incomplete" && run.warns("which are too many for it");
    if is_said { Ok(()) } else { Err(format!("not incomplete: {}", run.report)) }
}

/// Runs each class with every second engine, as on a chessboard, so that each engine has some of them, and the last
/// class, for which engines make different claims, with each engine. A full run has all combinations.
fn check_all(jvm: &Jvm, classes: &[&str]) -> Result<(), String> {
    let mut wrong = Vec::new();
    for (row, class) in classes.iter().enumerate() {
        for (column, spec) in ENGINES.iter().enumerate() {
            if is_full() || row + 1 == classes.len() || row % 2 == column % 2 {
                let checked = check(jvm, class, spec);
                wrong.extend(checked.err().map(|why| format!("{class} with engine {}: {why}", spec.name)));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

#[test]
fn a_run_with_each_engine_gets_the_answer_of_that_engine_on_its_own_trace() {
    on_newest_jvm(|jvm| check_all(jvm, PROGRAMS));
}

#[test]
fn so_does_a_long_run_with_many_threads_but_for_an_engine_that_takes_less() {
    on_newest_jvm(|jvm| check_all(jvm, &[LONG]));
}
