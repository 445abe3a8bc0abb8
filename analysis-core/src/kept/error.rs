//! What can be wrong with a file: the file, the line, and the kind, which each sort of file has of its own.

use std::fmt::Display;
use std::io;

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {fault}", .line.map_or(String::new(), |line| format!(":{line}")))]
pub struct Error<F: Display> {
    /// The file as the user named it.
    pub file: String,
    /// The line; the first is 1. None if it is about the file as a whole.
    pub line: Option<usize>,
    /// What is wrong.
    pub fault: F,
}

/// What the system says about a file, and what was to be done to it: `read`, `written`.
#[derive(Debug, thiserror::Error)]
#[error("cannot be {0}: {1}")]
pub struct IoFault(pub &'static str, #[source] pub io::Error);

impl<F: Display> Error<F> {
    /// A fault of a file as a whole.
    pub(crate) fn of_file(file: &str, fault: F) -> Error<F> {
        Error { file: file.to_owned(), line: None, fault }
    }

    /// A fault in a line; the first is 1.
    pub(crate) fn in_line(file: &str, line: usize, fault: F) -> Error<F> {
        Error { file: file.to_owned(), line: Some(line), fault }
    }
}
