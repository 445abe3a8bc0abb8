//! The names of threads, by number and position: several threads can have the same number, one after the other.
//!
//! For a number that is never reused, all that remains of its thread is the name, and not even that once no finding can
//! contain its events.

use std::collections::VecDeque;
use std::sync::Arc;

use analysis_core::event::{Stamp, ThreadId};
use rustc_hash::FxHashMap;

/// How many former threads of a number are remembered by name. A finding can name events of older ones only if a block
/// was open all the time; it then says that they belong to an earlier thread.
const FORMER: usize = 64;

/// All names.
#[derive(Default)]
pub(super) struct Users {
    /// By number: the name of the thread that has it, or had it last.
    current: Vec<Option<Arc<str>>>,
    /// The former threads of numbers that were reused.
    reused: FxHashMap<ThreadId, Reused>,
}

#[derive(Default)]
struct Reused {
    /// How many events of the number precede the current thread.
    since: u64,
    /// The former threads: how many events precede each, and its name.
    former: VecDeque<(u64, Arc<str>)>,
}

impl Users {
    /// Assigns the number, after `position` events, to the thread with this name.
    pub(super) fn opened(&mut self, thread: ThreadId, position: u64, name: Arc<str>) {
        if thread.index() >= self.current.len() {
            self.current.resize(thread.index() + 1, None);
        }
        let Some(former) = self.current[thread.index()].replace(name) else { return };
        let reused = self.reused.entry(thread).or_default();
        if reused.former.len() == FORMER {
            reused.former.pop_front();
        }
        reused.former.push_back((reused.since, former));
        reused.since = position;
    }

    /// No finding will name the thread that had the number last. A number that was reused keeps the little that
    /// distinguishes its threads.
    pub(super) fn forget(&mut self, thread: ThreadId) {
        if !self.reused.contains_key(&thread) {
            self.current[thread.index()] = None;
        }
    }

    /// The name of the thread that has the number, or had it last.
    pub(super) fn current(&self, thread: ThreadId) -> Option<&Arc<str>> {
        self.current.get(thread.index())?.as_ref()
    }

    /// The name of the thread that made an event, if it is remembered.
    pub(super) fn of(&self, stamp: Stamp) -> Option<&Arc<str>> {
        let current = self.current(stamp.thread());
        match self.reused.get(&stamp.thread()) {
            Some(reused) if stamp.position() <= reused.since => {
                let user = reused.former.partition_point(|(before, _)| *before < stamp.position()).checked_sub(1)?;
                Some(&reused.former[user].1)
            }
            _ => current,
        }
    }

    /// How many names are kept.
    #[cfg(test)]
    pub(super) fn kept(&self) -> usize {
        self.current.iter().flatten().count() + self.reused.values().map(|reused| reused.former.len()).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_the_name_of_the_thread_that_made_the_event_and_few_former_ones() {
        let mut users = Users::default();
        let thread = ThreadId(1);
        for user in 0..1000 {
            users.opened(thread, 10 * user, format!("T{user}").into());
        }
        let name = |position| users.of(Stamp::new(thread, position)).map(|name| &**name);
        assert_eq!(
            (name(9991), name(9990), name(9981), name(9980)),
            (Some("T999"), Some("T998"), Some("T998"), Some("T997"))
        );
        assert_eq!((name(1), name(10 * (999 - FORMER as u64))), (None, None));
        assert_eq!(name(10 * (999 - FORMER as u64) + 1), Some("T935"));
        assert_eq!(users.kept(), FORMER + 1);
        assert_eq!(users.current(ThreadId(7)), None);
    }
}
