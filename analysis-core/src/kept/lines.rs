//! The lines of a file: its first and its last one, which no part of it has both, and what people and merges leave in one.

/// True if the first line that says something begins with this header.
pub(crate) fn begins_with(text: &[u8], header: &str) -> bool {
    let says = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    text.split(|byte| *byte == b'\n').find(says).is_some_and(|line| line.starts_with(header.as_bytes()))
}

/// True if the last line that says something is `end`, and is ended.
pub(crate) fn is_complete(text: &[u8]) -> bool {
    let last = text.trim_ascii_end();
    let after = &text[last.len()..];
    last.ends_with(b"\nend") && (after.starts_with(b"\n") || after.starts_with(b"\r\n"))
}

/// The text if it is UTF-8, else the number of the line that is not.
pub(crate) fn decoded(text: &[u8]) -> Result<&str, usize> {
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
