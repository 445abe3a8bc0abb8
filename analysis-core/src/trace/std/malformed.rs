//! The ways in which a line of STD can be malformed, in words.

use super::line::{self, Fault};
use super::lines::LONGEST_LINE;
use crate::event::ThreadId;
use crate::trace::error::one_line;
use crate::trace::malformed::Malformed;

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

/// Puts what is wrong with a line into words.
#[cold]
pub(super) fn explain(fault: Fault, line: &[u8]) -> Malformed {
    let operation = line.splitn(3, |&byte| byte == b'|').nth(1).unwrap_or_default();
    let written = shortened(operation);
    match fault {
        Fault::Fields(found) => {
            let plural = if found == 1 { "" } else { "s" };
            Malformed::new("fields", format!("{found} field{plural} in '{}'", shortened(line)), FIELDS)
        }
        Fault::EmptyThread => Malformed::new("no thread", "no thread before the first '|'", FIELDS),
        Fault::UnknownOperation if operation.is_empty() => {
            let expected = format!("one of {}", operations());
            Malformed::new("no operation", "no operation between the first two '|'", expected)
        }
        Fault::UnknownOperation => {
            let name = line::name(operation);
            let expected = format!("one of {}; nearest is {}", operations(), nearest_operation(name));
            Malformed::new("unknown operation", format!("unknown operation '{}'", shortened(name)), expected)
        }
        Fault::MissingOperand => {
            Malformed::new("no operand", format!("no operand in '{written}'"), format!("{written}(NAME)"))
        }
        Fault::EmptyOperand => {
            let expected = format!("a name in the parentheses of '{written}'");
            Malformed::new("empty operand", format!("empty operand in '{written}'"), expected)
        }
        Fault::UnclosedOperand => {
            Malformed::new("no ')'", format!("no ')' in '{written}'"), "a ')' at the end of the operation")
        }
        Fault::TextAfterOperand => {
            let reason = format!("text after the last ')' in '{written}'");
            Malformed::new("text after operand", reason, "'|' right after the last ')'")
        }
        Fault::UnwantedOperand => {
            Malformed::new("unwanted operand", format!("an operand in '{written}', which takes none"), "fence")
        }
        Fault::NotUtf8 => Malformed::new("not UTF-8", "not UTF-8", "a trace in UTF-8"),
        Fault::TooLong => {
            Malformed::new("too long", format!("a line of more than {LONGEST_LINE} bytes"), "one event a line")
        }
        Fault::TooManyThreads => {
            let reason = format!("more than {} threads", ThreadId::MAX.0 + 1);
            Malformed::new("too many threads", reason, "at most so many threads in a trace")
        }
    }
}

/// What a line is made of.
const FIELDS: &str = "THREAD|OPERATION|LOCATION";

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
