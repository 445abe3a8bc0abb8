//! Decoding in a thread of its own, a few batches ahead of whoever reads.

use std::panic::resume_unwind;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::names::FrameNames;
use super::stream::Stream;
use crate::event::Event;
use crate::trace::error::TraceError;
use crate::trace::symbols::Symbols;

/// How many batches there are in all: being decoded, waiting, being read.
const CHUNKS: usize = 6;
/// The most events of a batch.
const CHUNK: usize = 1 << 14;

/// A batch of one frame, with the names that the frame adds if it is the first.
#[derive(Default)]
struct Chunk {
    names: FrameNames,
    events: Vec<Event>,
}

/// Takes decoded batches from a thread, which ends when this is dropped.
pub(super) struct Ahead {
    /// Both `None` only while this is dropped.
    full: Option<Receiver<Result<Chunk, TraceError>>>,
    empty: Option<Sender<Chunk>>,
    /// What is being read, from `at` on.
    current: Chunk,
    at: usize,
    is_over: bool,
    thread: Option<JoinHandle<()>>,
}

impl Ahead {
    /// Starts the thread. Gives the stream back if there can be no thread.
    pub(super) fn start(stream: Box<Stream>) -> Result<Ahead, Box<Stream>> {
        let (send_full, full) = bounded(CHUNKS);
        let (empty, take_empty) = bounded(CHUNKS);
        for _ in 0..CHUNKS {
            empty.send(Chunk::default()).expect("room for every chunk");
        }
        // A thread that cannot be started drops its closure: the stream is handed over once it runs.
        let (hand_over, take_over) = bounded::<Box<Stream>>(1);
        let decode = move || {
            if let Ok(mut stream) = take_over.recv() {
                run(&mut stream, &take_empty, &send_full);
            }
        };
        let Ok(thread) = thread::Builder::new().name("trace decoder".into()).spawn(decode) else { return Err(stream) };
        hand_over.send(stream).map_err(|refused| refused.0)?;
        let (full, empty) = (Some(full), Some(empty));
        Ok(Ahead { full, empty, current: Chunk::default(), at: 0, is_over: false, thread: Some(thread) })
    }

    /// As [`super::Reader::read_batch`].
    pub(super) fn read(
        &mut self,
        batch: &mut Vec<Event>,
        most: usize,
        symbols: &mut Symbols,
    ) -> Result<usize, TraceError> {
        if self.at == self.current.events.len() && !self.refill(symbols)? {
            return Ok(0);
        }
        let events = &mut self.current.events;
        let count = (events.len() - self.at).min(most);
        if batch.is_empty() && count == events.len() {
            std::mem::swap(batch, events);
            self.at = 0;
            return Ok(count);
        }
        batch.extend_from_slice(&events[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }

    /// Takes the next batch; false at the end of the trace.
    fn refill(&mut self, symbols: &mut Symbols) -> Result<bool, TraceError> {
        let (Some(full), Some(empty), false) = (&self.full, &self.empty, self.is_over) else { return Ok(false) };
        self.current.events.clear();
        self.at = 0;
        // Nobody waits for it if the thread has come to the end.
        let _ = empty.send(std::mem::take(&mut self.current));
        match full.recv() {
            Ok(chunk) => self.current = chunk.inspect_err(|_| self.is_over = true)?,
            Err(_) => self.is_panicking(),
        }
        self.current.names.drain(symbols);
        self.is_over = self.current.events.is_empty();
        Ok(!self.is_over)
    }

    /// The thread says so when it ends, unless it panics.
    #[cold]
    fn is_panicking(&mut self) {
        self.is_over = true;
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        // Without these the thread has nobody to wait for.
        self.full = None;
        self.empty = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was seen where it mattered.
            let _ = thread.join();
        }
    }
}

/// Decodes until the end, an error, or until nobody listens.
fn run(stream: &mut Stream, empty: &Receiver<Chunk>, full: &Sender<Result<Chunk, TraceError>>) {
    while let Ok(mut chunk) = empty.recv() {
        let decoded = decode(stream, &mut chunk);
        let goes_on = matches!(decoded, Ok(true));
        if full.send(decoded.map(|_| chunk)).is_err() || !goes_on {
            return;
        }
    }
}

/// Fills a chunk; false if it is the empty one at the end.
fn decode(stream: &mut Stream, chunk: &mut Chunk) -> Result<bool, TraceError> {
    if !stream.advance()? {
        return Ok(false);
    }
    std::mem::swap(stream.names(), &mut chunk.names);
    Ok(stream.events(&mut chunk.events, CHUNK)? > 0)
}
