//! `cargo xtask guided`: compares the findings of runs guided by a profile with those of runs that watch everything.
//!
//! Each subject runs several times without a profile, once to make one, and several times guided by it. Each guided run
//! starts from the same copy of the profile, so that all of them watch the same, although each adds to its copy. A
//! subject in which nothing is found without a profile has no guided runs.

mod class_file;
mod methods;
mod tables;
mod unlocked;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use methods::{Comparison, Method};

use crate::bench::{Column, Conditions, Configuration, Laboratory, Run, columns};
use crate::java::{self, Subject, Subjects, Toolchain};
use crate::kept::{Kept, OfSubject, Work as Progress};
use crate::programs::Report;
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome, dist};

/// The runs without a profile, the run that makes it, and the guided runs, by the names in the table of configurations.
const CONFIGURATIONS: [&str; 3] = ["full", "first", "second"];

/// The arguments of `guided`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to run, by the names in benchmarks-dacapo/subjects.json; by default everything that has the size.
    #[arg(value_name = "SUBJECT")]
    subjects: Vec<String>,
    /// The number of runs that watch everything, and of guided runs; by default 5, or 3 with --unlocked.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// Instead, remove the lock from one method of each of N classes of a subject, one at a time, and compare what full
    /// runs and runs guided by a profile of the unchanged program find in the changed class.
    #[arg(long, value_name = "N", requires = "subjects", conflicts_with_all = ["again", "resume"])]
    unlocked: Option<usize>,
    /// Run as many full runs again, and report what they find of the findings of the first ones: guided runs may miss a
    /// finding by chance.
    #[arg(long)]
    again: bool,
    /// The size of each run.
    #[arg(long, default_value = "small")]
    size: String,
    /// The time limit in seconds: a run that takes longer is killed, and its subject is left out.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,
    /// Continue an interrupted comparison: finished subjects are not run again. Commit, machine and JVM must be the
    /// same.
    #[arg(long)]
    resume: bool,
    /// The version of Java to run on; by default that of the JDK used for building.
    #[arg(long, value_name = "VERSION")]
    jvm: Option<u32>,
}

/// The findings of the runs of a subject.
#[derive(Serialize, Deserialize)]
struct Found {
    subject: String,
    full: Vec<Named>,
    /// Other full runs, if requested.
    #[serde(default)]
    again: Vec<Named>,
    /// The run that made the profile; `None` if there was no reason to make one.
    learning: Option<Named>,
    guided: Vec<Named>,
    /// The methods, of those that full runs name, that the profile names, without parameters.
    profiled: Vec<String>,
}

/// The methods that a run's report names, in order.
#[derive(Default, Serialize, Deserialize)]
struct Named {
    violated: Vec<Method>,
    /// The violated methods, and the methods around each that the same events violate.
    #[serde(default)]
    around: Vec<Method>,
    waits_inside: Vec<Method>,
    is_incomplete: bool,
}

/// The comparison for a subject.
#[derive(Serialize)]
struct Row {
    subject: String,
    violated: Comparison,
    around: Comparison,
    waits_inside: Comparison,
    /// The number of its runs with something that was not observed.
    incomplete: usize,
}

/// The results, as shown and written as JSON.
#[derive(Serialize)]
struct Results {
    conditions: Conditions,
    runs: u32,
    subjects: Vec<Row>,
    /// Whether the full runs were made twice.
    is_again: bool,
    violated: methods::Total,
    around: methods::Total,
    waits_inside: methods::Total,
    /// Subjects in which no run found anything.
    without_findings: Vec<String>,
    failures: Vec<String>,
}

impl OfSubject for Found {
    fn subject(&self) -> &str {
        &self.subject
    }
}

/// Runs the named subjects, or all, and compares.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    let mut subjects = Subject::of_size(workspace, &arguments.subjects, &arguments.size)?;
    subjects.retain(|subject| !subject.is_start);
    let toolchain = Toolchain::ensure()?;
    let names = CONFIGURATIONS.map(str::to_owned);
    let columns =
        columns(&Configuration::chosen(&workspace.root, &names, &[])?, &[dist::agent(workspace, &toolchain, false)?]);
    let jvm = java::find_jvm(&java::every_jvm(workspace), &toolchain.jdk, arguments.jvm)?;
    Subjects::of(workspace).build(&toolchain, &mut subjects, &Output::Shown)?;
    let count = arguments.runs.unwrap_or(if arguments.unlocked.is_some() { 3 } else { 5 });
    let again = if arguments.again { "-again" } else { "" };
    let folder = workspace.target.join("guided").join(format!("{}-{}{again}", arguments.size, count));
    fs::create_dir_all(&folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
    let conditions = Conditions { limit_s: arguments.limit, ..Conditions::of(workspace, &jvm, &arguments.size) };
    let runs = Runs {
        laboratory: Laboratory::new(
            workspace,
            &jvm.java,
            &arguments.size,
            Duration::from_secs(arguments.limit),
            &folder,
        ),
        columns: &columns,
        count,
        is_again: arguments.again,
        folder: &folder,
    };
    if let Some(changes) = arguments.unlocked {
        return subjects.iter().try_for_each(|subject| {
            unlocked::run(&runs, workspace, &toolchain.jdk, subject, changes, conditions.clone())
        });
    }
    let mut kept = Kept::open(folder.join("runs.json"), conditions.clone(), arguments.resume)?;
    let failures = runs.all(&subjects, &mut kept)?;
    let results = Results::of(conditions, count, &kept.rows, failures);
    let text = tables::markdown(&results);
    write(&folder.join("results.md"), &text)?;
    write(&folder.join("results.json"), &serde_json::to_string_pretty(&results).expect("plain data"))?;
    println!("\n{text}");
    let folder = workspace.relative(&folder).display();
    println!("the same is in {folder}/results.md and results.json, what each run has found in {folder}/runs.json");
    match results.failures.len() {
        0 => Ok(()),
        failed => Err(Failure(format!("{failed} subjects failed"))),
    }
}

fn write(file: &Path, text: &str) -> Outcome {
    fs::write(file, text).map_err(|e| Failure(format!("{}: {e}", file.display())))
}

/// How subjects are run.
struct Runs<'a> {
    laboratory: Laboratory<'a>,
    columns: &'a [Column],
    count: u32,
    is_again: bool,
    folder: &'a Path,
}

impl Runs<'_> {
    /// Runs what is not done yet. Returns what failed.
    fn all(&self, subjects: &[Subject], kept: &mut Kept<Found>) -> Result<Vec<String>, Failure> {
        let left: Vec<&Subject> = subjects.iter().filter(|subject| !kept.has(&subject.name)).collect();
        let mut progress = Progress::new(left.len());
        let mut failures = Vec::new();
        for subject in left {
            let start = Instant::now();
            let found = self.subject(subject)?;
            let took = start.elapsed().as_secs_f64();
            println!("{} {}: {took:.1} s", progress.next(), subject.name);
            match found {
                Ok(found) => kept.add(found)?,
                Err(why) => failures.push(format!("{}: {why}", subject.name)),
            }
        }
        Ok(failures)
    }

    /// Makes all runs of a subject. If one fails, returns the reason.
    fn subject(&self, subject: &Subject) -> Result<Result<Found, String>, Failure> {
        let [full, learning, guided] = self.columns else { panic!("a column for each configuration, of one agent") };
        let mut printed = None;
        let mut once = |column: &Column| self.once(subject, column, &mut printed);
        let mut found = Found {
            subject: subject.name.clone(),
            full: Vec::new(),
            again: Vec::new(),
            learning: None,
            guided: Vec::new(),
            profiled: Vec::new(),
        };
        for _ in 0..self.count {
            match once(full)? {
                Ok(named) => found.full.push(named),
                Err(why) => return Ok(Err(why)),
            }
        }
        if !found.has_findings() {
            return Ok(Ok(found));
        }
        for _ in 0..if self.is_again { self.count } else { 0 } {
            match once(full)? {
                Ok(named) => found.again.push(named),
                Err(why) => return Ok(Err(why)),
            }
        }
        match once(learning)? {
            Ok(named) => found.learning = Some(named),
            Err(why) => return Ok(Err(why)),
        }
        let (profile, learnt) = (learning.profile(self.folder, &subject.name), self.folder.join("learnt.profile"));
        let unusable = |e: std::io::Error| Failure(format!("{}: {e}", profile.display()));
        if !profile.is_file() {
            return Ok(Err("the run that was to make the profile has left none".to_owned()));
        }
        fs::copy(&profile, &learnt).map_err(unusable)?;
        found.profiled = found.named_by(&fs::read_to_string(&learnt).map_err(unusable)?);
        for _ in 0..self.count {
            fs::copy(&learnt, &profile).map_err(unusable)?;
            match once(guided)? {
                Ok(named) => found.guided.push(named),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(found))
    }

    /// Makes one run. Returns the methods that its report names.
    fn once(
        &self,
        subject: &Subject,
        column: &Column,
        printed: &mut Option<String>,
    ) -> Result<Result<Named, String>, Failure> {
        let failed = |why: String| Ok(Err(format!("{}: {why}", column.name)));
        match self.laboratory.run(subject, column, printed)? {
            Run::Measured(_) => {}
            Run::TooLong => return failed("it was killed at its limit".to_owned()),
            Run::Failed(why) => return failed(why),
        }
        match Report::read(&self.laboratory.report()) {
            Ok(report) => Ok(Ok(Named::of(&report))),
            Err(why) => failed(why),
        }
    }
}

impl Named {
    fn of(report: &Report) -> Named {
        Named {
            violated: report.violations.iter().map(Method::of).collect(),
            around: report.violations.iter().flat_map(Method::with_those_around).collect(),
            waits_inside: report.waits_inside.iter().map(Method::of).collect(),
            is_incomplete: report.is_incomplete(),
        }
    }
}

impl Found {
    fn has_findings(&self) -> bool {
        self.full.iter().any(|run| !run.violated.is_empty() || !run.waits_inside.is_empty())
    }

    /// Returns the methods, of those that full runs name, that are blocks in the text of a profile.
    fn named_by(&self, profile: &str) -> Vec<String> {
        let named = self.full.iter().flat_map(|run| run.around.iter().chain(&run.waits_inside));
        methods::profiled(named, profile).into_iter().collect()
    }

    fn compared(&self) -> Row {
        let compare = |of: fn(&Named) -> &Vec<Method>| {
            let runs = |runs: &[Named]| runs.iter().map(|run| of(run).clone()).collect::<Vec<_>>();
            let learning = self.learning.as_ref().map_or(&[][..], |run| of(run));
            Comparison::of(&runs(&self.full), &runs(&self.again), learning, &runs(&self.guided), &self.profiled)
        };
        let all = self.full.iter().chain(&self.again).chain(&self.learning).chain(&self.guided);
        Row {
            subject: self.subject.clone(),
            violated: compare(|run| &run.violated),
            around: compare(|run| &run.around),
            waits_inside: compare(|run| &run.waits_inside),
            incomplete: all.filter(|run| run.is_incomplete).count(),
        }
    }
}

impl Results {
    /// Returns the results, by the names of the subjects.
    fn of(conditions: Conditions, runs: u32, found: &[Found], failures: Vec<String>) -> Results {
        let mut sorted: Vec<&Found> = found.iter().collect();
        sorted.sort_by(|a, b| a.subject.cmp(&b.subject));
        let (with, without): (Vec<&Found>, Vec<&Found>) = sorted.into_iter().partition(|found| found.has_findings());
        let subjects: Vec<Row> = with.into_iter().map(Found::compared).collect();
        Results {
            conditions,
            runs,
            is_again: found.iter().any(|found| !found.again.is_empty()),
            violated: methods::Total::of(subjects.iter().map(|row| &row.violated)),
            around: methods::Total::of(subjects.iter().map(|row| &row.around)),
            waits_inside: methods::Total::of(subjects.iter().map(|row| &row.waits_inside)),
            subjects,
            without_findings: without.into_iter().map(|found| found.subject.clone()).collect(),
            failures,
        }
    }
}
