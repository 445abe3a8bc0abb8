//! What threads change without a conflict among them: a part for each thread that has changed it, and a spare one.
//!
//! Additions to a sum, new keys of a map and elements that come into a queue commute, so each thread has a variable of its own for them, a
//! *part*. A thread that looks at the whole, at the sum, the number of keys, or whether the queue is empty, reads all parts; a thread that
//! sets the whole writes all of them.
//!
//! A thread that has changed nothing has no part, and yet a look has seen that it has changed nothing. How many threads will change
//! something is not known at that time. So a look also accesses a *spare* part, as if it were that of the next thread. That thread takes
//! it, and a new spare part takes its place, which counts as accessed by all that have accessed the old one: they have seen that any
//! further thread has changed nothing, too. So the record is what it would be if each thread had a part from the beginning.
//!
//! If the events are accesses, not dependencies alone, a variable cannot take over the accesses of another one. The agent then makes
//! several spare parts at the first look, and counts a thread that needs another one.

use std::collections::BTreeSet;

use crate::event::ThreadId;
use crate::graph::accesses::at;

/// What a thread does to the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// It adds something of its own.
    Change,
    /// It looks at the whole.
    Look,
    /// It sets the whole.
    Set,
}

/// The accesses to a part: the number of the last call that wrote it, and of those that have read it since.
#[derive(Clone, Default)]
struct Part {
    write: Option<usize>,
    reads: BTreeSet<usize>,
}

impl Part {
    /// The call with this number reads or writes the part. Returns the calls that it thereby follows.
    fn access(&mut self, number: usize, is_write: bool) -> BTreeSet<usize> {
        let mut before: BTreeSet<usize> = self.write.into_iter().collect();
        if is_write {
            before.extend(&self.reads);
            *self = Part { write: Some(number), reads: BTreeSet::new() };
        } else {
            self.reads.insert(number);
        }
        before
    }
}

/// For each call, the earlier ones that it follows because both have accessed a part; calls come one after the other. Those that it also
/// follows through calls in between may be left out.
pub fn followed(calls: &[(ThreadId, Call)]) -> Vec<BTreeSet<usize>> {
    let mut parts: Vec<Option<Part>> = Vec::new();
    let mut spare = Part::default();
    let mut all = Vec::new();
    for (number, (thread, call)) in calls.iter().enumerate() {
        all.push(match call {
            Call::Change => {
                let own = at(&mut parts, thread.index());
                own.get_or_insert_with(|| spare.clone()).access(number, true)
            }
            Call::Look | Call::Set => {
                let is_write = *call == Call::Set;
                let taken = parts.iter_mut().flatten();
                taken.chain([&mut spare]).flat_map(|part| part.access(number, is_write)).collect()
            }
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLS: [Call; 3] = [Call::Change, Call::Look, Call::Set];

    /// For each call, all that come before it: those that it follows, those of its thread, and what comes before these.
    fn before(calls: &[(ThreadId, Call)], follows: impl Fn(usize, usize) -> bool) -> Vec<BTreeSet<usize>> {
        let mut all: Vec<BTreeSet<usize>> = Vec::new();
        for later in 0..calls.len() {
            let mut mine = BTreeSet::new();
            for earlier in 0..later {
                if calls[earlier].0 == calls[later].0 || follows(later, earlier) {
                    mine.insert(earlier);
                    mine.extend(&all[earlier]);
                }
            }
            all.push(mine);
        }
        all
    }

    /// The law: a change commutes with changes, a look with looks, and nothing else with anything.
    fn conflict(one: Call, other: Call) -> bool {
        one != other || one == Call::Set
    }

    #[test]
    fn calls_come_in_the_order_that_they_have_if_each_thread_has_a_part_from_the_beginning() {
        let threads = 3;
        let kinds = threads * CALLS.len();
        for length in 0..=5 {
            for code in 0..kinds.pow(length) {
                let digit = |n: u32| code / kinds.pow(n) % kinds;
                let calls: Vec<(ThreadId, Call)> = (0..length)
                    .map(digit)
                    .map(|kind| (ThreadId(u32::try_from(kind % threads).expect("small")), CALLS[kind / threads]))
                    .collect();
                let found = followed(&calls);
                let by_parts = before(&calls, |later, earlier| found[later].contains(&earlier));
                let by_law = before(&calls, |later, earlier| conflict(calls[later].1, calls[earlier].1));
                assert_eq!(by_parts, by_law, "{calls:?}");
            }
        }
    }

    /// The first change of a thread that did not exist then comes after the look.
    #[test]
    fn who_looks_has_seen_that_a_thread_has_changed_nothing_that_is_started_later() {
        let [looks, changes, next] = [0, 1, 2].map(ThreadId);
        let calls = [(looks, Call::Look), (changes, Call::Change), (next, Call::Change)];
        assert_eq!(followed(&calls), [BTreeSet::new(), BTreeSet::from([0]), BTreeSet::from([0])]);
    }
}
