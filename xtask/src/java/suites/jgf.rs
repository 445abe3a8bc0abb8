//! The Java Grande Forum's multi-threaded suite, version 1.0: each benchmark is a class in no package, such as
//! `JGFCryptBenchSizeA`, which takes the number of threads, prints `Validation failed` if its result is wrong, and
//! prints its time as `Section2:Crypt:Kernel:SizeA  0.5 (s)`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::java::{Jdk, Subject};
use crate::workspace::{self, Workspace};
use crate::{Failure, Outcome};

/// Its sizes.
pub(super) const SIZES: [&str; 3] = ["A", "B", "C"];
/// The default number of threads, as for our own kernels.
const THREADS: u32 = 3;

/// The location of the classes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Suite {
    class_path: Vec<PathBuf>,
    /// The folder in which it finds its data.
    folder: PathBuf,
    /// The benchmark, as its class spells it.
    benchmark: String,
}

/// Returns the benchmarks in a folder or a jar, in the order of their names.
pub(super) fn subjects(path: &Path, workspace: &Workspace, jdk: &Jdk) -> Result<Vec<Subject>, Failure> {
    let (folder, classes) = if path.is_dir() {
        (path.to_owned(), walk(path)?)
    } else {
        let names = listed(path, workspace, jdk)?;
        (path.parent().unwrap_or(path).to_owned(), names.into_iter().map(|name| (path.to_owned(), name)).collect())
    };
    let mut sizes: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    let mut class_path = BTreeSet::from([path.to_owned()]);
    for (place, name) in classes {
        if let Some((benchmark, size)) = parse(&name) {
            sizes.entry(benchmark.to_owned()).or_default().insert(size.to_owned(), Vec::new());
            class_path.insert(place);
        }
    }
    if sizes.is_empty() {
        return Err(Failure(
            "it has no class JGF...BenchSize[ABC].class; compile the suite with `javac -d FOLDER`".to_owned(),
        ));
    }
    let class_path: Vec<PathBuf> = class_path.into_iter().collect();
    let subjects = sizes.into_iter().map(|(benchmark, sizes)| {
        let suite = Suite { class_path: class_path.clone(), folder: folder.clone(), benchmark: benchmark.clone() };
        let what = format!("{benchmark} of {}", super::JGF);
        Subject {
            threads: THREADS,
            arguments: vec!["{threads}".to_owned()],
            ..super::subject(
                benchmark.to_lowercase(),
                what,
                "the benchmark validates its result",
                sizes,
                super::Suite::Jgf(suite),
            )
        }
    });
    Ok(subjects.collect())
}

/// Returns all files below a folder: the folder that contains each, and its name.
fn walk(folder: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let failed = |e: std::io::Error| Failure(e.to_string());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            files.extend(walk(&path)?);
        } else if let Some(name) = path.file_name() {
            files.push((folder.to_owned(), name.to_string_lossy().into_owned()));
        }
    }
    Ok(files)
}

/// Returns the entries of a jar.
fn listed(jar: &Path, workspace: &Workspace, jdk: &Jdk) -> Result<Vec<String>, Failure> {
    let mut command = Command::new(jdk.home.join("bin/jar"));
    command.current_dir(&workspace.root).arg("--list").arg("--file").arg(jar);
    let output = command.output().map_err(|e| Failure(format!("`{}`: {e}", workspace::shown(&command))))?;
    if !output.status.success() {
        return Err(Failure(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// Parses the benchmark and the size in the name of a class file.
fn parse(file: &str) -> Option<(&str, &str)> {
    let (benchmark, size) = file.strip_prefix("JGF")?.strip_suffix(".class")?.split_once("BenchSize")?;
    (!benchmark.is_empty() && SIZES.contains(&size)).then_some((benchmark, size))
}

impl Suite {
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds the class path and the class of this size.
    pub(super) fn add_to(&self, command: &mut Command, size: &str) -> Outcome {
        let path = std::env::join_paths(&self.class_path).map_err(|e| Failure(format!("--jgf: {e}")))?;
        command.arg("-cp").arg(path).arg(format!("JGF{}BenchSize{size}", self.benchmark));
        Ok(())
    }
}

/// Returns the benchmark's own time, the last that it prints; fails if its result is wrong or it prints none.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    if let Some(line) = text.lines().find(|line| line.contains("Validation failed")) {
        return Err(line.trim().to_owned());
    }
    let mut times = text.lines().filter(|line| line.starts_with("Section")).filter_map(|line| {
        let before = line.split_once("(s)")?.0;
        before.split_whitespace().last()?.parse().ok()
    });
    times.next_back().ok_or_else(|| "the benchmark prints no line `Section..  SECONDS (s)`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_names_its_benchmark_and_its_size() {
        assert_eq!(parse("JGFLUFactBenchSizeB.class"), Some(("LUFact", "B")));
        for other in [
            "JGFAllSizeA.class",
            "JGFCryptBench.class",
            "JGFCryptBenchSizeA.java",
            "JGFCryptBenchSizeD.class",
            "Crypt.class",
        ] {
            assert_eq!(parse(other), None, "{other}");
        }
    }

    #[test]
    fn the_last_time_counts_and_a_failed_validation_is_an_error() {
        let run = "Java Grande Forum Thread Benchmark Suite - Version 1.0 - Section 3 - Size A\nSection3:MolDyn:Run:SizeA\t2.5 (s) \t 3.1e7\t \
            (Interactions/s)\nSection3:MolDyn:Total:SizeA\t2.75 (s) \t 0.36\t (Solutions/s)\n";
        assert_eq!(seconds(run), Ok(2.75));
        assert_eq!(seconds(&format!("Validation failed\n{run}")), Err("Validation failed".to_owned()));
        assert!(seconds("Section2:Crypt\n").is_err());
    }
}
