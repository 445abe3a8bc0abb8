//! Reads of a round that may fail: *tentative* reads, of which it shows later whether they were events.
//!
//! A thread that reads several variables, tries a `compareAndSet` and fails goes round again, and nothing follows from
//! what it has read ([`crate::filter::attempts`]). A rehearsal cannot make the `compareAndSet`. So the reads of such a
//! *round* are tentative until it is *settled*: as *used*, then they are events, or as *withdrawn*, then there were
//! none.
//!
//! # In the words of a variable
//! A tentative read has a stamp of its own, that of its thread at the next position, with a mark. Nothing but the mark
//! keeps it from being a stamp like any other, so it lies in `R` or among the readers, and makes every access by other
//! threads look at it. It adds no dependency, and covers nothing. It starts a segment if a dependency will be new once
//! it is an event, so that what the round reads behind it does not count as repeated. Where it replaces an earlier stamp
//! of its own thread in `R`, the thread remembers that one.
//!
//! # Settling
//! If the round is used, the thread takes its reads one by one, in their order: each depends on the write that it has
//! found (whose outermost open block was noted then), and becomes an item with the position that the read has reserved,
//! and with the blocks that were open. Then the round is settled, at once for all reads. After that, under the lock of
//! each variable, the mark is removed, or the earlier stamp restored. A read is moved by this, but only past events of
//! other threads that do not conflict with it.
//!
//! # A write in between
//! A writer that finds a tentative read of a round that is open depends on it *conditionally*: its item is handed over
//! with the tentative stamp as a source, and the thread of the round learns that it was overtaken. What an item with an
//! unsettled source would do to the engine is not known, so it [`Waiting`]s, with all items of all threads after it.
//! When the round is settled, its own items go before the first item that depends on one of them; then each condition
//! becomes a dependency on the read, on the earlier stamp of the same thread that it had replaced, or none. So the
//! engine gets all items in an order in which the program could have executed them, and threads never wait for each
//! other.
//!
//! # Inner blocks
//! A method that a round calls has a block. At its end the round is settled as used if two of its reads are in that
//! block, because the block may be violated between them. One read alone cannot violate it, and counts as a read of the
//! block around it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::event::{Stamp, ThreadId};

/// In the thread of a stamp: it is that of a tentative read. Numbers of threads are smaller.
pub const MARK: u32 = 1 << (Stamp::THREAD_BITS - 1);

/// The stamp of a tentative read that has reserved this one.
pub fn tentative(real: Stamp) -> Stamp {
    Stamp::new(ThreadId(real.thread().0 | MARK), real.position())
}

/// Whether the stamp is that of a tentative read.
pub fn is_tentative(stamp: Stamp) -> bool {
    !stamp.is_never() && stamp.thread().0 & MARK != 0
}

/// The stamp that a tentative read has reserved.
pub fn real(stamp: Stamp) -> Stamp {
    Stamp::new(ThreadId(stamp.thread().0 & !MARK), stamp.position())
}

/// What a tentative read turns out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// An event.
    Used,
    /// No event; but the same thread has read the variable before, at this stamp. The begin of its outermost open block
    /// is given if that is not after the stamp.
    Earlier(Stamp, Option<u64>),
    /// No event.
    Withdrawn,
}

/// An item, of which some sources can be tentative.
pub trait Conditional {
    /// A source that was tentative turns out to be this.
    fn settle(&mut self, read: Stamp, outcome: Settled);
}

/// Items in the order in which the engine is to get them, from the first one that depends on an unsettled round.
#[derive(Debug)]
pub struct Waiting<T> {
    items: VecDeque<Held<T>>,
    /// By thread: what is known of the reads of its round. A round that nobody depends on is not here.
    rounds: FxHashMap<ThreadId, FxHashMap<u64, Settled>>,
}

#[derive(Debug)]
struct Held<T> {
    item: T,
    /// Its sources that are not settled.
    on: Vec<Stamp>,
}

impl<T> Default for Waiting<T> {
    fn default() -> Waiting<T> {
        Waiting { items: VecDeque::new(), rounds: FxHashMap::default() }
    }
}

impl<T: Conditional> Waiting<T> {
    /// Whether no item waits, so that the next one, if it has no tentative source, can go to the engine at once.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many items wait.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Takes an item with tentative sources `on`. It may be that of a tentative read itself, `of`, whose round is being
    /// settled as used: then it goes before all that depend on this read or later ones of its thread.
    pub fn hand(&mut self, mut item: T, mut on: Vec<Stamp>, of: Option<Stamp>) {
        on.retain(|read| match self.rounds.get(&read.thread()).and_then(|known| known.get(&read.position())) {
            Some(outcome) => {
                item.settle(*read, *outcome);
                false
            }
            None => true,
        });
        let depends = |held: &Held<T>, of: Stamp| {
            held.on.iter().any(|read| read.thread() == of.thread() && read.position() >= of.position())
        };
        let at = of.and_then(|of| self.items.iter().position(|held| depends(held, of)));
        self.items.insert(at.unwrap_or(self.items.len()), Held { item, on });
    }

    /// Settles a tentative read. Its outcome is kept until [`Waiting::finish`], for items that are handed over late.
    pub fn settle(&mut self, read: Stamp, outcome: Settled) {
        self.rounds.entry(read.thread()).or_default().insert(read.position(), outcome);
        for held in &mut self.items {
            if held.on.contains(&read) {
                held.on.retain(|other| *other != read);
                held.item.settle(read, outcome);
            }
        }
    }

    /// No item will depend on this round of the thread any more, which is settled.
    pub fn finish(&mut self, thread: ThreadId) {
        let thread = ThreadId(thread.0 | MARK);
        debug_assert!(self.items.iter().all(|held| held.on.iter().all(|read| read.thread() != thread)));
        self.rounds.remove(&thread);
    }

    /// Takes the next item for the engine, unless it depends on a round that is not settled.
    pub fn take(&mut self) -> Option<T> {
        if !self.items.front()?.on.is_empty() {
            return None;
        }
        self.items.pop_front().map(|held| held.item)
    }

    /// Treats all rounds on which items depend as withdrawn. Returns how many dependencies are lost.
    pub fn give_up(&mut self) -> usize {
        let mut lost = 0;
        for held in &mut self.items {
            for read in std::mem::take(&mut held.on) {
                held.item.settle(read, Settled::Withdrawn);
                lost += 1;
            }
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An item with a name, and what its sources have turned out to be.
    #[derive(PartialEq, Eq, Debug)]
    struct Item(u32, Vec<(Stamp, Settled)>);

    impl Conditional for Item {
        fn settle(&mut self, read: Stamp, outcome: Settled) {
            self.1.push((read, outcome));
        }
    }

    const FIRST: ThreadId = ThreadId(1);
    const SECOND: ThreadId = ThreadId(2);

    /// A tentative read.
    fn read(thread: ThreadId, position: u64) -> Stamp {
        tentative(Stamp::new(thread, position))
    }

    fn hand(waiting: &mut Waiting<Item>, name: u32, on: &[Stamp]) {
        waiting.hand(Item(name, Vec::new()), on.to_vec(), None);
    }

    fn hand_read(waiting: &mut Waiting<Item>, name: u32, of: Stamp) {
        waiting.hand(Item(name, Vec::new()), Vec::new(), Some(of));
    }

    fn taken(waiting: &mut Waiting<Item>) -> Vec<Item> {
        std::iter::from_fn(|| waiting.take()).collect()
    }

    fn names(waiting: &mut Waiting<Item>) -> Vec<u32> {
        taken(waiting).into_iter().map(|item| item.0).collect()
    }

    #[test]
    fn a_mark_names_the_read_that_it_is_taken_from() {
        for thread in [ThreadId(0), FIRST, ThreadId(MARK - 1)] {
            for position in [1, Stamp::MAX_POSITION] {
                let stamp = Stamp::new(thread, position);
                assert!(is_tentative(tentative(stamp)) && !is_tentative(stamp));
                assert_eq!((real(tentative(stamp)), real(stamp)), (stamp, stamp));
            }
        }
        assert!(!is_tentative(Stamp::NEVER));
    }

    #[test]
    fn an_item_without_tentative_sources_goes_on_at_once() {
        let mut waiting = Waiting::default();
        hand(&mut waiting, 1, &[]);
        hand_read(&mut waiting, 2, read(FIRST, 5));
        assert_eq!(names(&mut waiting), [1, 2]);
        assert!(waiting.is_empty());
    }

    #[test]
    fn what_comes_after_an_item_that_waits_waits_too_until_each_of_its_sources_is_settled() {
        let (one, other) = (read(FIRST, 5), read(SECOND, 7));
        let mut waiting = Waiting::default();
        hand(&mut waiting, 1, &[]);
        hand(&mut waiting, 2, &[one, other]);
        hand(&mut waiting, 3, &[]);
        hand(&mut waiting, 4, &[other]);
        assert_eq!((names(&mut waiting), waiting.len()), (vec![1], 3));
        waiting.settle(other, Settled::Withdrawn);
        assert_eq!((names(&mut waiting), waiting.len()), (vec![], 3));
        waiting.settle(one, Settled::Used);
        let second = Item(2, vec![(other, Settled::Withdrawn), (one, Settled::Used)]);
        let fourth = Item(4, vec![(other, Settled::Withdrawn)]);
        assert_eq!(taken(&mut waiting), [second, Item(3, vec![]), fourth]);
        assert!(waiting.is_empty());
    }

    #[test]
    fn a_read_goes_before_the_items_that_depend_on_it_or_on_later_ones_of_its_round() {
        let reads = [5, 6, 7].map(|position| read(FIRST, position));
        let mut waiting = Waiting::default();
        hand(&mut waiting, 1, &[read(SECOND, 3)]);
        // The earlier read was found last. The other thread's position is irrelevant.
        hand(&mut waiting, 2, &[read(SECOND, 9)]);
        hand(&mut waiting, 3, &[reads[1]]);
        hand(&mut waiting, 4, &[reads[0]]);
        hand(&mut waiting, 5, &[reads[2]]);
        hand_read(&mut waiting, 10, reads[0]);
        hand_read(&mut waiting, 11, reads[1]);
        hand_read(&mut waiting, 12, reads[2]);
        // No item depends on this one.
        hand_read(&mut waiting, 13, read(FIRST, 8));
        for stamp in reads.into_iter().chain([read(SECOND, 3), read(SECOND, 9)]) {
            waiting.settle(stamp, Settled::Used);
        }
        assert_eq!(names(&mut waiting), [1, 2, 10, 11, 3, 4, 12, 5, 13]);
    }

    #[test]
    fn what_comes_late_gets_what_is_known_until_the_round_is_finished() {
        let earlier = Settled::Earlier(Stamp::new(FIRST, 2), Some(1));
        let reads = [5, 6, 7].map(|position| read(FIRST, position));
        let outcomes = [Settled::Used, earlier, Settled::Withdrawn];
        let mut waiting = Waiting::default();
        for (read, outcome) in reads.into_iter().zip(outcomes) {
            waiting.settle(read, outcome);
        }
        hand(&mut waiting, 1, &reads);
        assert_eq!(taken(&mut waiting), [Item(1, reads.into_iter().zip(outcomes).collect())]);
        // Another thread's round is another one, although the position is the same.
        waiting.finish(SECOND);
        hand(&mut waiting, 2, &[read(SECOND, 5), reads[1]]);
        assert_eq!(names(&mut waiting).len(), 0);
        waiting.settle(read(SECOND, 5), Settled::Withdrawn);
        let settled = vec![(reads[1], earlier), (read(SECOND, 5), Settled::Withdrawn)];
        assert_eq!(taken(&mut waiting), [Item(2, settled)]);
        waiting.finish(FIRST);
        // What is known is gone.
        hand(&mut waiting, 3, &[reads[0]]);
        assert_eq!((names(&mut waiting), waiting.len()), (vec![], 1));
    }

    #[test]
    fn what_is_given_up_is_withdrawn_and_each_dependency_is_counted() {
        let reads = [5, 6].map(|position| read(FIRST, position));
        let mut waiting = Waiting::default();
        waiting.settle(reads[0], Settled::Used);
        hand(&mut waiting, 1, &[read(SECOND, 1)]);
        hand(&mut waiting, 2, &reads);
        hand(&mut waiting, 3, &[]);
        hand(&mut waiting, 4, &[reads[1], read(SECOND, 1)]);
        assert_eq!(waiting.give_up(), 4);
        let gone = |read| (read, Settled::Withdrawn);
        let second = Item(2, vec![(reads[0], Settled::Used), gone(reads[1])]);
        let fourth = Item(4, vec![gone(reads[1]), gone(read(SECOND, 1))]);
        assert_eq!(taken(&mut waiting), [Item(1, vec![gone(read(SECOND, 1))]), second, Item(3, vec![]), fourth]);
        assert_eq!(waiting.give_up(), 0);
    }

    /// What threads do: a third one hands over an item that depends on a read, or on none; or a round, whose reads are
    /// at positions 1 and 2, is settled, read by read, as used or withdrawn.
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Step {
        Plain,
        Depend(ThreadId, u64),
        Settle(ThreadId, bool),
    }

    const STEPS: [Step; 9] = [
        Step::Plain,
        Step::Depend(FIRST, 1),
        Step::Depend(FIRST, 2),
        Step::Depend(SECOND, 1),
        Step::Depend(SECOND, 2),
        Step::Settle(FIRST, true),
        Step::Settle(FIRST, false),
        Step::Settle(SECOND, true),
        Step::Settle(SECOND, false),
    ];

    /// The name of the item of a read.
    fn name_of(thread: ThreadId, position: u64) -> u32 {
        100 * thread.0 + u32::try_from(position).expect("small")
    }

    /// Makes the steps, then settles what is open. Returns the items in their order, and whether one ever came before
    /// one of its sources was settled.
    fn made(steps: &[Step]) -> Vec<Item> {
        let mut waiting = Waiting::default();
        let mut settled = FxHashMap::default();
        let mut items = Vec::new();
        let ends = [FIRST, SECOND].map(|thread| Step::Settle(thread, false));
        for (name, step) in (0..).zip(steps.iter().chain(&ends)) {
            match *step {
                Step::Plain => hand(&mut waiting, name, &[]),
                Step::Depend(thread, position) => hand(&mut waiting, name, &[read(thread, position)]),
                Step::Settle(thread, is_used) if !settled.contains_key(&thread) => {
                    let positions = [1, 2].into_iter();
                    positions.clone().filter(|_| is_used).for_each(|position| {
                        hand_read(&mut waiting, name_of(thread, position), read(thread, position));
                    });
                    let outcome = if is_used { Settled::Used } else { Settled::Withdrawn };
                    positions.for_each(|position| waiting.settle(read(thread, position), outcome));
                    settled.insert(thread, outcome);
                }
                Step::Settle(..) => {}
            }
            items.extend(taken(&mut waiting));
            let is_known = |(read, outcome): &(Stamp, Settled)| settled.get(&real(*read).thread()) == Some(outcome);
            assert!(items.iter().all(|item: &Item| item.1.iter().all(is_known)), "{steps:?}: {items:?}");
        }
        assert!(waiting.is_empty(), "{steps:?}");
        items
    }

    #[test]
    fn the_order_is_one_in_which_the_program_could_have_done_this() {
        for length in 0..=5 {
            for code in 0..STEPS.len().pow(length) {
                let steps: Vec<Step> = (0..length).map(|n| STEPS[code / STEPS.len().pow(n) % STEPS.len()]).collect();
                let items = made(&steps);
                let place = |name: u32| items.iter().position(|item| item.0 == name);
                let others: Vec<u32> = items.iter().map(|item| item.0).filter(|name| *name < 100).collect();
                let handed: Vec<u32> = (0..)
                    .zip(&steps)
                    .filter(|(_, step)| !matches!(step, Step::Settle(..)))
                    .map(|(name, _)| name)
                    .collect();
                assert_eq!(others, handed, "{steps:?}: each once, in the order in which they were handed over");
                for (name, step) in (0..).zip(&steps) {
                    let Step::Depend(thread, position) = *step else { continue };
                    let item = &items[place(name).expect("each")];
                    assert_eq!(item.1.len(), 1, "{steps:?}: {items:?}");
                    let is_after_a_settled_round = steps[..name as usize]
                        .iter()
                        .any(|step| matches!(step, Step::Settle(other, _) if *other == thread));
                    for its in (1..=position).filter(|_| !is_after_a_settled_round) {
                        let read = place(name_of(thread, its));
                        assert_eq!(read.is_some(), item.1[0].1 == Settled::Used, "{steps:?}: {items:?}");
                        assert!(read < place(name), "{steps:?}: {items:?}");
                    }
                }
                for thread in [FIRST, SECOND] {
                    assert!(place(name_of(thread, 1)) <= place(name_of(thread, 2)), "{steps:?}: {items:?}");
                }
            }
        }
    }
}
