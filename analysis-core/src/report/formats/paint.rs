//! Colours of a report for a person, on a terminal: what is bad, good or doubtful, and what a reader looks for.

use anstyle::{AnsiColor, Style};

/// Paints text with ANSI escape sequences, or leaves it as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint(pub(super) bool);

impl Paint {
    /// For files, and documents that contain a report.
    pub(super) const NONE: Paint = Paint(false);

    /// Something was found.
    pub(super) fn bad(self, text: &str) -> String {
        self.with(AnsiColor::Red.on_default().bold(), text)
    }

    /// Nothing was found.
    pub(super) fn good(self, text: &str) -> String {
        self.with(AnsiColor::Green.on_default().bold(), text)
    }

    /// The answer is not complete, or there is something to know about it.
    pub(super) fn doubtful(self, text: &str) -> String {
        self.with(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// A heading.
    pub(super) fn strong(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }

    fn with(self, style: Style, text: &str) -> String {
        if self.0 { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_painted_text_ends_as_it_was() {
        assert_eq!(Paint(true).bad("no"), "\u{1b}[1m\u{1b}[31mno\u{1b}[0m");
        assert_eq!(Paint::NONE.bad("no"), "no");
    }
}
