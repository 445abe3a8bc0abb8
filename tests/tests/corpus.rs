//! Runs every file of the corpus on its fuzz target, so that what fuzzing has found stays fixed.

use std::path::{Path, PathBuf};

use regiontrack_tests::fuzz::TARGETS;

/// Fuzzing finds thousands of inputs; the corpus keeps only those that show something.
const MOST_BYTES: u64 = 200_000;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The entries of a folder, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = listed.map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    entries
}

#[test]
fn every_file_of_the_corpus_keeps_the_promises_of_its_target() {
    for target in TARGETS {
        let files = entries(&corpus().join(target.name));
        assert!(!files.is_empty(), "{} has no file", target.name);
        for file in files {
            // If the test fails, the last of these lines names the file.
            println!("{}", file.display());
            (target.run)(&std::fs::read(&file).expect("readable"));
        }
    }
}

#[test]
fn each_folder_of_the_corpus_is_that_of_a_target_and_all_are_small() {
    let mut bytes = 0;
    for folder in entries(&corpus()) {
        assert!(TARGETS.iter().any(|target| folder.ends_with(target.name)), "{}", folder.display());
        bytes += entries(&folder).iter().map(|file| file.metadata().expect("a file").len()).sum::<u64>();
    }
    assert!(bytes < MOST_BYTES, "{bytes} bytes");
}

#[test]
fn the_fuzzer_has_the_same_targets() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the workspace").join("fuzz");
    let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).expect("fuzz/Cargo.toml");
    let listed: Vec<&str> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\""))
        .collect();
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(listed, names);
    for name in names {
        let source = std::fs::read_to_string(fuzz.join(format!("fuzz_targets/{name}.rs"))).expect("the target");
        assert!(source.contains(&format!("run(\"{name}\"")), "{name}");
    }
}
