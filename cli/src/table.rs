//! What tables for people have in common.

use analysis_core::report::text;

/// A size.
pub(crate) fn bytes(size: usize) -> String {
    let (mut size, mut unit) = (size as f64, 0);
    let units = ["B", "kB", "MB", "GB", "TB"];
    while size >= 1000.0 && unit + 1 < units.len() {
        (size, unit) = (size / 1000.0, unit + 1);
    }
    if unit == 0 { format!("{size} B") } else { format!("{size:.1} {}", units[unit]) }
}

/// How wide a table may be: as the terminal, or as wide as tables get where there is none.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(text::WIDEST, |(width, _)| usize::from(width.0))
}
