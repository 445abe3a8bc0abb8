//! `cargo xtask bench`: what the agent costs a program, and what it did for that.
//!
//! Each subject runs plain and under the agent in turn, so that a machine that changes its speed does so for both; ratios
//! are taken pair by pair. A run that prints something else under the agent is a failure, not a figure.

mod figures;
mod sample;

use std::path::PathBuf;

use figures::{Stats, median, ratios};
use sample::{Sample, Stopwatch};

use crate::java::{SUBJECTS, Subject, Subjects, Toolchain};
use crate::workspace::Workspace;
use crate::{Failure, Outcome, dist, unknown};

/// How many pairs are measured, after one that is not.
const PAIRS: usize = 5;

/// One figure of a run, if it was measured.
type Figure = fn(&Sample) -> Option<f64>;

/// What a bench needs.
struct Bench<'w> {
    toolchain: Toolchain,
    subjects: Subjects<'w>,
    agent: PathBuf,
    report: PathBuf,
    stopwatch: Stopwatch,
}

/// Measures the subjects that are named, or all.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome {
    let chosen = choose(arguments)?;
    let toolchain = Toolchain::ensure()?;
    // What is measured must be what the sources say, so nothing that lies there is trusted.
    let agent = dist::agent(workspace, &toolchain, false)?;
    let subjects = Subjects::of(workspace);
    subjects.build(&toolchain)?;
    let folder = workspace.target.join("bench");
    std::fs::create_dir_all(&folder).map_err(|e| Failure::Failed(format!("{}: {e}", folder.display())))?;
    let stopwatch = Stopwatch::find(folder.join("time.txt"));
    println!("{}", stopwatch.what());
    let report = folder.join("report.json");
    let bench = Bench { toolchain, subjects, agent, report, stopwatch };
    chosen.into_iter().try_for_each(|subject| bench.measure(subject))
}

fn choose(arguments: &[String]) -> Result<Vec<&'static Subject>, Failure> {
    if arguments.is_empty() {
        return Ok(SUBJECTS.iter().collect());
    }
    let find = |name: &String| {
        let found = SUBJECTS.iter().find(|subject| subject.name == name);
        found.ok_or_else(|| unknown("workload", name, SUBJECTS.iter().map(|subject| subject.name)))
    };
    arguments.iter().map(find).collect()
}

impl Bench<'_> {
    fn measure(&self, subject: &Subject) -> Outcome {
        println!("\n==== {}: {} ====", subject.name, subject.what);
        let (mut plain, mut watched) = (Vec::new(), Vec::new());
        for pair in 0..=PAIRS {
            let a = self.once(subject, false)?;
            let b = self.once(subject, true)?;
            if a.output != b.output {
                let (a, b) = (a.output.trim_end(), b.output.trim_end());
                return Err(Failure::Failed(format!("{}: `{a}` became `{b}` under the agent", subject.name)));
            }
            println!("  {}: plain {:.2} s, agent {:.2} s", label(pair), a.wall, b.wall);
            if pair > 0 {
                plain.push(a);
                watched.push(b);
            }
        }
        print!("{}", table(&plain, &watched));
        self.shares()
    }

    /// One run, timed.
    fn once(&self, subject: &Subject, is_watched: bool) -> Result<Sample, Failure> {
        let options = format!("report={},format=json", self.report.display());
        let agent = is_watched.then_some((self.agent.as_path(), options.as_str()));
        self.stopwatch.time(&self.subjects.command(&self.toolchain.jdk, subject, agent)?)
    }

    /// What the agent did in the last run.
    fn shares(&self) -> Outcome {
        let failed = |why: String| Failure::Failed(format!("the report {}: {why}", self.report.display()));
        let text = std::fs::read_to_string(&self.report).map_err(|e| failed(e.to_string()))?;
        let stats = Stats::read(&text).ok_or_else(|| failed("it has no stats".to_owned()))?;
        print!("{stats}");
        Ok(())
    }
}

fn label(pair: usize) -> String {
    if pair == 0 { "warm-up".to_owned() } else { format!("pair {pair}") }
}

/// Medians of both, and the ratios.
fn table(plain: &[Sample], watched: &[Sample]) -> String {
    let mut text = format!("  {:<12} {:>9} {:>9} {:>7}  pair by pair\n", "median", "plain", "agent", "ratio");
    let rows: [(&str, Figure); 3] = [("wall s", |s| Some(s.wall)), ("cpu s", |s| s.cpu), ("peak MiB", |s| s.peak)];
    for (name, figure) in rows {
        let columns = |samples: &[Sample]| samples.iter().map(figure).collect::<Option<Vec<f64>>>();
        let (Some(a), Some(b)) = (columns(plain), columns(watched)) else { continue };
        let pairs = ratios(&a, &b);
        let list: Vec<String> = pairs.iter().map(|ratio| format!("{ratio:.2}")).collect();
        let (a, b, ratio) = (median(&a), median(&b), median(&pairs));
        text.push_str(&format!("  {name:<12} {a:>9.2} {b:>9.2} {ratio:>7.2}  {}\n", list.join(" ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_that_was_not_measured_has_no_row() {
        let sample = |wall| Sample { wall, cpu: None, peak: Some(10.0), output: String::new() };
        let text = table(&[sample(1.0), sample(2.0)], &[sample(3.0), sample(4.0)]);
        let first: Vec<&str> = text.lines().map(|line| line.split_whitespace().next().expect("a word")).collect();
        assert_eq!(first, ["median", "wall", "peak"]);
        assert!(text.contains("3.00 2.00"), "{text}");
    }

    #[test]
    fn a_workload_is_chosen_by_name_and_a_wrong_name_is_a_usage_error() {
        let names = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            choose(&words).map(|chosen| chosen.iter().map(|subject| subject.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["sparse"]), Ok(vec!["sparse"]));
        assert_eq!(names(&[]).map(|all| all.len()), Ok(SUBJECTS.len()));
        assert!(matches!(names(&["sprase"]), Err(Failure::Usage(message)) if message.contains("`sparse`")));
    }
}
