//! The verdict on one trace by one engine, with the counts that give it weight.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::application::Application;
use crate::engine::{EngineSpec, Findings, Violation};
use crate::event::{Event, LabelId, Op};
use crate::filter::Saved;
use crate::graph::accesses::at;

/// The verdict on a trace as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every event was observed, and there is an equivalent serial order.
    Serializable,
    /// Two transactions each have to come before the other.
    NonSerializable,
    /// Events were lost, so neither is certain.
    Incomplete,
    /// The engine only warns, or only a part of the run or no block was watched or seen, so neither is certain.
    Undecided,
}

/// What is missing among the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Nothing is missing.
    #[default]
    Nothing,
    /// What was not to be watched, or could not be seen and is counted: findings stay valid.
    Unwatched,
    /// Every block: there is none to judge, and nothing was asked about what is outside of blocks.
    Blocks,
    /// Events whose loss can only have hidden more: findings stay valid.
    Hides,
    /// Lines of a trace, perhaps including ends of blocks: findings may be due to that.
    Misleads,
}

/// The answer about an execution as a whole: the one definition of verdict, counts and exit code, for a run under the
/// agent and for a recorded trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whether a cycle was found.
    pub is_non_serializable: bool,
    /// What is missing among the events.
    pub loss: Loss,
    /// How many violated blocks count.
    pub counted: u64,
    /// How many violated blocks are listed separately, because their thread waits for others inside.
    pub apart: u64,
    /// Whether all findings are suppressed or known.
    pub is_excused: bool,
    /// Of several runs: whether one has a cycle for which no block is to blame. What other runs blame does not explain it.
    pub blames_nobody: bool,
    /// Whether these blocks are not violated: an engine that gives no verdict warns of them.
    pub only_warns: bool,
}

impl Answer {
    /// The verdict in a word.
    pub fn verdict(&self) -> Verdict {
        match (self.loss, self.is_non_serializable) {
            (Loss::Nothing | Loss::Unwatched | Loss::Blocks | Loss::Hides, true) => Verdict::NonSerializable,
            (Loss::Nothing, false) if self.only_warns => Verdict::Undecided,
            (Loss::Unwatched | Loss::Blocks, false) => Verdict::Undecided,
            (Loss::Nothing, false) => Verdict::Serializable,
            (Loss::Hides, false) | (Loss::Misleads, _) => Verdict::Incomplete,
        }
    }

    /// True if the answer sets the exit code: a block that counts is violated, or no block is to blame for the cycle. If
    /// only blocks that wait inside are violated, they explain the cycle, and nobody meant them to be atomic. A warning
    /// calls no block violated. What is suppressed or known was judged before.
    pub fn is_violation(&self) -> bool {
        let is_unexplained = self.blames_nobody || self.is_non_serializable && self.apart == 0;
        !self.only_warns && !self.is_excused && (self.counted > 0 || is_unexplained)
    }

    /// A remark on what the counts alone would leave open.
    pub(in crate::report) fn remark(&self, is_silent: bool) -> Option<String> {
        match (self.counted, self.apart) {
            _ if self.only_warns => Some(
                "this engine only warns: blocks that it names may be atomic, others may not be, and the exit code does not \
                 count them; see regiontrack predict"
                    .to_owned(),
            ),
            (0, apart) if (self.blames_nobody || self.is_non_serializable && apart == 0) && !is_silent => Some(
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
    /// The name in JSON and tables.
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

    /// The labels of blocks, with the number of blocks of each.
    pub fn labels(&self) -> impl Iterator<Item = (LabelId, u64)> + '_ {
        (0..).map(LabelId).zip(self.by_label.iter().copied()).filter(|(_, count)| *count > 0)
    }

    /// How many blocks there are.
    pub fn total(&self) -> u64 {
        self.unlabelled + self.by_label.iter().sum::<u64>()
    }
}

/// What is known, besides its events, of the run that a trace was recorded in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The begins of the violated blocks that wait inside and are listed separately.
    pub apart: FxHashSet<u64>,
    /// The packages that the user has written.
    pub application: Application,
    /// Why the run was incomplete: what it lost is missing here.
    pub reasons: Vec<String>,
    /// What was not seen of the run: findings stay valid.
    pub unseen: Vec<String>,
}

/// The result of one engine on one trace.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    /// The trace as the user named it.
    pub trace: &'a str,
    /// The engine.
    pub engine: &'a EngineSpec,
    /// How many events were accepted.
    pub events: u64,
    /// How many threads these events name.
    pub threads: u64,
    /// True if some of the trace could not be read.
    pub is_incomplete: bool,
    /// What is known of the recorded run.
    pub context: &'a Context,
    /// What the engine found.
    pub findings: &'a Findings,
    /// The blocks of the trace.
    pub instances: &'a Instances,
    /// What filters have saved, if any were asked for.
    pub saved: &'a [Saved],
    /// Warnings about what the reader tolerated.
    pub warnings: &'a [String],
}

impl Summary<'_> {
    /// The answer about the trace as a whole.
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
            blames_nobody: false,
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
