//! One line of an STD trace, cut into its parts. No name is looked up here and nothing is allocated.

use memchr::memchr;

use crate::trace::text::{Fault, Line, Verb};

/// Cuts up a line that comes without its newline.
#[inline(always)]
pub(super) fn parse(line: &[u8]) -> Result<Line<'_>, Fault> {
    let (thread, rest) = cut(line, short_memchr(b'|', line)).ok_or(Fault::Fields(1))?;
    let (operation, _location) = cut(rest, memchr(b'|', rest)).ok_or(Fault::Fields(2))?;
    if thread.is_empty() {
        return Err(Fault::EmptyThread);
    }
    Ok(Line { thread, verb: verb(operation)? })
}

/// What is before and what is after the byte at `bar`.
#[inline]
fn cut(text: &[u8], bar: Option<usize>) -> Option<(&[u8], &[u8])> {
    let bar = bar?;
    Some((&text[..bar], &text[bar + 1..]))
}

/// `memchr` for what is most often found within a few bytes, such as the end of a thread's name.
#[inline]
fn short_memchr(wanted: u8, text: &[u8]) -> Option<usize> {
    const SHORT: usize = 8;
    let near = text.iter().take(SHORT).position(|&byte| byte == wanted);
    near.or_else(|| memchr(wanted, text))
}

#[inline]
fn verb(text: &[u8]) -> Result<Verb<'_>, Fault> {
    match text {
        [b'r', b'(', operand @ .., b')'] if !operand.is_empty() => Ok(Verb::Read(operand)),
        [b'w', b'(', operand @ .., b')'] if !operand.is_empty() => Ok(Verb::Write(operand)),
        _ => any_verb(text),
    }
}

fn any_verb(text: &[u8]) -> Result<Verb<'_>, Fault> {
    let (name, operand) = name_and_operand(text);
    let needed = || match operand? {
        Some([]) => Err(Fault::EmptyOperand),
        Some(operand) => Ok(operand),
        None => Err(Fault::MissingOperand),
    };
    Ok(match name {
        b"r" => Verb::Read(needed()?),
        b"w" => Verb::Write(needed()?),
        b"acq" => Verb::Acquire(needed()?),
        b"rel" => Verb::Release(needed()?),
        b"fork" => Verb::Fork(needed()?),
        b"join" => Verb::Join(needed()?),
        b"commit" => Verb::Commit(needed()?),
        b"dummy" => needed().map(|_| Verb::Dummy)?,
        b"begin" => Verb::Begin(operand?.unwrap_or_default()),
        b"end" => operand.map(|_| Verb::End)?,
        b"fence" if name.len() == text.len() => Verb::Fence,
        b"fence" => return Err(Fault::UnwantedOperand),
        _ => return Err(Fault::UnknownOperation),
    })
}

/// The name of an operation and what stands between the first `(` and the last `)`.
fn name_and_operand(text: &[u8]) -> (&[u8], Result<Option<&[u8]>, Fault>) {
    let Some(open) = memchr(b'(', text) else { return (text, Ok(None)) };
    let operand = match &text[open + 1..] {
        [operand @ .., b')'] => Ok(Some(operand)),
        rest if rest.contains(&b')') => Err(Fault::TextAfterOperand),
        _ => Err(Fault::UnclosedOperand),
    };
    (&text[..open], operand)
}

/// The name of an operation, right or wrong.
pub(super) fn name(operation: &[u8]) -> &[u8] {
    name_and_operand(operation).0
}
