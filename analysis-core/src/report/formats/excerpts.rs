//! The current lines of the user's sources in which events happened.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::place::Place;
use crate::report::model::sources::Sources;

/// The largest file that counts as a source that a person has written.
const LONGEST_FILE: u64 = 4 << 20;
/// The longest line that is not cut, in characters.
const LONGEST_LINE: usize = 160;

/// Reads sources, each once.
pub(super) struct Excerpts {
    folders: Vec<PathBuf>,
    /// By path below a folder: the lines, `None` if there is no such file.
    files: RefCell<HashMap<String, Option<Vec<String>>>>,
}

impl Excerpts {
    pub(super) fn of(sources: &Sources) -> Excerpts {
        Excerpts { folders: sources.folders(), files: RefCell::default() }
    }

    /// The line without surrounding blanks, if its file exists and has it.
    pub(super) fn line(&self, place: &Place) -> Option<String> {
        let number = usize::try_from(place.line?).ok()?.checked_sub(1)?;
        let mut files = self.files.borrow_mut();
        let lines = files.entry(place.file.clone()).or_insert_with(|| self.read(&place.file)).as_ref()?;
        let line = lines.get(number)?.trim();
        (!line.is_empty()).then(|| cut(line))
    }

    fn read(&self, file: &str) -> Option<Vec<String>> {
        // The names of classes must not lead out of the folder.
        let is_below = |part| matches!(part, Component::Normal(_));
        if !Path::new(file).components().all(is_below) {
            return None;
        }
        let path = self.folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file())?;
        if fs::metadata(&path).ok()?.len() > LONGEST_FILE {
            return None;
        }
        let text = fs::read(&path).ok()?;
        Some(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_by_its_package_and_what_is_not_there_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let package = folder.path().join("com/acme");
        fs::create_dir_all(&package).expect("a folder");
        let long = "x".repeat(200);
        let text = format!("package com.acme;\n\n    private int stock; // \u{fc}\n{long}\n");
        fs::write(package.join("Shop.java"), text).expect("a file");
        let excerpts = Excerpts::of(&Sources::In(vec![folder.path().join("none"), folder.path().to_owned()]));
        let line = |file: &str, line| excerpts.line(&Place { file: file.to_owned(), line });
        assert_eq!(line("com/acme/Shop.java", Some(3)).as_deref(), Some("private int stock; // \u{fc}"));
        assert_eq!(line("com/acme/Shop.java", Some(4)), Some("x".repeat(160) + "..."));
        for (file, number) in [
            ("com/acme/Shop.java", None),
            ("com/acme/Shop.java", Some(0)),
            ("com/acme/Shop.java", Some(2)),
            ("com/acme/Shop.java", Some(5)),
            ("Shop.java", Some(3)),
            ("com/acme", Some(1)),
            ("com/../com/acme/Shop.java", Some(3)),
            (package.join("Shop.java").to_str().expect("UTF-8"), Some(3)),
        ] {
            assert_eq!(line(file, number), None, "{file} {number:?}");
        }
        let nowhere = Excerpts::of(&Sources::In(Vec::new()));
        assert_eq!(nowhere.line(&Place { file: "com/acme/Shop.java".to_owned(), line: Some(3) }), None);
    }
}
