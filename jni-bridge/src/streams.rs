//! The threads' streams: what the rings of one thread number hold, in order of opening.
//!
//! A number may be that of several threads, one after the other; an event says where the next one begins. Of a thread that
//! has ended and is read to its end, its position stays, and nothing else.

use std::collections::VecDeque;
use std::sync::Arc;

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::Item;
use analysis_core::protocol::merge::On;

use crate::codes;
use crate::rings::{End, Record, Ring, Statistics};
use crate::shared::Shared;

/// A dependency, with the place of the event that it is on.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    pub(crate) on: Stamp,
    pub(crate) site: u32,
}

impl On for Link {
    fn stamp(&self) -> Stamp {
        self.on
    }
}

/// A thread begins.
pub(crate) struct Opening {
    /// How many events of its number came before.
    pub(crate) position: u64,
    /// Its name.
    pub(crate) name: Box<str>,
}

/// An event of a stream.
pub(crate) struct Taken {
    pub(crate) record: Record,
    /// It is the first event of a thread. The thread that had the number before may be joined by events that this one
    /// waits for, so it has the number until this event is passed on.
    pub(crate) opening: Option<Box<Opening>>,
}

/// All streams.
pub(crate) struct Streams {
    shared: Arc<Shared>,
    /// By thread number.
    slots: Vec<Slot>,
    /// Numbers whose stream may hold something.
    active: Vec<ThreadId>,
    /// What the threads have counted that are read to their end.
    statistics: Statistics,
    /// How many threads have made events.
    pub(crate) threads: u64,
    /// How many records were read.
    pub(crate) read: u64,
    /// Streams that go on elsewhere than where they stopped, to be told.
    gaps: Vec<(ThreadId, u64)>,
    /// How many there were.
    pub(crate) gap_count: u64,
    /// Threads that have ended and are read to their end, to be told, and their positions.
    ended: Vec<(ThreadId, u64)>,
}

/// What is known of a number.
#[derive(Default)]
struct Slot {
    /// How many events were taken out.
    position: u64,
    stream: Option<Box<Stream>>,
}

#[derive(Default)]
struct Stream {
    rings: VecDeque<Reading>,
    /// What its thread has counted so far.
    statistics: Statistics,
    /// Of the thread whose first event has not been read.
    opening: Option<Box<Opening>>,
}

struct Reading {
    ring: Arc<Ring>,
    /// The next record.
    next: u64,
    /// As far as the head was seen.
    head: u64,
    /// The tail as the writer knows it.
    tail: u64,
    /// It is the first of a thread.
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
            gaps: Vec::new(),
            gap_count: 0,
            ended: Vec::new(),
        }
    }

    /// The next ring of a number, with `opening` the first of a thread.
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

    /// Numbers whose stream may hold something. They are handed back to [`Streams::keep_active`].
    pub(crate) fn take_active(&mut self) -> Vec<ThreadId> {
        std::mem::take(&mut self.active)
    }

    /// Those of `threads` whose stream may go on.
    pub(crate) fn keep_active(&mut self, mut threads: Vec<ThreadId>) {
        threads.retain(|thread| {
            let stream = &mut self.slots[thread.index()].stream;
            // Who opened a ring and goes on in another that was not announced yet may have made no event.
            if stream.as_ref().is_some_and(|stream| stream.rings.is_empty() && stream.opening.is_none()) {
                self.statistics.add(stream.take().expect("just looked at").statistics);
            }
            stream.is_some()
        });
        self.active = threads;
    }

    /// Hands over which streams go on elsewhere than where they stopped, and where.
    pub(crate) fn take_gaps(&mut self) -> Vec<(ThreadId, u64)> {
        std::mem::take(&mut self.gaps)
    }

    /// Hands over which threads have ended and are read to their end, and after how many events.
    pub(crate) fn take_ended(&mut self) -> Vec<(ThreadId, u64)> {
        std::mem::take(&mut self.ended)
    }

    /// The next item of a thread's stream.
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
                // Asked before the head was loaded, so that a head of a retired ring is the last.
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
            let record = reading.take(&self.shared);
            self.read += 1;
            match record.code {
                codes::DEPEND => return Some(Item::Depend(Link { on: stamp(record.word), site: record.site })),
                // What was held is known from the stream itself.
                codes::UNSEEN => {}
                code if codes::is_event(code) => {
                    *position += 1;
                    return Some(Item::Event(Taken { record, opening: stream.opening.take() }));
                }
                code => panic!("a record with the unknown code {code}"),
            }
        }
    }

    /// What all threads have counted.
    pub(crate) fn final_statistics(&mut self) -> Statistics {
        for stream in self.slots.iter_mut().filter_map(|slot| slot.stream.as_mut()) {
            for reading in &stream.rings {
                stream.statistics.raise(reading.ring.statistics());
            }
            self.statistics.add(std::mem::take(&mut stream.statistics));
        }
        self.statistics
    }

    /// Of how many numbers more is kept than a position.
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

    /// Gives room to the writer; not at the end, so that a thread that never stops is read to an end.
    fn release(&mut self, shared: &Shared) {
        if self.tail != self.next && !shared.is_over() {
            self.tail = self.next;
            self.ring.release(self.tail);
        }
    }
}

fn stamp(word: u64) -> Stamp {
    Stamp::new(ThreadId((word >> Stamp::POSITION_BITS) as u32), word & Stamp::MAX_POSITION)
}
