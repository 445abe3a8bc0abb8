//! Checks a recorded trace against the values that the program saw.
//!
//! The agent's test-only tap logs every access of every thread, recorded or filtered, with its value and the stamp that covers it. This module reads
//! that log together with the trace that the agent recorded of the same run:
//! - a recorded read must have returned the value of the last write before it in the trace;
//! - a filtered read must be covered by the last recorded access of its thread to the variable, and have seen its value;
//! - a filtered write must be covered in the same way; its value replaces the covering write's.
//!
//! The nth access of a thread in the trace is the nth recorded one of its log. A thread is identified by its name, or by its number (`T7`) where the
//! agent did not know the name in time. The variable names of both must match one to one. The first read of a variable that is not written yet
//! determines its initial value, which no event gives.

mod log;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::Read;

use analysis_core::event::{Event, Op, VarId};
use analysis_core::trace::TraceError;
use analysis_core::trace::rapid::Reader;
use analysis_core::trace::wellformed::Checker;
use anyhow::{Result, ensure};

pub use log::{Access, ThreadLog, Variable, read_logs};

/// The number of faults that are described.
const EXAMPLES: usize = 5;

/// The result of a check.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The number of events of the trace.
    pub events: u64,
    /// The program's reads, including filtered ones.
    pub reads: u64,
    /// Reads that were filtered.
    pub filtered: u64,
    /// Recorded reads by variable: `Cache.size` of any object, `Cache[]`.
    pub by_kind: BTreeMap<String, u64>,
    /// Recorded reads that did not return the last write.
    pub wrong: u64,
    /// Filtered accesses that are not what their covering event stands for.
    pub wrong_filtered: u64,
    /// Accesses that only the trace or only the log has, or whose kind or variable differs between the two.
    pub mismatched: u64,
    /// Events that a strict reader rejects.
    pub ill_formed: u64,
    /// Accesses without a location in the program.
    pub unplaced: u64,
    /// Descriptions of the first faults.
    pub examples: Vec<String>,
}

impl Outcome {
    /// Whether no fault was found.
    pub fn is_right(&self) -> bool {
        self.wrong + self.wrong_filtered + self.mismatched + self.ill_formed + self.unplaced == 0
    }

    /// Counts a read of a variable of the trace: `Cache.size@17`, `Cache[]@18[3]`.
    fn count(&mut self, variable: &str) {
        let kind = variable.split_once('@').map_or(variable, |(kind, _)| kind);
        if let Some(count) = self.by_kind.get_mut(kind) {
            *count += 1;
        } else {
            self.by_kind.insert(kind.to_owned(), 1);
        }
    }

    fn example(&mut self, text: impl FnOnce() -> String) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(text());
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "events {} reads {} filtered {} wrong {} wrong-filtered {} mismatched {} ill-formed {} unplaced {}",
            self.events,
            self.reads,
            self.filtered,
            self.wrong,
            self.wrong_filtered,
            self.mismatched,
            self.ill_formed,
            self.unplaced
        )?;
        self.examples.iter().try_for_each(|example| write!(f, "\n  {example}"))
    }
}

/// An access that the trace should have.
#[derive(Clone, Copy)]
struct Recorded {
    is_write: bool,
    variable: Variable,
    value: u64,
}

/// The rest of a thread's log.
struct Stream {
    recorded: Vec<Recorded>,
    next: usize,
}

/// Checks a trace, which messages call `file`, against the logs of its run.
///
/// # Errors
/// The trace cannot be read, a line of it is malformed, or two threads with accesses have the same name.
pub fn check(file: &str, trace: impl Read, logs: &[ThreadLog]) -> Result<Outcome> {
    let mut check = Check::default();
    for log in logs.iter().filter(|log| !log.accesses.is_empty()) {
        let index = check.streams.len();
        let recorded = check.recorded(log);
        check.streams.push(Stream { recorded, next: 0 });
        for name in [log.thread.clone(), format!("T{}", log.number)] {
            let other = check.by_name.insert(name, index);
            ensure!(
                other.is_none_or(|other| other == index),
                "two threads of the log are called `{}`; give each its own name",
                log.thread
            );
        }
    }
    check.trace(file, trace)?;
    let missing: usize = check.streams.iter().map(|stream| stream.recorded.len() - stream.next).sum();
    if missing > 0 {
        check.outcome.mismatched += missing as u64;
        check.outcome.example(|| format!("{missing} recorded accesses of the log are not in {file}"));
    }
    Ok(check.outcome)
}

#[derive(Default)]
struct Check {
    outcome: Outcome,
    streams: Vec<Stream>,
    /// Index of the stream of each thread name.
    by_name: HashMap<String, usize>,
    /// The current value of each variable in the order of the trace.
    values: HashMap<Variable, u64>,
    /// The trace's name of each variable of the log, and the reverse.
    names: HashMap<Variable, VarId>,
    variables: HashMap<VarId, Variable>,
}

/// A variable as one thread sees it: its last access.
struct View {
    value: u64,
    stamp: u64,
    /// Index of the last recorded access.
    index: usize,
}

impl Check {
    /// Checks a thread's filtered accesses against their covering ones. Returns the recorded accesses.
    fn recorded(&mut self, log: &ThreadLog) -> Vec<Recorded> {
        let mut recorded: Vec<Recorded> = Vec::new();
        let mut views: HashMap<Variable, View> = HashMap::new();
        for access in &log.accesses {
            let &Access { is_write, is_recorded, variable, value, stamp } = access;
            self.outcome.reads += u64::from(!is_write);
            if is_recorded {
                views.insert(variable, View { value, stamp, index: recorded.len() });
                recorded.push(Recorded { is_write, variable, value });
                continue;
            }
            self.outcome.filtered += u64::from(!is_write);
            let view = views.get_mut(&variable);
            let is_covered = view.as_ref().is_some_and(|view| view.stamp == stamp && (is_write || view.value == value));
            if !is_covered {
                self.outcome.wrong_filtered += 1;
                let known = view.as_ref().map(|view| view.value);
                self.outcome.example(|| format!("{}: filtered, not covered: {access:?}, known {known:?}", log.thread));
            }
            if let Some(view) = view.filter(|_| is_write) {
                view.value = value;
                recorded[view.index].value = value;
            }
        }
        recorded
    }

    fn trace(&mut self, file: &str, trace: impl Read) -> Result<(), TraceError> {
        let mut reader = Reader::new(file, trace);
        let mut checker = Checker::default();
        loop {
            let (event, line, thread, is_placed) = match reader.next_located()? {
                None => return Ok(()),
                Some(located) => (located.event, located.line, located.thread.to_owned(), !located.location.is_empty()),
            };
            self.outcome.events += 1;
            if let Some(fault) = checker.check(event) {
                self.outcome.ill_formed += 1;
                self.outcome.example(|| format!("{file}:{line}: {}", fault.reason(reader.symbols())));
            }
            if let Op::Read(var) = event.op {
                self.outcome.count(&reader.symbols().var(var));
            }
            if let Op::Read(var) | Op::Write(var) = event.op {
                self.outcome.unplaced += u64::from(!is_placed);
                let fault = self.access(event, var, &thread);
                if let Some(fault) = fault {
                    self.outcome.example(|| format!("{file}:{line}: {thread} {}: {fault}", reader.symbols().var(var)));
                }
            }
        }
    }

    /// Checks the next access of the trace. Returns what is wrong with it.
    fn access(&mut self, event: Event, var: VarId, thread: &str) -> Option<String> {
        let is_write = matches!(event.op, Op::Write(_));
        let stream = self.by_name.get(thread).map(|&index| &mut self.streams[index]);
        let Some((stream, recorded)) = stream.and_then(|s| s.recorded.get(s.next).copied().map(|next| (s, next)))
        else {
            self.outcome.mismatched += 1;
            return Some("the log has no such access".into());
        };
        stream.next += 1;
        let variable = recorded.variable;
        let is_same = *self.names.entry(variable).or_insert(var) == var
            && *self.variables.entry(var).or_insert(variable) == variable;
        if recorded.is_write != is_write || !is_same {
            self.outcome.mismatched += 1;
            return Some(format!("the log has a {} of {variable:?}", if recorded.is_write { "write" } else { "read" }));
        }
        if is_write {
            self.values.insert(variable, recorded.value);
            return None;
        }
        let last = *self.values.entry(variable).or_insert(recorded.value);
        (last != recorded.value).then(|| {
            self.outcome.wrong += 1;
            format!("read {}, last written {last}", recorded.value)
        })
    }
}
