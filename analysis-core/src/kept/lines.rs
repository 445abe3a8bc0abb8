//! The lines of a kept file: its first and last line, so that no part of it passes for a whole file, and what users and
//! merges leave in it.

/// Why a text is rejected before its lines are parsed.
pub(crate) enum NotWhole {
    /// The text is empty.
    Empty,
    /// It begins differently.
    Other,
    /// The end is missing.
    Cut,
    /// This line is not UTF-8.
    NotUtf8(usize),
}

/// Returns the text, if it is complete and has this header.
pub(crate) fn whole<'a>(text: &'a [u8], header: &str) -> Result<&'a str, NotWhole> {
    // Some editors put a byte order mark at the start of a file.
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    match text {
        [] => Err(NotWhole::Empty),
        _ if !begins_with(text, header) => Err(NotWhole::Other),
        _ if !is_complete(text) => Err(NotWhole::Cut),
        _ => decoded(text).map_err(NotWhole::NotUtf8),
    }
}

/// Returns whether the first significant line begins with this header.
fn begins_with(text: &[u8], header: &str) -> bool {
    text.split(|byte| *byte == b'\n').find(|line| says(line)).is_some_and(|line| line.starts_with(header.as_bytes()))
}

fn says(line: &[u8]) -> bool {
    !line.trim_ascii().is_empty() && !line.starts_with(b"#")
}

/// Returns whether the last significant line is `end`, with a line end.
fn is_complete(text: &[u8]) -> bool {
    let last = text.split_inclusive(|byte| *byte == b'\n').rfind(|line| says(line));
    last.is_some_and(|line| [&b"end\n"[..], b"end\r\n"].contains(&line))
}

/// Returns the text if it is UTF-8, else the number of the line that is not.
fn decoded(text: &[u8]) -> Result<&str, usize> {
    std::str::from_utf8(text)
        .map_err(|error| 1 + text[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count())
}

/// Returns true for a conflict marker of git.
pub(crate) fn is_conflict(line: &str) -> bool {
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark))
}

/// Returns the first word, and the text after the space that follows it.
pub(crate) fn first_word(line: &str) -> (&str, Option<&str>) {
    line.split_once(' ').map_or((line, None), |(word, rest)| (word, Some(rest)))
}

/// Parses a number in decimal digits, without a sign.
pub(crate) fn decimal(digits: &str) -> Option<u64> {
    digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())?
}
