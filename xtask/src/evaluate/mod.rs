//! `cargo xtask evaluate`: reproduces the papers' tables for our subjects or for a DaCapo jar: the cost of watching,
//! the findings of each engine, and the number of refinement rounds of a specification.
//!
//! A plan of `benchmarks-dacapo/evaluation.json` is a list of parts, each with subjects. The results so far are written
//! after each subject; at the end there are tables and pictures, with the papers' figures beside ours.

mod blame;
mod combined;
mod papers;
mod plan;
mod plots;
mod tables;
mod traces;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use blame::Blamed;
use papers::Papers;
use plan::{Group, Part, Plan, Work};
use traces::Trace;

use crate::bench::{Bench, Conditions, Configuration, Summary, columns};
use crate::java::{self, Jvm, Subject, Subjects, Toolchain, suites};
use crate::kept::{Kept, OfSubject, Work as Progress};
use crate::refine::{self, Refinement, Way};
use crate::stopwatch::Stopwatch;
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome, dist};

/// The plans, relative to the root.
const PLANS: &str = "benchmarks-dacapo/evaluation.json";

/// The arguments of `evaluate`.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("plan").required(true).args(["quick", "full", "record", "draw"])))]
pub(crate) struct Arguments {
    /// Run the quick plan: ten minutes on two processors, plus the build; small sizes, one run of each.
    #[arg(long)]
    quick: bool,
    /// Run the full plan: an hour and a quarter on two processors; more sizes and configurations, several runs of each.
    #[arg(long)]
    full: bool,
    /// Record a small trace of each subject, with the answers of all engines; and what three engines blame, round by
    /// round.
    #[arg(long)]
    record: bool,
    /// Make no runs: draw tables and pictures of blamed transactions from the rows of several files of the part
    /// `blame`, or of several `evaluation.json`, also of different commits and days, which the tables then name. If a
    /// subject is in several files, the last one counts. Other rows, which contain times, are not used.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["suite", "size", "parts", "subjects", "resume", "jvm"])]
    draw: Vec<PathBuf>,
    #[command(flatten)]
    suite: suites::Given,
    /// The size of the benchmarks in the suite; by default `small` for a DaCapo jar and `A` for Java Grande's suite.
    #[arg(long, requires = "suite")]
    size: Option<String>,
    /// Run only these parts of the plan.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    parts: Vec<String>,
    /// Run only these subjects of each part.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "suite")]
    subjects: Vec<String>,
    /// Continue an interrupted evaluation: existing results are not computed again. Commit, machine and JVM must be the
    /// same.
    #[arg(long)]
    resume: bool,
    /// The most minutes for a subject of the part `blame`, instead of those of the plan. A subject that takes longer is
    /// cut off, which is a result.
    #[arg(long, value_name = "MINUTES", conflicts_with = "draw")]
    minutes_each: Option<u64>,
    /// The version of Java to run on; by default that of the JDK used for building.
    #[arg(long, value_name = "VERSION")]
    jvm: Option<u32>,
}

/// The groups of a part with their subjects.
type Chosen = Vec<(Group, Vec<Subject>)>;

/// The common settings of all parts.
struct Laboratory<'w> {
    workspace: &'w Workspace,
    subjects: Subjects<'w>,
    jvm: Jvm,
    java: PathBuf,
    agent: PathBuf,
    folder: PathBuf,
    stopwatch: Stopwatch,
    is_resumed: bool,
}

/// All results; the tables and pictures are made from them.
#[derive(Default, Serialize)]
struct Evaluation {
    /// For each group of a part, in the order of the work.
    conditions: Vec<(String, Conditions)>,
    bench: Vec<Measured>,
    refinements: Vec<Refinement>,
    traces: Vec<Trace>,
    blamed: Vec<Blamed>,
    /// What there was no time for, and what failed.
    missing: Vec<String>,
}

/// All groups of a part of a plan that measures.
#[derive(Serialize)]
struct Measured {
    part: String,
    pairs: usize,
    rows: Vec<Summary>,
}

impl Measured {
    /// Returns the configurations; the first is the base of the ratios.
    fn configurations(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !names.contains(&row.configuration.as_str()) {
                names.push(&row.configuration);
            }
        }
        names
    }

    /// Returns the subjects with their sizes.
    fn subjects(&self) -> Vec<(&str, &str)> {
        let mut all: Vec<(&str, &str)> = Vec::new();
        for row in &self.rows {
            if !all.contains(&(&row.subject, &row.size)) {
                all.push((&row.subject, &row.size));
            }
        }
        all
    }

    fn row(&self, subject: &str, size: &str, configuration: &str) -> Option<&Summary> {
        let is_it = |row: &&Summary| row.subject == subject && row.size == size && row.configuration == configuration;
        self.rows.iter().find(is_it)
    }

    /// Returns whether an agent reported in this configuration.
    fn is_watched(&self, configuration: &str) -> bool {
        self.rows.iter().any(|row| row.configuration == configuration && !row.verdicts.is_empty())
    }
}

impl OfSubject for Refinement {
    fn subject(&self) -> &str {
        &self.subject
    }
}

impl Arguments {
    fn plan(&self) -> &'static str {
        match self {
            Arguments { quick: true, .. } => "quick",
            Arguments { full: true, .. } => "full",
            _ => "record",
        }
    }
}

/// Carries out a plan.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    if !arguments.draw.is_empty() {
        return draw(workspace, &arguments.draw);
    }
    let name = arguments.plan();
    let plan =
        crate::tables::choose(crate::tables::read::<Plan>(&workspace.root, PLANS)?, &[name.to_owned()])?.remove(0);
    if let Some(part) = arguments.parts.iter().find(|name| plan.parts.iter().all(|part| part.name != **name)) {
        return Err(Failure(format!("the plan `{name}` has no part `{part}`")));
    }
    let papers = Papers::read(&workspace.root)?;
    let toolchain = Toolchain::ensure()?;
    dist::run(workspace, &dist::Arguments::optimised())?;
    let parts = groups(workspace, &toolchain, arguments, plan.parts)?;
    let jvm = java::find_jvm(&java::every_jvm(workspace), &toolchain.jdk, arguments.jvm)?;
    let folder = workspace
        .target
        .join("evaluation")
        .join(arguments.suite.stem().map_or(name.to_owned(), |jar| format!("{name}-{jar}")));
    fs::create_dir_all(&folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
    let laboratory = Laboratory {
        workspace,
        subjects: Subjects::of(workspace),
        java: jvm.java.clone(),
        jvm,
        agent: dist::jar(workspace),
        stopwatch: Stopwatch::find(folder.join("time.txt")),
        folder,
        is_resumed: arguments.resume,
    };
    println!("{}", plan.what);
    let start = Instant::now();
    let mut evaluation = Evaluation::default();
    for (part, groups) in &parts {
        println!("\n{}: {}", part.name, part.what);
        let deadline = part.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0));
        for (group, subjects) in groups {
            laboratory.part(part, group, subjects, deadline, arguments.suite.shown(), &mut evaluation)?;
        }
    }
    println!("\n{:.1} minutes", start.elapsed().as_secs_f64() / 60.0);
    let jar = arguments.suite.shown();
    let papers = tables::Papers { papers: &papers, jar: jar.as_deref() };
    write(workspace, &laboratory.folder, &evaluation, &papers)?;
    match evaluation.missing.iter().filter(|line| line.contains("failed")).count() {
        0 => Ok(()),
        failed => Err(Failure(format!("{failed} failed"))),
    }
}

/// Draws tables and pictures of existing rows.
fn draw(workspace: &Workspace, files: &[PathBuf]) -> Outcome {
    let papers = Papers::read(&workspace.root)?;
    let evaluation = Evaluation { blamed: combined::read(files)?, ..Evaluation::default() };
    let folder = workspace.target.join("evaluation").join("drawn");
    fs::create_dir_all(&folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
    write(workspace, &folder, &evaluation, &tables::Papers { papers: &papers, jar: None })
}

/// Writes tables and pictures.
fn write(workspace: &Workspace, folder: &Path, evaluation: &Evaluation, papers: &tables::Papers) -> Outcome {
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        fs::write(&file, text).map_err(|e| Failure(format!("{}: {e}", file.display())))
    };
    write("evaluation.json", &serde_json::to_string_pretty(evaluation).expect("plain data"))?;
    write("evaluation.csv", &tables::csv(evaluation))?;
    let text = tables::markdown(evaluation, papers);
    write("evaluation.md", &text)?;
    let pictures = plots::write(folder, evaluation, papers)?;
    println!("{text}");
    let folder = workspace.relative(folder).display();
    println!("in {folder}: evaluation.json, evaluation.csv, evaluation.md, {}", pictures.join(", "));
    Ok(())
}

/// Returns the requested parts with their subjects, after building the subjects.
fn groups(
    workspace: &Workspace,
    toolchain: &Toolchain,
    arguments: &Arguments,
    parts: Vec<Part>,
) -> Result<Vec<(Part, Chosen)>, Failure> {
    let mut chosen = Vec::new();
    for mut part in parts {
        if let (Work::Blame(comparison), Some(minutes)) = (&mut part.work, arguments.minutes_each) {
            comparison.minutes_each = minutes;
        }
        if !arguments.parts.is_empty() && !arguments.parts.contains(&part.name) {
            continue;
        }
        let size = arguments.size.as_deref().or(arguments.suite.usual_size()).unwrap_or_default();
        let of_suite = arguments.suite.subjects(workspace, &toolchain.jdk, &[], size)?;
        let groups = match of_suite {
            Some(subjects) => vec![(Group { size: size.to_owned(), subjects: Vec::new() }, subjects)],
            None => {
                let subjects = |group: &Group| Subject::of_size(workspace, &group.subjects, &group.size);
                let groups = part.groups.iter().map(|group| Ok((group.clone(), subjects(group)?)));
                groups.collect::<Result<Vec<_>, Failure>>()?
            }
        };
        chosen.push((part, groups));
    }
    let names = &arguments.subjects;
    let all = chosen.iter().flat_map(|(_, groups)| groups.iter().flat_map(|(_, subjects)| subjects));
    let all: Vec<String> = all.map(|subject| subject.name.clone()).collect();
    if let Some(name) = names.iter().find(|name| !all.contains(name)) {
        return Err(Failure(format!("these parts have no subject `{name}`")));
    }
    for (_, groups) in &mut chosen {
        for (group, subjects) in groups {
            subjects.retain(|subject| names.is_empty() || names.contains(&subject.name));
            Subjects::of(workspace).build(toolchain, subjects, &Output::Shown)?;
            // In the order of the plan, not of the table: the most important subjects come before time is up.
            subjects.sort_by_key(|subject| group.subjects.iter().position(|name| *name == subject.name));
        }
    }
    Ok(chosen)
}

impl Laboratory<'_> {
    /// Carries out a group of a part.
    fn part(
        &self,
        part: &Part,
        group: &Group,
        subjects: &[Subject],
        deadline: Option<Instant>,
        suite: Option<String>,
        evaluation: &mut Evaluation,
    ) -> Outcome {
        let conditions =
            Conditions { suite, limit_s: part.limit, ..Conditions::of(self.workspace, &self.jvm, &group.size) };
        let name = format!("{}-{}", part.name, group.size);
        evaluation.conditions.push((name.clone(), conditions.clone()));
        let file = self.folder.join(format!("{name}.json"));
        match &part.work {
            Work::Bench { configurations, pairs } => {
                let columns = columns(
                    &Configuration::chosen(&self.workspace.root, configurations, &[])?,
                    std::slice::from_ref(&self.agent),
                );
                let bench = Bench {
                    workspace: self.workspace,
                    java: &self.java,
                    subjects,
                    columns: &columns,
                    pairs: *pairs,
                    folder: self.folder.join(&name),
                    is_resumed: self.is_resumed,
                    deadline,
                };
                let results = bench.run(conditions)?;
                let done = results.summaries();
                let is_left = |subject: &&Subject| done.iter().all(|summary| summary.subject != subject.name);
                let left = subjects.iter().filter(is_left).map(|subject| subject.name.clone());
                evaluation.missing.extend(left.map(|subject| format!("{name}: {subject}: time was up")));
                let failures = results.failures().into_iter().map(|(run, why)| format!("{name}: {run} failed: {why}"));
                evaluation.missing.extend(failures);
                match evaluation.bench.iter_mut().find(|measured| measured.part == part.name) {
                    Some(measured) => measured.rows.extend(done),
                    None => evaluation.bench.push(Measured { part: part.name.clone(), pairs: *pairs, rows: done }),
                }
            }
            Work::Refinement { rounds } => {
                let mut kept = Kept::open(file, conditions, self.is_resumed)?;
                let runtime = java::Runtime { java: &self.java, flags: &[], agent: None };
                self.each(&name, subjects, deadline, &mut kept, &mut evaluation.missing, |subject| {
                    let program = self.subjects.command(&runtime, subject, &group.size)?;
                    let (has_ended, text) = refine::refine(self.workspace, &Way::usual(*rounds), &program)?;
                    Ok(Refinement::of(&subject.name, &text, has_ended))
                })?;
                evaluation.refinements.extend(kept.rows);
            }
            Work::Traces { engines } => {
                let mut kept = Kept::open(file, conditions, self.is_resumed)?;
                // A subject that does nothing has no trace.
                let subjects: Vec<Subject> = subjects.iter().filter(|subject| !subject.is_start).cloned().collect();
                self.each(&name, &subjects, deadline, &mut kept, &mut evaluation.missing, |subject| {
                    self.trace(subject, &group.size, engines, Duration::from_secs(part.limit))
                })?;
                evaluation.traces.extend(kept.rows);
            }
            Work::Blame(comparison) => {
                let mut kept = Kept::open(file, conditions.clone(), self.is_resumed)?;
                self.each(&name, subjects, deadline, &mut kept, &mut evaluation.missing, |subject| {
                    self.blame(subject, conditions.clone(), comparison)
                })?;
                evaluation.blamed.extend(kept.rows);
            }
        }
        Ok(())
    }

    /// Does the remaining work for each subject, until the deadline. Notes a subject that fails.
    fn each<R: OfSubject + Serialize + serde::de::DeserializeOwned>(
        &self,
        part: &str,
        subjects: &[Subject],
        deadline: Option<Instant>,
        kept: &mut Kept<R>,
        missing: &mut Vec<String>,
        work: impl Fn(&Subject) -> Result<R, Failure>,
    ) -> Outcome {
        let left: Vec<&Subject> = subjects.iter().filter(|subject| !kept.has(&subject.name)).collect();
        let mut progress = Progress::new(left.len());
        for subject in left {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                missing.push(format!("{part}: {}: time was up", subject.name));
                continue;
            }
            let start = Instant::now();
            let outcome = work(subject);
            let took = start.elapsed().as_secs_f64();
            println!("{} {part}, {}: {took:.1} s", progress.next(), subject.name);
            match outcome {
                Ok(row) => kept.add(row)?,
                Err(Failure(why)) => missing.push(format!("{part}: {} failed: {why}", subject.name)),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_plan_for_each_switch() {
        let workspace = Workspace::find().expect("the workspace");
        for name in ["quick", "full", "record"] {
            let plans: Vec<Plan> = crate::tables::read(&workspace.root, PLANS).expect("the plans");
            assert!(crate::tables::choose(plans, &[name.to_owned()]).is_ok(), "{name}");
        }
    }
}
