//! The syntax of a line with an event, and the faults that a line can have.

use crate::event::ThreadId;
use crate::trace::formats::format::Written;
use crate::trace::vocabulary::error::Malformed;
use crate::trace::vocabulary::one_line::one_line;

/// The longest accepted line: a file without newlines is not a trace and must not fill the memory.
pub(in crate::trace) const LONGEST_LINE: usize = 1 << 24;

/// The syntax of a line with an event.
pub trait Syntax {
    /// Parses a line; `None` for a line that is not an event. Allocates nothing.
    fn parse(line: &[u8]) -> Result<Option<Line<'_>>, Fault>;

    /// Returns the note on a line, if it is one.
    fn note(_line: &[u8]) -> Option<&str> {
        None
    }

    /// Describes what is wrong with a line.
    fn explain(fault: Fault, line: &[u8]) -> Malformed;

    /// Returns the rest of the information on the line of an event.
    fn written(line: &str) -> Written<'_>;
}

/// The parts of an event: its line without the location.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    pub(in crate::trace) thread: &'a [u8],
    pub(in crate::trace) verb: Verb<'a>,
}

/// An operation with its operand as written.
#[derive(Clone, Copy)]
pub(in crate::trace) enum Verb<'a> {
    Read(&'a [u8]),
    Write(&'a [u8]),
    Acquire(&'a [u8]),
    Release(&'a [u8]),
    Fork(&'a [u8]),
    Join(&'a [u8]),
    /// The label is empty if there is none.
    Begin(&'a [u8]),
    End,
    Fence,
    Commit(&'a [u8]),
    Dummy,
    Together,
    Update,
}

/// What is wrong with a line. [`Syntax::explain`] produces the text on demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Too few fields: this many.
    Fields(u8),
    /// Text before the event.
    TextBeforeEvent,
    /// No thread.
    EmptyThread,
    /// No operation, or an unknown one.
    UnknownOperation,
    /// No parentheses where they are needed.
    MissingOperand,
    /// Nothing where a name is needed.
    EmptyOperand,
    /// No end of the operand.
    UnclosedOperand,
    /// The operation continues after its operand.
    TextAfterOperand,
    /// An operand where there is none.
    UnwantedOperand,
    /// The line is not UTF-8.
    NotUtf8,
    /// The line exceeds the limit.
    TooLong,
    /// The line names more threads than there can be.
    TooManyThreads,
}

/// Describes the faults that do not depend on the syntax.
pub(in crate::trace) fn explain_common(fault: Fault) -> Malformed {
    match fault {
        Fault::TooLong => {
            Malformed::new("too long", format!("a line of more than {LONGEST_LINE} bytes"), "one event a line")
        }
        Fault::TooManyThreads => too_many_threads(),
        _ => Malformed::new("not UTF-8", "not UTF-8", "a trace in UTF-8"),
    }
}

/// Returns the error for a thread beyond the last possible number.
pub(in crate::trace) fn too_many_threads() -> Malformed {
    let reason = format!("more than {} threads", ThreadId::MAX.0 + 1);
    Malformed::new("too many threads", reason, "no more threads than that")
}

/// Shortens text from a trace for a message: on one line, cut if it is long.
pub(in crate::trace) fn shortened(text: &[u8]) -> String {
    const MOST: usize = 60;
    // A character has at most four bytes.
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * MOST + 4)]);
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => one_line(&text[..cut]) + "...",
        None => one_line(&text),
    }
}

/// Returns the operation whose name is nearest to `name`. Each comes with other words for it that people and tools use.
pub(in crate::trace) fn nearest_operation(name: &[u8], operations: &[(&'static str, &[&str])]) -> &'static str {
    let name: String = shortened(name).to_ascii_lowercase();
    let distance = |words: &[&str]| words.iter().map(|word| strsim::levenshtein(&name, word)).min();
    operations.iter().min_by_key(|(_, words)| distance(words)).map_or("", |(written, _)| written)
}
