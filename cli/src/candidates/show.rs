//! Candidates for a person, and for a program.

use std::path::PathBuf;

use analysis_core::provoke::{Candidate, Candidates, Place, Rank, Step, Trials};
use anyhow::Result;
use serde::Serialize;

use super::read;
use crate::Outcome;
use crate::output::{Format, Output, complain};

/// The arguments of `candidates show`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// How to print: for a person, or one JSON object per line for each file.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The most candidates to print of each file (text only; JSON has them all).
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    max: usize,
    /// The files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints each file in turn. One that cannot be read yields an error message, and the others are still printed.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for path in &arguments.files {
        let name = path.display().to_string();
        match read(path) {
            Ok(all) if arguments.format == Format::Json => output.print(&(json(Some(&name), &all)? + "\n")),
            Ok(all) => output.print(&text(&name, &all, arguments.max)),
            Err(error) => {
                output.flush();
                complain(&format!("{error:#}"));
                outcome = Outcome::Failed;
            }
        }
    }
    Ok(outcome)
}

/// A file in JSON.
#[derive(Serialize)]
struct File<'a> {
    schema: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    runs: u64,
    /// The packages of the user, if they are known.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    own: &'a [String],
    candidates: Vec<Line<'a>>,
}

/// A candidate in JSON.
#[derive(Serialize)]
pub(crate) struct Line<'a> {
    id: String,
    state: &'static str,
    /// The kind of violation it would be: `conflict`, `steps`, `sections`, `looks`.
    rank: &'static str,
    tries: u64,
    held: u64,
    met: u64,
    block: &'a str,
    variable: &'a str,
    first: String,
    hold: String,
    last: String,
    other: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    enter: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<OfThread>,
}

/// What another thread passes.
#[derive(Serialize)]
struct OfThread {
    thread: char,
    /// 0 is the object of the first place, other numbers are other objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<u8>,
    place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<String>,
}

impl<'a> Line<'a> {
    /// The line of a candidate.
    pub(crate) fn of(candidate: &'a Candidate, trials: &Trials) -> Line<'a> {
        Line {
            id: candidate.id(),
            state: trials.state().name(),
            rank: word(candidate.rank()),
            tries: trials.tries,
            held: trials.held,
            met: trials.met,
            block: &candidate.block,
            variable: &candidate.variable,
            first: candidate.first.to_string(),
            hold: candidate.hold.to_string(),
            last: candidate.last.to_string(),
            other: candidate.other.to_string(),
            enter: candidate.enter.as_ref().map(Place::to_string),
            steps: candidate.steps.iter().map(OfThread::of).collect(),
        }
    }
}

impl OfThread {
    fn of(step: &Step) -> OfThread {
        OfThread {
            thread: Step::letter(step.thread),
            object: step.object,
            place: step.place.to_string(),
            gate: step.gate.as_ref().map(Place::to_string),
        }
    }
}

fn word(rank: Rank) -> &'static str {
    match rank {
        Rank::Conflict => "conflict",
        Rank::Steps => "steps",
        Rank::Sections => "sections",
        Rank::Looks => "looks",
    }
}

/// Candidates for a program.
pub(super) fn json(file: Option<&str>, all: &Candidates) -> Result<String> {
    let candidates = all.in_order().into_iter().map(|(candidate, trials)| Line::of(candidate, trials)).collect();
    Ok(serde_json::to_string(&File { schema: 1, file, runs: all.runs, own: all.own.packages(), candidates })?)
}

/// At most `most` candidates for a person.
pub(super) fn text(name: &str, all: &Candidates, most: usize) -> String {
    let runs = count(usize::try_from(all.runs).unwrap_or(usize::MAX), "run");
    let mut text = format!("{name}: {}, {runs} steered\n", count(all.len(), "candidate"));
    let list = all.in_order();
    text += &table(&list[..list.len().min(most)]);
    if list.len() > most {
        text += &format!("\n  and {} more; --max N prints more\n", list.len() - most);
    }
    text
}

/// Candidates one after the other, with an empty line before each.
fn table(list: &[(&Candidate, &Trials)]) -> String {
    let mut text = String::new();
    for (candidate, trials) in list {
        let Trials { tries, held, met, .. } = trials;
        let (id, state) = (candidate.id(), trials.state().name());
        let shown = match tries {
            0 => "not tried".to_owned(),
            _ => format!(
                "tried in {}, held in {held}, met in {met}",
                count(usize::try_from(*tries).unwrap_or(usize::MAX), "run")
            ),
        };
        text += &format!("\n  {id}  {state}  {}  {}\n", candidate.block, candidate.variable);
        text += &format!("    {shown}\n    a thread: {}\n", candidate.first);
        if candidate.hold != candidate.first {
            let side = if candidate.is_held_before() { "before" } else { "after" };
            text += &format!("    held {side} {}\n", candidate.hold);
        }
        if candidate.steps.is_empty() {
            text += &format!("    another:  {}\n", candidate.other);
        }
        for step in &candidate.steps {
            text += &format!("    thread {}: {}\n", Step::letter(step.thread), step.place);
        }
        text += &format!("    then:     {}\n", candidate.last);
    }
    text
}

/// `1 run`, `2 runs`.
pub(crate) fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}
