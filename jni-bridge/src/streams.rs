//! The threads' streams: the contents of all rings of one thread number, in order of opening.
//!
//! A number can belong to several threads, one after the other; an event says where the next one begins. Once a thread
//! has ended and its stream is read, only its position is kept.

use std::collections::VecDeque;
use std::sync::Arc;

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::Item;
use analysis_core::protocol::merge::On;

use crate::codes;
use crate::rings::{End, Record, Ring, Statistics};
use crate::shared::Shared;

/// How many records of a thread are read in one look: others get their turn although the thread makes new ones faster than they are
/// read. It may wait for what one of them does next.
pub(crate) const QUOTA: u64 = if cfg!(test) { 1 << 8 } else { 1 << 14 };

/// A dependency, with the site of the event that it names.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    pub(crate) on: Stamp,
    pub(crate) site: u32,
    /// Whether the dependency only keeps the recorded order of two sections under a lock, neither of which writes.
    pub(crate) is_order: bool,
}

impl On for Link {
    fn stamp(&self) -> Stamp {
        self.on
    }
}

/// The beginning of a thread.
pub(crate) struct Opening {
    /// How many events of its number precede the thread.
    pub(crate) position: u64,
    /// Its name.
    pub(crate) name: Box<str>,
}

/// What the records before an event say about it. Marks of accesses matter where other orders of the events are
/// examined.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Marks {
    /// The event is one step with the event before it.
    pub(crate) is_together: bool,
    /// The event is a write that took place because of what it found.
    pub(crate) is_update: bool,
    /// The thread waited in its open blocks before the event.
    pub(crate) has_waited: bool,
    /// The thread works for this scope from the event on.
    pub(crate) scope: Option<u32>,
}

/// An event of a stream.
pub(crate) struct Taken {
    pub(crate) record: Record,
    pub(crate) marks: Marks,
    /// The first event of a thread. Events that it waits for can join the thread that had the number before, so that
    /// thread keeps the number until this event is passed on.
    pub(crate) opening: Option<Box<Opening>>,
}

/// All streams.
pub(crate) struct Streams {
    shared: Arc<Shared>,
    /// By thread number.
    slots: Vec<Slot>,
    /// Numbers whose stream may hold something.
    active: Vec<ThreadId>,
    /// The counts of the threads that are read to their end.
    statistics: Statistics,
    /// How many threads made events.
    pub(crate) threads: u64,
    /// How many records were read.
    pub(crate) read: u64,
    /// Whether more of some thread could have been read in this look.
    pub(crate) has_more: bool,
    /// Streams that do not continue where they stopped, and where they do; not yet reported.
    gaps: Vec<(ThreadId, u64)>,
    /// How many such gaps there were.
    pub(crate) gap_count: u64,
    /// Threads that have ended and are read to their end, not yet reported, and their positions.
    ended: Vec<(ThreadId, u64)>,
}

/// What is known about a thread number.
#[derive(Default)]
struct Slot {
    /// How many events were taken out.
    position: u64,
    stream: Option<Box<Stream>>,
}

#[derive(Default)]
struct Stream {
    rings: VecDeque<Reading>,
    /// How many records were read in this look.
    taken: u64,
    /// The counts of its thread so far.
    statistics: Statistics,
    /// The marks of the next event.
    marks: Marks,
    /// The opening of the thread whose first event has not been read yet.
    opening: Option<Box<Opening>>,
}

struct Reading {
    ring: Arc<Ring>,
    /// The number of the next record.
    next: u64,
    /// The last head that was loaded.
    head: u64,
    /// The tail as the writer knows it.
    tail: u64,
    /// Set in the first ring of a thread.
    opening: Option<Box<Opening>>,
    /// Whether the head that was loaded last is final.
    end: End,
}

impl Streams {
    pub(crate) fn new(shared: Arc<Shared>) -> Streams {
        Streams {
            shared,
            slots: Vec::new(),
            active: Vec::new(),
            statistics: Statistics::default(),
            threads: 0,
            read: 0,
            has_more: false,
            gaps: Vec::new(),
            gap_count: 0,
            ended: Vec::new(),
        }
    }

    /// Adds the next ring of a number; with `opening`, the first ring of a thread.
    pub(crate) fn add(&mut self, ring: Arc<Ring>, opening: Option<Opening>) {
        let thread = ThreadId(ring.thread);
        if thread.index() >= self.slots.len() {
            self.slots.resize_with(thread.index() + 1, Slot::default);
        }
        self.threads += u64::from(opening.is_some());
        let stream = self.slots[thread.index()].stream.get_or_insert_with(|| {
            self.active.push(thread);
            Box::default()
        });
        let opening = opening.map(Box::new);
        stream.rings.push_back(Reading { ring, next: 0, head: 0, tail: 0, opening, end: End::Open });
    }

    /// Begins a look. Returns the numbers whose stream may hold something, which the caller passes back to [`Streams::keep_active`].
    pub(crate) fn take_active(&mut self) -> Vec<ThreadId> {
        self.has_more = false;
        for thread in &self.active {
            self.slots[thread.index()].stream.iter_mut().for_each(|stream| stream.taken = 0);
        }
        std::mem::take(&mut self.active)
    }

    /// Keeps those of `threads` whose stream can continue.
    pub(crate) fn keep_active(&mut self, mut threads: Vec<ThreadId>) {
        threads.retain(|thread| {
            let stream = &mut self.slots[thread.index()].stream;
            // A thread that opened a ring and continues in another, not yet announced, may have made no event.
            if stream.as_ref().is_some_and(|stream| stream.rings.is_empty() && stream.opening.is_none()) {
                self.statistics.add(stream.take().expect("just looked at").statistics);
            }
            stream.is_some()
        });
        self.active = threads;
    }

    /// Takes the streams that do not continue where they stopped, and where they do.
    pub(crate) fn take_gaps(&mut self) -> Vec<(ThreadId, u64)> {
        std::mem::take(&mut self.gaps)
    }

    /// Takes the threads that have ended and are read to their end, and their positions.
    pub(crate) fn take_ended(&mut self) -> Vec<(ThreadId, u64)> {
        std::mem::take(&mut self.ended)
    }

    /// How many records are published and not read.
    pub(crate) fn unread(&self) -> u64 {
        let rings = self.slots.iter().filter_map(|slot| slot.stream.as_ref()).flat_map(|stream| &stream.rings);
        rings.map(|reading| reading.ring.head() - reading.next).sum()
    }

    /// The next item of a thread's stream; `None` also once the thread has had its turn in this look.
    pub(crate) fn pull(&mut self, thread: ThreadId) -> Option<Item<Taken, Link>> {
        let Slot { position, stream } = &mut self.slots[thread.index()];
        let stream = stream.as_mut()?;
        loop {
            let reading = stream.rings.front_mut()?;
            if let Some(opening) = reading.opening.take() {
                self.statistics.add(std::mem::take(&mut stream.statistics));
                let goes_on = std::mem::replace(position, opening.position) == opening.position;
                stream.opening = Some(opening);
                if !goes_on {
                    self.gap_count += 1;
                    self.gaps.push((thread, *position));
                    return None;
                }
            }
            if reading.next == reading.head && !reading.has_more() {
                // Checked before the head is loaded, so that the head of a retired ring is final.
                if reading.end == End::Open {
                    reading.release(&self.shared);
                    return None;
                }
                stream.statistics.raise(reading.ring.statistics());
                let done = stream.rings.pop_front().expect("the current ring");
                if done.end == End::Last && stream.rings.is_empty() {
                    stream.opening = None;
                    self.ended.push((thread, *position));
                }
                self.shared.recycle(done.ring);
                continue;
            }
            if stream.taken == QUOTA {
                self.has_more = true;
                return None;
            }
            let record = reading.take(&self.shared);
            self.read += 1;
            stream.taken += 1;
            match record.code {
                codes::DEPEND => {
                    let is_order = record.extra == 1;
                    return Some(Item::Depend(Link { on: record.stamp(), site: record.site, is_order }));
                }
                // Not needed: the stream itself shows which locks were held.
                codes::UNSEEN => {}
                codes::TOGETHER => stream.marks.is_together = true,
                codes::UPDATE => stream.marks.is_update = true,
                codes::WAITED => stream.marks.has_waited = true,
                codes::SCOPE => stream.marks.scope = Some(record.word as u32),
                code if codes::is_event(code) => {
                    *position += 1;
                    return Some(Item::Event(Taken {
                        record,
                        marks: std::mem::take(&mut stream.marks),
                        opening: stream.opening.take(),
                    }));
                }
                code => panic!("a record with the unknown code {code}"),
            }
        }
    }

    /// The counts of all threads.
    pub(crate) fn final_statistics(&mut self) -> Statistics {
        for stream in self.slots.iter_mut().filter_map(|slot| slot.stream.as_mut()) {
            for reading in &stream.rings {
                stream.statistics.raise(reading.ring.statistics());
            }
            self.statistics.add(std::mem::take(&mut stream.statistics));
        }
        self.statistics
    }

    /// The number of thread numbers for which more than a position is kept.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> usize {
        self.slots.iter().filter(|slot| slot.stream.is_some()).count()
    }
}

impl Reading {
    /// Loads the head; true if there are records.
    fn has_more(&mut self) -> bool {
        self.end = self.ring.end();
        self.head = self.ring.head();
        self.next != self.head
    }

    fn take(&mut self, shared: &Shared) -> Record {
        let record = self.ring.record(self.next);
        self.next += 1;
        if self.next - self.tail >= self.ring.capacity() / 4 {
            self.release(shared);
        }
        record
    }

    /// Gives room to the writer, except at the end, so that reading a thread that never stops terminates.
    fn release(&mut self, shared: &Shared) {
        if self.tail != self.next && !shared.is_over() {
            self.tail = self.next;
            self.ring.release(self.tail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::Sizes;

    #[test]
    fn a_thread_that_never_stops_leaves_others_their_turn() {
        let shared = Arc::new(Shared::new(Sizes::default(), None, None));
        let mut streams = Streams::new(Arc::clone(&shared));
        let ring = Arc::new(shared.ring(512, 1, false));
        streams.add(Arc::clone(&ring), Some(Opening { position: 0, name: "busy".into() }));
        // It makes an event whenever one is read.
        let event = Record { code: codes::READ, site: 0, extra: 0, word: 1 };
        for look in 1..=3 {
            let active = streams.take_active();
            ring.write(&[event]);
            while streams.pull(ThreadId(1)).is_some() {
                assert!(streams.read <= look * QUOTA, "it is read as long as it writes");
                ring.write(&[event]);
            }
            assert!(streams.has_more && active == [ThreadId(1)]);
            streams.keep_active(active);
        }
        assert_eq!((streams.read, streams.unread()), (3 * QUOTA, 3));
    }
}
