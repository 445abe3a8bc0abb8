//! `cargo xtask bench`: measures the cost of watching a program, and the work of the agent.
//!
//! Each subject runs in all configurations in turn, and again for each further pair, so that changes of the machine's
//! speed affect all of them; ratios are taken pair by pair, to the first configuration. A program whose output differs
//! from that of the first configuration has failed. Failures are among the results, and make the bench fail at its end.

mod conditions;
mod configurations;
mod figures;
mod guided;
mod jit;
mod measure;
mod progress;
mod results;
mod several;
mod suite;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) use conditions::Conditions;
pub(crate) use configurations::{Column, Configuration, columns};
pub(crate) use figures::{Spread, confidence, geometric_mean, median};
pub(crate) use measure::{Laboratory, Run};
use progress::Progress;
pub(crate) use progress::shown_seconds;
pub(crate) use results::{Results, Summary, empty};

use crate::java::{self, Jvm, Subject, Subjects, Toolchain, suites};
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome, dist};

/// Stands for the agent built from these sources, among the jars.
pub(crate) const BUILT: &str = "built";

/// The arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to measure, by the names in benchmarks-dacapo/subjects.json; by default everything that has the size.
    #[arg(value_name = "SUBJECT")]
    subjects: Vec<String>,
    /// The number of runs of each subject in each configuration.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    #[command(flatten)]
    suite: suites::Given,
    /// The size in the table: 1, 5 (the default) and 20 are about the seconds of a run without the agent; there is also
    /// `small`, the default for a DaCapo jar. Java Grande's sizes are A, the default there, B and C.
    #[arg(long)]
    size: Option<String>,
    /// The configurations, by the names in benchmarks-dacapo/configurations.json; ratios are to the first.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "base,off,full")]
    configurations: Vec<String>,
    /// An additional configuration: a name for it and the agent's options; repeatable.
    #[arg(long = "with", value_name = "NAME=OPTIONS")]
    given: Vec<String>,
    /// The jar to measure; repeatable, to compare jars. `built` is the one built from these sources.
    #[arg(long = "agent", value_name = "JAR", default_value = BUILT)]
    agents: Vec<PathBuf>,
    /// The number of working threads in each subject, instead of the number in the table.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "dacapo")]
    threads: Option<u32>,
    /// A flag for the JVM, such as -Xmx512m; repeatable.
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    /// The version of Java to run on; by default that of the JDK used for building.
    #[arg(long, value_name = "VERSION")]
    jvm: Option<u32>,
    /// Measure nothing: run every subject in its small size, in one JVM, without the agent and with it, and compare the
    /// output; also a jar that is structured like DaCapo.
    #[arg(long, conflicts_with_all = ["subjects", "given", "configurations", "size", "pairs", "resume", "suite"])]
    check: bool,
    /// Continue an interrupted bench: subjects that have all their runs in results.json are not measured again. Commit,
    /// machine, JVM and configurations must be the same.
    #[arg(long)]
    resume: bool,
    /// The time limit in seconds: a run that takes longer is killed and counts as too long.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,
}

/// Measures the named subjects, or all.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    if arguments.check {
        let toolchain = Toolchain::ensure()?;
        let jars = agents(workspace, &toolchain, &arguments.agents)?;
        let jvm = java::find_jvm(&java::every_jvm(workspace), &toolchain.jdk, arguments.jvm)?;
        return jars.iter().try_for_each(|jar| check(workspace, &toolchain, jar, &jvm, true));
    }
    let size = arguments.size();
    let toolchain = Toolchain::ensure()?;
    let of_suite = arguments.suite.subjects(workspace, &toolchain.jdk, &arguments.subjects, size)?;
    let mut subjects = match of_suite {
        Some(subjects) => subjects,
        None => Subject::of_size(workspace, &arguments.subjects, size)?,
    };
    if let Some(threads) = arguments.threads {
        subjects.iter_mut().for_each(|subject| subject.threads = threads);
    }
    let configurations = Configuration::chosen(&workspace.root, &arguments.configurations, &arguments.given)?;
    let jvm = java::find_jvm(&java::every_jvm(workspace), &toolchain.jdk, arguments.jvm)?;
    let columns = columns(&configurations, &agents(workspace, &toolchain, &arguments.agents)?);
    Subjects::of(workspace).build(&toolchain, &mut subjects, &Output::Shown)?;
    let conditions = Conditions {
        suite: arguments.suite.shown(),
        flags: arguments.flags.clone(),
        limit_s: arguments.limit,
        ..Conditions::of(workspace, &jvm, size)
    };
    let bench = Bench {
        workspace,
        java: &jvm.java,
        subjects: &subjects,
        columns: &columns,
        pairs: arguments.pairs as usize,
        folder: scratch(workspace)?,
        is_resumed: arguments.resume,
        deadline: None,
    };
    let results = bench.run(conditions)?;
    println!("\n{}", results.markdown());
    let folder = workspace.relative(&bench.folder).display();
    println!("all runs are in {folder}/results.json and results.csv, the tables in {folder}/results.md");
    match results.failures().len() {
        0 => Ok(()),
        failed => Err(Failure(format!("{failed} runs failed"))),
    }
}

/// A bench whose subjects are built.
pub(crate) struct Bench<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) java: &'a Path,
    pub(crate) subjects: &'a [Subject],
    pub(crate) columns: &'a [Column],
    pub(crate) pairs: usize,
    /// The folder of the results, which are written after each subject.
    pub(crate) folder: PathBuf,
    /// Whether existing results are to be completed.
    pub(crate) is_resumed: bool,
    /// No subject is started after this time.
    pub(crate) deadline: Option<Instant>,
}

impl Bench<'_> {
    /// Measures what has not been measured yet.
    pub(crate) fn run(&self, conditions: Conditions) -> Result<Results, Failure> {
        let failed = |file: &Path, why: &str| Failure(format!("{}: {why}", self.workspace.relative(file).display()));
        fs::create_dir_all(&self.folder).map_err(|e| failed(&self.folder, &e.to_string()))?;
        let limit = Duration::from_secs(conditions.limit_s);
        let mut laboratory = Laboratory::new(self.workspace, self.java, &conditions.size, limit, &self.folder);
        laboratory.flags.extend(conditions.flags.clone());
        println!("{}", laboratory.stopwatch.what());
        let file = self.folder.join("results.json");
        let results = match fs::read_to_string(&file) {
            Ok(text) if self.is_resumed => Results::resumed(&text, conditions, self.columns)
                .map_err(|Failure(why)| failed(&file, &format!("cannot be continued: {why}")))?,
            _ => Results::new(conditions, self.columns),
        };
        laboratory.measure(self, results)
    }
}

impl Arguments {
    /// Returns the requested size, or the default.
    fn size(&self) -> &str {
        self.size.as_deref().or(self.suite.usual_size()).unwrap_or("5")
    }
}

/// Runs everything small, without the agent and with it; subjects that are released programs only if `full`.
pub(crate) fn check(workspace: &Workspace, toolchain: &Toolchain, agent: &Path, jvm: &Jvm, full: bool) -> Outcome {
    several::run(workspace, toolchain, agent, jvm, full)?;
    suite::run(workspace, toolchain, agent, jvm)
}

/// Returns the jars to measure; the one of these sources is always rebuilt.
pub(crate) fn agents(workspace: &Workspace, toolchain: &Toolchain, jars: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let jar = |jar: &PathBuf| {
        if jar == Path::new(BUILT) {
            return dist::agent(workspace, toolchain, false);
        }
        std::path::absolute(jar)
            .ok()
            .filter(|jar| jar.is_file())
            .ok_or_else(|| Failure(format!("there is no agent {}", jar.display())))
    };
    jars.iter().map(jar).collect()
}

/// Returns the folder into which a bench writes.
fn scratch(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let folder = workspace.target.join("bench");
    fs::create_dir_all(&folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
    Ok(folder)
}

impl Laboratory<'_> {
    /// Measures all subjects, and writes the results so far after each.
    fn measure(&self, bench: &Bench, mut results: Results) -> Result<Results, Failure> {
        let Bench { columns, pairs, .. } = *bench;
        let left: Vec<&Subject> = bench.subjects.iter().filter(|subject| !results.has(subject, pairs)).collect();
        let mut progress = Progress::new(columns.len(), left.len() * pairs);
        for subject in left {
            if bench.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            let mut runs = vec![Vec::new(); columns.len()];
            for pair in 1..=pairs {
                self.pair(subject, columns, pair, &mut runs, &mut progress)?;
            }
            results.add(subject, runs);
            self.write("results.md", &results.markdown())?;
            self.write("results.csv", &results.csv())?;
            self.write("results.json", &serde_json::to_string_pretty(&results).expect("results are plain data"))?;
        }
        Ok(results)
    }

    /// Makes one run in each configuration.
    fn pair(
        &self,
        subject: &Subject,
        columns: &[Column],
        pair: usize,
        runs: &mut [Vec<Run>],
        progress: &mut Progress,
    ) -> Outcome {
        let mut printed: Option<String> = None;
        for (at, column) in columns.iter().enumerate() {
            let name = format!("{}, pair {pair}, {}", subject.name, column.name);
            // A run that took too long once would do so again.
            let is_too_long = runs[at].last() == Some(&Run::TooLong);
            let run = if is_too_long { Run::TooLong } else { self.run(subject, column, &mut printed)? };
            println!("{}", progress.ended(at, &name, &run, self.limit));
            runs[at].push(run);
        }
        Ok(())
    }

    fn write(&self, name: &str, text: &str) -> Outcome {
        let file = self.folder.join(name);
        fs::write(&file, text).map_err(|e| Failure(format!("{}: {e}", file.display())))
    }
}
