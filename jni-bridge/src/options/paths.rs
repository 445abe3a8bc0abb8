//! Several paths in one value: `classes:test-classes:lib/own.jar`, on every platform, as between patterns of classes.

/// The paths between the colons.
pub(super) fn paths(value: &str) -> Vec<String> {
    split(value, cfg!(windows))
}

/// Where there are `drives`, a colon after a single letter and before a slash belongs to the path: `C:\classes`.
fn split(value: &str, drives: bool) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for part in value.split(':').map(str::trim) {
        let is_letter =
            |path: &&mut String| path.len() == 1 && path.starts_with(|first: char| first.is_ascii_alphabetic());
        match paths.last_mut().filter(is_letter).filter(|_| drives && part.starts_with(['\\', '/'])) {
            Some(drive) => *drive = format!("{drive}:{part}"),
            None => paths.push(part.to_owned()),
        }
    }
    paths.retain(|path| !path.is_empty());
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_colons_between_them() {
        assert_eq!(split("target/classes: lib/own code.jar::", false), ["target/classes", "lib/own code.jar"]);
        assert_eq!(split("a:/b", false), ["a", "/b"]);
        assert_eq!(split(" : ", false), [] as [&str; 0]);
    }

    #[test]
    fn a_drive_belongs_to_its_path() {
        assert_eq!(split(r"C:\a\classes:D:/b:e", true), [r"C:\a\classes", "D:/b", "e"]);
    }
}
