//! `cargo xtask programs`: checks that released programs behave under the agent as they do without it.
//!
//! Each runs plainly and under the agent, with the same arguments, in an empty folder. Standard output, the exit code
//! and the files that it leaves must be the same. Findings are not failures; what the agent could not observe is shown.
//! With `--profile` each runs once more, guided by a profile of the previous run; with `--provoke` each runs several
//! times with threads held. With `--link` no program runs: every class of their libraries is linked.

mod findings;
mod linked;
mod report;
mod steered;
mod table;
mod trial;

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, Table, presets};

pub(crate) use report::{Finding, Report};
use table::{Program, Size};
use trial::{Laboratory, Trial};

use crate::java::{self, Jvm, Toolchain};
use crate::stopwatch::Stopwatch;
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome, dist, tables};

/// The cell of a table for a program without differences.
const SAME: &str = "same";
/// The folder of the programs' build.
const PROJECT: &str = "programs";
/// The heading of the table.
const HEADING: [&str; 10] =
    ["program", "same?", "plain s", "agent s", "wall", "CPU", "memory", "blocks", "findings", "classes"];

/// The additional column for the cost of a guided run.
const GUIDED: &str = "guided wall, CPU";

/// The meaning of its columns.
const LEGEND: &str =
    "wall, CPU, memory (the peak): times as much as without the agent; classes: instrumented/skipped/failed";

/// The arguments of `programs`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to run, by the names in programs/programs.json; by default everything.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// How long they run: a second or two, or more than five.
    #[arg(long, value_enum, default_value_t = Size::Small)]
    size: Size,
    /// The version of Java to run them on; by default that of the JDK used for building.
    #[arg(long, value_name = "VERSION")]
    jvm: Option<u32>,
    /// Additional options of the agent, as on its command line.
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    options: String,
    /// List every finding, with the events that show it.
    #[arg(long)]
    findings: bool,
    /// Run each once more, guided by a profile of its run under the agent.
    #[arg(long)]
    profile: bool,
    /// Run each as `regiontrack provoke` does: one run that learns, two that are steered, and one with random
    /// priorities.
    #[arg(long, conflicts_with_all = ["profile", "findings"])]
    provoke: bool,
    /// Run nothing: link every class of the programs' libraries without the agent and with it, as released and with
    /// frames as optimizers write them.
    #[arg(long, conflicts_with_all = ["profile", "findings", "provoke", "size"])]
    link: bool,
}

/// Runs the named programs, or all.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    let chosen = tables::choose(Program::all(&workspace.root)?, &arguments.names)?;
    let toolchain = Toolchain::ensure()?;
    let jvm = java::find_jvm(&java::every_jvm(workspace), &toolchain.jdk, arguments.jvm)?;
    let agent = dist::agent(workspace, &toolchain, false)?;
    try_all(workspace, &toolchain, &chosen, jvm, agent, arguments)
}

/// Runs the small programs of `cargo xtask test`, on the JDK used for building.
pub(crate) fn run_some(workspace: &Workspace, toolchain: &Toolchain, agent: &Path, jvms: &[Jvm]) -> Outcome {
    let mut chosen = Program::all(&workspace.root)?;
    chosen.retain(|program| program.ci);
    let jvm = java::find_jvm(jvms, &toolchain.jdk, None)?;
    let small = Arguments {
        names: Vec::new(),
        size: Size::Small,
        jvm: None,
        options: String::new(),
        findings: false,
        profile: false,
        provoke: false,
        link: false,
    };
    try_all(workspace, toolchain, &chosen, jvm, agent.to_owned(), &small)
}

fn try_all(
    workspace: &Workspace,
    toolchain: &Toolchain,
    chosen: &[Program],
    jvm: Jvm,
    agent: PathBuf,
    arguments: &Arguments,
) -> Outcome {
    let Arguments { size, options, findings: shows_findings, profile, .. } = arguments;
    let mut tasks: Vec<String> = chosen.iter().map(|program| format!("install-{}", program.name)).collect();
    if arguments.link {
        tasks.push(linked::TASK.to_owned());
    }
    let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
    toolchain.gradle(workspace, PROJECT, &tasks, &[], &Output::Shown)?;
    let scratch = workspace.target.join("programs");
    std::fs::create_dir_all(&scratch).map_err(|e| Failure(format!("{}: {e}", scratch.display())))?;
    let stopwatch = Stopwatch::find(scratch.join("time.txt"));
    println!("{}; JDK {}", stopwatch.what(), jvm.version);
    let (options, size, is_profiled) = (options.clone(), *size, *profile);
    let laboratory = Laboratory { workspace, jvm, agent, options, size, stopwatch, is_profiled };
    if arguments.provoke {
        return steered::try_all(&laboratory, chosen);
    }
    if arguments.link {
        return linked::try_all(&laboratory, chosen);
    }
    let mut table = empty_table(is_profiled);
    let (mut different, mut guided) = (Vec::new(), 0);
    for (number, program) in (1..).zip(chosen) {
        println!("{number} of {}: {}, {}", chosen.len(), program.name, program.what);
        if !program.runs_on(laboratory.jvm.version) {
            println!("  left out: it runs on {}", program.range());
            continue;
        }
        let trial = laboratory.trial(program).map_err(|e| Failure(format!("{}: {e}", program.name)))?;
        if !trial.differences.is_empty() {
            different.push(program.name.as_str());
        }
        print!("{}", remarks(&trial, &laboratory, program));
        if let Some(found) = trial.report.as_ref().ok().filter(|_| *shows_findings).and_then(findings::table) {
            println!("{found}\n{}", findings::LEGEND);
        }
        guided += usize::from(trial.guided().is_some());
        table.add_row(row(program, &trial).into_iter().chain(again(&trial)));
    }
    println!("\n{table}\n{LEGEND}");
    if is_profiled {
        println!("{guided} were guided in their second run");
    }
    if different.is_empty() {
        Ok(())
    } else {
        Err(Failure(format!("not the same under the agent: {}", different.join(", "))))
    }
}

/// Tries programs one after the other, and shows the result of each as a line of a table, whose first cells are the
/// name and [`SAME`] or something else. Fails with the given words and the names of the programs that differ.
fn try_each<const COLUMNS: usize>(
    laboratory: &Laboratory,
    chosen: &[Program],
    (heading, legend): ([&str; COLUMNS], &str),
    failure: &str,
    one: impl Fn(&Program) -> io::Result<[String; COLUMNS]>,
) -> Outcome {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(heading);
    for column in 2..COLUMNS {
        table.column_mut(column).expect("a column of the heading").set_cell_alignment(CellAlignment::Right);
    }
    let mut different = Vec::new();
    for (number, program) in (1..).zip(chosen) {
        println!("{number} of {}: {}, {}", chosen.len(), program.name, program.what);
        if !program.runs_on(laboratory.jvm.version) {
            println!("  left out: it runs on {}", program.range());
            continue;
        }
        let row = one(program).map_err(|e| Failure(format!("{}: {e}", program.name)))?;
        if row[1] != SAME {
            different.push(program.name.as_str());
        }
        println!("  {}", row[1..].join("  "));
        table.add_row(row);
    }
    println!("\n{table}\n{legend}");
    if different.is_empty() { Ok(()) } else { Err(Failure(format!("{failure}: {}", different.join(", ")))) }
}

/// Returns the empty table of results, in Markdown.
fn empty_table(is_profiled: bool) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(HEADING.into_iter().chain(is_profiled.then_some(GUIDED)));
    for column in 2..=7 {
        table.column_mut(column).expect("ten columns").set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Returns the remarks on a trial that are printed immediately.
fn remarks(trial: &Trial, laboratory: &Laboratory, program: &Program) -> String {
    let mut text = format!("  plain {:.1} s, agent {:.1} s", trial.plain.wall, trial.watched.wall);
    if let Ok(report) = &trial.report {
        let _ = write!(text, ", {} blocks in {} threads", report.stats.blocks, report.stats.threads);
    }
    text.push('\n');
    if let Some((run, _)) = &trial.again {
        let watched =
            trial.guided().unwrap_or_else(|| "everything, because the first run has left no profile".to_owned());
        let _ = writeln!(text, "  guided {:.1} s, watched: {watched}", run.wall);
    }
    if !trial.differences.is_empty() {
        let folder = laboratory.workspace.relative(&laboratory.folder(program)).display().to_string();
        let _ = writeln!(text, "  DIFFERENT: {}; see {folder}", trial.differences.join("; "));
    }
    for warning in trial.report.iter().flat_map(|report| &report.warnings) {
        let _ = writeln!(text, "  {warning}");
    }
    text
}

/// Returns the cell of the column that only guided runs have.
fn again(trial: &Trial) -> Option<String> {
    let (run, _) = trial.again.as_ref()?;
    let wall = run.wall / trial.plain.wall;
    let cost =
        trial.plain.cost.zip(run.cost).map_or(String::new(), |(plain, run)| format!(", {:.1}x", run.0 / plain.0));
    Some(format!("{wall:.1}x{cost}"))
}

/// A line of the table.
fn row(program: &Program, trial: &Trial) -> [String; 10] {
    let (plain, watched) = (&trial.plain, &trial.watched);
    let same = if trial.differences.is_empty() { SAME } else { "DIFFERENT" };
    let ratio = |ratio: f64| format!("{ratio:.1}x");
    let costs = plain.cost.zip(watched.cost);
    let of_report = |figure: &dyn Fn(&report::Report) -> String| trial.report.as_ref().map_or("-".to_owned(), figure);
    [
        program.name.clone(),
        same.to_owned(),
        format!("{:.1}", plain.wall),
        format!("{:.1}", watched.wall),
        ratio(watched.wall / plain.wall),
        costs.map_or("-".to_owned(), |(a, b)| ratio(b.0 / a.0)),
        costs.map_or("-".to_owned(), |(a, b)| ratio(b.1 / a.1)),
        of_report(&|report| report.stats.blocks.to_string()),
        of_report(&|report| {
            let incomplete = if report.is_incomplete() { ", incomplete" } else { "" };
            format!("{}{incomplete}", report.findings())
        }),
        of_report(&|report| {
            let classes = &report.stats.classes;
            format!("{}/{}/{}", classes.instrumented, classes.skipped, classes.failed)
        }),
    ]
}
