//! The analysis: a thread of our own that reads the rings, merges the threads' streams and feeds an engine.
//!
//! It looks at the heads now and then, and at once when a thread needs room or the run ends. What the rings of one thread
//! number hold, in order of opening, is that number's stream. The thread never calls JNI; a panic in it ends the analysis
//! and not the program.

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::Item;
use analysis_core::protocol::merge::{Merge, On};
use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::codes;
use crate::feed::Feed;
use crate::names::Names;
use crate::options::Options;
use crate::rings::{Record, Ring, Statistics};
use crate::session::Shared;

/// How long the analysis sleeps when there was nothing to read: at first, and at most.
const NAP: Duration = Duration::from_micros(200);
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// What the analysis is told.
pub enum Command {
    /// A thread has opened a ring, after `position` events of its number.
    Open {
        /// How many events of the number came before.
        position: u64,
        /// The thread's name.
        name: Box<str>,
        /// The ring.
        ring: Arc<Ring>,
    },
    /// A thread goes on in another ring.
    Next {
        /// The ring.
        ring: Arc<Ring>,
    },
    /// A thread waits for room.
    Look,
    /// Read what is left, then end.
    Finish,
}

/// What came of it.
pub struct Outcome {
    /// What was found and counted.
    pub feed: Option<Feed>,
    /// Why the analysis ended early.
    pub failure: Option<String>,
    /// What the threads have counted.
    pub statistics: Statistics,
    /// How many threads have made events.
    pub threads: u64,
    /// Threads whose next event waits for one that never came.
    pub blocked: u64,
    /// Streams with a gap.
    pub gaps: u64,
}

impl Outcome {
    /// Nothing is known.
    pub(crate) fn lost() -> Outcome {
        Outcome {
            feed: None,
            failure: Some("its thread has gone".into()),
            statistics: Statistics::default(),
            threads: 0,
            blocked: 0,
            gaps: 0,
        }
    }
}

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

/// The analysis, before it runs.
pub struct Analysis {
    inbox: Receiver<Command>,
    reader: Reader,
    merge: Merge<Link>,
    feed: Feed,
    is_finishing: bool,
}

/// The threads' streams.
struct Reader {
    shared: Arc<Shared>,
    /// By thread number.
    streams: Vec<Stream>,
    /// Numbers whose stream may hold something.
    active: Vec<ThreadId>,
    statistics: Statistics,
    threads: u64,
    /// Streams that go on elsewhere than where they stopped.
    gaps: Vec<(ThreadId, u64)>,
    gap_count: u64,
}

#[derive(Default)]
struct Stream {
    rings: VecDeque<Reading>,
    /// What its thread has counted so far.
    statistics: Statistics,
    /// How many events were taken out.
    position: u64,
    is_active: bool,
}

struct Reading {
    ring: Arc<Ring>,
    /// The next record.
    next: u64,
    /// As far as the head was seen.
    head: u64,
    /// The tail as the writer knows it.
    tail: u64,
    /// It is the first of a thread: how many events came before, and the thread's name.
    opening: Option<(u64, Box<str>)>,
    /// The head that was loaded last is final.
    is_done: bool,
}

impl Analysis {
    /// An analysis that has read nothing.
    ///
    /// # Errors
    /// One line: the trace cannot be written.
    pub(crate) fn new(
        options: &Options,
        names: Arc<Names>,
        shared: Arc<Shared>,
        inbox: Receiver<Command>,
    ) -> Result<Analysis, String> {
        let reader = Reader {
            shared,
            streams: Vec::new(),
            active: Vec::new(),
            statistics: Statistics::default(),
            threads: 0,
            gaps: Vec::new(),
            gap_count: 0,
        };
        let feed = Feed::new(options, names)?;
        Ok(Analysis { inbox, reader, merge: Merge::default(), feed, is_finishing: false })
    }

    /// Reads until told to end.
    pub(crate) fn run(mut self) -> Outcome {
        let ran = catch_unwind(AssertUnwindSafe(|| self.read_all()));
        // After a failure too: what was found before stays found.
        let ended = catch_unwind(AssertUnwindSafe(|| self.feed.end()));
        let blocked = self.merge.waiting().count() as u64;
        self.reader.final_statistics();
        Outcome {
            failure: ran.and(ended).err().map(|payload| panic_text(&*payload)),
            statistics: self.reader.statistics,
            threads: self.reader.threads,
            blocked,
            gaps: self.reader.gap_count,
            feed: Some(self.feed),
        }
    }

    fn read_all(&mut self) {
        let mut nap = NAP;
        while !self.is_finishing {
            nap = if self.look() { NAP } else { (nap * 2).min(LONGEST_NAP) };
            match self.inbox.recv_timeout(nap) {
                Ok(command) => self.take(command),
                Err(RecvTimeoutError::Timeout) => self.feed.rest(),
                Err(RecvTimeoutError::Disconnected) => self.is_finishing = true,
            }
        }
        // An event that is seen now may depend on one in a ring that was announced meanwhile: look until nothing moves.
        while self.look() {}
    }

    /// Reads what is there; false if nothing was.
    fn look(&mut self) -> bool {
        while let Ok(command) = self.inbox.try_recv() {
            self.take(command);
        }
        let Analysis { reader, merge, feed, .. } = self;
        let active = std::mem::take(&mut reader.active);
        let shared_feed = RefCell::new(feed);
        let has_moved = merge.run(
            active.iter().copied(),
            |thread| reader.pull(thread, &mut shared_feed.borrow_mut()),
            |stamp, record, links| shared_feed.borrow_mut().event(stamp, record, links),
        );
        reader.keep_active(active);
        let has_gaps = !reader.gaps.is_empty();
        for (thread, position) in reader.gaps.drain(..) {
            merge.resume(thread, position);
        }
        has_moved || has_gaps
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Open { position, name, ring } => {
                self.reader.threads += 1;
                self.reader.add(ring, Some((position, name)));
            }
            Command::Next { ring } => self.reader.add(ring, None),
            Command::Look => {}
            Command::Finish => self.is_finishing = true,
        }
    }
}

impl Reader {
    fn add(&mut self, ring: Arc<Ring>, opening: Option<(u64, Box<str>)>) {
        let thread = ThreadId(ring.thread);
        if thread.index() >= self.streams.len() {
            self.streams.resize_with(thread.index() + 1, Stream::default);
        }
        let stream = &mut self.streams[thread.index()];
        stream.rings.push_back(Reading { ring, next: 0, head: 0, tail: 0, opening, is_done: false });
        if !std::mem::replace(&mut stream.is_active, true) {
            self.active.push(thread);
        }
    }

    /// Those of `threads` whose stream may go on.
    fn keep_active(&mut self, mut threads: Vec<ThreadId>) {
        threads.retain(|thread| {
            let stream = &mut self.streams[thread.index()];
            stream.is_active = !stream.rings.is_empty();
            stream.is_active
        });
        self.active = threads;
    }

    /// The next item of a thread's stream. Notes go to `feed` on the way.
    fn pull(&mut self, thread: ThreadId, feed: &mut Feed) -> Option<Item<Record, Link>> {
        let stream = &mut self.streams[thread.index()];
        loop {
            let reading = stream.rings.front_mut()?;
            if let Some((position, name)) = reading.opening.take() {
                self.statistics.add(std::mem::take(&mut stream.statistics));
                feed.opened(thread, position, &name);
                if position != stream.position {
                    stream.position = position;
                    self.gap_count += 1;
                    self.gaps.push((thread, position));
                    return None;
                }
            }
            if reading.next == reading.head && !reading.has_more() {
                // Asked before the head was loaded, so that a head of a retired ring is the last.
                if !reading.is_done {
                    reading.release(&self.shared);
                    return None;
                }
                stream.statistics.raise(reading.ring.statistics());
                let done = stream.rings.pop_front().expect("it is at hand");
                self.shared.recycle(done.ring);
                continue;
            }
            let record = reading.take(&self.shared);
            match record.code {
                codes::DEPEND => return Some(Item::Depend(Link { on: stamp(record.word), site: record.site })),
                // What was held is known from the stream itself.
                codes::UNSEEN => {}
                code if codes::is_event(code) => {
                    stream.position += 1;
                    return Some(Item::Event(record));
                }
                code => panic!("a record with the unknown code {code}"),
            }
        }
    }

    fn final_statistics(&mut self) {
        for stream in &mut self.streams {
            for reading in &stream.rings {
                stream.statistics.raise(reading.ring.statistics());
            }
            self.statistics.add(std::mem::take(&mut stream.statistics));
        }
    }
}

impl Reading {
    /// Loads the head; true if there are records.
    fn has_more(&mut self) -> bool {
        self.is_done = self.ring.is_retired();
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

/// What a panic says.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a text".to_owned())
}
