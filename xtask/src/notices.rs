//! The licences of the code of others in the released files: `THIRD-PARTY.txt`, next to the command and in the agent's
//! jar.
//!
//! The linked packages are those that cargo resolves for the platforms; the texts are those that the packages ship. A
//! text that several packages share is included once.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::linked::{self, Package};
use crate::workspace::Workspace;

/// The name of the file, in `dist/` and in the folder `META-INF` of the jar.
pub(crate) const FILE: &str = "THIRD-PARTY.txt";
/// The folder of licence texts for the parts of other jars in ours: a file for each, with its name.
const JAVA_TEXTS: &str = "java-agent/licenses";
/// The prefixes of licence file names, in upper case.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
/// The part that the compiler links into every binary, and that is not a package.
const STANDARD_LIBRARY: &str =
    "the Rust standard library (MIT OR Apache-2.0), Copyright (c) The Rust Project Contributors";

impl Package {
    fn title(&self) -> String {
        format!("{} {} ({})", self.name, self.version, self.license.as_deref().unwrap_or("licence as in its text"))
    }

    /// Returns the licence texts in its folder, in order of their names.
    fn texts(&self) -> Result<Vec<String>, Failure> {
        let folder = self.manifest_path.parent().expect("a manifest lies in a folder");
        texts(folder, |name| NAMES.iter().any(|start| name.to_uppercase().starts_with(start)))
    }
}

fn texts(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<String>, Failure> {
    let fail = |e: std::io::Error| Failure(format!("licences in {}: {e}", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_file() && is_wanted(&path.file_name().unwrap_or_default().to_string_lossy()) {
            files.push(path);
        }
    }
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).map(|text| text.trim().to_owned()).map_err(fail)).collect()
}

/// Writes the licences of everything linked into packages of the workspace, on these platforms or by default this one,
/// to `target/notices/<package>`, named after the first package. Returns the file. With `in_jar`, includes those of the
/// jars whose classes are in ours.
pub(crate) fn write(
    workspace: &Workspace,
    linked_in: &[&str],
    platforms: &[String],
    in_jar: bool,
) -> Result<PathBuf, Failure> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    if in_jar {
        let folder = workspace.root.join(JAVA_TEXTS);
        all.push(("ASM (BSD-3-Clause), in the package dev.regiontrack.asm".to_owned(), texts(&folder, |_| true)?));
    }
    for package in linked::others(workspace, linked_in, platforms)? {
        all.push((package.title(), package.texts()?));
    }
    let file = workspace.target.join("notices").join(linked_in[0]).join(FILE);
    let folder = file.parent().expect("a file lies in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, text(&all)));
    written.map_err(|e| Failure(format!("{}: {e}", file.display())))?;
    Ok(file)
}

/// Returns the list of contents, and then each text under the names of the packages that share it.
fn text(all: &[(String, Vec<String>)]) -> String {
    let mut result = String::from("This file contains code of others:\n\n");
    for (title, texts) in all {
        let without = if texts.is_empty() { ", which ships no text of its licence" } else { "" };
        result.push_str(&format!("  {title}{without}\n"));
    }
    result.push_str(&format!("  {STANDARD_LIBRARY}\n"));
    let mut titles: Vec<(&str, Vec<&str>)> = Vec::new();
    for (title, texts) in all {
        for text in texts {
            match titles.iter_mut().find(|(known, _)| known == text) {
                Some((_, of)) => of.push(title),
                None => titles.push((text, vec![title])),
            }
        }
    }
    for (text, of) in titles {
        result.push_str(&format!("\n{}\n{}\n\n{text}\n", "=".repeat(80), of.join("\n")));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_jar_contains_is_named_with_its_text_and_what_only_builds_it_is_not() {
        let workspace = Workspace::find().expect("a workspace");
        let file = write(&workspace, &["regiontrack-bridge"], &[], true).expect("notices");
        let text = fs::read_to_string(file).expect("a file");
        let (list, texts) = text.split_once("\n====").expect("texts");
        for name in ["  ASM (BSD-3-Clause)", "  jni 0.", "  dashmap ", "  miniz_oxide ", "  the Rust standard library"]
        {
            assert!(list.contains(name), "no {name} in {list}");
        }
        for name in ["  criterion ", "  syn ", "  serde_derive ", "  regiontrack", "  clap "] {
            assert!(!list.contains(name), "{name} in {list}");
        }
        assert!(texts.contains("INRIA, France Telecom") && texts.contains("Permission is hereby granted"));
    }

    #[test]
    fn a_text_of_several_packages_stands_once() {
        let of = |name: &str, texts: &[&str]| (name.to_owned(), texts.iter().map(|text| (*text).to_owned()).collect());
        let all = text(&[of("a 1", &["one", "two"]), of("b 2", &["two"]), of("c 3", &[])]);
        assert_eq!(all.matches("\ntwo\n").count(), 1);
        assert!(all.contains("\na 1\nb 2\n\ntwo\n"));
        assert!(all.contains("  c 3, which ships no text of its licence\n"));
    }
}
