//! The error for a kept file: the file, the line, and the fault, which each kind of file defines.

use std::fmt::Display;
use std::io;

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {fault}", .line.map_or(String::new(), |line| format!(":{line}")))]
pub struct Error<F: Display> {
    /// The file as the user named it.
    pub file: String,
    /// The line; the first is 1. `None` if the error is about the whole file.
    pub line: Option<usize>,
    /// What is wrong.
    pub fault: F,
}

/// An error of the operating system, and what was to be done with the file: `read`, `written`.
#[derive(Debug, thiserror::Error)]
#[error("cannot be {0}: {1}")]
pub struct IoFault(pub &'static str, #[source] pub io::Error);

impl<F: Display> Error<F> {
    /// Creates the error for a fault of the whole file.
    pub(crate) fn of_file(file: &str, fault: F) -> Error<F> {
        Error { file: file.to_owned(), line: None, fault }
    }

    /// Creates the error for a fault in a line; the first is 1.
    pub(crate) fn in_line(file: &str, line: usize, fault: F) -> Error<F> {
        Error { file: file.to_owned(), line: Some(line), fault }
    }
}
