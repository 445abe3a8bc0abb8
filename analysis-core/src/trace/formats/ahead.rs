//! Reading in a separate thread, a few chunks ahead of the analysis.

use std::panic::resume_unwind;
use std::thread::{self, JoinHandle, available_parallelism};

use crossbeam_channel::{Receiver, Sender, bounded};

/// The number of chunks: one being filled, some waiting, one being read.
const CHUNKS: usize = 6;

/// Which thread reads, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The calling thread.
    Along,
    /// A separate thread, if there are processors for two.
    Ahead,
    /// The calling thread, with locations.
    Located,
}

impl Pace {
    /// Returns whether a separate thread should read.
    pub(in crate::trace) fn has_thread(self) -> bool {
        self == Pace::Ahead && available_parallelism().is_ok_and(|count| count.get() > 1)
    }
}

/// Work that can be done ahead.
pub(in crate::trace) trait Produce {
    /// A part of the trace, with the errors in it.
    type Chunk: Default;

    /// Fills a chunk, which may have been used before. Returns false at the end of the trace, with an empty chunk.
    fn fill(&mut self, chunk: &mut Self::Chunk) -> bool;
}

/// Receives chunks from a thread, which ends when this is dropped.
pub(in crate::trace) struct Ahead<C> {
    /// Both `None` only while this is dropped.
    full: Option<Receiver<C>>,
    empty: Option<Sender<C>>,
    thread: Option<JoinHandle<()>>,
}

impl<C: Default + Send + 'static> Ahead<C> {
    /// Starts the thread. Returns the producer if no thread can be started.
    pub(in crate::trace) fn start<P>(producer: Box<P>) -> Result<Ahead<C>, Box<P>>
    where
        P: Produce<Chunk = C> + Send + 'static,
    {
        let (send_full, full) = bounded(CHUNKS);
        let (empty, take_empty) = bounded(CHUNKS);
        for _ in 0..CHUNKS {
            empty.send(C::default()).expect("room for every chunk");
        }
        // If the thread cannot be started, its closure is dropped: so the producer is handed over only once the thread
        // runs.
        let (hand_over, take_over) = bounded::<Box<P>>(1);
        let produce = move || {
            if let Ok(mut producer) = take_over.recv() {
                run(&mut *producer, &take_empty, &send_full);
            }
        };
        let Ok(thread) = thread::Builder::new().name("trace reader".into()).spawn(produce) else {
            return Err(producer);
        };
        hand_over.send(producer).map_err(|refused| refused.0)?;
        Ok(Ahead { full: Some(full), empty: Some(empty), thread: Some(thread) })
    }

    /// Receives the next chunk and gives back the previous one. Returns false at the end of the trace.
    pub(in crate::trace) fn next(&mut self, chunk: &mut C) -> bool {
        let (Some(full), Some(empty)) = (&self.full, &self.empty) else { return false };
        // Fails if the thread has reached the end; then it does not matter.
        let _ = empty.send(std::mem::take(chunk));
        match full.recv() {
            Ok(next) => *chunk = next,
            Err(_) => {
                self.is_over();
                return false;
            }
        }
        true
    }

    /// Called when the thread has ended: at the end of the trace, or by a panic.
    #[cold]
    fn is_over(&mut self) {
        self.full = None;
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            resume_unwind(panic);
        }
    }
}

impl<C> Drop for Ahead<C> {
    fn drop(&mut self) {
        // Closing both channels makes the thread return.
        self.full = None;
        self.empty = None;
        if let Some(thread) = self.thread.take() {
            // `next` has already raised a panic of the thread.
            let _ = thread.join();
        }
    }
}

/// Runs to the end of the trace, or until the receiver is gone.
fn run<P: Produce>(producer: &mut P, empty: &Receiver<P::Chunk>, full: &Sender<P::Chunk>) {
    while let Ok(mut chunk) = empty.recv() {
        if !producer.fill(&mut chunk) || full.send(chunk).is_err() {
            return;
        }
    }
}
