//! The reader that feeds engines: reads and checks a trace, and is strict or lenient about errors in it.

use std::sync::Arc;

use super::input::Input;
use super::wellformed::buffers::Buffers;
use super::wellformed::checker::Checker;
use crate::event::Event;
use crate::trace::formats::ahead::Pace;
use crate::trace::formats::format::{Source, Written};
use crate::trace::vocabulary::damage::GzipFault;
use crate::trace::vocabulary::diagnostics::Diagnostics;
use crate::trace::vocabulary::error::{ErrorKind, Place, TraceError};
use crate::trace::vocabulary::ill_formed::IllFormed;
use crate::trace::vocabulary::symbols::Symbols;

/// How to treat lines and records that cannot be read, and events that are ill-formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The first problem is an error.
    #[default]
    Strict,
    /// Unreadable ones are skipped, ill-formed events are kept, and both are counted. A binary trace is read up to the first
    /// damaged frame.
    Lenient,
}

/// Reads and checks a trace.
pub struct TraceReader {
    reader: Box<dyn Source>,
    checker: Checker,
    /// The check of commits, if requested.
    buffers: Option<Buffers>,
    mode: Mode,
    diagnostics: Diagnostics,
    events: u64,
}

impl TraceReader {
    /// Starts at the first event of `input`.
    pub fn open(input: &Input, mode: Mode) -> Result<TraceReader, TraceError> {
        TraceReader::open_at(Pace::Ahead, input, mode)
    }

    /// Like [`TraceReader::open`], with the locations of events, which some formats store separately and do not read
    /// otherwise.
    pub fn open_located(input: &Input, mode: Mode) -> Result<TraceReader, TraceError> {
        TraceReader::open_at(Pace::Located, input, mode)
    }

    /// Like [`TraceReader::open`], with a choice of the thread that reads.
    pub fn open_at(pace: Pace, input: &Input, mode: Mode) -> Result<TraceReader, TraceError> {
        Ok(TraceReader::new((input.format()?.reader)(input.data(), pace)?, mode))
    }

    fn new(reader: Box<dyn Source>, mode: Mode) -> TraceReader {
        let (checker, diagnostics) = (Checker::default(), Diagnostics::default());
        TraceReader { reader, checker, buffers: None, mode, diagnostics, events: 0 }
    }

    /// Also checks that the commits could come from store buffers ([`Buffers`]). Call it before the first event is
    /// read.
    pub fn check_commits(&mut self) {
        self.buffers = Some(Buffers::default());
    }

    /// Fills `batch` with the next events, at most `most`, and returns how many: none only at the end of the trace.
    /// After an error, do not read on.
    pub fn read_batch(&mut self, batch: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        batch.clear();
        while batch.len() < most {
            let checked = batch.len();
            let read = self.reader.read_batch(batch, most - checked);
            // An ill-formed event before a malformed line is the first problem.
            self.check(&batch[checked..])?;
            match read {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => self.skip(error, self.events + batch.len() as u64)?,
            }
        }
        self.events += batch.len() as u64;
        Ok(batch.len())
    }

    /// Returns what the trace says about the one event that `read_batch(.., 1)` read last.
    pub fn written(&self) -> Written<'_> {
        self.reader.written()
    }

    /// Returns the number of events read.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Returns the names so far, and possibly some that will be used soon.
    pub fn symbols(&self) -> &Symbols {
        self.reader.symbols()
    }

    /// Returns what was tolerated so far.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Checks the events that were read last.
    fn check(&mut self, events: &[Event]) -> Result<(), TraceError> {
        for (index, event) in events.iter().enumerate() {
            let problem = self.checker.check(*event);
            let uncommitted = self.buffers.as_mut().and_then(|buffers| buffers.check(*event));
            if let Some(problem) = problem.or(uncommitted) {
                self.keep(self.reader.place(index), problem)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn keep(&mut self, place: Place, problem: IllFormed) -> Result<(), TraceError> {
        let symbols = self.reader.symbols();
        if self.mode == Mode::Lenient {
            self.diagnostics.keep(place, problem, symbols);
            return Ok(());
        }
        let text = format!("{}; expected {}", problem.reason(symbols), problem.expected(symbols));
        let kind = ErrorKind::IllFormed { problem, text };
        Err(TraceError { file: Arc::clone(self.reader.file()), place, kind })
    }

    #[cold]
    fn skip(&mut self, error: TraceError, read: u64) -> Result<(), TraceError> {
        let is_lenient = self.mode == Mode::Lenient;
        match &error.kind {
            ErrorKind::Malformed(malformed) if is_lenient => self.diagnostics.skip(error.place, malformed),
            // The events before a cut can be trusted. Damage ends the trace.
            ErrorKind::Damaged { damage, .. } if damage.is_cut() => self.diagnostics.stop(&error, None),
            ErrorKind::Damaged { promised, .. } if is_lenient => self.diagnostics.stop(&error, promised.lost(read)),
            // The data decompressed before a cut is what was written; the reader is at its end.
            ErrorKind::Gzip(GzipFault::Truncated) if is_lenient => {
                let plural = if read == 1 { "" } else { "s" };
                self.diagnostics.stop(&error, Some(format!("{read} event{plural} read")));
            }
            _ => return Err(error),
        }
        Ok(())
    }
}
