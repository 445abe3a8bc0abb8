//! `regiontrack tso simulate`: runs a small program with store buffers.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use analysis_core::event::{Event, Op};
use analysis_core::trace::{Format, TraceWriter};
use analysis_core::tso::program::{Memory, Program};
use analysis_core::tso::{self, Algorithm};
use anyhow::{Context, Result, anyhow};

use crate::Outcome;
use crate::output::Output;

/// The arguments of `tso simulate`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The program: shared variables and threads, as docs/tso.md describes them.
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,
    /// The seed of the random execution to make.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "all")]
    seed: u64,
    /// Make all executions, and count those that are not serializable.
    #[arg(long)]
    all: bool,
    /// The most executions to make with --all.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, requires = "all")]
    most: u64,
    /// Commit every write at once, as under sequential consistency.
    #[arg(long)]
    without_buffers: bool,
    /// Omit commits, so that the traces leave their executions open.
    #[arg(long)]
    without_commits: bool,
    /// The trace to write, in the format of its name; - is standard output, in STD. With --all, a folder for a trace of
    /// each execution; without it, --all writes no traces.
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// Makes one execution, or all.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let path = arguments.program.display();
    let text = std::fs::read_to_string(&arguments.program).with_context(|| format!("{path}: cannot be read"))?;
    let program = Program::parse(&text).map_err(|error| anyhow!("{path}:{error}"))?;
    if arguments.all { all(arguments, &program, output) } else { one(arguments, &program) }
}

impl Arguments {
    fn memory(&self) -> Memory {
        if self.without_buffers { Memory::Immediate } else { Memory::Buffered }
    }

    /// The events of an execution that are written.
    fn written(&self, events: &[Event]) -> Vec<Event> {
        let is_left = |event: &&Event| !self.without_commits || !matches!(event.op, Op::Commit(_));
        events.iter().filter(is_left).copied().collect()
    }
}

fn one(arguments: &Arguments, program: &Program) -> Result<Outcome> {
    let events = arguments.written(&program.random(arguments.memory(), arguments.seed));
    let target = arguments.output.as_deref().unwrap_or(Path::new("-"));
    write(target, Format::of_path(target).unwrap_or(Format::fallback()), &events, program)?;
    Ok(Outcome::Clean)
}

/// The counts over all executions.
#[derive(Default)]
struct Counts {
    executions: u64,
    violating: u64,
    not_robust: u64,
    is_cut: bool,
    failure: Option<anyhow::Error>,
}

fn all(arguments: &Arguments, program: &Program, output: &mut Output) -> Result<Outcome> {
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    }
    let (mut counts, mut traces) = (Counts::default(), HashSet::new());
    program.executions(arguments.memory(), &mut |events| {
        if counts.executions == arguments.most {
            counts.is_cut = true;
            return true;
        }
        counts.executions += 1;
        counts.judge(events, arguments.memory());
        let written = arguments.written(events);
        if traces.insert(without_commits(events)) || !arguments.without_commits {
            let number = if arguments.without_commits { traces.len() as u64 } else { counts.executions };
            counts.failure = save(arguments, number, &written, program).err();
        }
        counts.failure.is_some()
    });
    if let Some(failure) = counts.failure {
        return Err(failure);
    }
    let Counts { executions, violating, not_robust, is_cut, .. } = counts;
    let name = arguments.program.display();
    output.print(&format!(
        "{name}: {executions} executions of {} traces: {violating} not serializable, {not_robust} not robust\n",
        traces.len()
    ));
    if is_cut {
        output.complain(&format!("{name}: there are more executions; allow more with --most"));
        return Ok(Outcome::Failed);
    }
    Ok(if violating > 0 { Outcome::Violated } else { Outcome::Clean })
}

impl Counts {
    /// Judges an execution. If every write is committed at once, the events have no commits: each is inserted behind
    /// its issue.
    fn judge(&mut self, events: &[Event], memory: Memory) {
        let execution = match memory {
            Memory::Buffered => events.to_vec(),
            Memory::Immediate => events.iter().flat_map(|event| committed(*event)).collect(),
        };
        if tso::has_commits(&execution) {
            let finds = |algorithm: &Algorithm| algorithm.check(&execution, tso::WORK).is_violation();
            self.violating += u64::from(finds(tso::default_for(&execution)));
            self.not_robust += u64::from(finds(tso::robustness()));
        }
    }
}

fn committed(event: Event) -> impl Iterator<Item = Event> {
    let commit = match event.op {
        Op::Write(x) => Some(Event::new(event.thread, Op::Commit(x))),
        _ => None,
    };
    std::iter::once(event).chain(commit)
}

fn without_commits(events: &[Event]) -> Vec<Event> {
    events.iter().filter(|event| !matches!(event.op, Op::Commit(_))).copied().collect()
}

fn save(arguments: &Arguments, number: u64, events: &[Event], program: &Program) -> Result<()> {
    let Some(folder) = &arguments.output else { return Ok(()) };
    write(&folder.join(format!("{number:06}.std")), Format::fallback(), events, program)
}

fn write(path: &Path, format: &Format, events: &[Event], program: &Program) -> Result<()> {
    let mut writer = TraceWriter::create(path, format)?;
    for (number, event) in (1u64..).zip(events) {
        writer.write(*event, &program.symbols, &number.to_string())?;
    }
    Ok(writer.finish()?)
}
