//! `regiontrack refine`: derives an atomicity specification from recorded traces, or from runs of a program, round by
//! round.
//!
//! The output is a specification: the one that the refinement started with, then a rule for each method that was
//! removed. Its comments are the table of the rounds.

mod recorded;
mod result;
mod runs;

use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;

use analysis_core::engine::{BlameClaim, EngineSpec};
use analysis_core::engines;
use analysis_core::spec::Specification;
use analysis_core::spec::refine::{Named, Round, Taken};
use anyhow::{Result, bail};

use crate::Outcome;
use crate::output::{Format, Output};
use crate::reading::{Reading, exclude};
use recorded::Traces;
use result::Refined;
use runs::Runs;

/// The arguments of `refine`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Traces in any format, plain or gzip. Every round analyses all of them.
    // Where the command is excluded, clap does not look at what requires it.
    #[arg(
        long,
        required_unless_present = "command",
        conflicts_with_all = ["command", "agent", "options", "jobs", "profile"],
        num_args = 1..,
        value_name = "TRACE"
    )]
    trace: Vec<PathBuf>,
    /// A program to run under the agent again and again, instead of reading traces: `-- java -jar app.jar`. A command
    /// other than java gets the agent through JAVA_TOOL_OPTIONS. Its output is not shown.
    #[arg(last = true, conflicts_with_all = ["from", "lenient"], value_name = "COMMAND")]
    command: Vec<OsString>,
    #[command(flatten)]
    running: runs::Running,
    /// The specification to start with; by default that of `regiontrack spec --default`.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// Remove this method from the specification to start with; repeatable.
    #[arg(long, value_name = "METHOD")]
    exclude_method: Vec<String>,
    /// The engine to run, which must blame exactly.
    #[arg(long, value_name = "NAME", default_value = engines::default().name)]
    engine: String,
    /// Remove all violated methods at once, inner ones and their callers, instead of the innermost in each round. From
    /// the same traces, the result is the same.
    #[arg(long)]
    nested: bool,
    /// Remove the outermost violated methods in each round, as the papers do. From the same traces, the result is
    /// the same.
    #[arg(long, conflicts_with = "nested")]
    outermost: bool,
    /// Stop after this many rounds even if methods are still violated. The exit code is then 2.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// End after this many rounds in a row without a violation; with --jobs, after as many runs. With --profile, a round
    /// that saw threads share more than the profile knew does not count, because the next one watches more.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    clean: u32,
    /// How to print: a specification with the rounds as comments, or one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    reading: Reading,
}

/// What rounds observe: recorded traces, or runs of a program.
trait Executions {
    /// The names of the executions, for the result.
    fn names(&self) -> Vec<String>;

    /// The number of executions that each round adds: one for traces, which are only read again.
    fn each_round(&self) -> usize;

    /// Does one round, under this specification.
    fn round(&mut self, specification: &Text, number: usize) -> Result<Observed>;
}

/// What a round has observed.
#[derive(Default)]
struct Observed {
    round: Round,
    is_incomplete: bool,
    warnings: Vec<String>,
    /// Whether there was a block to judge, or it is not known whether there was one.
    has_blocks: bool,
    /// Whether a profile guided the round.
    is_guided: bool,
    /// Whether the round has added to the profile.
    has_learnt: bool,
}

/// Refines until nothing is violated.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let engine = crate::engines::find(&arguments.engine)?;
    if engine.claim.blame != BlameClaim::Exact {
        let exact = engines::ENGINES.iter().filter(|spec| spec.claim.blame == BlameClaim::Exact);
        let names: Vec<&str> = exact.map(|spec| spec.name).collect();
        bail!("engine {} does not blame exactly; expected one of {}", engine.name, names.join(", "));
    }
    let start = arguments.spec.as_deref().map(crate::spec::text).transpose()?;
    let name = arguments.spec.as_deref().map_or("the specification".into(), |path| path.display().to_string());
    let start = Text::of(start.as_deref(), &name, &arguments.exclude_method)?;
    let taken = arguments.taken();
    let refinement = if arguments.command.is_empty() {
        let traces = Traces::open(&arguments.trace, &arguments.reading, engine, taken)?;
        arguments.refine(traces, engine, &start, |_| {})
    } else {
        let runs = Runs::of(&arguments.command, &arguments.running, engine, taken)?;
        // A run can take long, so each round is shown when it ends.
        arguments.refine(runs, engine, &start, |line| crate::output::complain(line.trim_start_matches("# ")))
    }?;
    match arguments.format {
        Format::Text => output.print(&refinement.text(&start)),
        Format::Json => output.print(&(serde_json::to_string(&refinement.json())? + "\n")),
    }
    let found = if refinement.is_unblamed() { Outcome::Violated } else { Outcome::Clean };
    Ok(found.max(if refinement.is_incomplete { Outcome::Failed } else { Outcome::Clean }))
}

impl Arguments {
    fn taken(&self) -> Taken {
        match (self.nested, self.outermost) {
            (true, _) => Taken::All,
            (_, true) => Taken::Outermost,
            _ => Taken::Innermost,
        }
    }

    fn refine(
        &self,
        mut executions: impl Executions,
        engine: &'static EngineSpec,
        start: &Text,
        mut tell: impl FnMut(&str),
    ) -> Result<Refined> {
        let mut refined = Refined::of(engine.name, executions.names());
        let mut is_guided = true;
        let wanted = (self.clean as usize).div_ceil(executions.each_round());
        tell(result::HEADING);
        while refined.clean_rounds() < wanted {
            if self.rounds.is_some_and(|most| refined.rounds.len() >= most as usize) {
                refined.is_incomplete = true;
                let what =
                    if refined.ends_clean() { "too few clean ones" } else { "methods were still violated in the last" };
                refined
                    .warnings
                    .push(format!("stopped after {} rounds, as --rounds says; {what}", refined.rounds.len()));
                break;
            }
            let number = refined.rounds.len() + 1;
            let observed = executions.round(&start.without(&refined.taken)?, number)?;
            // Later rounds may have removed all blocks, and a guided one need not watch any.
            let is_empty = number == 1 && !observed.has_blocks && !observed.is_guided;
            let Observed { round, warnings, has_learnt, .. } = observed;
            is_guided &= observed.is_guided;
            refined.is_incomplete |= observed.is_incomplete || is_empty;
            refined.warn(warnings);
            refined.warn(is_empty.then(|| result::NO_BLOCK.to_owned()).into_iter().collect());
            let before = refined.taken.len();
            for method in round.taken() {
                if refined.taken.iter().any(|known| known.method == *method) {
                    bail!("'- {}' takes no block out: its label cannot be written in a rule", method.selector());
                }
                let violations = round.methods[method].violations;
                refined.taken.push(Taking { method: method.clone(), round: number, violations });
            }
            debug_assert!(round.is_clean() || refined.taken.len() > before, "a round with violations takes some out");
            refined.add(round, has_learnt);
            tell(&refined.last_row());
            if refined.last_is_learning() {
                tell(&format!("# {number:>5}: {}", result::LEARNING));
            }
        }
        if is_guided && !refined.has_found() {
            refined.is_incomplete = true;
            let undecided = "no run watched everything, so that nothing was violated is undecided; see --profile";
            refined.warn(vec![undecided.to_owned()]);
        }
        Ok(refined)
    }
}

/// A specification as text, in the grammar of specifications.
struct Text {
    text: String,
    /// Its name in error messages.
    name: String,
}

impl Text {
    /// The specification of a file, which may be a list of exclusions, or the default one; without the excluded
    /// methods.
    fn of(text: Option<&str>, name: &str, excluded: &[String]) -> Result<Text> {
        exclude(&mut Specification::default_rules(), excluded)?;
        let imported = text.and_then(|text| analysis_core::spec::list::import(text, name)).transpose()?;
        let mut text = imported.map_or_else(|| text.unwrap_or("default\n").to_owned(), |imported| imported.text);
        for method in excluded {
            _ = write!(text, "{}- {method}", if text.ends_with('\n') { "" } else { "\n" });
            text.push('\n');
        }
        Ok(Text { text, name: name.to_owned() })
    }

    /// The specification without these methods.
    fn without(&self, taken: &[Taking]) -> Result<Text> {
        let text = Text { text: self.text.clone() + "\n" + &rules(taken), name: self.name.clone() };
        text.parse()?;
        Ok(text)
    }

    fn parse(&self) -> Result<Specification> {
        Ok(Specification::parse(&self.text, &self.name)?)
    }
}

/// A method that was removed from the specification.
struct Taking {
    method: Named,
    round: usize,
    violations: u64,
}

/// The rules that remove methods, each with the reason.
fn rules(taken: &[Taking]) -> String {
    taken.iter().fold(String::new(), |mut text, Taking { method, round, violations }| {
        let plural = if *violations == 1 { "" } else { "s" };
        _ = writeln!(text, "- {}  # round {round}: {violations} violation{plural}", method.selector());
        text
    })
}
