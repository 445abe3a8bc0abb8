//! Traces with their right answer, worked out by hand.
//!
//! A case says at which event the trace becomes non-serializable and which blocks are violated, as `label@event`: the
//! block with that label that is open at that event in the event's thread. Every engine, including the reference, is
//! checked against its claim.
//!
//! As a file, a case is a trace in STD whose comments begin the lines `# first_event: N` and
//! `# violated: label@event ...`; the folder it lies in is its verdict ([`Verdict`]).

use std::path::Path;

use analysis_core::engines::ENGINES;
use analysis_core::event::{Event, Op};

use crate::compare::{self, Answer, Blame};
use crate::text::{self, Trace};
use crate::world;

/// The three verdicts, each a folder of `tests/conformance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No cycle of transactions.
    Serializable,
    /// A cycle, but no block is violated.
    BlamesNobody,
    /// Some block is violated.
    Violated,
}

impl Verdict {
    /// Each verdict and its folder.
    pub const FOLDERS: [(Verdict, &str); 3] = [
        (Verdict::Serializable, "serializable"),
        (Verdict::BlamesNobody, "blames-nobody"),
        (Verdict::Violated, "violated"),
    ];

    fn of(answer: &Answer) -> Verdict {
        match (answer.first_event, answer.violated.is_empty()) {
            (None, _) => Verdict::Serializable,
            (Some(_), true) => Verdict::BlamesNobody,
            (Some(_), false) => Verdict::Violated,
        }
    }
}

/// A trace and its right answer.
pub struct Case {
    trace: Vec<Event>,
    right: Answer,
}

impl Case {
    /// A case from a trace (see [`text::read`]), the event at which it becomes non-serializable, and the violated blocks
    /// as `label@event`, separated by blanks.
    pub fn new(trace: &str, first_event: Option<u64>, violated: &str) -> Result<Case, String> {
        let trace = text::read(trace)?;
        let mut violated =
            violated.split_whitespace().map(|word| resolve(&trace, word)).collect::<Result<Vec<Blame>, String>>()?;
        violated.sort_by_key(|blame| (blame.event, blame.depth));
        Ok(Case { trace: trace.events, right: Answer { first_event, violated } })
    }

    /// Reads a case from a file. The case must have the verdict of its folder.
    pub fn read(file: &Path, verdict: Verdict) -> Result<Case, String> {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let header = |key: &str| text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key));
        let first_event = header("first_event:").map(|number| number.trim().parse::<u64>()).transpose();
        let first_event = first_event.map_err(|error| format!("first_event: {error}"))?;
        let case = Case::new(&text, first_event, header("violated:").unwrap_or_default())?;
        if Verdict::of(&case.right) != verdict {
            return Err(format!("it lies among {verdict:?}, but its comments make it {:?}", Verdict::of(&case.right)));
        }
        if !world::is_well_formed(&case.trace) {
            return Err("the trace is not well-formed".to_owned());
        }
        Ok(case)
    }

    /// Runs every engine. Returns what each gets wrong.
    pub fn faults(&self) -> Vec<String> {
        let difference = |spec| compare::check(spec, &self.trace, &self.right).err();
        ENGINES.iter().filter_map(difference).map(|difference| difference.to_string()).collect()
    }
}

/// Finds the block that `label@event` names.
fn resolve(trace: &Trace, word: &str) -> Result<Blame, String> {
    let no_block = || format!("`{word}`: no block of that label is open in the thread of that event");
    let (label, event) = word.split_once('@').ok_or_else(|| format!("`{word}` is not label@event"))?;
    let event: usize = event.parse().map_err(|error| format!("`{word}`: {error}"))?;
    let thread = trace.events.get(event.wrapping_sub(1)).ok_or_else(no_block)?.thread;
    let mut open: Vec<usize> = Vec::new();
    for (index, _) in trace.events[..event].iter().enumerate().filter(|(_, event)| event.thread == thread) {
        match trace.events[index].op {
            Op::Begin(_) => open.push(index),
            // The event itself still belongs to the block that it closes.
            Op::End if index + 1 < event => _ = open.pop(),
            _ => {}
        }
    }
    let is_meant = |begin: &usize| match trace.events[*begin].op {
        Op::Begin(name) => trace.symbols.label(name).is_some_and(|name| name == label),
        _ => false,
    };
    let depth = open.iter().rposition(is_meant).ok_or_else(no_block)?;
    Ok(Blame { thread, begin: open[depth] as u64 + 1, event: event as u64, depth: depth as u32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_and_an_event_name_the_innermost_such_block_that_is_open() {
        let trace = text::read("T0|begin(a) T1|begin(a) T0|begin(a) T0|begin(b) T0|end T0|w(x) T0|end T0|w(x)");
        let trace = trace.expect("readable");
        let blame = |word| resolve(&trace, word).map(|blame| (blame.thread.0, blame.begin, blame.depth));
        assert_eq!(blame("a@6"), Ok((0, 3, 1)));
        assert_eq!(blame("b@5"), Ok((0, 4, 2)));
        assert_eq!(blame("a@8"), Ok((0, 1, 0)));
        assert_eq!(blame("a@2"), Ok((1, 2, 0)));
        assert!(blame("b@6").is_err() && blame("a@9").is_err() && blame("a").is_err());
    }

    #[test]
    fn a_wrong_expectation_is_noticed() {
        let lost_update = "T0|begin(a) T0|r(x) T1|w(x) T0|w(x) T0|end";
        let faults = |first_event, violated| Case::new(lost_update, first_event, violated).expect("a case").faults();
        assert!(faults(Some(4), "a@4").is_empty());
        assert!(!faults(None, "").is_empty() && !faults(Some(4), "").is_empty() && !faults(Some(5), "a@5").is_empty());
    }
}
