//! Every event of the trace is recorded once or covered, and every merge of the streams is a linear extension of the
//! happens-before of the recorded events: program order and every conflict between two of them keep their direction.
//!
//! Nothing more is promised. What happens before a recorded event only through a covered one may be merged after it: in
//! `T0|w(x) T0|w(y) T0|w(x) T1|w(x)` the third event is covered by the first, and `w(y)` may come last.

use std::collections::HashMap;

use analysis_core::event::{Event, Op, Stamp};

use super::{Entry, Recorded};
use crate::happens_before::HappensBefore;

/// Checks the recording and the merge of its streams.
pub fn check(recorded: &Recorded<'_>) -> Result<(), String> {
    check_numbers(recorded)?;
    let order = HappensBefore::of(recorded.trace);
    check_dependencies(recorded, &order)?;
    check_merged(recorded, &recorded.merged, &order)
}

/// Checks another merge of the same streams.
pub fn check_merge(recorded: &Recorded<'_>, merged: &[Entry]) -> Result<(), String> {
    check_merged(recorded, merged, &HappensBefore::of(recorded.trace))
}

/// Together the recorded and covered events are those of the trace, each thread's events are recorded in order, and
/// only accesses are covered.
fn check_numbers(recorded: &Recorded<'_>) -> Result<(), String> {
    let Recorded { trace, recording, threads, .. } = recorded;
    let mut seen = vec![0; trace.len() + 1];
    for (entries, numbers) in threads.iter().zip(&recording.numbers) {
        if entries.len() != numbers.len() || !numbers.is_sorted_by(|a, b| a < b) {
            return Err(format!("{} recorded events have the numbers {numbers:?}", entries.len()));
        }
        for (entry, &number) in entries.iter().zip(numbers) {
            let event = Event::new(entry.stamp.thread(), entry.op);
            if trace.get(number as usize - 1) != Some(&event) {
                return Err(format!("event {number} is recorded as {event:?}"));
            }
            seen[number as usize] += 1;
        }
    }
    for &(number, _) in &recording.covered {
        if !matches!(trace[number as usize - 1].op, Op::Read(_) | Op::Write(_)) {
            return Err(format!("event {number} is no access, but covered"));
        }
        seen[number as usize] += 1;
    }
    match (1..=trace.len()).find(|&number| seen[number] != 1) {
        Some(number) => Err(format!("event {number} is recorded or covered {} times", seen[number])),
        None => Ok(()),
    }
}

/// A dependency is a conflict with another thread, and no earlier dependency of the thread implies it.
fn check_dependencies(recorded: &Recorded<'_>, order: &HappensBefore<'_>) -> Result<(), String> {
    for entries in &recorded.threads {
        let mut known: HashMap<u32, u64> = HashMap::new();
        for Entry { stamp, dependencies, .. } in entries {
            for &on in dependencies {
                let numbers = recorded.number(on).zip(recorded.number(*stamp));
                let ends = numbers.map(|(from, to)| (Stamp::new(on.thread(), from), Stamp::new(stamp.thread(), to)));
                if !ends.is_some_and(|(from, to)| order.is_edge(from, to)) {
                    return Err(format!("{stamp:?} depends on {on:?}, which it does not conflict with"));
                }
                let highest = known.entry(on.thread().0).or_default();
                if *highest >= on.position() {
                    return Err(format!("{stamp:?} depends on {on:?}, which is implied"));
                }
                *highest = on.position();
            }
        }
    }
    Ok(())
}

/// The merge holds each thread's stream, dependencies come first, and no conflict is reversed.
fn check_merged(recorded: &Recorded<'_>, merged: &[Entry], order: &HappensBefore<'_>) -> Result<(), String> {
    for (thread, entries) in (0..).zip(&recorded.threads) {
        if !merged.iter().filter(|entry| entry.stamp.thread().0 == thread).eq(entries) {
            return Err(format!("the merge does not hold the stream of T{thread}"));
        }
    }
    let mut passed: Vec<(Stamp, Stamp)> = Vec::new();
    for Entry { stamp, dependencies, .. } in merged {
        let number = recorded.number(*stamp).ok_or("an event without a number")?;
        let me = Stamp::new(stamp.thread(), number);
        if let Some((_, later)) = passed.iter().find(|(_, earlier)| order.is_edge(me, *earlier)) {
            return Err(format!("{me:?} conflicts with {later:?} and happened first, but is merged after it"));
        }
        if let Some(open) = dependencies.iter().find(|on| passed.iter().all(|(stamp, _)| stamp != *on)) {
            return Err(format!("{stamp:?} is merged before {open:?}, on which it depends"));
        }
        passed.push((*stamp, me));
    }
    Ok(())
}
