//! The unrecorded accesses are exactly those that the definition calls redundant.

use std::collections::HashMap;

use analysis_core::event::{Op, VarId};

use super::{Entry, Recorded};

/// Checks each access: it is covered exactly if the definition says so, and by the event that the definition gives.
pub fn check(recorded: &Recorded<'_>) -> Result<(), String> {
    let definition = Definition::of(recorded);
    let covered: HashMap<u64, Option<u64>> =
        recorded.recording.covered.iter().map(|&(number, cover)| (number, recorded.number(cover))).collect();
    for number in 1..=recorded.trace.len() as u64 {
        let (got, right) = (covered.get(&number).copied().flatten(), definition.cover(number));
        if got != right {
            let say = |cover: Option<u64>| cover.map_or("nothing".to_owned(), |cover| format!("event {cover}"));
            return Err(format!("event {number} is covered by {}, but by definition by {}", say(got), say(right)));
        }
    }
    Ok(())
}

struct Definition<'a> {
    recorded: &'a Recorded<'a>,
    by_number: HashMap<u64, &'a Entry>,
    /// By event number: whether the event begins a segment of its thread.
    begins_segment: Vec<bool>,
}

impl<'a> Definition<'a> {
    fn of(recorded: &'a Recorded<'a>) -> Self {
        let by_number = recorded.by_number();
        let mut depths: HashMap<u32, u32> = HashMap::new();
        let mut begins_segment = vec![false];
        for (number, event) in (1..).zip(recorded.trace) {
            let depth = depths.entry(event.thread.0).or_default();
            let is_boundary = match event.op {
                Op::Begin(_) => {
                    *depth += 1;
                    true
                }
                Op::End => {
                    *depth = depth.saturating_sub(1);
                    *depth == 0
                }
                _ => false,
            };
            let is_entered = by_number.get(&number).is_some_and(|entry| !entry.dependencies.is_empty());
            begins_segment.push(is_boundary || is_entered);
        }
        Definition { recorded, by_number, begins_segment }
    }

    /// Returns the event that makes the access redundant: the thread's last recorded access to the variable, if it is
    /// in the same segment and no conflicting access came between. For a write it must be a write. After a fork of a
    /// running thread, which only an ill-formed trace has, the thread's next event is recorded.
    fn cover(&self, number: u64) -> Option<u64> {
        let me = self.recorded.trace[number as usize - 1];
        let (x, is_write) = access(me.op)?;
        let mut is_next = true;
        for earlier in (1..number).rev() {
            let event = self.recorded.trace[earlier as usize - 1];
            let same_variable = access(event.op).filter(|(y, _)| *y == x);
            if event.op == Op::Fork(me.thread) && is_next {
                return None;
            }
            if event.thread != me.thread {
                if same_variable.is_some_and(|(_, writes)| is_write || writes) {
                    return None;
                }
                continue;
            }
            is_next = false;
            if let (Some((_, writes)), true) = (same_variable, self.by_number.contains_key(&earlier)) {
                return (writes || !is_write).then_some(earlier);
            }
            if self.begins_segment[earlier as usize] {
                return None;
            }
        }
        None
    }
}

fn access(op: Op) -> Option<(VarId, bool)> {
    match op {
        Op::Read(x) => Some((x, false)),
        Op::Write(x) => Some((x, true)),
        _ => None,
    }
}
