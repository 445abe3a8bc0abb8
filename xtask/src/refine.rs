//! `cargo xtask refine`: a specification for each subject of the measurements, by runs under the agent.
//!
//! Each is what `regiontrack refine` prints, with the rounds as comments, in `benchmarks-dacapo/specs`. Which methods are
//! violated depends on the schedule, so the specifications of two calls can differ by methods that are rarely violated.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use comfy_table::{CellAlignment, Table, presets};

use crate::java::{Runtime, Subject, Subjects, Toolchain};
use crate::workspace::{Output, Workspace, shown};
use crate::{Failure, Outcome, dist};

/// Where the specifications are, seen from the root.
const FOLDER: &str = "benchmarks-dacapo/specs";

/// What `refine` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// For which subjects; for all if none is named.
    #[arg(value_name = "SUBJECT")]
    subjects: Vec<String>,
    /// How much each run does.
    #[arg(long, default_value = "small")]
    size: String,
    /// The most rounds.
    #[arg(long, value_name = "N", default_value_t = 40)]
    rounds: u32,
    /// Remove outermost methods first, as the papers do; the specifications are only printed then.
    #[arg(long)]
    outermost: bool,
    /// The JVM; by default that of the JDK which builds.
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
}

/// The result for one subject.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: String,
    rounds: usize,
    /// How many blocks were violated in the first round, and how many methods they belong to.
    violations: String,
    methods: String,
    /// How many methods all rounds took out.
    taken: usize,
    warnings: usize,
}

/// Refines the subjects that are named, or all, one after the other.
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
        let (has_ended, text) = refine(workspace, arguments, &program)?;
        println!("  {:.0} s", start.elapsed().as_secs_f64());
        if !has_ended {
            failed.push(subject.name.clone());
        }
        let root = format!("{}/", workspace.root.display());
        let text = text.replace(&java.display().to_string(), "java").replace(&root, "");
        rows.push(Row::of(&subject.name, &text));
        if arguments.outermost {
            println!("{text}");
        } else if !text.is_empty() {
            let path = workspace.root.join(FOLDER).join(format!("{}.spec", subject.name));
            let written = fs::create_dir_all(workspace.root.join(FOLDER)).and_then(|()| fs::write(&path, text));
            written.map_err(|e| Failure(format!("{}: {e}", path.display())))?;
        }
    }
    println!("\n{}", table(&rows).trim_fmt());
    if failed.is_empty() { Ok(()) } else { Err(Failure(format!("not refined to the end: {}", failed.join(", ")))) }
}

/// Runs the command. Returns whether all rounds were completed, and the specification.
fn refine(workspace: &Workspace, arguments: &Arguments, program: &Command) -> Result<(bool, String), Failure> {
    let mut command = Command::new(workspace.root.join("dist").join(dist::COMMAND));
    command
        .current_dir(program.get_current_dir().unwrap_or(&workspace.root))
        .arg("refine")
        .arg("--agent")
        .arg(dist::jar(workspace));
    command.args(["--rounds", &arguments.rounds.to_string()]);
    if arguments.outermost {
        command.arg("--outermost");
    }
    command.arg("--").arg(program.get_program()).args(program.get_args());
    crate::java::without_options(&mut command);
    let output = command.stderr(Stdio::inherit()).stdin(Stdio::null()).output();
    let output = output.map_err(|e| Failure(format!("`{}` did not start: {e}", shown(&command))))?;
    // Exit code 2 also means an incomplete run; the specification says why.
    let has_ended = matches!(output.status.code(), Some(0 | 1));
    Ok((has_ended, String::from_utf8_lossy(&output.stdout).into_owned()))
}

impl Row {
    /// Reads the figures from the comments of a specification.
    fn of(name: &str, text: &str) -> Row {
        let rounds = text.lines().filter_map(|line| line.strip_prefix("# "));
        let rounds: Vec<Vec<&str>> = rounds.map(|line| line.split_whitespace().collect()).collect();
        let rounds: Vec<&Vec<&str>> =
            rounds.iter().filter(|row| row.len() == 5 && row.iter().all(|word| word.parse::<u64>().is_ok())).collect();
        let first = |column: usize| rounds.first().map_or(String::new(), |row| row[column].to_owned());
        Row {
            name: name.to_owned(),
            rounds: rounds.len(),
            violations: first(1),
            methods: first(2),
            taken: text.lines().filter(|line| line.starts_with("- ")).count(),
            warnings: text.lines().filter(|line| line.starts_with("# warning: ")).count(),
        }
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    let header = ["subject", "rounds", "violated first", "methods first", "taken out", "warnings"];
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for Row { name, rounds, violations, methods, taken, warnings } in rows {
        let [rounds, taken, warnings] = [rounds, taken, warnings].map(ToString::to_string);
        table.add_row([name, &rounds, violations, methods, &taken, &warnings]);
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
    fn a_row_has_the_figures_of_the_comments() {
        let text = "# Refined by regiontrack, engine reach, from runs of java 1 2 3 4\n#\n\
            # round  dynamic violations  methods violated  taken out  in all\n\
            #     1                   7                 3          2       2\n\
            #     2                   0                 0          0       2\n#\n\
            # warning: a run ended with exit status: 1\ndefault\n- a.B.c()  # round 1: 4 violations\n- a.B.d()\n";
        let expected = Row {
            name: "h2".to_owned(),
            rounds: 2,
            violations: "7".to_owned(),
            methods: "3".to_owned(),
            taken: 2,
            warnings: 1,
        };
        assert_eq!(Row::of("h2", text), expected);
    }
}
