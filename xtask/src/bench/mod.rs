//! `cargo xtask bench`: what watching a program costs, and how much work the agent has.
//!
//! Each subject runs in all configurations in turn, and again for each further pair, so that changes of the machine's
//! speed affect all of them; ratios are taken pair by pair, to the first configuration. A program that prints something
//! else than in that has failed. What failed is among the results, and the bench fails at its end.

mod configurations;
mod figures;
mod jit;
mod measure;
mod progress;
mod results;
mod several;
mod suite;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use configurations::{Column, Configuration, columns};
pub(crate) use figures::median;
use measure::{Laboratory, Run};
use progress::Progress;
use results::{Conditions, Results};

use crate::java::{self, Jvm, Subject, Subjects, Toolchain, dacapo};
use crate::stopwatch::Stopwatch;
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome, dist, files};

/// Stands for the agent of these sources among the jars.
const BUILT: &str = "built";

/// The arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to measure, by the names in benchmarks-dacapo/subjects.json; everything that has the size if none is named.
    #[arg(value_name = "SUBJECT")]
    subjects: Vec<String>,
    /// How many times each runs in each configuration.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    #[command(flatten)]
    suite: dacapo::Given,
    /// The size in the table: 1, 5 (the default) and 20 are about the seconds of a run without the agent; there is also
    /// `small`, the default for a jar of DaCapo.
    #[arg(long)]
    size: Option<String>,
    /// The configurations, by the names in benchmarks-dacapo/configurations.json; ratios are to the first.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "base,off,full")]
    configurations: Vec<String>,
    /// One more configuration: a name for it and the agent's options; repeatable.
    #[arg(long = "with", value_name = "NAME=OPTIONS")]
    given: Vec<String>,
    /// The jar to measure; repeatable, to compare jars. `built` is that of these sources.
    #[arg(long = "agent", value_name = "JAR", default_value = BUILT)]
    agents: Vec<PathBuf>,
    /// How many threads work in each subject, instead of the number in the table.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "dacapo")]
    threads: Option<u32>,
    /// A flag for the JVM, such as -Xmx512m; repeatable.
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    flags: Vec<String>,
    /// The version of Java to run on; that of the JDK that builds, if none is named.
    #[arg(long, value_name = "VERSION")]
    jvm: Option<u32>,
    /// Measure nothing: run every subject small, in one JVM, without the agent and with it, and compare what they print; and a
    /// jar in the manner of DaCapo.
    #[arg(long, conflicts_with_all = ["subjects", "given", "configurations", "size", "pairs", "resume", "dacapo"])]
    check: bool,
    /// Continue a bench that was interrupted: subjects that have all their runs in results.json are not measured again. They must be
    /// of the same commit, machine, JVM and configurations.
    #[arg(long)]
    resume: bool,
    /// After how many seconds a run is killed and counts as too long.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,
}

/// Measures the subjects that are named, or all.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    if arguments.check {
        let toolchain = Toolchain::ensure()?;
        let jars = agents(workspace, &toolchain, &arguments.agents)?;
        let jvm = java::find_jvm(&java::every_jvm(workspace), &toolchain.jdk, arguments.jvm)?;
        return jars.iter().try_for_each(|jar| check(workspace, &toolchain, jar, &jvm));
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
    let built = Subjects::of(workspace);
    built.build(&toolchain, &mut subjects, &Output::Shown)?;
    let folder = scratch(workspace)?;
    let stopwatch = Stopwatch::find(folder.join("time.txt"));
    println!("{}", stopwatch.what());
    let conditions = conditions(workspace, &jvm, arguments);
    let (size, limit) = (size.to_owned(), Duration::from_secs(arguments.limit));
    let flags = jit::FLAGS.iter().map(|flag| (*flag).to_owned()).chain(arguments.flags.clone()).collect();
    let laboratory = Laboratory { subjects: built, java: jvm.java, flags, size, limit, folder, stopwatch };
    let results = if arguments.resume {
        let file = laboratory.folder.join("results.json");
        let fail = |why: String| Failure(format!("{} cannot be continued: {why}", workspace.relative(&file).display()));
        let text = fs::read_to_string(&file).map_err(|e| fail(e.to_string()))?;
        Results::resumed(&text, conditions, &columns).map_err(|Failure(why)| fail(why))?
    } else {
        Results::new(conditions, &columns)
    };
    let results = laboratory.measure(&subjects, &columns, arguments.pairs as usize, results)?;
    println!("\n{}", results.markdown());
    let folder = workspace.relative(&laboratory.folder).display();
    println!("all runs are in {folder}/results.json and results.csv, the tables in {folder}/results.md");
    match results.failures().len() {
        0 => Ok(()),
        failed => Err(Failure(format!("{failed} runs failed"))),
    }
}

impl Arguments {
    /// The size that was asked for, or that is usual.
    fn size(&self) -> &str {
        self.size.as_deref().unwrap_or(if self.suite.is_given() { "small" } else { "5" })
    }
}

/// Runs everything small, without the agent and with it.
pub(crate) fn check(workspace: &Workspace, toolchain: &Toolchain, agent: &Path, jvm: &Jvm) -> Outcome {
    several::run(workspace, toolchain, agent, jvm)?;
    suite::run(workspace, toolchain, agent, jvm)
}

/// The jars to measure; that of these sources is always rebuilt.
fn agents(workspace: &Workspace, toolchain: &Toolchain, jars: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
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

/// The folder that a bench writes into.
fn scratch(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let folder = workspace.target.join("bench");
    fs::create_dir_all(&folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
    Ok(folder)
}

fn conditions(workspace: &Workspace, jvm: &Jvm, arguments: &Arguments) -> Conditions {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    Conditions {
        commit: files::commit(&workspace.root)
            .map(|commit| if files::has_changes(&workspace.root) { format!("{commit} with changes") } else { commit }),
        jvm: jvm.version,
        processor: model.unwrap_or("unknown").to_owned(),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        load: fs::read_to_string("/proc/loadavg").map_or("unknown".to_owned(), |load| load.trim().to_owned()),
        size: arguments.size().to_owned(),
        suite: arguments.suite.shown(),
        flags: arguments.flags.clone(),
        limit_s: arguments.limit,
    }
}

impl Laboratory<'_> {
    /// Measures all subjects; after each, what is known so far is written.
    fn measure(
        &self,
        subjects: &[Subject],
        columns: &[Column],
        pairs: usize,
        mut results: Results,
    ) -> Result<Results, Failure> {
        let left: Vec<&Subject> = subjects.iter().filter(|subject| !results.has(subject, pairs)).collect();
        let mut progress = Progress::new(columns.len(), left.len() * pairs);
        for subject in left {
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

    /// One run in each configuration.
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
            let run = self.run(subject, column, &mut printed)?;
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
