//! Text without characters that break a line of output.

/// Returns `text` with all characters escaped that would break or garble a line of output.
pub fn one_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_control() || matches!(char, '\u{2028}' | '\u{2029}') {
            shown.extend(char.escape_default());
        } else {
            shown.push(char);
        }
    }
    shown
}
