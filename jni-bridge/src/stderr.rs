//! Lines on standard error.

use std::fmt::Display;
use std::io::Write;

/// Writes a line to standard error. Nobody may read it, or the disk that it goes to is full: then the line is lost, and nothing else.
/// `eprintln!` would panic, and with it the report, the exit code or the start of the program would be lost.
pub(crate) fn line(text: impl Display) {
    write(&format!("{text}\n"));
}

/// Writes a text to standard error, at once, so that lines of others do not come in between; as [`line`].
pub(crate) fn write(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
