//! `cargo xtask bench`: the overhead of the agent, and how much work it did.
//!
//! Each subject runs alternately without and with the agent, so that changes of the machine's speed affect both; ratios
//! are taken pair by pair. If the output differs under the agent, the bench fails.

mod figures;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets};

pub(crate) use figures::median;
use figures::{Stats, ratios};

use crate::java::{SUBJECTS, Subject, Subjects, Toolchain};
use crate::stopwatch::{Sample, Stopwatch};
use crate::workspace::Workspace;
use crate::{Failure, Outcome, dist};

/// How many pairs are measured, after a warm-up pair.
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

/// The arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to measure; everything if none is named.
    #[arg(value_name = "WORKLOAD", value_parser = PossibleValuesParser::new(SUBJECTS.iter().map(|subject| subject.name)))]
    workloads: Vec<String>,
}

/// Measures the subjects that are named, or all.
pub(crate) fn run(workspace: &Workspace, Arguments { workloads }: &Arguments) -> Outcome {
    let toolchain = Toolchain::ensure()?;
    // Always rebuilt, so that the measured agent is that of the sources.
    let agent = dist::agent(workspace, &toolchain, false)?;
    let subjects = Subjects::of(workspace);
    subjects.build(&toolchain)?;
    let folder = workspace.target.join("bench");
    std::fs::create_dir_all(&folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
    let stopwatch = Stopwatch::find(folder.join("time.txt"));
    println!("{}", stopwatch.what());
    let report = folder.join("report.json");
    let bench = Bench { toolchain, subjects, agent, report, stopwatch };
    let is_chosen = |subject: &&Subject| workloads.is_empty() || workloads.iter().any(|name| name == subject.name);
    SUBJECTS.iter().filter(is_chosen).try_for_each(|subject| bench.measure(subject))
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
                return Err(Failure(format!("{}: `{a}` became `{b}` under the agent", subject.name)));
            }
            println!("  {}: plain {:.2} s, agent {:.2} s", label(pair), a.wall, b.wall);
            if pair > 0 {
                plain.push(a);
                watched.push(b);
            }
        }
        println!("{}", table(&plain, &watched).trim_fmt());
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
        let failed = |why: String| Failure(format!("the report {}: {why}", self.report.display()));
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
fn table(plain: &[Sample], watched: &[Sample]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["median", "plain", "agent", "ratio", "pair by pair"]);
    let rows: [(&str, Figure); 3] = [("wall s", |s| Some(s.wall)), ("cpu s", |s| s.cpu), ("peak MiB", |s| s.peak)];
    for (name, figure) in rows {
        let columns = |samples: &[Sample]| samples.iter().map(figure).collect::<Option<Vec<f64>>>();
        let (Some(a), Some(b)) = (columns(plain), columns(watched)) else { continue };
        let pairs = ratios(&a, &b);
        let list: Vec<String> = pairs.iter().map(|ratio| format!("{ratio:.2}")).collect();
        let medians = [&a, &b, &pairs].map(|values| format!("{:.2}", median(values)));
        table.add_row([&[name.to_owned()][..], &medians, &[list.join(" ")]].concat());
    }
    for column in 1..=3 {
        table.column_mut(column).expect("five columns").set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_that_was_not_measured_has_no_row() {
        let sample = |wall| Sample { wall, cpu: None, peak: Some(10.0), output: String::new() };
        let text = table(&[sample(1.0), sample(2.0)], &[sample(3.0), sample(4.0)]).to_string();
        let first: Vec<&str> = text.lines().map(|line| line.split_whitespace().next().expect("a word")).collect();
        assert_eq!(first, ["median", "wall", "peak"]);
        assert!(text.contains("3.00 2.00"), "{text}");
    }
}
