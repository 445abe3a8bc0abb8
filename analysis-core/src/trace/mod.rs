//! Traces: names, formats, well-formedness.
//!
//! A trace comes from an [`input::Input`], which handles files, standard input and gzip and can be read more than once.
//! Its first bytes decide its [`Format`], whose reader turns it into events and names. [`TraceReader`] adds the check for
//! well-formedness and is what a driver uses; [`TraceWriter`] writes any format.
//!
//! ```no_run
//! # use analysis_core::trace::{Mode, TraceError, TraceReader, input::Input};
//! # fn main() -> Result<(), TraceError> {
//! let input = Input::open("trace.std.gz".as_ref())?;
//! let mut trace = TraceReader::open(&input, Mode::Strict)?;
//! let mut batch = Vec::new();
//! while trace.read_batch(&mut batch, 1 << 14)? > 0 {
//!     // engine.feed(&batch)
//! }
//! println!("{} events, {} threads", trace.events(), trace.symbols().threads.len());
//! # Ok(())
//! # }
//! ```
//!
//! Engines need no details of single events, but reports do: [`lookup`](fn@lookup) finds them afterwards, by event
//! number.
//!
//! There are four layers, each of which imports only earlier ones: `vocabulary/` (names, notes, errors), `files/`
//! (bytes, in and out), `formats/`, and `reading/`.

mod files;
mod formats;
mod reading;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use files::data::Data;
pub use files::output::{Output, WriteError};
pub use formats::ahead::Pace;
pub use formats::format::{Format, Written};
pub use formats::list::FORMATS;
pub use formats::writer::TraceWriter;
pub use formats::{binary, rapid};
pub(crate) use reading::lookup::look_up;
pub use reading::lookup::{Detail, lookup};
pub use reading::reader::{Mode, TraceReader};
pub use reading::{input, statistics, wellformed};
pub use vocabulary::damage::GzipFault;
pub use vocabulary::error::{ErrorKind, Malformed, Place, TraceError};
pub use vocabulary::location::Position;
pub use vocabulary::one_line::one_line;
pub use vocabulary::{diagnostics, error, notes, symbols};
