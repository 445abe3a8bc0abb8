//! The common parts of tables for people.

use std::io;

use analysis_core::report::text::{self, Layout};
use anstream::{AutoStream, ColorChoice};

/// A size in bytes, for people.
pub(crate) fn bytes(size: usize) -> String {
    let (mut size, mut unit) = (size as f64, 0);
    let units = ["B", "kB", "MB", "GB", "TB"];
    while size >= 1000.0 && unit + 1 < units.len() {
        (size, unit) = (size / 1000.0, unit + 1);
    }
    if unit == 0 { format!("{size} B") } else { format!("{size:.1} {}", units[unit]) }
}

/// The width of a table: that of the terminal, or the usual width if there is none.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(text::USUAL, |(width, _)| usize::from(width.0))
}

/// The layout of a report on standard output.
pub(crate) fn layout(details: usize) -> Layout {
    let has_colours = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    Layout { width: width(), details, has_colours }
}

/// The layout of a report on standard error.
pub(crate) fn layout_of_stderr(details: usize) -> Layout {
    let terminal = terminal_size::terminal_size_of(io::stderr());
    let width = terminal.map_or(text::USUAL, |(width, _)| usize::from(width.0));
    let has_colours = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    Layout { width, details, has_colours }
}
