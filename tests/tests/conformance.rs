//! The figures of the papers and other valuable traces: every file of `conformance/`, on every engine.
//!
//! The folder is the verdict, and the first comments of a file are the rest of the expectation
//! (`regiontrack_tests::case`). To add a case, add a file.

use std::path::{Path, PathBuf};

use regiontrack_tests::case::{Case, Verdict};

fn files_of(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder that can be listed").path()).collect();
    files.sort();
    files
}

#[test]
fn every_engine_gives_the_answer_that_the_file_expects() {
    let mut failures = String::new();
    for (verdict, folder) in Verdict::FOLDERS {
        for file in files_of(folder) {
            let faults = Case::read(&file, verdict).map_or_else(|fault| vec![fault], |case| case.faults());
            for fault in faults {
                failures += &format!("\n{}: {fault}", file.display());
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_verdict_has_cases() {
    for (_, folder) in Verdict::FOLDERS {
        assert!(!files_of(folder).is_empty(), "conformance/{folder} is empty");
    }
}
