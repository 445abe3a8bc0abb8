//! The ways in which a line of STD can be malformed, in words.

use std::fmt;

use super::line::{self, Fault};
use super::lines::LONGEST_LINE;
use crate::event::ThreadId;
use crate::trace::error::one_line;

/// Why a line cannot be parsed. Texts are cut where they are long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// Fewer than three fields.
    Fields {
        /// How many there are.
        found: u8,
        /// The line.
        line: String,
    },
    /// Nothing before the first `|`.
    EmptyThread,
    /// Nothing between the first two `|`.
    EmptyOperation,
    /// No operation has this name.
    UnknownOperation {
        /// The name.
        name: String,
        /// The operation whose name is most like it.
        nearest: &'static str,
    },
    /// An operation that needs an operand has no `(`.
    MissingOperand {
        /// The operation.
        operation: String,
    },
    /// An operation that needs an operand has nothing between its parentheses.
    EmptyOperand {
        /// The operation.
        operation: String,
    },
    /// There is a `(` and no `)`.
    UnclosedOperand {
        /// The operation.
        operation: String,
    },
    /// The operation goes on after its last `)`.
    TextAfterOperand {
        /// The operation.
        operation: String,
    },
    /// An operation that takes no operand has one.
    UnwantedOperand {
        /// The operation.
        operation: String,
    },
    /// The line is not UTF-8.
    NotUtf8,
    /// The line is longer than any that is taken.
    TooLong,
    /// The line names one thread more than there can be.
    TooManyThreads,
}

/// Each operation as it is written, and other words for it that people and other tools use.
const OPERATIONS: [(&str, &[&str]); 11] = [
    ("r(x)", &["r", "read", "rd", "load"]),
    ("w(x)", &["w", "write", "wr", "store"]),
    ("begin", &["begin", "enter", "start_block", "atomic"]),
    ("end", &["end", "exit", "leave"]),
    ("acq(l)", &["acq", "acquire", "lock"]),
    ("rel(l)", &["rel", "release", "unlock"]),
    ("fork(t)", &["fork", "start", "spawn"]),
    ("join(t)", &["join"]),
    ("fence", &["fence", "mfence"]),
    ("commit(x)", &["commit"]),
    ("dummy(x)", &["dummy", "nop"]),
];

impl Malformed {
    /// Puts what is wrong with a line into words.
    #[cold]
    pub(super) fn explain(fault: Fault, line: &[u8]) -> Malformed {
        let mut fields = line.splitn(3, |&byte| byte == b'|');
        let operation = fields.nth(1).unwrap_or_default();
        let written = || shortened(operation);
        match fault {
            Fault::Fields(found) => Malformed::Fields { found, line: shortened(line) },
            Fault::EmptyThread => Malformed::EmptyThread,
            Fault::UnknownOperation if operation.is_empty() => Malformed::EmptyOperation,
            Fault::UnknownOperation => {
                let name = line::name(operation);
                Malformed::UnknownOperation { name: shortened(name), nearest: nearest_operation(name) }
            }
            Fault::MissingOperand => Malformed::MissingOperand { operation: written() },
            Fault::EmptyOperand => Malformed::EmptyOperand { operation: written() },
            Fault::UnclosedOperand => Malformed::UnclosedOperand { operation: written() },
            Fault::TextAfterOperand => Malformed::TextAfterOperand { operation: written() },
            Fault::UnwantedOperand => Malformed::UnwantedOperand { operation: written() },
            Fault::NotUtf8 => Malformed::NotUtf8,
            Fault::TooLong => Malformed::TooLong,
            Fault::TooManyThreads => Malformed::TooManyThreads,
        }
    }

    /// What is wrong.
    pub fn reason(&self) -> String {
        match self {
            Malformed::Fields { found: 1, line } => format!("1 field in '{line}'"),
            Malformed::Fields { found, line } => format!("{found} fields in '{line}'"),
            Malformed::EmptyThread => "no thread before the first '|'".into(),
            Malformed::EmptyOperation => "no operation between the first two '|'".into(),
            Malformed::UnknownOperation { name, .. } => format!("unknown operation '{name}'"),
            Malformed::MissingOperand { operation } => format!("no operand in '{operation}'"),
            Malformed::EmptyOperand { operation } => format!("empty operand in '{operation}'"),
            Malformed::UnclosedOperand { operation } => format!("no ')' in '{operation}'"),
            Malformed::TextAfterOperand { operation } => format!("text after the last ')' in '{operation}'"),
            Malformed::UnwantedOperand { operation } => format!("an operand in '{operation}', which takes none"),
            Malformed::NotUtf8 => "not UTF-8".into(),
            Malformed::TooLong => format!("a line of more than {LONGEST_LINE} bytes"),
            Malformed::TooManyThreads => format!("more than {} threads", ThreadId::MAX.0 + 1),
        }
    }

    /// What was expected instead.
    pub fn expected(&self) -> String {
        match self {
            Malformed::Fields { .. } | Malformed::EmptyThread => "THREAD|OPERATION|LOCATION".into(),
            Malformed::EmptyOperation => format!("one of {}", operations()),
            Malformed::UnknownOperation { nearest, .. } => format!("one of {}; nearest is {nearest}", operations()),
            Malformed::MissingOperand { operation } => format!("{operation}(NAME)"),
            Malformed::EmptyOperand { operation } => format!("a name in the parentheses of '{operation}'"),
            Malformed::UnclosedOperand { .. } => "a ')' at the end of the operation".into(),
            Malformed::TextAfterOperand { .. } => "'|' right after the last ')'".into(),
            Malformed::UnwantedOperand { .. } => "fence".into(),
            Malformed::NotUtf8 => "a trace in UTF-8".into(),
            Malformed::TooLong => "one event a line".into(),
            Malformed::TooManyThreads => "at most so many threads in a trace".into(),
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; expected {}", self.reason(), self.expected())
    }
}

impl std::error::Error for Malformed {}

fn operations() -> String {
    OPERATIONS.map(|(written, _)| written).join(", ")
}

fn nearest_operation(name: &[u8]) -> &'static str {
    let name: String = shortened(name).to_ascii_lowercase();
    let distance = |words: &[&str]| words.iter().map(|word| edit_distance(&name, word)).min();
    OPERATIONS.iter().min_by_key(|(_, words)| distance(words)).map_or("", |(written, _)| written)
}

/// How many characters must be inserted, removed or replaced to make `b` of `a` (Levenshtein).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Text from a trace as a message shows it: in one line, and not too much of it.
fn shortened(text: &[u8]) -> String {
    const MOST: usize = 60;
    // A character has at most four bytes.
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * MOST + 4)]);
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => one_line(&text[..cut]) + "...",
        None => one_line(&text),
    }
}
