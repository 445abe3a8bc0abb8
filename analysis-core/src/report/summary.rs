//! The verdict on one trace by one engine, with the counts that give it weight.

use serde::Serialize;

use crate::engine::{EngineSpec, Findings};
use crate::event::{Event, LabelId, Op};
use crate::filter::Saved;
use crate::graph::accesses::at;

/// What is said of a trace as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every event was observed, and there is an equivalent serial order.
    Serializable,
    /// Two transactions each have to come before the other.
    NonSerializable,
    /// Events were lost, so neither can be said.
    Incomplete,
}

impl Verdict {
    /// Of an execution of which events are missing or not, and which is known to be non-serializable or not.
    pub fn of(is_incomplete: bool, is_non_serializable: bool) -> Verdict {
        match (is_incomplete, is_non_serializable) {
            (true, _) => Verdict::Incomplete,
            (false, true) => Verdict::NonSerializable,
            (false, false) => Verdict::Serializable,
        }
    }

    /// As JSON and tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Serializable => "serializable",
            Verdict::NonSerializable => "non-serializable",
            Verdict::Incomplete => "incomplete",
        }
    }
}

/// How many blocks of each label a trace has.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    by_label: Vec<u64>,
    unlabelled: u64,
}

impl Instances {
    /// Counts the begins among `events`.
    pub fn count(&mut self, events: &[Event]) {
        for event in events {
            match event.op {
                Op::Begin(LabelId::NONE) => self.unlabelled += 1,
                Op::Begin(label) => *at(&mut self.by_label, label.index()) += 1,
                _ => {}
            }
        }
    }

    /// How many blocks there are with this label, or without any.
    pub fn of(&self, label: LabelId) -> u64 {
        if label == LabelId::NONE {
            return self.unlabelled;
        }
        self.by_label.get(label.index()).copied().unwrap_or(0)
    }

    /// How many blocks there are.
    pub fn total(&self) -> u64 {
        self.unlabelled + self.by_label.iter().sum::<u64>()
    }
}

/// What one engine says of one trace.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    /// The trace as the user named it.
    pub trace: &'a str,
    /// The engine.
    pub engine: &'a EngineSpec,
    /// How many events were accepted.
    pub events: u64,
    /// How many threads they name.
    pub threads: u64,
    /// True if some of the trace could not be read.
    pub is_incomplete: bool,
    /// What the engine found.
    pub findings: &'a Findings,
    /// The blocks of the trace.
    pub instances: &'a Instances,
    /// What filters have saved, if some were asked for.
    pub saved: &'a [Saved],
    /// What the reader let pass.
    pub warnings: &'a [String],
}

impl Summary<'_> {
    /// What is said of the trace as a whole.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.is_incomplete, self.findings.is_non_serializable())
    }

    /// The first event whose prefix is known to be non-serializable.
    pub fn first_event(&self) -> Option<u64> {
        self.findings.cycle.as_ref().map(|cycle| cycle.event.position())
    }
}
