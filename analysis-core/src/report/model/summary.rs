//! The verdict on one trace by one engine, with the counts that give it weight.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::application::Application;
use crate::engine::{EngineSpec, Findings, Violation};
use crate::event::{Event, LabelId, Op};
use crate::filter::Saved;
use crate::graph::accesses::at;

/// What is said of a trace as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every event was observed, and there is an equivalent serial order.
    Serializable,
    /// Two transactions each have to come before the other.
    NonSerializable,
    /// Events were lost, so neither can be said.
    Incomplete,
    /// The engine only warns, only a part of the run was watched or seen, or no block, so neither can be said.
    Undecided,
}

/// What is missing among the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Nothing is.
    #[default]
    Nothing,
    /// What was not to be watched, or could not be seen and is counted: what was found, was found.
    Unwatched,
    /// Every block: there is none to judge, and of what is outside of them nobody has asked anything.
    Blocks,
    /// Events that can only have hidden more: what was found, was found.
    Hides,
    /// Lines of a trace, ends of blocks perhaps among them: what was found may be due to that.
    Misleads,
}

/// What is said of an execution as a whole: the one definition of verdict, counts and exit code, for a run under the agent
/// and for a recorded trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Some cycle was found.
    pub is_non_serializable: bool,
    /// What is missing among the events.
    pub loss: Loss,
    /// How many violated blocks count.
    pub counted: u64,
    /// How many violated blocks are listed separately, because their thread waits for others inside.
    pub apart: u64,
    /// All that was found is suppressed, or known.
    pub is_excused: bool,
    /// These blocks are not violated: an engine that gives no verdict warns of them.
    pub only_warns: bool,
}

impl Answer {
    /// In a word.
    pub fn verdict(&self) -> Verdict {
        match (self.loss, self.is_non_serializable) {
            (Loss::Nothing | Loss::Unwatched | Loss::Blocks | Loss::Hides, true) => Verdict::NonSerializable,
            (Loss::Nothing, false) if self.only_warns => Verdict::Undecided,
            (Loss::Unwatched | Loss::Blocks, false) => Verdict::Undecided,
            (Loss::Nothing, false) => Verdict::Serializable,
            (Loss::Hides, false) | (Loss::Misleads, _) => Verdict::Incomplete,
        }
    }

    /// True if it sets the exit code: a block that counts is violated, or no block is to blame for the cycle. Where only
    /// blocks that wait inside are violated, they explain the cycle, and nobody meant them to be atomic. A warning says of
    /// no block that it is violated. What is suppressed or known was judged before.
    pub fn is_violation(&self) -> bool {
        !self.only_warns && !self.is_excused && (self.counted > 0 || (self.is_non_serializable && self.apart == 0))
    }

    /// What the counts alone would leave open.
    pub(in crate::report) fn remark(&self, is_silent: bool) -> Option<String> {
        match (self.counted, self.apart) {
            _ if self.only_warns => Some(
                "this engine only warns: blocks that it names may be atomic, others may not be, and the exit code does not \
                 count them; see regiontrack predict"
                    .to_owned(),
            ),
            (0, 0) if self.is_non_serializable && !is_silent => Some(
                "no block is to blame, and the exit code still counts it: the transactions have no order".to_owned(),
            ),
            (0, 1) => Some(
                "nothing counts here: the only violated block waits inside for other threads, so it is listed apart and \
                 changes no exit code"
                    .to_owned(),
            ),
            (0, apart) if apart > 0 => Some(format!(
                "nothing counts here: all {apart} violated blocks wait inside for other threads, so they are listed apart \
                 and change no exit code"
            )),
            _ => None,
        }
    }
}

impl Verdict {
    /// As JSON and tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Serializable => "serializable",
            Verdict::NonSerializable => "non-serializable",
            Verdict::Incomplete => "incomplete",
            Verdict::Undecided => "undecided",
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
            if let Op::Begin(label) = event.op {
                self.add(label, 1);
            }
        }
    }

    /// Counts this many blocks with this label, or without any.
    pub fn add(&mut self, label: LabelId, count: u64) {
        match label {
            LabelId::NONE => self.unlabelled += count,
            label => *at(&mut self.by_label, label.index()) += count,
        }
    }

    /// How many blocks there are with this label, or without any.
    pub fn of(&self, label: LabelId) -> u64 {
        if label == LabelId::NONE {
            return self.unlabelled;
        }
        self.by_label.get(label.index()).copied().unwrap_or(0)
    }

    /// The labels that there are blocks with, and how many.
    pub fn labels(&self) -> impl Iterator<Item = (LabelId, u64)> + '_ {
        (0..).map(LabelId).zip(self.by_label.iter().copied()).filter(|(_, count)| *count > 0)
    }

    /// How many blocks there are.
    pub fn total(&self) -> u64 {
        self.unlabelled + self.by_label.iter().sum::<u64>()
    }
}

/// What is known of the run that a trace was recorded in, beside its events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The begins of the violated blocks that wait inside and are listed separately.
    pub apart: FxHashSet<u64>,
    /// The packages that the user has written.
    pub application: Application,
    /// Why the run was incomplete: what was lost there is missing here.
    pub reasons: Vec<String>,
    /// What of the run was not seen: what was found, was found.
    pub unseen: Vec<String>,
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
    /// What is known of the run.
    pub context: &'a Context,
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
    pub fn answer(&self) -> Answer {
        let apart = self.findings.violations.iter().filter(|violation| self.waits(violation)).count() as u64;
        Answer {
            is_non_serializable: self.findings.is_non_serializable(),
            loss: match (self.is_incomplete, self.context.reasons.is_empty()) {
                (true, _) => Loss::Misleads,
                (false, false) => Loss::Hides,
                (false, true) if self.instances.total() == 0 => Loss::Blocks,
                (false, true) if !self.context.unseen.is_empty() => Loss::Unwatched,
                (false, true) => Loss::Nothing,
            },
            counted: self.findings.violations.len() as u64 - apart,
            apart,
            is_excused: false,
            only_warns: self.engine.claim.only_warns(),
        }
    }

    /// True if a violated block is listed separately because its thread waits inside.
    pub fn waits(&self, violation: &Violation) -> bool {
        self.context.apart.contains(&violation.begin)
    }

    /// The first event whose prefix is known to be non-serializable.
    pub fn first_event(&self) -> Option<u64> {
        self.findings.cycle.as_ref().map(|cycle| cycle.event.position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_part_of_a_run_nothing_is_said_but_what_was_found() {
        let part = Answer { loss: Loss::Unwatched, ..Answer::default() };
        assert_eq!((part.verdict(), part.is_violation()), (Verdict::Undecided, false));
        let nothing = Answer { loss: Loss::Blocks, ..Answer::default() };
        assert_eq!((nothing.verdict(), nothing.is_violation()), (Verdict::Undecided, false));
        let found = Answer { is_non_serializable: true, counted: 1, ..part };
        assert_eq!((found.verdict(), found.is_violation()), (Verdict::NonSerializable, true));
    }
}
