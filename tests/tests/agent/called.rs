//! Random sequences of library calls in forced orders: the agent's findings against the law's, with one event per call.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use regiontrack_tests::called::judge::judge;
use regiontrack_tests::called::{Sequence, THREADS, draw};
use serde_json::Value;

use crate::machine::{Jvm, machine, on_newest_jvm, tool, utf8};

/// How many sequences one JVM plays (each block has a method of its own), and how many such methods a class has.
const AT_ONCE: u64 = 1000;
const METHODS: u32 = 250;

/// Generates the blocks: a method each, in classes small enough for compilers.
fn generate(folder: &Path) {
    let blocks = AT_ONCE as u32 * THREADS;
    let classes = blocks.div_ceil(METHODS);
    let mut sources = Vec::new();
    let mut write = |name: &str, text: String| {
        let file = folder.join(format!("{name}.java"));
        std::fs::write(&file, format!("package generated;\n{text}")).expect("a source");
        sources.push(file);
    };
    let mut all = format!(
        "public class All implements called.Player.Blocks {{\npublic void enter(int block, int thread) {{\nswitch (block / {METHODS}) {{\n"
    );
    for class in 0..classes {
        _ = writeln!(all, "case {class}: Blocks{class}.enter(block % {METHODS}, thread, this); break;");
        let mut text = format!("class Blocks{class} {{\n");
        let mut enter =
            "static void enter(int block, int thread, called.Player.Blocks all) {\nswitch (block) {\n".to_owned();
        for method in 0..METHODS {
            _ = writeln!(
                text,
                "static void m{method}(int thread, called.Player.Blocks all) {{ called.Player.inside(thread, all); }}"
            );
            _ = writeln!(enter, "case {method}: m{method}(thread, all); break;");
        }
        write(&format!("Blocks{class}"), format!("{text}{enter}default:\n}}\n}}\n}}\n"));
    }
    write("All", format!("{all}default:\n}}\n}}\n}}\n"));
    let known = ["--release", "11", "-cp", utf8(&machine().classes), "-d", utf8(folder)];
    let files: Vec<&str> = sources.iter().map(|source| utf8(source)).collect();
    tool("javac", &[&known, &files[..]].concat());
}

/// The folder of the blocks' classes, which are compiled once for all tests.
fn blocks() -> &'static Path {
    static BLOCKS: OnceLock<PathBuf> = OnceLock::new();
    BLOCKS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("blocks");
        std::fs::create_dir_all(&folder).expect("a folder for classes");
        generate(&folder);
        folder
    })
}

/// Returns the numbers of the blocks that a report lists as violated.
fn violated(report: &Value) -> Result<BTreeSet<u32>, String> {
    let found = report["violations"].as_array().ok_or_else(|| format!("no list of violations: {report}"))?;
    let number = |found: &Value| {
        let method = found["method"].as_str()?.strip_prefix("generated.Blocks")?;
        let (class, rest) = method.split_once(".m")?;
        let (method, _) = rest.split_once('(')?;
        Some(class.parse::<u32>().ok()? * METHODS + method.parse::<u32>().ok()?)
    };
    found.iter().map(|found| number(found).ok_or_else(|| format!("a block of no sequence: {found}"))).collect()
}

/// Plays sequences in one JVM. Returns the number of violated blocks, and the differences from the law.
fn play(
    jvm: &Jvm,
    blocks: &Path,
    options: &str,
    sequences: &[(u64, Sequence)],
) -> Result<(usize, Vec<String>), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [spec, file, out] = ["blocks.spec", "sequences", "results"].map(|name| folder.path().join(name));
    std::fs::write(&spec, "+ generated.*.m*(...)\n").map_err(|e| e.to_string())?;
    let texts = (0..).zip(sequences).map(|(number, (_, sequence))| sequence.text(number * THREADS));
    std::fs::write(&file, texts.collect::<String>()).map_err(|e| e.to_string())?;
    let path = std::env::join_paths([machine().classes.as_path(), blocks]).map_err(|e| e.to_string())?;
    let path = path.to_string_lossy();
    let options = format!("exclude=schedule.*,spec={},{options}", spec.display());
    let arguments = ["-cp", &path, "called.Player", utf8(&file), utf8(&out), "generated.All"];
    let (run, report) = jvm.reported(&options, &arguments)?;
    if run.out != "played\n" {
        return Err(format!("{run:?}"));
    }
    let found = violated(&report)?;
    let results = std::fs::read_to_string(&out).map_err(|e| e.to_string())?;
    // Each result begins with a line end.
    let mut results = results.split('\n').skip(1);
    let mut wrong = Vec::new();
    for (number, (seed, sequence)) in (0..).zip(sequences) {
        let returned: Vec<&str> = results.next().ok_or("a sequence has no results")?.split_whitespace().collect();
        let verdict = judge(sequence, &returned).map_err(|why| format!("seed {seed}: {why}"))?;
        let said: BTreeSet<u32> = (0..THREADS).filter(|thread| found.contains(&(number * THREADS + thread))).collect();
        if !verdict.certain.is_subset(&said) || !said.is_subset(&verdict.possible) {
            wrong.push(format!(
                "seed {seed}: the law says {verdict:?}, the report {said:?}\n{}",
                told(sequence, &returned)
            ));
        }
    }
    Ok((found.len(), wrong))
}

/// A sequence and the results of its calls.
fn told(sequence: &Sequence, results: &[&str]) -> String {
    let mut results = results.iter();
    let line = |line: &str| {
        let result = if line.contains(" c ") { results.next().copied().unwrap_or("?") } else { "" };
        format!("  {line} {result}\n")
    };
    sequence.text(0).lines().map(line).collect()
}

/// The number of sequences to play.
fn wanted() -> u64 {
    std::env::var("REGIONTRACK_CALLED").ok().and_then(|count| count.parse().ok()).unwrap_or(2 * AT_ONCE)
}

/// The range of seeds. `REGIONTRACK_CALLED_FROM` sets the first one, to play a failed sequence again.
fn seeds(first: u64, count: u64) -> std::ops::Range<u64> {
    let first = std::env::var("REGIONTRACK_CALLED_FROM").ok().and_then(|first| first.parse().ok()).unwrap_or(first);
    first..first + count
}

fn check(jvm: &Jvm, options: &str, seeds: std::ops::Range<u64>) -> Result<(), String> {
    let (mut violated, mut wrong) = (0, Vec::new());
    let count = seeds.end - seeds.start;
    for first in seeds.clone().step_by(AT_ONCE as usize) {
        let last = seeds.end.min(first + AT_ONCE);
        let sequences: Vec<(u64, Sequence)> = (first..last).map(|seed| (seed, draw::sequence(seed))).collect();
        let (found, differ) = play(jvm, blocks(), options, &sequences)?;
        violated += found as u64;
        wrong.extend(differ);
    }
    if !wrong.is_empty() {
        return Err(format!("{} of {count} sequences differ\n{}", wrong.len(), wrong.join("\n")));
    }
    if violated * 20 > count {
        Ok(())
    } else {
        Err(format!("only {violated} blocks of {count} sequences were violated"))
    }
}

#[test]
fn random_sequences_of_calls_have_the_findings_of_the_law_with_one_event_for_each() {
    on_newest_jvm(|jvm| check(jvm, "", seeds(0, wanted())));
}

#[test]
fn so_they_have_in_the_stream_of_all_events() {
    on_newest_jvm(|jvm| check(jvm, "mode=stream", seeds(1_000_000, wanted() / 2)));
}
