//! The encoding of names in a file that runs keep: without white space, so that lines split at single spaces.
//!
//! White space, control characters and backslashes are written as `\uXXXX`, units of UTF-16 as in JSON. All other
//! characters stand for themselves.

/// Appends a name to `text`.
pub(crate) fn write(text: &mut String, name: &str) {
    write_if(text, name, is_escaped);
}

/// Appends several words, separated by spaces.
pub(crate) fn write_words(text: &mut String, words: &str) {
    write_if(text, words, |c| c != ' ' && is_escaped(c));
}

fn write_if(text: &mut String, name: &str, is_escaped: impl Fn(char) -> bool) {
    for c in name.chars() {
        if is_escaped(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| *text += &format!("\\u{unit:04x}"));
        } else {
            text.push(c);
        }
    }
}

fn is_escaped(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '\\'
}

/// Decodes a name; `None` if the text is not an encoded name.
pub(crate) fn read(written: &str) -> Option<String> {
    read_if(written, is_escaped)
}

/// Decodes words.
pub(crate) fn read_words(written: &str) -> Option<String> {
    read_if(written, |c| c != ' ' && is_escaped(c))
}

fn read_if(written: &str, is_escaped: impl Fn(char) -> bool) -> Option<String> {
    let mut units: Vec<u16> = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some(c) = rest.chars().next() {
        if let Some(escape) = rest.strip_prefix("\\u") {
            let digits = escape.get(..4).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
            units.push(u16::from_str_radix(digits, 16).ok()?);
            rest = &escape[4..];
        } else if is_escaped(c) {
            return None;
        } else {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
            rest = &rest[c.len_utf8()..];
        }
    }
    String::from_utf16(&units).ok()
}
