//! `cargo xtask refine`: derives a specification for each measured subject, by runs under the agent.
//!
//! Each is the output of `regiontrack refine`, with the rounds as comments, in `benchmarks-dacapo/specs`. Which methods
//! are violated depends on the schedule, so the specifications of two calls can differ by methods that are rarely
//! violated: `--clean` requires more runs without a violation before the end, `--again` continues with the existing
//! specification.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

use crate::java::{Runtime, Subject, Subjects, Toolchain};
use crate::workspace::{Output, Workspace, shown};
use crate::{Failure, Outcome, dist};

/// The folder of the specifications, relative to the root.
const FOLDER: &str = "benchmarks-dacapo/specs";
/// The default number of consecutive rounds at the end that must find nothing.
const CLEAN: u32 = 2;

/// The arguments of `refine`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The subjects; by default all.
    #[arg(value_name = "SUBJECT")]
    subjects: Vec<String>,
    /// The size of each run.
    #[arg(long, default_value = "small")]
    size: String,
    /// The most rounds.
    #[arg(long, value_name = "N", default_value_t = 40)]
    rounds: u32,
    /// End after this many consecutive rounds without a violation; use more if schedules differ much from run to run.
    #[arg(long, value_name = "N", default_value_t = CLEAN)]
    clean: u32,
    /// Start from the checked-in specifications, and add the methods that these runs violate; existing rules stay, with
    /// their rounds.
    #[arg(long, conflicts_with = "outermost")]
    again: bool,
    /// Exclude all violated methods in each round, inner ones and their callers: the same methods in fewer rounds, for
    /// subjects that run long.
    #[arg(long)]
    nested: bool,
    /// Exclude outermost methods first, as the papers do; the specifications are then only printed.
    #[arg(long, conflicts_with = "nested")]
    outermost: bool,
    /// The JVM; by default that of the JDK used for building.
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
}

/// How a subject is refined.
pub(crate) struct Way<'a> {
    pub(crate) rounds: u32,
    pub(crate) clean: u32,
    /// The command's option that selects the methods a round excludes; `None` for the innermost.
    pub(crate) order: Option<&'a str>,
    /// The specification to start with; `None` for the default one.
    pub(crate) start: Option<&'a Path>,
}

impl Way<'_> {
    /// Starts from the default specification, with innermost methods first.
    pub(crate) fn usual(rounds: u32) -> Way<'static> {
        Way { rounds, clean: CLEAN, order: None, start: None }
    }
}

/// The result for one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refinement {
    pub(crate) subject: String,
    /// False if it was stopped before two runs found nothing.
    pub(crate) has_ended: bool,
    pub(crate) rounds: Vec<Round>,
    /// The number of methods that all rounds excluded.
    pub(crate) taken: usize,
    pub(crate) warnings: usize,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Round {
    /// The number of violated blocks, and the number of methods they belong to.
    pub(crate) violations: u64,
    pub(crate) methods: u64,
    pub(crate) taken: u64,
}

/// Refines the named subjects, or all, one after the other.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    let mut chosen = Subject::of_size(workspace, &arguments.subjects, &arguments.size)?;
    let toolchain = Toolchain::ensure()?;
    dist::run(workspace, &dist::Arguments::optimised())?;
    let subjects = Subjects::of(workspace);
    subjects.build(&toolchain, &mut chosen, &Output::Shown)?;
    let java = arguments.java.clone().unwrap_or_else(|| toolchain.jdk.java());
    let runtime = Runtime { java: &java, flags: &[], agent: None };
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for (number, subject) in (1..).zip(&chosen) {
        println!("\n{number} of {}: {}, {}", chosen.len(), subject.name, subject.what);
        let start = Instant::now();
        let program = subjects.command(&runtime, subject, &arguments.size)?;
        let path = workspace.root.join(FOLDER).join(format!("{}.spec", subject.name));
        let unusable = |e: std::io::Error| Failure(format!("{}: {e}", path.display()));
        let before = arguments.again.then(|| fs::read_to_string(&path).map_err(unusable)).transpose()?;
        let order = match arguments {
            Arguments { nested: true, .. } => Some("--nested"),
            Arguments { outermost: true, .. } => Some("--outermost"),
            _ => None,
        };
        let from = before.as_ref().map(|_| path.as_path());
        let way = Way { rounds: arguments.rounds, clean: arguments.clean, order, start: from };
        let (has_ended, text) = refine(workspace, &way, &program)?;
        println!("  {:.0} s", start.elapsed().as_secs_f64());
        if !has_ended {
            failed.push(subject.name.clone());
        }
        let root = format!("{}/", workspace.root.display());
        let text = text.replace(&java.display().to_string(), "java").replace(&root, "");
        let text = match before {
            Some(before) if !text.is_empty() => continued(&before, &text),
            _ => text,
        };
        rows.push(Refinement::of(&subject.name, &text, has_ended));
        if arguments.outermost {
            println!("{text}");
        } else if !text.is_empty() {
            let written = fs::create_dir_all(workspace.root.join(FOLDER)).and_then(|()| fs::write(&path, text));
            written.map_err(unusable)?;
        }
    }
    println!("\n{}", table(&rows).trim_fmt());
    if failed.is_empty() { Ok(()) } else { Err(Failure(format!("not refined to the end: {}", failed.join(", ")))) }
}

/// Runs the command. Returns whether all rounds were completed, and the specification.
pub(crate) fn refine(workspace: &Workspace, way: &Way, program: &Command) -> Result<(bool, String), Failure> {
    let mut command = Command::new(workspace.root.join("dist").join(dist::COMMAND));
    command
        .current_dir(program.get_current_dir().unwrap_or(&workspace.root))
        .arg("refine")
        .arg("--agent")
        .arg(dist::jar(workspace));
    command.args(["--rounds", &way.rounds.to_string(), "--clean", &way.clean.to_string()]);
    command.args(way.order);
    if let Some(start) = way.start {
        command.arg("--spec").arg(start);
    }
    command.arg("--").arg(program.get_program()).args(program.get_args());
    crate::java::without_options(&mut command);
    let output = command.stderr(Stdio::inherit()).stdin(Stdio::null()).output();
    let output = output.map_err(|e| Failure(format!("`{}` did not start: {e}", shown(&command))))?;
    // Exit code 2 also means an incomplete run; the specification says why.
    let has_ended = matches!(output.status.code(), Some(0 | 1));
    Ok((has_ended, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Returns a re-refined specification in chronological order: the previous one with its rounds, then the new rounds and
/// the rules that they add. The command prints the new rounds above the specification that it starts with.
fn continued(before: &str, after: &str) -> String {
    let (rounds, rules) = after.split_once(before).unwrap_or((after, ""));
    format!("{}\n#\n{rounds}{}\n", before.trim_end(), rules.trim()).trim_end().to_owned() + "\n"
}

impl Refinement {
    /// Reads the figures from the comments of a specification.
    pub(crate) fn of(subject: &str, text: &str, has_ended: bool) -> Refinement {
        let comments = text.lines().filter_map(|line| line.strip_prefix("# "));
        let numbers = |line: &str| line.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>().ok();
        let rounds = comments.filter_map(|line| match numbers(line)?.as_slice() {
            [_, violations, methods, taken, _] => {
                Some(Round { violations: *violations, methods: *methods, taken: *taken })
            }
            _ => None,
        });
        Refinement {
            subject: subject.to_owned(),
            has_ended,
            rounds: rounds.collect(),
            taken: text.lines().filter(|line| line.starts_with("- ")).count(),
            warnings: text.lines().filter(|line| line.starts_with("# warning: ")).count(),
        }
    }

    /// Returns the number of violated blocks in all rounds.
    pub(crate) fn violations(&self) -> u64 {
        self.rounds.iter().map(|round| round.violations).sum()
    }

    /// Returns the number of rounds that found something.
    pub(crate) fn rounds_with_violations(&self) -> usize {
        self.rounds.iter().filter(|round| round.violations > 0).count()
    }
}

fn table(rows: &[Refinement]) -> Table {
    let mut table = Table::new();
    let header = ["subject", "rounds", "violated first", "methods first", "taken out", "warnings"];
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for Refinement { subject, rounds, taken, warnings, .. } in rows {
        let first = |of: fn(&Round) -> u64| rounds.first().map_or(String::new(), |round| of(round).to_string());
        let [count, taken, warnings] = [&rounds.len(), taken, warnings].map(ToString::to_string);
        let (violations, methods) = (first(|round| round.violations), first(|round| round.methods));
        table.add_row([subject, &count, &violations, &methods, &taken, &warnings]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refined_again_keeps_the_rounds_before() {
        let before = "# Refined by regiontrack\n#     1  7  3  2  2\ndefault\n- a.B.c()  # round 1: 4 violations\n";
        let rounds = "# Refined by regiontrack\n#     1  1  1  1  1\n#\n";
        let rule = "- a.B.d()  # round 1: 1 violation\n";
        let text = continued(before, &format!("{rounds}{before}{rule}"));
        assert_eq!(text, format!("{before}#\n{rounds}{rule}"));
        assert_eq!(continued(before, &format!("{rounds}{before}")), format!("{before}#\n{rounds}"));
        let refinement = Refinement::of("some", &text, true);
        assert_eq!((refinement.rounds.len(), refinement.taken, refinement.violations()), (2, 2, 8));
    }

    #[test]
    fn a_row_has_the_figures_of_the_comments() {
        let text = "# Refined by regiontrack, engine reach, from runs of java 1 2 3 4\n#\n\
            # round  dynamic violations  methods violated  taken out  in all\n\
            #     1                   7                 3          2       2\n\
            #     2                   0                 0          0       2\n#\n\
            # warning: a run ended with exit status: 1\ndefault\n- a.B.c()  # round 1: 4 violations\n- a.B.d()\n";
        let round = |violations, methods, taken| Round { violations, methods, taken };
        let expected = Refinement {
            subject: "h2".to_owned(),
            has_ended: true,
            rounds: vec![round(7, 3, 2), round(0, 0, 0)],
            taken: 2,
            warnings: 1,
        };
        let refinement = Refinement::of("h2", text, true);
        assert_eq!((refinement.violations(), refinement.rounds_with_violations()), (7, 1));
        assert_eq!(refinement, expected);
    }
}
