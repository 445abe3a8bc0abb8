//! What the finder takes and what it returns: events by numbers, whose places have numbers too.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::event::{LabelId, ThreadId};
use crate::provoke::model::Rank;
pub use crate::provoke::place::Action;

/// A place in the program, by a number that its owner assigns.
pub type Site = u32;

/// An event.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its thread.
    pub thread: ThreadId,
    /// What the thread does.
    pub act: Act,
    /// The place; `None` if it is not known, or if a thread cannot be held after it.
    pub site: Option<Site>,
}

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It accesses a variable. The declaration says which variables are alike, such as those of one field.
    Access {
        /// Which one.
        variable: u32,
        /// Its declaration.
        declaration: u32,
        /// What it is a part of, together with others: an object, an array, a map.
        object: Option<u32>,
        /// Whether it writes the variable.
        is_write: bool,
    },
    /// It takes a lock, perhaps together with others that share it.
    Acquire {
        /// Which one.
        lock: u32,
        /// The declaration of the lock.
        declaration: u32,
        /// Whether others may hold it in the same way.
        is_shared: bool,
    },
    /// It gives up a lock.
    Release {
        /// Which one.
        lock: u32,
        /// The declaration of the lock.
        declaration: u32,
    },
    /// It enters or leaves, whichever is possible, a critical section in which it writes nothing ([`crate::filter::sections`]).
    Section {
        /// The lock.
        lock: u32,
        /// The declaration of the lock.
        declaration: u32,
    },
    /// It gives permits of a semaphore back. It is not known how many it has left, nor since when it had them.
    GiveBack {
        /// The declaration of the semaphore.
        declaration: u32,
    },
    /// It starts a thread.
    Fork(ThreadId),
    /// It has seen the end of a thread.
    Join(ThreadId),
    /// It hands something over.
    Give(u32),
    /// It has received something.
    Receive(u32),
    /// It begins a block.
    Begin(LabelId),
    /// It ends the innermost block.
    End,
    /// Its next access belongs to the same step as its last one.
    Together,
    /// It accesses what no other thread accesses.
    Private,
}

/// A candidate, by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Found {
    /// The label of the innermost block that has both places.
    pub block: LabelId,
    /// The declaration of the variable or lock.
    pub declaration: u32,
    /// The declaration of what is passed first, if it is another variable of the same object.
    pub also: Option<u32>,
    /// What the thread passes first.
    pub first: (Site, Action),
    /// Where the thread is held.
    pub hold: (Site, Action),
    /// What the thread passes last.
    pub last: (Site, Action),
    /// What another thread passes meanwhile.
    pub other: (Site, Action),
    /// Where the other thread takes the outermost lock that stands against it.
    pub enter: Option<Site>,
}

impl Found {
    fn rank(&self) -> Rank {
        Rank::of(self.first.1, self.other.1, self.last.1)
    }

    /// The one of the better rank; of two equal ones, the one without a place that the other thread enters.
    fn better(self, other: Found) -> Found {
        std::cmp::min_by_key(self, other, |candidate| (candidate.rank(), candidate.enter.is_some(), *candidate))
    }
}

/// Of candidates whose thread is held at one place until the other one is passed, keeps one of the best rank: what the thread
/// passes last then makes no difference. Candidates that only look are kept for contended variables, unless there is something
/// to steer to that does more than look.
pub(super) fn without_repetitions(found: FxHashSet<Found>, contended: &FxHashSet<u32>) -> Vec<Found> {
    let mut best: BTreeMap<_, Found> = BTreeMap::new();
    let mut does_more = BTreeSet::new();
    for candidate in found {
        let Found { block, declaration, also, first, hold, other, .. } = candidate;
        if candidate.rank() != Rank::Looks {
            does_more.insert((block, declaration, first, hold));
        }
        let key = (block, declaration, also, first, hold, other);
        best.entry(key).and_modify(|known| *known = (*known).better(candidate)).or_insert(candidate);
    }
    let is_worth_it = |candidate: &Found| {
        let Found { block, declaration, first, hold, .. } = *candidate;
        candidate.rank() != Rank::Looks
            || contended.contains(&declaration) && !does_more.contains(&(block, declaration, first, hold))
    };
    best.into_values().filter(is_worth_it).collect()
}
