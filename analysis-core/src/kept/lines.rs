//! The lines of a file: its first and its last one, which no part of it has both, and what people and merges leave in one.

/// What is wrong with a text before its lines are looked at.
pub(crate) enum NotWhole {
    /// Not a byte.
    Empty,
    /// It begins with something else.
    Other,
    /// The end is missing.
    Cut,
    /// This line is not UTF-8.
    NotUtf8(usize),
}

/// The text, if it is a whole one with this header.
pub(crate) fn whole<'a>(text: &'a [u8], header: &str) -> Result<&'a str, NotWhole> {
    // As some editors begin a file.
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    match text {
        [] => Err(NotWhole::Empty),
        _ if !begins_with(text, header) => Err(NotWhole::Other),
        _ if !is_complete(text) => Err(NotWhole::Cut),
        _ => decoded(text).map_err(NotWhole::NotUtf8),
    }
}

/// True if the first line that says something begins with this header.
fn begins_with(text: &[u8], header: &str) -> bool {
    text.split(|byte| *byte == b'\n').find(|line| says(line)).is_some_and(|line| line.starts_with(header.as_bytes()))
}

fn says(line: &[u8]) -> bool {
    !line.trim_ascii().is_empty() && !line.starts_with(b"#")
}

/// True if the last line that says something is `end`, and is ended.
fn is_complete(text: &[u8]) -> bool {
    let last = text.split_inclusive(|byte| *byte == b'\n').rfind(|line| says(line));
    last.is_some_and(|line| [&b"end\n"[..], b"end\r\n"].contains(&line))
}

/// The text if it is UTF-8, else the number of the line that is not.
fn decoded(text: &[u8]) -> Result<&str, usize> {
    std::str::from_utf8(text)
        .map_err(|error| 1 + text[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count())
}

/// True for a line that git leaves where both sides have changed something.
pub(crate) fn is_conflict(line: &str) -> bool {
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark))
}

/// The first word, and what is behind the space after it.
pub(crate) fn first_word(line: &str) -> (&str, Option<&str>) {
    line.split_once(' ').map_or((line, None), |(word, rest)| (word, Some(rest)))
}

/// A number in decimal digits, without a sign.
pub(crate) fn decimal(digits: &str) -> Option<u64> {
    digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())?
}
