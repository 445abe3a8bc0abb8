//! Names may hold anything. Here they become text that each format can hold, and that looks like what it is.

use crate::trace::one_line;

/// Returns `text` on one line, and escapes everything without a picture of its own: what controls terminals, what turns
/// the direction of writing, what is no character.
pub(in crate::report) fn visible(text: &str) -> String {
    if text.chars().all(|char| !is_hidden(char) && !is_line_break(char)) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for char in one_line(text).chars() {
        if is_hidden(char) { shown.extend(char.escape_unicode()) } else { shown.push(char) }
    }
    shown
}

/// Like [`visible`], for each line of `text`.
pub(super) fn visible_lines(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

/// Escapes text and values of attributes for XML.
pub(super) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push('\n'),
            // No XML may contain these, not even escaped.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            char if char.is_control() => escaped.push('\u{fffd}'),
            char => escaped.push(char),
        }
    }
    escaped
}

fn is_line_break(char: char) -> bool {
    matches!(char, '\u{2028}' | '\u{2029}')
}

/// Controls, marks and overrides of the direction of writing, and what is no character.
fn is_hidden(char: char) -> bool {
    let is_direction =
        matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_none = matches!(u32::from(char) & 0xffff, 0xfffe | 0xffff) || matches!(char, '\u{fdd0}'..='\u{fdef}');
    char.is_control() || is_direction || is_none || char == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("a\u{0}b\u{1b}[31m\n\u{202e}c\u{ffff}"), "a\\u{0}b\\u{1b}[31m\\n\\u{202e}c\\u{ffff}");
        assert_eq!(visible_lines("a\tb\nc\u{7}"), "a\\tb\nc\\u{7}");
        assert_eq!(visible("größer \u{1f980}"), "größer \u{1f980}");
    }

    #[test]
    fn markup_is_text_in_xml() {
        assert_eq!(xml("<a b=\"c\">&\u{1}"), "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}");
    }
}
