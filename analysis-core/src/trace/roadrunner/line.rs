//! One line of RoadRunner's print, cut into its parts.

use std::borrow::Cow;

use memchr::memchr_iter;

use crate::trace::format::Written;
use crate::trace::malformed::Malformed;
use crate::trace::text::{Fault, Line, Syntax, Verb, explain_common, nearest_operation, shortened};

/// The syntax of a line.
pub(in crate::trace) struct Print;

/// Each operation as it is written, and other words for it.
const OPERATIONS: [(&str, &[&str]); 12] = [
    ("Enter", &["enter", "begin"]),
    ("Exit", &["exit", "end"]),
    ("Acquire", &["acquire", "acq", "lock"]),
    ("Release", &["release", "rel", "unlock"]),
    ("Start", &["start", "fork"]),
    ("Join", &["join"]),
    ("Rd", &["rd", "read", "r"]),
    ("Wr", &["wr", "write", "w"]),
    ("ARd", &["ard"]),
    ("AWr", &["awr"]),
    ("VRd", &["vrd"]),
    ("VWr", &["vwr"]),
];

/// What a line is made of.
const SHAPE: &str = "@  OPERATION(THREAD,OPERAND)  SHADOW  LOCATION";

/// A line after its marker.
struct Parts<'a> {
    name: &'a [u8],
    /// What stands in the parentheses.
    inside: Result<&'a [u8], Fault>,
    /// What stands behind them.
    rest: &'a [u8],
}

/// True if a line is an event of this format.
pub(in crate::trace) fn is_line(line: &[u8]) -> bool {
    line.strip_prefix(b"@").is_some_and(starts_with_event)
}

/// True if text goes on as an event does after its marker.
fn starts_with_event(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    OPERATIONS.iter().any(|(name, _)| text.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b"(")))
}

impl<'a> Parts<'a> {
    fn of(text: &'a [u8]) -> Parts<'a> {
        let text = text.trim_ascii_start();
        let end = text.iter().position(|&byte| byte == b'(' || byte.is_ascii_whitespace()).unwrap_or(text.len());
        let (name, after) = text.split_at(end);
        let Some(open) = after.strip_prefix(b"(") else {
            return Parts { name, inside: Err(Fault::MissingOperand), rest: after };
        };
        let ends = |&at: &usize| open.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        match memchr_iter(b')', open).find(ends) {
            Some(close) => Parts { name, inside: Ok(&open[..close]), rest: &open[close + 1..] },
            None => Parts { name, inside: Err(Fault::UnclosedOperand), rest: b"" },
        }
    }

    /// The thread, and the operand if there is one.
    fn operands(&self) -> Result<(&'a [u8], Option<&'a [u8]>), Fault> {
        let mut operands = self.inside?.splitn(2, |&byte| byte == b',');
        let thread = operands.next().unwrap_or_default();
        if thread.is_empty() { Err(Fault::EmptyThread) } else { Ok((thread, operands.next())) }
    }
}

impl Syntax for Print {
    fn parse(line: &[u8]) -> Result<Option<Line<'_>>, Fault> {
        let Some(text) = line.strip_prefix(b"@") else {
            let is_hidden = memchr_iter(b'@', line).any(|at| starts_with_event(&line[at + 1..]));
            return if is_hidden { Err(Fault::TextBeforeEvent) } else { Ok(None) };
        };
        let parts = Parts::of(text);
        if !OPERATIONS.iter().any(|(name, _)| name.as_bytes() == parts.name) {
            return Err(Fault::UnknownOperation);
        }
        let (thread, operand) = parts.operands()?;
        let needed = || operand.filter(|operand| !operand.is_empty()).ok_or(Fault::EmptyOperand);
        let verb = match parts.name {
            b"Enter" => Verb::Begin(operand.unwrap_or_default()),
            b"Exit" => Verb::End,
            b"Acquire" => Verb::Acquire(needed()?),
            b"Release" => Verb::Release(needed()?),
            b"Start" => Verb::Fork(needed()?),
            b"Join" => Verb::Join(needed()?),
            b"Rd" | b"ARd" | b"VRd" => Verb::Read(needed()?),
            _ => Verb::Write(needed()?),
        };
        Ok(Some(Line { thread, verb }))
    }

    fn explain(fault: Fault, line: &[u8]) -> Malformed {
        let name = Parts::of(line.strip_prefix(b"@").unwrap_or(line)).name;
        let written = shortened(line);
        match fault {
            Fault::TextBeforeEvent => {
                Malformed::new("text before event", format!("text before the event in '{written}'"), "'@' first")
            }
            Fault::UnknownOperation => {
                let all = OPERATIONS.map(|(name, _)| name).join(", ");
                let expected = format!("one of {all}; nearest is {}", nearest_operation(name, &OPERATIONS));
                Malformed::new("unknown operation", format!("unknown operation '{}'", shortened(name)), expected)
            }
            Fault::MissingOperand => Malformed::new("no '('", format!("no '(' after {}", shortened(name)), SHAPE),
            Fault::UnclosedOperand => {
                Malformed::new("no ')'", format!("no ')' at the end of the operand in '{written}'"), SHAPE)
            }
            Fault::EmptyThread => Malformed::new("no thread", format!("no thread in '{written}'"), SHAPE),
            Fault::EmptyOperand => Malformed::new("no operand", format!("no operand in '{written}'"), SHAPE),
            _ => explain_common(fault),
        }
    }

    fn written(line: &str) -> Written<'_> {
        let parts = Parts::of(line.strip_prefix('@').unwrap_or(line).as_bytes());
        let operand = parts.operands().ok().and_then(|(_, operand)| operand).unwrap_or_default();
        let (operand, rest) = (String::from_utf8_lossy(operand), text(parts.rest));
        let operation = match parts.name {
            b"Enter" if operand.is_empty() => Cow::Borrowed("begin"),
            b"Enter" => Cow::Owned(format!("begin({operand})")),
            b"Exit" => Cow::Borrowed("end"),
            b"Acquire" => Cow::Owned(format!("acq({operand})")),
            b"Release" => Cow::Owned(format!("rel({operand})")),
            b"Start" => Cow::Owned(format!("fork({operand})")),
            b"Join" => Cow::Owned(format!("join({operand})")),
            b"Rd" | b"ARd" | b"VRd" => Cow::Owned(format!("r({operand})")),
            _ => Cow::Owned(format!("w({operand})")),
        };
        let location = rest.split_once(|char: char| char.is_ascii_whitespace()).map_or(rest, |(_, rest)| rest.trim());
        Written { operation, location: Cow::Borrowed(location) }
    }
}

/// Part of a line, cut at ASCII, as text.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("lines are UTF-8").trim()
}
