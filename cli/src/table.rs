//! What tables for people have in common.

/// A size.
pub(crate) fn bytes(size: usize) -> String {
    let (mut size, mut unit) = (size as f64, 0);
    let units = ["B", "kB", "MB", "GB", "TB"];
    while size >= 1000.0 && unit + 1 < units.len() {
        (size, unit) = (size / 1000.0, unit + 1);
    }
    if unit == 0 { format!("{size} B") } else { format!("{size:.1} {}", units[unit]) }
}
