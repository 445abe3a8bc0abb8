//! `cargo xtask memory`: checks that the memory of a program under the agent stays flat.
//!
//! A program repeats the same work for a while, in a heap that is small and resident from the start, so that a leak in the
//! program itself ends in an error. Its resident memory is sampled every second. The first quarter of the run is the
//! warm-up; the median of the last tenth may then be at most a tenth above that of the tenth that follows the warm-up.
//! The report has to be complete: nothing was dropped to keep memory flat.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use serde_json::Value;

use crate::bench::median;
use crate::java::{Runtime, Subject, Subjects, Toolchain};
use crate::workspace::{Output, Workspace, shown};
use crate::{Failure, Outcome, dist};

/// The size of the watched subjects: rounds of about a second.
const SIZE: &str = "memory";
/// The maximum relative growth of memory until the end.
const MOST_GROWTH: f64 = 0.1;
/// The sampling interval.
const PERIOD: Duration = Duration::from_secs(1);
/// The number of samples between two that are printed.
const SAID_EVERY: usize = 10;
/// A small heap that is resident from the start.
const HEAP: [&str; 3] = ["-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch"];

/// The arguments of `memory`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to watch: subjects that have the size `memory`; by default all of them.
    #[arg(value_name = "SUBJECT")]
    subjects: Vec<String>,
    /// The number of seconds for which each subject is watched.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The JVM; by default that of the JDK used for building.
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
}

/// Watches the named subjects, or all, and reports which of them grew.
pub(crate) fn run(workspace: &Workspace, Arguments { subjects: names, seconds, java }: &Arguments) -> Outcome {
    let mut chosen = Subject::of_size(workspace, names, SIZE)?;
    let toolchain = Toolchain::ensure()?;
    let agent = dist::agent(workspace, &toolchain, false)?;
    let subjects = Subjects::of(workspace);
    subjects.build(&toolchain, &mut chosen, &Output::Shown)?;
    let report = workspace.target.join("memory.json");
    let java = java.clone().unwrap_or_else(|| toolchain.jdk.java());
    let mut watched = Vec::new();
    for subject in &chosen {
        println!("\n==== {}: {}, {seconds} s ====", subject.name, subject.what);
        let options = format!("report={},overwrite=true,format=json", report.display());
        let runtime = Runtime { java: &java, flags: &HEAP.map(str::to_owned), agent: Some((&agent, options)) };
        let mut command = subjects.command(&runtime, subject, SIZE)?;
        let samples = watch(command.arg(seconds.to_string()))?;
        is_complete(&report)?;
        watched.push((subject.name.as_str(), Growth::of(&samples)?));
    }
    println!("\n{}", table(&watched).trim_fmt());
    let grown: Vec<&str> = watched.iter().filter(|(_, growth)| growth.is_too_much()).map(|(name, _)| *name).collect();
    if grown.is_empty() { Ok(()) } else { Err(Failure(format!("memory grew: {}", grown.join(", ")))) }
}

/// Runs a program to its end, which must be successful. Returns its resident memory at each second, in MiB.
fn watch(program: &mut Command) -> Result<Vec<f64>, Failure> {
    let line = shown(program);
    let failed = |what: String| Failure(format!("`{line}` {what}"));
    println!("  {line}");
    let start = Instant::now();
    let mut child = program.stdin(Stdio::null()).spawn().map_err(|e| failed(format!("did not start: {e}")))?;
    let mut samples = Vec::new();
    loop {
        match child.try_wait().map_err(|e| failed(format!("cannot be waited for: {e}")))? {
            Some(status) if status.success() => return Ok(samples),
            Some(status) => return Err(failed(format!("ended with {status}"))),
            None => thread::sleep(PERIOD),
        }
        samples.extend(resident(&child));
        if samples.len() % SAID_EVERY == 0 {
            let now = samples.last().copied().unwrap_or_default();
            println!("  {:>4} s: {now:.0} MiB", start.elapsed().as_secs());
        }
    }
}

/// Returns the resident memory of a process in MiB, as Linux reports it; `None` for one that has just ended.
fn resident(child: &Child) -> Option<f64> {
    parse(&fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?)
}

fn parse(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<f64>().ok()? / 1024.0)
}

/// Checks in the report that nothing was lost.
fn is_complete(report: &Path) -> Outcome {
    let failed = |why: String| Failure(format!("the report {}: {why}", report.display()));
    let text = fs::read_to_string(report).map_err(|e| failed(e.to_string()))?;
    let parsed: Value = serde_json::from_str(&text).map_err(|e| failed(e.to_string()))?;
    let events = &parsed["stats"]["events"];
    println!("  {} events recorded, {} lost", events["recorded"], events["lost"]);
    let is_whole = parsed["verdict"] != "incomplete" && events["lost"] == 0;
    if is_whole { Ok(()) } else { Err(failed("the run is incomplete".to_owned())) }
}

/// Memory after the warm-up, at the end, and the allowed maximum, in MiB.
#[derive(Debug, PartialEq)]
struct Growth {
    after: f64,
    end: f64,
    most: f64,
}

impl Growth {
    fn of(samples: &[f64]) -> Result<Growth, Failure> {
        let tenth = samples.len() / 10;
        if tenth == 0 {
            let why = "are too few; watch for longer, on a platform with /proc";
            return Err(Failure(format!("{} samples of resident memory {why}", samples.len())));
        }
        let warm = samples.len() / 4;
        let most = samples[warm..].iter().copied().fold(0.0, f64::max);
        Ok(Growth { after: median(&samples[warm..warm + tenth]), end: median(&samples[samples.len() - tenth..]), most })
    }

    fn ratio(&self) -> f64 {
        self.end / self.after
    }

    fn is_too_much(&self) -> bool {
        self.ratio() > 1.0 + MOST_GROWTH
    }
}

fn table(watched: &[(&str, Growth)]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["resident MiB", "after warm-up", "at the end", "at most", "growth"]);
    for (name, growth) in watched {
        let figures = [growth.after, growth.end, growth.most].map(|figure| format!("{figure:.0}"));
        let percent = format!("{:+.1} %", (growth.ratio() - 1.0) * 100.0);
        table.add_row([&[(*name).to_owned()][..], &figures, &[percent]].concat());
    }
    for column in 1..=4 {
        table.column_mut(column).expect("five columns").set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resident_memory_is_a_line_of_the_status() {
        assert_eq!(parse("Name:\tjava\nVmHWM:\t  9999 kB\nVmRSS:\t  2048 kB\n"), Some(2.0));
        assert_eq!(parse("Name:\tjava\nState:\tZ (zombie)\n"), None);
    }

    #[test]
    fn growth_in_the_warm_up_does_not_count_and_growth_after_it_does() {
        let warm: Vec<f64> = (0..40).map(|i| if i < 10 { f64::from(i) } else { 100.0 }).collect();
        assert_eq!(Growth::of(&warm), Ok(Growth { after: 100.0, end: 100.0, most: 100.0 }));
        let leak: Vec<f64> = (0..40).map(|i| 100.0 + f64::from(i)).collect();
        let growth = Growth::of(&leak).expect("enough samples");
        assert_eq!(growth, Growth { after: 111.5, end: 137.5, most: 139.0 });
        assert!(growth.is_too_much());
    }

    #[test]
    fn too_few_samples_are_no_answer() {
        assert!(Growth::of(&[1.0; 9]).is_err());
    }
}
