//! Wildcards over dotted names: `?`, `*`, `**`.
//!
//! Most names are rejected by the literal text before the first and after the last wildcard; only the part in between
//! is matched step by step, without recursion and without allocation.

use std::fmt;

/// A dotted name with wildcards, compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob {
    text: Box<str>,
    /// Bytes of `text` before the first wildcard; all of them if there is none.
    prefix: usize,
    /// Where the text after the last wildcard starts.
    suffix: usize,
    /// The steps between them, first and last wildcard included; empty if there is no wildcard.
    middle: Box<[Step]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// This byte.
    Byte(u8),
    /// `?`
    One,
    /// `*`
    Within,
    /// `**`
    Across,
}

impl Glob {
    /// Compiles any text: characters that are not wildcards stand for themselves.
    pub(super) fn new(text: &str) -> Glob {
        let prefix = text.find(['*', '?']).unwrap_or(text.len());
        let suffix = text.rfind(['*', '?']).map_or(text.len(), |last| last + 1);
        Glob { text: text.into(), prefix, suffix, middle: steps(&text[prefix..suffix]) }
    }

    /// Returns whether all of `name` matches.
    #[inline]
    pub(super) fn matches(&self, name: &str) -> bool {
        if self.is_literal() {
            return *self.text == *name;
        }
        let rest = name.strip_prefix(&self.text[..self.prefix]);
        rest.and_then(|rest| rest.strip_suffix(&self.text[self.suffix..]))
            .is_some_and(|rest| walk(&self.middle, rest.as_bytes()))
    }

    /// Returns whether there is no wildcard, so that exactly one name matches.
    #[inline]
    pub(super) fn is_literal(&self) -> bool {
        self.middle.is_empty()
    }

    /// Returns the text of the pattern.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn steps(text: &str) -> Box<[Step]> {
    let mut steps = Vec::with_capacity(text.len());
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        steps.push(match byte {
            b'?' => Step::One,
            b'*' if bytes.next_if_eq(&b'*').is_some() => Step::Across,
            b'*' => Step::Within,
            _ => Step::Byte(byte),
        });
    }
    steps.into()
}

/// Matches with two places for backtracking: the last `*` and the last `**` before it.
///
/// Two are enough. Text between two stars of either kind has a fixed length and its dots at fixed places. For the text
/// after a `*`, the earliest place that fits is the best: a later one is reached over dotless text only, which the next
/// `*` can cross as well (and if the text holds a dot there is only one place). So the first end that is found for the
/// text between two `**` is the earliest end, which is best for whatever follows a `**`. Tests check it against the
/// definition, on all small patterns and names (`the_matcher_is_the_definition_on_all_small_...`).
fn walk(steps: &[Step], name: &[u8]) -> bool {
    let (mut step, mut at) = (0, 0);
    let mut within: Option<(usize, usize)> = None;
    let mut across: Option<(usize, usize)> = None;
    loop {
        match steps.get(step) {
            None if at == name.len() => return true,
            Some(Step::Across) if step + 1 == steps.len() => return true,
            Some(Step::Across) => {
                step += 1;
                (across, within) = (Some((step, at)), None);
                continue;
            }
            Some(Step::Within) => {
                step += 1;
                within = Some((step, at));
                continue;
            }
            Some(wanted) => {
                if let Some(width) = width_of(*wanted, &name[at..]) {
                    (step, at) = (step + 1, at + width);
                    continue;
                }
            }
            None => {}
        }
        (step, at) = match (within, across) {
            (Some((step, at)), _) if name.get(at).is_some_and(|byte| *byte != b'.') => {
                within = Some((step, at + 1));
                (step, at + 1)
            }
            (_, Some((step, at))) if at < name.len() => {
                (across, within) = (Some((step, at + 1)), None);
                (step, at + 1)
            }
            _ => return false,
        };
    }
}

/// Returns how many bytes `wanted`, a single character, takes from the start of `rest`; `None` if it does not fit.
fn width_of(wanted: Step, rest: &[u8]) -> Option<usize> {
    let first = *rest.first()?;
    match wanted {
        Step::Byte(byte) => (byte == first).then_some(1),
        _ if first == b'.' => None,
        // If a star stopped inside a character, this takes the rest of it: as good as the whole.
        _ => Some(1 + rest[1..].iter().take_while(|byte| **byte & 0xC0 == 0x80).count()),
    }
}
