//! The results of `provoke`: a table for a person, or JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use analysis_core::provoke::schedule::{self, file_of};
use analysis_core::provoke::{Candidate, Candidates, State, Step, Trials};
use analysis_core::report::saved::Saved;
use analysis_core::report::{held_for, replay_of};
use anyhow::Result;
use serde::Serialize;
use serde_json::Value;

use crate::Outcome;
use crate::agent::shown;
use crate::candidates::{Line, count};

/// The most candidates to list in each state, except for confirmed ones.
const LISTED: usize = 10;

/// The runs and their results.
#[derive(Default)]
pub(super) struct Ended {
    /// The number of runs.
    pub(super) runs: u64,
    /// The number of learning runs.
    pub(super) learnt: u64,
    pub(super) candidates: Candidates,
    /// The report of all runs.
    pub(super) report: Option<Saved>,
    /// The provoked findings, in the order of the runs.
    pub(super) confirmed: Vec<Confirmed>,
    /// The number of further runs, to minimize schedules.
    pub(super) minimized: u64,
    /// The number of runs with random priorities.
    pub(super) shuffled: u64,
    /// Their seeds, for people: `seeds 7 to 9`.
    pub(super) seeds: String,
    /// Their findings, each once, in order.
    pub(super) random: Vec<ByChance>,
    /// Findings for which no thread was held.
    pub(super) seen: BTreeSet<Seen>,
    /// How learning runs ended, and how all others did, in the system's words, with their counts.
    pub(super) learnt_ends: BTreeMap<String, u64>,
    pub(super) ends: BTreeMap<String, u64>,
    /// Warnings for the user, each with the number of runs that gave it.
    pub(super) warnings: Vec<(String, u64)>,
    /// Why the search was stopped early.
    pub(super) stopped: Option<String>,
    /// The signal with which the user ended the command.
    pub(super) interrupted: Option<&'static str>,
    /// Whether some runs took too long and were ended.
    pub(super) is_cut: bool,
    /// Whether a killed JVM left no report.
    pub(super) is_lost: bool,
    /// The folder of the schedules.
    pub(super) schedules: Option<PathBuf>,
    /// The results of schedules that were tried without some of their switch points.
    pub(super) tried: BTreeMap<PathBuf, String>,
    /// The number of runs with a cycle and no block to blame.
    pub(super) cycles: u64,
}

/// A provoked finding, as its report has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Confirmed {
    candidate: String,
    finding: String,
    method: String,
    kind: String,
    held_ms: u64,
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    /// Whether another thread came meanwhile, and the violation goes through the candidate's variable or lock.
    confirms: bool,
    /// The file with its schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) schedule: Option<String>,
}

impl Confirmed {
    /// Reads a violation from a JSON report, if it was provoked.
    pub(super) fn of(violation: &Value) -> Option<Confirmed> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let provoked = violation.get("provoked")?;
        Some(Confirmed {
            candidate: text(&provoked["candidate"])?,
            finding: text(&violation["id"])?,
            method: text(&violation["method"])?,
            kind: text(&violation["kind"])?,
            held_ms: provoked["held_ms"].as_u64()?,
            at: text(&provoked["at"])?,
            until: text(&provoked["until"]),
            confirms: provoked["confirms"] == true,
            schedule: text(&provoked["schedule"]),
        })
    }

    fn how(&self) -> String {
        let Confirmed { held_ms, at, until, .. } = self;
        let until =
            until.as_ref().map_or("until the time was over".to_owned(), |until| format!("until {until} was passed"));
        let held = held_for(*held_ms, at);
        format!("{} in {}: {held} {until}; finding {}", self.kind, self.method, self.finding)
    }
}

/// A finding of a run with random priorities, as its report has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ByChance {
    seed: u64,
    finding: String,
    method: String,
    kind: String,
}

impl ByChance {
    /// Reads a violation from a JSON report, if its run had priorities.
    pub(super) fn of(violation: &Value) -> Option<ByChance> {
        let text = |key: &str| violation[key].as_str().map(str::to_owned);
        let seed = violation.get("provoked")?["seed"].as_u64()?;
        Some(ByChance { seed, finding: text("id")?, method: text("method")?, kind: text("kind")? })
    }

    /// Whether both are the same finding.
    pub(super) fn is_of(&self, other: &ByChance) -> bool {
        self.finding == other.finding
    }
}

/// A finding for which no thread was held, as its report has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Seen {
    finding: String,
    method: String,
    kind: String,
}

impl Seen {
    /// Reads a violation from a JSON report, if it was not provoked.
    pub(super) fn of(violation: &Value) -> Option<Seen> {
        let text = |key: &str| violation[key].as_str().map(str::to_owned);
        let is_provoked = violation.get("provoked").is_some();
        (!is_provoked).then(|| Some(Seen { finding: text("id")?, method: text("method")?, kind: text("kind")? }))?
    }
}

/// The result in JSON.
#[derive(Serialize)]
struct Whole<'a> {
    schema: u32,
    command: String,
    runs: u64,
    learnt: u64,
    /// The number of further runs, to minimize schedules.
    minimized: u64,
    confirmed: usize,
    candidates: Vec<Line<'a>>,
    findings: &'a [Confirmed],
    /// The number of runs with random priorities, and their findings.
    shuffled: u64,
    random: &'a [ByChance],
    observed: &'a BTreeSet<Seen>,
    /// The number of runs that did not learn and ended as no learning run did.
    ended_otherwise: u64,
    /// The results of schedules that were tried without some of their switch points, by file.
    schedules: BTreeMap<String, &'a str>,
    /// The number of runs with a cycle and no block to blame.
    cycles: u64,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupted: Option<&'static str>,
}

impl Ended {
    /// The outcome for the exit code. Reports decide: they have found what is confirmed, unless it is suppressed,
    /// known, or waits inside for other threads. Killed JVMs may have left no report.
    pub(super) fn outcome(&self) -> Outcome {
        // Then nothing is known about any JVM.
        let is_unknown = self.report.is_none() && (self.is_cut || self.interrupted.is_some());
        let stopped = if self.stopped.is_some() || is_unknown { Outcome::Failed } else { Outcome::Clean };
        let has_all = self.report.is_some() && !self.is_lost;
        let is_confirmed = !has_all && !self.of(State::Confirmed).is_empty();
        let confirmed = if is_confirmed { Outcome::Violated } else { Outcome::Clean };
        let reported = self.report.as_ref().map_or(Outcome::Clean, |report| Outcome::of(report.answer()));
        stopped.max(confirmed).max(reported)
    }

    /// The candidates in this state.
    pub(super) fn of(&self, state: State) -> Vec<(&Candidate, &Trials)> {
        self.candidates.of(state)
    }

    /// The files with schedules, each once: one for each finding before a second one for any; among these, first those
    /// that confirm their candidate, in the order of the runs.
    pub(super) fn schedules_by_worth(&self) -> Vec<PathBuf> {
        let mut all: Vec<&Confirmed> = self.confirmed.iter().collect();
        all.sort_by_key(|confirmed| !confirmed.confirms);
        let mut files: Vec<(usize, PathBuf)> = Vec::new();
        let mut of_findings: BTreeMap<&str, usize> = BTreeMap::new();
        for (finding, file) in all.into_iter().filter_map(|one| Some((&one.finding, one.schedule.as_ref()?))) {
            let file = PathBuf::from(file);
            if !files.iter().any(|(_, known)| *known == file) {
                let before = of_findings.entry(finding).or_default();
                files.push((*before, file));
                *before += 1;
            }
        }
        files.sort_by_key(|(before, _)| *before);
        files.into_iter().map(|(_, file)| file).collect()
    }

    /// The file with the schedule of a candidate and of the finding that confirms it, if there is one.
    fn schedule_of(&self, candidate: &str, finding: Option<&Confirmed>) -> Option<PathBuf> {
        let told = finding.and_then(|confirmed| confirmed.schedule.as_ref()).map(PathBuf::from);
        told.or_else(|| Some(file_of(self.schedules.as_ref()?, candidate, None)).filter(|file| file.exists()))
    }

    /// How to make a violation happen again, and what is known about that.
    fn again(&self, file: &Path) -> String {
        let tried = self.tried.get(file).map_or("not tried so far", String::as_str);
        format!("  again: {} -- COMMAND\n    {tried}\n", replay_of(&file.display().to_string()))
    }

    /// The results for a person; `is_kept` if the candidates stay in a file.
    pub(super) fn text(&self, is_kept: bool) -> String {
        let number = |state| self.of(state).len();
        let runs = |number: u64| count(usize::try_from(number).unwrap_or(usize::MAX), "run");
        let mut text = format!(
            "{}, {} to learn: {}, {} confirmed, {} impossible so far, {} not reached, {} left\n",
            runs(self.runs),
            self.learnt,
            count(self.candidates.len(), "candidate"),
            number(State::Confirmed),
            number(State::Impossible),
            number(State::NotReached),
            number(State::Again) + number(State::New)
        );
        for (candidate, trials) in self.of(State::Confirmed) {
            text += &format!("\nconfirmed  {}", line(candidate, trials));
            let id = candidate.id();
            let finding = self.confirmed.iter().find(|confirmed| confirmed.confirms && confirmed.candidate == id);
            let file = self.schedule_of(&id, finding);
            match finding {
                Some(confirmed) => text += &format!("  {}\n", confirmed.how()),
                None => text += &confirmed_besides(file.as_deref()),
            }
            text.extend(file.map(|file| self.again(&file)));
        }
        for (state, title) in [
            (State::Again, "confirmed before, and not tried often enough since"),
            (State::Impossible, "impossible so far: others came, and no finding came of it"),
            (State::NotReached, "not reached: no thread was held, or nobody came"),
            (State::New, "left"),
        ] {
            let list = self.of(state);
            if list.is_empty() {
                continue;
            }
            text += &format!("\n{title}\n");
            list.iter().take(LISTED).for_each(|(candidate, trials)| text += &format!("  {}", line(candidate, trials)));
            if list.len() > LISTED {
                text += &format!("  and {} more\n", list.len() - LISTED);
            }
        }
        let seen =
            self.seen.iter().map(|seen| format!("  {} in {}; finding {}\n", seen.kind, seen.method, seen.finding));
        if !self.seen.is_empty() {
            text += &seen.fold("\nfound though nobody was held\n".to_owned(), |text, line| text + &line);
        }
        if self.cycles > 0 {
            let runs = runs(self.cycles);
            text +=
                &format!("\na cycle of transactions, and no block to blame, in {runs}: --report FILE tells of it\n");
        }
        text += &self.besides();
        text += &self.by_chance();
        text += &self.notes(is_kept);
        text
    }

    /// Findings while a thread was held that confirm no candidate, each once.
    fn besides(&self) -> String {
        let mut known = BTreeSet::new();
        let confirming = self.confirmed.iter().filter(|confirmed| confirmed.confirms);
        known.extend(confirming.map(|confirmed| &confirmed.finding));
        let others = self.confirmed.iter().filter(|confirmed| known.insert(&confirmed.finding));
        let lines: String = others.map(|found| format!("  {}; candidate {}\n", found.how(), found.candidate)).collect();
        if lines.is_empty() {
            return lines;
        }
        format!("\nfound while a thread was held, but not by what its candidate says\n{lines}")
    }

    /// The findings of runs with random priorities.
    fn by_chance(&self) -> String {
        let found = self.random.iter().map(|ByChance { seed, finding, method, kind }| {
            format!("  {kind} in {method}; finding {finding}; seed {seed}\n")
        });
        match (self.shuffled, &self.seeds[..]) {
            (0, _) => String::new(),
            (_, seeds) if self.random.is_empty() => format!("\nnothing by random priorities, {seeds}\n"),
            (_, seeds) => found.fold(format!("\nby random priorities, {seeds}\n"), |text, line| text + &line),
        }
    }

    /// The ends of runs that did not learn, except for ends that learning runs had too, with their counts.
    fn other_ends(&self) -> Vec<(&str, u64)> {
        let others = self.ends.iter().filter(|(end, _)| !self.learnt_ends.contains_key(*end));
        others.filter(|_| !self.learnt_ends.is_empty()).map(|(end, times)| (end.as_str(), *times)).collect()
    }

    /// The warning about [`Ended::other_ends`].
    fn ended_otherwise(&self) -> Option<String> {
        let others = self.other_ends();
        let number: u64 = others.iter().map(|(_, times)| times).sum();
        let all: u64 = self.ends.values().sum();
        let all = count(usize::try_from(all).unwrap_or(usize::MAX), "run");
        let usual: Vec<&str> = self.learnt_ends.keys().map(String::as_str).collect();
        let others: Vec<String> = others.iter().map(|(end, number)| format!("{end}{}", times(*number))).collect();
        (number > 0).then(|| {
            let (usual, others) = (usual.join(", "), others.join(", "));
            let were = if all.ends_with('s') { "were" } else { "was" };
            format!("{number} of {all} that {were} steered ended otherwise than those that learn ({usual}): {others}")
        })
    }

    fn notes(&self, is_kept: bool) -> String {
        let mut text = String::new();
        for (warning, number) in &self.warnings {
            text += &format!("warning: {warning}{}\n", times(*number));
        }
        text.extend(self.ended_otherwise().map(|warning| format!("warning: {warning}\n")));
        if let Some(why) = &self.stopped {
            text += &format!("stopped: {why}\n");
        }
        if let Some(signal) = self.interrupted {
            text += &format!("ended early by {signal}: these are the results of the runs until then\n");
        }
        if !is_kept && !self.candidates.is_empty() {
            text += "--candidates FILE keeps the candidates, and another time goes on from there; --report FILE writes the findings\n";
        }
        if text.is_empty() { text } else { format!("\n{text}") }
    }

    /// The results for a program.
    pub(super) fn json(&self, command: &[OsString]) -> Result<String> {
        let candidates = self.candidates.in_order();
        Ok(serde_json::to_string(&Whole {
            schema: 1,
            command: shown(command),
            runs: self.runs,
            learnt: self.learnt,
            minimized: self.minimized,
            confirmed: self.of(State::Confirmed).len(),
            candidates: candidates.into_iter().map(|(candidate, trials)| Line::of(candidate, trials)).collect(),
            findings: &self.confirmed,
            shuffled: self.shuffled,
            random: &self.random,
            observed: &self.seen,
            ended_otherwise: self.other_ends().iter().map(|(_, times)| times).sum(),
            schedules: self.tried.iter().map(|(file, told)| (file.display().to_string(), &**told)).collect(),
            cycles: self.cycles,
            warnings: self.warnings.iter().map(|(warning, _)| warning.clone()).chain(self.ended_otherwise()).collect(),
            stopped: self.stopped.as_deref(),
            interrupted: self.interrupted,
        })?)
    }
}

/// The line for a candidate that was confirmed by a violation that no report shows, because each report describes a
/// finding by one of its violations. The file with its schedule may know the finding.
fn confirmed_besides(file: Option<&Path>) -> String {
    let schedule = file.and_then(|file| schedule::read(file).ok().flatten());
    let finding = schedule.and_then(|schedule| schedule.finding).map_or(String::new(), |id| format!("; finding {id}"));
    format!("  by another violation of the block than reports describe{finding}\n")
}

/// ` (3 times)`, and nothing for once.
fn times(number: u64) -> String {
    if number > 1 { format!(" ({number} times)") } else { String::new() }
}

/// A candidate in one line.
fn line(candidate: &Candidate, trials: &Trials) -> String {
    let Candidate { block, variable, first, last, other, steps, .. } = candidate;
    let Trials { tries, held, met, .. } = trials;
    let of_step = |step: &Step| format!("{}: {}", Step::letter(step.thread), brief(&step.place));
    let others = match &steps[..] {
        [] => brief(other),
        steps => steps.iter().map(of_step).collect::<Vec<_>>().join(" "),
    };
    // Candidates of the same places can differ in where the thread is held.
    let hold = if candidate.is_held_before() { "before " } else { "" };
    let places = format!("{} {others} {hold}{}", brief(first), brief(last));
    format!("{}  {block}  {variable}  {places}  (tried {tries}, held {held}, met {met})\n", candidate.id())
}

/// `Cache.java:41 write`.
fn brief(place: &analysis_core::provoke::Place) -> String {
    format!("{} {}", place.in_table(), place.action.name())
}
