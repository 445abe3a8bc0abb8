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
//! Engines need no details of single events, reports do: [`lookup`] finds them afterwards, by event number.

mod ahead;
pub mod binary;
pub mod diagnostics;
pub mod error;
mod format;
pub mod input;
mod lookup;
pub mod notes;
mod output;
pub mod rapid;
mod reader;
mod records;
mod roadrunner;
pub mod statistics;
pub mod symbols;
mod text;
pub mod wellformed;

#[cfg(test)]
mod tests;

pub use ahead::Pace;
pub use error::{ErrorKind, Malformed, Place, TraceError, one_line};
pub use format::{FORMATS, Format, Written};
pub use lookup::{Detail, lookup};
pub use output::{Output, TraceWriter, WriteError};
pub use reader::{Mode, TraceReader};
