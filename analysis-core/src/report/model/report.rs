//! The one model of what was found, of a run and of a trace alike.

use std::collections::{BTreeMap, BTreeSet};

use super::attached::Attached;
use super::finding::Finding;
use super::guided::Guided;
use super::provoked::Steered;
use super::replayed::Replayed;
use super::sifted::{Sifted, Status};
use super::sources::Sources;
use super::summary::{Answer, Summary};
use super::watched::Watched;
use super::witness::Witness;
use crate::engine::EngineSpec;
use crate::filter::Saved;

/// Everything about one run, or about one trace by one engine: what every format prints.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// What applies to the whole.
    pub head: Head<'a>,
    /// One finding for each cause of each method that was the innermost violated block of some event, the likeliest bug
    /// first.
    pub findings: Vec<Finding>,
    /// The methods that were violated only around those, in the same order.
    pub callers: Vec<Finding>,
    /// The cycle, if the execution is non-serializable and no block is to blame.
    pub cycle: Option<Witness>,
    /// Whether a baseline has the cycle, if there is one.
    pub cycle_status: Option<Status>,
    /// Violated blocks in which their thread waited for others, so that they can hardly have been meant to be atomic.
    pub waits_inside: Vec<Finding>,
}

/// A finding with a line of its own in a short list.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// Its number among all findings, from 1.
    pub number: usize,
    /// The finding.
    pub finding: &'a Finding,
    /// How many other findings of its method have no line.
    pub unlisted: usize,
}

impl Report<'_> {
    /// Chooses at most this many findings for a short list, in their order: the first finding of each method comes before
    /// any second one.
    pub fn listed(&self, most: usize) -> Vec<Listed<'_>> {
        let mut seen = BTreeSet::new();
        let (firsts, others): (Vec<usize>, Vec<usize>) =
            (0..self.findings.len()).partition(|index| seen.insert(&self.findings[*index].method));
        let mut listed: Vec<usize> = firsts.into_iter().chain(others).take(most).collect();
        listed.sort_unstable();
        let mut unlisted: BTreeMap<&Option<String>, usize> = BTreeMap::new();
        self.findings.iter().for_each(|finding| *unlisted.entry(&finding.method).or_default() += 1);
        listed.iter().for_each(|index| *unlisted.entry(&self.findings[*index].method).or_default() -= 1);
        // One line of the method says so.
        let line = |index: usize| {
            let finding = &self.findings[index];
            let unlisted = unlisted.remove(&finding.method).unwrap_or_default();
            Listed { number: index + 1, finding, unlisted }
        };
        listed.into_iter().map(line).collect()
    }
}

/// What a report says of the whole.
#[derive(Clone, Debug)]
pub struct Head<'a> {
    /// What was analysed, as the user knows it.
    pub subject: &'a str,
    /// How the execution was observed.
    pub source: Source,
    /// The engine.
    pub engine: &'a EngineSpec,
    /// Verdict and counts of violated blocks.
    pub answer: Answer,
    /// The first event that shows that the execution is non-serializable, if events have numbers.
    pub first_event: Option<u64>,
    /// How many blocks there are.
    pub blocks: u64,
    /// How much was analysed.
    pub size: Size,
    /// The number of threads.
    pub threads: u64,
    /// Why the run is incomplete, as far as that is not among the warnings.
    pub reasons: Vec<String>,
    /// Other warnings.
    pub warnings: Vec<String>,
    /// Hints on how to see more, or less.
    pub hints: Vec<String>,
    /// What filters have saved.
    pub saved: &'a [Saved],
    /// How much was watched, if only a part was to be; all other counts are of that part.
    pub watched: Option<Watched>,
    /// What a profile of earlier runs left to be watched, if there is one.
    pub guided: Option<Guided>,
    /// What the run was steered to, if it was steered.
    pub steered: Option<Steered>,
    /// What became of the schedule that the run was to replay, if there was one.
    pub replayed: Option<Replayed>,
    /// What the agent could not see, if it was attached to a running program.
    pub attached: Option<Attached>,
    /// What suppressions and a baseline have made of the findings, if there are any.
    pub sifted: Option<Sifted>,
    /// Figures that were asked for.
    pub notes: Vec<String>,
    /// The most findings that a text report lists.
    pub most: usize,
    /// Where the same report is kept as JSON.
    pub kept: Kept,
    /// Where the sources of the program are, for formats that show lines of them.
    pub sources: Sources,
}

/// Where a reader finds everything that a report contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// In this file: the report as JSON, or the trace.
    In(String),
    /// Nowhere yet; this option writes it as JSON into a file called [`Kept::FILE`].
    By(&'static str),
}

impl Kept {
    /// The file that options name in examples.
    pub const FILE: &'static str = "FILE.json";
}

/// How much was analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The number of events.
    Events(u64),
    /// The number of dependencies between threads, where nothing counts the events.
    Dependencies(u64),
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Size::Events(1) => write!(f, "1 event"),
            Size::Events(events) => write!(f, "{events} events"),
            Size::Dependencies(1) => write!(f, "1 dependency between threads"),
            Size::Dependencies(dependencies) => write!(f, "{dependencies} dependencies between threads"),
        }
    }
}

/// How an execution was observed, which decides how options are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// By the agent, while it ran.
    Run,
    /// It was recorded as a trace.
    Trace,
}

impl<'a> From<&Summary<'a>> for Head<'a> {
    fn from(summary: &Summary<'a>) -> Head<'a> {
        Head {
            subject: summary.trace,
            source: Source::Trace,
            engine: summary.engine,
            answer: summary.answer(),
            first_event: summary.first_event(),
            blocks: summary.instances.total(),
            size: Size::Events(summary.events),
            threads: summary.threads,
            reasons: summary.context.reasons.clone(),
            warnings: summary.warnings.to_vec(),
            hints: Vec::new(),
            saved: summary.saved,
            watched: None,
            guided: None,
            steered: None,
            replayed: None,
            attached: None,
            sifted: None,
            notes: Vec::new(),
            most: usize::MAX,
            kept: Kept::In(summary.trace.to_owned()),
            sources: Sources::Usual,
        }
    }
}
