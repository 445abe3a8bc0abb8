//! The analysis: a separate thread that reads the rings, merges the threads' streams and feeds an engine.
//!
//! It polls the heads, and looks immediately when a thread needs room or the run ends. In one look it reads at most a
//! quota of each thread, so that none keeps it from the others. The thread never calls JNI
//! and takes no lock that a hook takes; a panic in it ends the analysis, not the program.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::merge::Merge;
use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::feed::{Dispatch, Feed};
use crate::names::Names;
use crate::options::Options;
use crate::outcome::Outcome;
use crate::panics;
use crate::rings::Ring;
use crate::shared::Shared;
use crate::streams::{Link, Opening, QUOTA, Streams};

/// How long the analysis sleeps when there is nothing to read: initially, and at most.
const NAP: Duration = Duration::from_micros(200);
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// How long an answer waits at most for records that others depend on.
const LONGEST_WAIT: Duration = Duration::from_millis(if cfg!(test) { 100 } else { 5000 });

/// A message to the analysis.
pub(crate) enum Command {
    /// A thread opened a ring, after `position` events of its number.
    Open {
        /// How many events of the thread's number precede the ring.
        position: u64,
        /// The thread's name.
        name: Box<str>,
        /// The ring.
        ring: Arc<Ring>,
    },
    /// A thread continues in another ring.
    Next {
        /// The ring.
        ring: Arc<Ring>,
    },
    /// A thread waits for room.
    Look,
    /// Asks what was found so far. The question learns whether everything that was recorded before it is known.
    Ask(Question),
    /// Read the remaining records, then end.
    Finish,
}

/// Called with what is known about the run, and whether that includes everything recorded before the question.
pub(crate) type Question = Box<dyn FnOnce(&mut Feed, bool) + Send>;

/// The analysis, before it runs.
pub(crate) struct Analysis {
    inbox: Receiver<Command>,
    streams: Streams,
    merge: Merge<Link>,
    dispatch: Dispatch,
    shared: Arc<Shared>,
    is_finishing: bool,
    /// Questions that are not answered yet.
    asked: Vec<Question>,
}

impl Analysis {
    /// A new analysis.
    ///
    /// # Errors
    /// The trace cannot be written; one line.
    pub(crate) fn new(
        options: &Options,
        names: Arc<Names>,
        shared: Arc<Shared>,
        inbox: Receiver<Command>,
    ) -> Result<Analysis, String> {
        let dispatch = Dispatch::new(options, names, &shared)?;
        let streams = Streams::new(Arc::clone(&shared));
        let (merge, asked) = (Merge::default(), Vec::new());
        Ok(Analysis { inbox, streams, merge, dispatch, shared, is_finishing: false, asked })
    }

    /// Reads until it receives the command to end, or the run is to stop.
    pub(crate) fn run(mut self) -> Outcome {
        let ran = catch_unwind(AssertUnwindSafe(|| self.read_all()));
        // Nobody reads the rings any more, so no thread may wait for room, however long the rest takes.
        if self.dispatch.is_halted() {
            self.shared.stop();
        } else if ran.is_err() {
            self.shared.fail();
        }
        // After a failure too: earlier findings remain valid.
        let ended = catch_unwind(AssertUnwindSafe(|| self.dispatch.end()));
        Outcome {
            failure: ran.and(ended).err().map(|payload| panics::text(&*payload)),
            statistics: self.streams.final_statistics(),
            threads: self.streams.threads,
            // Where the run stops, what is not read comes after the end.
            waiting: if self.dispatch.is_halted() { Vec::new() } else { self.merge.waiting().collect() },
            gaps: self.streams.gap_count,
            is_halted: self.dispatch.is_halted(),
            feed: Some(self.dispatch.into_feed()),
            ..Outcome::default()
        }
    }

    fn read_all(&mut self) {
        let mut nap = NAP;
        while !self.is_finishing && !self.dispatch.is_halted() {
            nap = if self.look() { NAP } else { (nap * 2).min(LONGEST_NAP) };
            // There is no rest while there is more to read.
            let rest = if self.streams.has_more { Duration::ZERO } else { nap };
            match self.inbox.recv_timeout(rest) {
                Ok(command) => self.take(command),
                Err(RecvTimeoutError::Timeout) => self.dispatch.rest(),
                Err(RecvTimeoutError::Disconnected) => self.is_finishing = true,
            }
            self.answer();
        }
        // An event read now can depend on one that was published after its ring was read: repeat until nothing is left.
        while !self.dispatch.is_halted() && self.look() {}
        self.answer();
    }

    /// Reads what was recorded before the questions, and answers them. An event can wait for another one that is not published yet;
    /// the thread of that one publishes it at once unless it is kept from running.
    fn answer(&mut self) {
        while !self.asked.is_empty() {
            let asked = std::mem::take(&mut self.asked);
            let until = Instant::now() + LONGEST_WAIT;
            // Each look that leaves some of what was recorded before the questions reads a quota of it.
            for _ in 0..=self.streams.unread() / QUOTA {
                self.look();
            }
            let mut waiting: Vec<(ThreadId, Stamp)> = self.merge.waiting().collect();
            while !waiting.is_empty() && Instant::now() < until && !self.dispatch.is_halted() {
                std::thread::sleep(NAP);
                self.look();
                let now: Vec<(ThreadId, Stamp)> = self.merge.waiting().collect();
                waiting.retain(|event| now.contains(event));
            }
            let is_all = waiting.is_empty();
            asked.into_iter().for_each(|question| question(self.dispatch.feed_mut(), is_all));
        }
    }

    /// Reads the records published so far, up to a violation that stops the run; false if there were none.
    pub(crate) fn look(&mut self) -> bool {
        while let Ok(command) = self.inbox.try_recv() {
            self.take(command);
        }
        let Analysis { streams, merge, dispatch, shared, .. } = self;
        let (read, active) = (streams.read, streams.take_active());
        let is_halted = Cell::new(dispatch.is_halted());
        merge.run(
            active.iter().copied(),
            // Busy threads never let the streams run dry.
            |thread| if is_halted.get() { None } else { streams.pull(thread) },
            |stamp, taken, links| {
                dispatch.event(stamp, taken, links, &shared.progress);
                is_halted.set(dispatch.is_halted());
            },
        );
        streams.keep_active(active);
        let gaps = streams.take_gaps();
        for &(thread, position) in &gaps {
            merge.resume(thread, position);
        }
        for (thread, position) in streams.take_ended() {
            dispatch.ended(thread, position);
            merge.forget(thread);
        }
        dispatch.report_progress(&shared.progress);
        streams.read != read || !gaps.is_empty()
    }

    /// The numbers of threads for which the streams, the merge and the feed keep more than a position or a name, and
    /// the number of names.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> (usize, usize, usize, usize) {
        let (states, names) = self.dispatch.kept();
        (self.streams.kept(), self.merge.kept(), states, names)
    }

    fn take(&mut self, command: Command) {
        match command {
            Command::Open { position, name, ring } => self.streams.add(ring, Some(Opening { position, name })),
            Command::Next { ring } => self.streams.add(ring, None),
            Command::Look => {}
            Command::Ask(question) => self.asked.push(question),
            Command::Finish => self.is_finishing = true,
        }
    }
}
