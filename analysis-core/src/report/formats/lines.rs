//! Lines that make up every report for a person: their widths, an event, what was left out.

use std::fmt::Write;

use crate::report::model::report::Source;
use crate::report::model::witness::End;
use crate::report::model::words::{noun, place_of, short};

/// The widest table, however wide the terminal.
pub(super) const WIDEST: usize = 200;
/// The width of tables if there is no terminal.
pub const USUAL: usize = 160;
/// The narrowest terminal that tables are made for.
pub(super) const NARROWEST: usize = 40;

/// Adds a line.
pub(super) fn line(out: &mut String, indent: usize, text: &str) {
    writeln!(out, "{:indent$}{text}", "").expect("a string takes all that is written");
}

/// Says where to see what was left out for length.
pub(super) fn more(out: &mut String, indent: usize, hidden: usize, what: &str, source: Source) {
    let options = match source {
        Source::Run => "max_reports=, or format=json",
        Source::Trace => "--max-reports, or --format json",
    };
    line(out, indent, &format!("{hidden} more {}: see {options}", noun(hidden as u64, what)));
}

/// An end of an edge, such as `event 4: worker-1 in Cache.get at Cache.java:12: read of Cache.size`.
pub(super) fn end(end: &End) -> String {
    let method = end.method.as_deref().map_or(String::new(), |method| format!(" in {}", short(method)));
    let place = if end.location.is_empty() { String::new() } else { format!(" at {}", place(end)) };
    let number = end.event.map_or(String::new(), |event| format!("event {event}: "));
    let access = if end.access.contains(" of ") { end.access.clone() } else { end.access.replacen(' ', " of ", 1) };
    // A thread may be called `1`.
    let is_word = end.thread.contains(char::is_alphabetic);
    let locks = end.locks.as_deref().filter(|locks| !locks.is_empty());
    let under = locks.map_or(String::new(), |locks| format!(", under {}", locks.join(", ")));
    format!("{number}{}{}{method}{place}: {access}{under}", if is_word { "" } else { "thread " }, end.thread)
}

pub(super) fn place(end: &End) -> String {
    match (end.location.as_str(), end.event) {
        ("", Some(event)) => format!("event {event}"),
        ("", None) => "an unknown place".to_owned(),
        (location, _) => place_of(location),
    }
}
