//! What formats of one event a line share: lines, names, the reader. A format adds its [`Syntax`].

mod chunk;
mod lines;
mod parser;
mod reader;

#[cfg(test)]
mod tests;

pub(super) use lines::LONGEST_LINE;
pub(super) use reader::Reader;

use super::format::Written;
use super::malformed::Malformed;
use crate::event::ThreadId;
use crate::trace::error::one_line;

/// How a format writes an event on a line.
pub trait Syntax {
    /// What a line says, none for a line that is no event. Nothing is allocated.
    fn parse(line: &[u8]) -> Result<Option<Line<'_>>, Fault>;

    /// Puts what is wrong with a line into words.
    fn explain(fault: Fault, line: &[u8]) -> Malformed;

    /// What the line of an event says besides.
    fn written(line: &str) -> Written<'_>;
}

/// What an event is made of: its line without the location.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    pub(super) thread: &'a [u8],
    pub(super) verb: Verb<'a>,
}

/// An operation with its operand as it is written.
#[derive(Clone, Copy)]
pub(super) enum Verb<'a> {
    Read(&'a [u8]),
    Write(&'a [u8]),
    Acquire(&'a [u8]),
    Release(&'a [u8]),
    Fork(&'a [u8]),
    Join(&'a [u8]),
    /// With an empty label for none.
    Begin(&'a [u8]),
    End,
    Fence,
    Commit(&'a [u8]),
    Dummy,
}

/// What is wrong with a line. The text of it is made, if at all, by [`Syntax::explain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// So many fields, which are too few.
    Fields(u8),
    /// Text before the event.
    TextBeforeEvent,
    /// No thread.
    EmptyThread,
    /// No operation, or none that is known.
    UnknownOperation,
    /// No parentheses where they are needed.
    MissingOperand,
    /// Nothing where a name is needed.
    EmptyOperand,
    /// No end of the operand.
    UnclosedOperand,
    /// The operation goes on after its operand.
    TextAfterOperand,
    /// An operand where there is none.
    UnwantedOperand,
    /// The line is not UTF-8.
    NotUtf8,
    /// The line is longer than any that is taken.
    TooLong,
    /// The line names one thread more than there can be.
    TooManyThreads,
}

/// Puts faults into words that have nothing to do with a syntax.
pub(super) fn explain_common(fault: Fault) -> Malformed {
    match fault {
        Fault::TooLong => {
            Malformed::new("too long", format!("a line of more than {LONGEST_LINE} bytes"), "one event a line")
        }
        Fault::TooManyThreads => too_many_threads(),
        _ => Malformed::new("not UTF-8", "not UTF-8", "a trace in UTF-8"),
    }
}

/// A thread that can have no number.
pub(super) fn too_many_threads() -> Malformed {
    let reason = format!("more than {} threads", ThreadId::MAX.0 + 1);
    Malformed::new("too many threads", reason, "at most so many threads in a trace")
}

/// Text from a trace as a message shows it: in one line, and not too much of it.
pub(super) fn shortened(text: &[u8]) -> String {
    const MOST: usize = 60;
    // A character has at most four bytes.
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * MOST + 4)]);
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => one_line(&text[..cut]) + "...",
        None => one_line(&text),
    }
}

/// The operation that is written like `name`, or nearly. Each comes with other words for it that people and other tools
/// use.
pub(super) fn nearest_operation(name: &[u8], operations: &[(&'static str, &[&str])]) -> &'static str {
    let name: String = shortened(name).to_ascii_lowercase();
    let distance = |words: &[&str]| words.iter().map(|word| strsim::levenshtein(&name, word)).min();
    operations.iter().min_by_key(|(_, words)| distance(words)).map_or("", |(written, _)| written)
}
