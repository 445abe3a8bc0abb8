//! Mutants: parsing, applying, running for a limited time, and whether those of the repository are stale.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::changed::Changed;
use super::format::Mutant;
use super::{copy, read_all, sample};
use crate::limited;

const GOOD: &str = "\
file: src/a.rs
test: --package a --lib
  a::b
why: one off,
  as in the paper

--- find
x + 1
+++ replace
x
--- find
y
z
+++ replace
";

fn parse(text: &str) -> Result<Mutant, String> {
    Mutant::parse("a/b".to_owned(), text)
}

/// A fresh folder under the target folder.
fn scratch(name: &str) -> PathBuf {
    let binary = std::env::current_exe().expect("a test has a binary");
    let folder = binary.with_file_name(format!("xtask-test-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

#[test]
fn a_mutant_is_a_file_its_tests_a_reason_and_changes() {
    let mutant = parse(GOOD).expect("well-formed");
    assert_eq!((mutant.file.as_str(), mutant.why.as_str()), ("src/a.rs", "one off, as in the paper"));
    assert_eq!(mutant.test, ["--package", "a", "--lib", "a::b"]);
    assert_eq!(mutant.edits.len(), 2);
}

#[test]
fn each_change_replaces_its_text() {
    let mutant = parse(GOOD).expect("well-formed");
    assert_eq!(mutant.apply("x + 1;\ny\nz\n").as_deref(), Ok("x;\n\n"));
}

#[test]
fn a_text_that_does_not_occur_exactly_once_makes_a_mutant_stale() {
    let mutant = parse(GOOD).expect("well-formed");
    for (text, times) in [("y\nz", "0 times"), ("x + 1; x + 1; y\nz", "2 times")] {
        let error = mutant.apply(text).expect_err(text);
        assert!(error.starts_with("mutant is stale") && error.contains(times), "{error}");
    }
}

#[test]
fn a_malformed_mutant_is_rejected_with_its_line() {
    for (from, to, error) in [
        ("why: one off,\n  as in the paper", "", "1: `why:` is missing or empty"),
        ("why: one off,\n  as in the paper", "why:", "1: `why:` is missing or empty"),
        ("file:", "  file:", "1: a continuation without a line before it"),
        ("why: one off", "file: src/b.rs", "4: a second `file:`"),
        ("why:", "because:", "4: expected `file:`, `test:`, `why:` or `--- find`, found `because: one off,`"),
        ("x + 1\n+++ replace\nx", "x + 1", "7: `--- find` and `+++ replace` have to alternate"),
        ("y\nz\n+++ replace\n", "y\nz\n", "11: no `+++ replace` after it"),
        ("x + 1", "", "7: the text to find is empty or its own replacement"),
        ("x + 1", "x", "7: the text to find is empty or its own replacement"),
    ] {
        assert_eq!(parse(&GOOD.replacen(from, to, 1)), Err(error.to_owned()));
    }
    assert_eq!(parse("file: a\n"), Err("1: no line `--- find`".to_owned()));
}

#[test]
fn every_mutant_of_the_repository_still_fits_its_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace");
    let mutants = read_all(root).unwrap_or_else(|e| panic!("{e}"));
    let stale: Vec<String> = mutants
        .iter()
        .filter_map(|mutant| {
            let text = fs::read_to_string(root.join(&mutant.file)).map_err(|e| format!("{}: {e}", mutant.file));
            Some(format!("{}: {}", mutant.name, text.and_then(|text| mutant.apply(&text)).err()?))
        })
        .collect();
    assert!(stale.is_empty(), "{}", stale.join("\n"));
}

#[test]
fn a_sample_has_its_size_and_samples_of_commits_are_all_of_the_mutants() {
    let mutants = || (0..10).map(|n| Mutant { name: n.to_string(), ..parse(GOOD).expect("well-formed") }).collect();
    let names = |commit: &str| sample(mutants(), 4, commit).into_iter().map(|mutant| mutant.name).collect::<Vec<_>>();
    let samples = ["0a", "0b", "0c"].map(names);
    assert!(samples.iter().all(|sample| (3..=4).contains(&sample.len())), "{samples:?}");
    let seen: BTreeSet<String> = samples.concat().into_iter().collect();
    assert_eq!(seen.len(), 10);
    assert_eq!(sample(mutants(), 10, "0b").len(), 10);
    assert!(sample(Vec::new(), 10, "").is_empty());
}

/// A repository with a commit for each list of files, each file written anew.
fn repository(name: &str, commits: &[&[&str]]) -> PathBuf {
    let folder = scratch(name);
    git(&folder, &["init", "--quiet"]);
    for (number, files) in commits.iter().enumerate() {
        for file in *files {
            fs::write(folder.join(file), number.to_string()).expect("writable");
        }
        git(&folder, &["add", "."]);
        let author = ["-c", "user.name=a", "-c", "user.email=a@b"];
        git(&folder, &[&author[..], &["commit", "--quiet", "--message", "x"]].concat());
    }
    folder
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git").args(arguments).current_dir(folder).status().expect("git is installed");
    assert!(status.success(), "git {arguments:?}");
}

fn mutant_of(file: &str) -> Mutant {
    Mutant { file: file.to_owned(), ..parse(GOOD).expect("well-formed") }
}

#[test]
fn mutants_of_files_that_a_commit_a_person_or_nobody_yet_committed_changed_are_run() {
    let folder = repository("changed", &[&["old", "edited", "recent"], &["recent"]]);
    fs::write(folder.join("edited"), "now").expect("writable");
    fs::write(folder.join("new"), "now").expect("writable");
    let changed = Changed::since(&folder, Some("HEAD~1"));
    let is_held = ["old", "edited", "recent", "new"].map(|file| changed.holds(&mutant_of(file)));
    assert_eq!(is_held, [false, true, true, true], "{changed}");
    let changed = Changed::since(&folder, Some("HEAD"));
    assert!(!changed.holds(&mutant_of("recent")) && changed.holds(&mutant_of("edited")));
    fs::remove_dir_all(&folder).expect("ours");
}

#[test]
fn without_an_earlier_commit_every_file_counts_as_changed() {
    let folder = repository("shallow", &[&["a"]]);
    for base in [Some("0123456789012345678901234567890123456789"), Some("HEAD~1")] {
        assert!(Changed::since(&folder, base).holds(&mutant_of("a")));
    }
    fs::remove_dir_all(&folder).expect("ours");
}

#[test]
fn a_copy_holds_the_files_but_no_mutants_and_untouched_files_keep_their_time() {
    let folder = scratch("copy");
    let (from, to) = (folder.join("from"), folder.join("to"));
    for (file, text) in [("a.rs", "a"), ("b/c.rs", "c"), ("tests/mutants/x/y.mutant", "m")] {
        fs::create_dir_all(from.join(file).parent().expect("in a folder")).expect("writable");
        fs::write(from.join(file), text).expect("writable");
    }
    copy::synchronise(&from, &to).expect("copied");
    let time = fs::metadata(to.join("a.rs")).and_then(|m| m.modified()).expect("copied");
    fs::write(to.join("b/c.rs"), "broken").expect("writable");
    fs::write(to.join("gone.rs"), "old").expect("writable");
    copy::synchronise(&from, &to).expect("copied");
    assert_eq!(fs::read_to_string(to.join("b/c.rs")).expect("copied"), "c");
    assert!(!to.join("gone.rs").exists() && !to.join("tests").exists());
    assert_eq!(fs::metadata(to.join("a.rs")).and_then(|m| m.modified()).expect("still there"), time);
    fs::remove_dir_all(&folder).expect("ours");
}

#[test]
fn what_is_compiled_of_libraries_is_copied_once_with_its_times() {
    let folder = scratch("libraries");
    let (from, to) = (folder.join("from"), folder.join("to"));
    let lock = "version = 4\n[[package]]\nname = \"own-one\"\nversion = \"1.0.0\"\n[[package]]\nname = \"a-b\"\nversion = \"1.0.0\"\n\
                source = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    let lock = lock.parse().expect("a lock file");
    let libraries = [".fingerprint/a-b-12/x", "build/a-b-34/out/x", "deps/liba_b-12.rlib", "deps/a_b-12.d"];
    let own = [".fingerprint/own-one-56/x", "deps/libown_one-56.rlib", "deps/libown_one.so", "deps/test-78"];
    let long_ago = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    for file in libraries.iter().chain(&own) {
        let file = from.join("debug").join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("writable");
        fs::write(&file, "1").expect("writable");
        fs::File::options().append(true).open(&file).and_then(|file| file.set_modified(long_ago)).expect("a time");
    }
    copy::libraries(&folder.join("none"), &to, &lock).expect("nothing to copy");
    assert!(!to.exists());
    copy::libraries(&from, &to, &lock).expect("copied");
    for file in libraries {
        let copied = fs::metadata(to.join("debug").join(file)).expect(file);
        assert_eq!(copied.modified().expect("a time"), long_ago, "{file}");
    }
    assert!(own.iter().all(|file| !to.join("debug").join(file).exists()));
    // What cargo has compiled there since stays.
    let kept = to.join("debug").join(libraries[2]);
    fs::write(&kept, "2").expect("writable");
    copy::libraries(&from, &to, &lock).expect("nothing to do");
    assert_eq!(fs::read_to_string(&kept).expect("there"), "2");
    fs::remove_dir_all(&folder).expect("ours");
}

#[cfg(unix)]
#[test]
fn a_command_that_does_not_end_is_killed_with_all_that_it_started() {
    let folder = scratch("limited");
    let log = || fs::File::create(folder.join("log")).expect("writable");
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(&folder);
        command
    };
    let limit = Duration::from_millis(200);
    let quick = limited::status(&shell("exit 3"), Duration::from_secs(60), log(), log()).expect("starts");
    assert_eq!(quick.and_then(|status| status.code()), Some(3));
    let start = Instant::now();
    let script = "(sleep 2; touch survivor) & sleep 600";
    assert!(limited::status(&shell(script), limit, log(), log()).expect("starts").is_none());
    std::thread::sleep(Duration::from_millis(2500));
    assert!(start.elapsed() < Duration::from_secs(60) && !folder.join("survivor").exists());
    fs::remove_dir_all(&folder).expect("ours");
}
