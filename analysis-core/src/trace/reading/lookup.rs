//! Details of single events, for reports: a second pass over the trace for the few events that a report shows.

use std::sync::Arc;

use super::input::Input;
use crate::event::Op;
use crate::trace::formats::ahead::Pace;
use crate::trace::formats::format::{Source, Written};
use crate::trace::vocabulary::error::{ErrorKind, Place, TraceError};

/// What a trace says about one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The number of the event; the first is 1.
    pub event: u64,
    /// The place of the event in the trace.
    pub place: Place,
    /// The name of its thread.
    pub thread: String,
    /// Its operation as written, with the operand.
    pub operation: String,
    /// Its location as written.
    pub location: String,
}

/// Returns what `input` says about the events with these numbers, which start at 1, must be in increasing order and may
/// repeat. Events are counted as in a lenient reading; a strict one that reached the end counts the same.
pub fn lookup(input: &Input, numbers: &[u64]) -> Result<Vec<Detail>, TraceError> {
    let mut details: Vec<Detail> = Vec::with_capacity(numbers.len());
    look_up(input, numbers, |_, detail| details.push(detail.clone()))?;
    Ok(details)
}

/// Like [`lookup`], but passes the details on one by one without keeping them.
pub(crate) fn look_up(input: &Input, numbers: &[u64], mut take: impl FnMut(Op, &Detail)) -> Result<(), TraceError> {
    debug_assert!(numbers.is_sorted() && numbers.first() != Some(&0), "event numbers {numbers:?}");
    if numbers.is_empty() {
        return Ok(());
    }
    let mut reader = (input.format()?.reader)(input.data(), Pace::Located)?;
    let mut last: Option<(Op, Detail)> = None;
    for &number in numbers {
        let passed = last.as_ref().map_or(0, |(_, detail)| detail.event);
        if passed != number {
            let passed = passed + pass(&mut *reader, number.saturating_sub(passed + 1))?;
            last = detail(&mut *reader, number)?.filter(|_| passed + 1 == number);
            if last.is_none() {
                let kind = ErrorKind::NoSuchEvent { wanted: number, events: passed };
                return Err(TraceError { file: Arc::clone(input.name()), place: Place::File, kind });
            }
        }
        if let Some((op, detail)) = &last {
            take(*op, detail);
        }
    }
    Ok(())
}

/// Skips at most `most` events and returns how many: fewer only at the end of the trace.
fn pass(reader: &mut dyn Source, most: u64) -> Result<u64, TraceError> {
    let (mut batch, mut passed) = (Vec::new(), 0);
    while passed < most {
        batch.clear();
        let read = reader.read_batch(&mut batch, usize::try_from(most - passed).unwrap_or(usize::MAX).min(1 << 14));
        passed += batch.len() as u64;
        match read {
            Ok(0) => break,
            Err(error) if error.malformed().is_none() => return Err(error),
            _ => {}
        }
    }
    Ok(passed)
}

/// Returns the next event, as the one with the number `event`.
fn detail(reader: &mut dyn Source, event: u64) -> Result<Option<(Op, Detail)>, TraceError> {
    let mut one = Vec::with_capacity(1);
    loop {
        match reader.read_batch(&mut one, 1) {
            Ok(0) => return Ok(None),
            Ok(_) => break,
            Err(error) if error.malformed().is_some() => {}
            Err(error) => return Err(error),
        }
    }
    let Written { operation, location } = reader.written();
    let detail = Detail {
        event,
        place: reader.place(0),
        thread: reader.symbols().thread(one[0].thread).into(),
        operation: operation.into(),
        location: location.into(),
    };
    Ok(Some((one[0].op, detail)))
}
