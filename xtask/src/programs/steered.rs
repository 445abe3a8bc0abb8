//! `--provoke`: checks that released programs behave the same if threads are held.
//!
//! Each runs as under `regiontrack provoke`, but in an empty folder each time: one run learns, two are steered to the
//! best of the candidates that follow from its trace, and one has random priorities. Each of them must print and write
//! the same as the plain run, with the same exit code. A run that takes longer than the limit hangs.

use std::io;
use std::path::Path;
use std::process::Command;

use super::report::{Report, Steered};
use super::table::Program;
use super::trial::{Laboratory, Run};
use super::{SAME, try_each};
use crate::{Outcome, dist};

/// The number of steered runs.
const STEERED: usize = 2;
/// The seed of the run with random priorities.
const SEED: u32 = 1;
/// The heading of the table.
const HEADING: [&str; 10] =
    ["program", "same?", "plain s", "learns s", "candidates", "steered s", "held", "met", "random s", "delays"];
/// The meaning of its columns.
const LEGEND: &str = "candidates: of the run that learns; held, met: the candidates for which a thread was held in a steered run, and for which another one came meanwhile; delays: of the run with random priorities";

/// The runs of a program.
struct Trial {
    plain: Run,
    learns: Run,
    candidates: usize,
    /// The steered runs, and the one with random priorities.
    steered: Vec<(Run, Steered)>,
    random: (Run, Steered),
    /// The differences; empty if all is well.
    differences: Vec<String>,
}

/// Runs these programs; fails if one of them behaves differently than without the agent.
pub(super) fn try_all(laboratory: &Laboratory, chosen: &[Program]) -> Outcome {
    let one = |program: &Program| {
        let trial = trial(laboratory, program)?;
        if !trial.differences.is_empty() {
            println!("  DIFFERENT: {}", trial.differences.join("; "));
        }
        Ok(row(program, &trial))
    };
    try_each(laboratory, chosen, (HEADING, LEGEND), "not the same where threads are held", one)
}

/// Runs a program, and compares.
fn trial(laboratory: &Laboratory, program: &Program) -> io::Result<Trial> {
    let folder = laboratory.folder(program);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let plain = laboratory.run(program, &folder.join("plain"), None)?;
    let mut differences: Vec<String> = plain.is_unusable(program).into_iter().collect();
    let mut add = |run: &Run, report: &Result<Report, String>, what: &str| {
        let told = plain.differences(run, program).into_iter().chain(report.as_ref().err().cloned());
        differences.extend(told.map(|told| format!("{what}: {told}")));
    };
    let (trace, file) = (folder.join("run.rtb"), folder.join("app.candidates"));
    let options = format!("record={},redundant=true", trace.display());
    let (learns, report) = laboratory.watched(program, "learns", &options)?;
    add(&learns, &report, "the run that learns");
    let candidates = candidates(laboratory, &trace, &file)?;
    let mut steered = Vec::new();
    for number in 1..=if candidates == 0 { 0 } else { STEERED } {
        let name = format!("steered-{number}");
        let (run, report) = laboratory.watched(program, &name, &format!("provoke={}", file.display()))?;
        add(&run, &report, &format!("steered run {number}"));
        steered.push((run, what_was_steered(report)));
    }
    let (run, report) = laboratory.watched(program, "random", &format!("priorities={SEED}"))?;
    add(&run, &report, "random priorities");
    let random = (run, what_was_steered(report));
    Ok(Trial { plain, learns, candidates, steered, random, differences })
}

fn what_was_steered(report: Result<Report, String>) -> Steered {
    report.ok().and_then(|report| report.steered).unwrap_or_default()
}

/// Writes the candidates that follow from the trace to the file and removes the trace. Returns the number of
/// candidates.
fn candidates(laboratory: &Laboratory, trace: &Path, file: &Path) -> io::Result<usize> {
    let mut command = Command::new(laboratory.workspace.root.join("dist").join(dist::COMMAND));
    if file.exists() {
        std::fs::remove_file(file)?;
    }
    let ran = command.arg("candidates").arg(trace).arg("-o").arg(file).output()?;
    std::fs::remove_file(trace)?;
    // An incomplete result, because there are too many candidates, is enough here.
    let is_enough = ran.status.success() || ran.status.code() == Some(2) && file.exists();
    if !is_enough {
        return Err(io::Error::other(format!("candidates: {}", String::from_utf8_lossy(&ran.stderr))));
    }
    Ok(std::fs::read_to_string(file)?.lines().filter(|line| line.starts_with("candidate ")).count())
}

/// A line of the table.
fn row(program: &Program, trial: &Trial) -> [String; 10] {
    let Trial { plain, learns, candidates, steered, random, differences } = trial;
    let seconds = |run: &Run| format!("{:.1}", run.wall);
    let of_each = |what: &dyn Fn(&(Run, Steered)) -> String| match steered.is_empty() {
        true => "-".to_owned(),
        false => steered.iter().map(what).collect::<Vec<_>>().join(", "),
    };
    [
        program.name.clone(),
        if differences.is_empty() { SAME } else { "DIFFERENT" }.to_owned(),
        seconds(plain),
        seconds(learns),
        candidates.to_string(),
        of_each(&|(run, _)| seconds(run)),
        of_each(&|(_, steered)| format!("{}/{}", steered.held, steered.candidates)),
        of_each(&|(_, steered)| steered.met.to_string()),
        seconds(&random.0),
        random.1.random.iter().map(|random| random.delays).sum::<u64>().to_string(),
    ]
}
