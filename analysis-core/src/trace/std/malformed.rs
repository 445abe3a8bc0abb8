//! The ways in which a line of STD can be malformed, in words.

use super::line;
use crate::trace::malformed::Malformed;
use crate::trace::text::{Fault, explain_common, nearest_operation, shortened};

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
            let expected = format!("one of {}; nearest is {}", operations(), nearest_operation(name, &OPERATIONS));
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
        Fault::TextBeforeEvent | Fault::NotUtf8 | Fault::TooLong | Fault::TooManyThreads => explain_common(fault),
    }
}

/// What a line is made of.
const FIELDS: &str = "THREAD|OPERATION|LOCATION";

fn operations() -> String {
    OPERATIONS.map(|(written, _)| written).join(", ")
}
