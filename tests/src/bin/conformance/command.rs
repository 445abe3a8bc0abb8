//! Runs `regiontrack check` on files and reads its JSON lines.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use analysis_core::engine::EngineSpec;
use analysis_core::event::{Event, ThreadId};
use regiontrack_tests::compare::{Answer, Blame};
use regiontrack_tests::text;

/// The command under test.
pub(crate) struct Command {
    program: PathBuf,
    engines: Vec<&'static EngineSpec>,
    /// Each run writes its traces to a folder of its own in here.
    folder: PathBuf,
    runs: AtomicU64,
}

/// The answer about one trace from one engine, or what the command printed instead.
type Outcome = Result<Answer, String>;

impl Command {
    pub(crate) fn new(program: Option<PathBuf>, engines: Vec<&'static EngineSpec>, folder: &Path) -> Result<Command> {
        let program = match program {
            Some(program) => program,
            None => std::env::current_exe()?.with_file_name(format!("regiontrack{}", std::env::consts::EXE_SUFFIX)),
        };
        ensure!(
            program.is_file(),
            "no command at {}; build it with `cargo build` or name it with --command",
            program.display()
        );
        Ok(Command { program, engines, folder: folder.to_owned(), runs: AtomicU64::new(0) })
    }

    pub(crate) fn engines(&self) -> &[&'static EngineSpec] {
        &self.engines
    }

    /// Returns, for each trace, the answer of each engine, in order.
    pub(crate) fn judge(&self, traces: &[Vec<Event>]) -> Result<Vec<Vec<Outcome>>> {
        self.run(&self.engines, traces)
    }

    /// Returns the answer of one engine about one trace.
    pub(crate) fn judge_one(&self, engine: &'static EngineSpec, trace: &[Event]) -> Result<Outcome> {
        let mut outcomes = self.run(&[engine], &[trace.to_vec()])?;
        outcomes.pop().and_then(|mut of_trace| of_trace.pop()).context("an outcome for each trace and engine")
    }

    fn run(&self, engines: &[&'static EngineSpec], traces: &[Vec<Event>]) -> Result<Vec<Vec<Outcome>>> {
        let folder = self.folder.join(self.runs.fetch_add(1, Ordering::Relaxed).to_string());
        std::fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let files = (0..traces.len()).map(|number| folder.join(format!("{number}.std"))).collect::<Vec<_>>();
        for (file, trace) in files.iter().zip(traces) {
            std::fs::write(file, text::to_std(trace)).with_context(|| format!("cannot write {}", file.display()))?;
        }
        let names: Vec<&str> = engines.iter().map(|engine| engine.name).collect();
        let output = process::Command::new(&self.program)
            .args(["check", "--engine", &names.join(","), "--format", "json"])
            .args(&files)
            .output()
            .with_context(|| format!("cannot run {}", self.program.display()))?;
        let outcomes = outcomes(engines, &files, traces, &output)?;
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
        Ok(outcomes)
    }
}

fn outcomes(
    engines: &[&'static EngineSpec],
    files: &[PathBuf],
    traces: &[Vec<Event>],
    output: &process::Output,
) -> Result<Vec<Vec<Outcome>>> {
    let errors = first_lines(&String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout.clone()).context("the output is not UTF-8")?;
    let mut by_trace_and_engine: HashMap<(String, String), Value> = HashMap::new();
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).with_context(|| format!("not a line of JSON: {line}"))?;
        let field =
            |name: &str| value[name].as_str().map(str::to_owned).with_context(|| format!("no `{name}`: {line}"));
        let earlier = by_trace_and_engine.insert((field("trace")?, field("engine")?), value.clone());
        ensure!(earlier.is_none(), "two lines for one trace and engine: {line}");
    }
    let outcome = |file: &Path, trace: &[Event], engine: &EngineSpec| -> Outcome {
        let key = (file.display().to_string(), engine.name.to_owned());
        let value =
            by_trace_and_engine.get(&key).ok_or_else(|| format!("no line of output; standard error: {errors}"))?;
        answer(value, trace).map_err(|error| format!("{error:#} in {value}"))
    };
    let outcomes: Vec<Vec<Outcome>> = files
        .iter()
        .zip(traces)
        .map(|(file, trace)| engines.iter().map(|engine| outcome(file, trace, engine)).collect())
        .collect();
    check_exit_code(output.status, &outcomes, &errors)?;
    Ok(outcomes)
}

/// The first lines of standard error, enough to know what happened.
fn first_lines(errors: &str) -> String {
    errors.lines().take(3).collect::<Vec<_>>().join("; ")
}

/// Checks the exit code: 0 if everything is serializable, 1 if something is not, 2 if something went wrong.
fn check_exit_code(status: process::ExitStatus, outcomes: &[Vec<Outcome>], errors: &str) -> Result<()> {
    let mut all = outcomes.iter().flatten();
    let expected = match () {
        () if all.clone().any(|outcome| outcome.is_err()) => return Ok(()),
        () => i32::from(all.any(|outcome| outcome.as_ref().is_ok_and(|answer| answer.first_event.is_some()))),
    };
    if status.code() != Some(expected) {
        bail!("{status}, but its answers mean exit code {expected}; standard error: {errors}");
    }
    Ok(())
}

/// Parses the answer in one line of output.
fn answer(line: &Value, trace: &[Event]) -> Result<Answer> {
    ensure!(line["schema"] == 1, "`schema` is not 1");
    ensure!(line["events"] == trace.len(), "`events` is not {}", trace.len());
    let first_event = match &line["first_event"] {
        Value::Null => None,
        number => Some(number.as_u64().context("`first_event` is not a number")?),
    };
    let expected = match first_event {
        Some(_) => "non-serializable",
        None if line["suspected"].is_array() => "undecided",
        None => "serializable",
    };
    ensure!(line["verdict"] == expected, "`verdict` and `first_event` contradict each other");
    let list = if line["suspected"].is_array() { "suspected" } else { "violations" };
    let violations = line[list].as_array().with_context(|| format!("`{list}` is not a list"))?;
    let violated = violations.iter().map(blame).collect::<Result<Vec<Blame>>>()?;
    Ok(Answer { first_event, violated })
}

fn blame(violation: &Value) -> Result<Blame> {
    let number = |name: &str| violation[name].as_u64().with_context(|| format!("`{name}` is not a number"));
    let thread = violation["thread"].as_str().and_then(|name| name.strip_prefix('T')?.parse().ok());
    Ok(Blame {
        thread: ThreadId(thread.context("`thread` is not T and a number")?),
        begin: number("begin")?,
        event: number("event")?,
        depth: u32::try_from(number("depth")?).context("`depth`")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses the line of a trace of twelve events, with one thing changed.
    fn read(from: &str, to: &str) -> Result<Answer> {
        let line = r#"{"schema":1,"trace":"a.std","engine":"e","events":12,"threads":3,"verdict":"non-serializable",
            "first_event":7,"violations":[{"begin":2,"event":7,"method":"m1","thread":"T1","depth":0,"other_event":6}],
            "warnings":[]}"#;
        assert!(line.contains(from));
        let trace = text::read(&"T0|r(x) ".repeat(12)).expect("readable").events;
        answer(&serde_json::from_str(&line.replace(from, to)).expect("JSON"), &trace)
    }

    #[test]
    fn a_line_of_output_is_an_answer() {
        let blame = Blame { thread: ThreadId(1), begin: 2, event: 7, depth: 0 };
        assert_eq!(read("T1", "T1").expect("an answer"), Answer { first_event: Some(7), violated: vec![blame] });
        let nothing = read(r#""first_event":7"#, r#""first_event":null"#);
        assert!(nothing.is_err(), "non-serializable from nowhere on");
    }

    #[test]
    fn a_line_that_breaks_the_contract_is_no_answer() {
        for (from, to) in [
            ("\"schema\":1", "\"schema\":2"),
            ("12", "13"),
            ("non-serializable", "serializable"),
            ("non-serializable", "incomplete"),
            ("T1", "main"),
            ("\"depth\":0", "\"depth\":-1"),
            ("\"begin\":2,", ""),
        ] {
            assert!(read(from, to).is_err(), "{from} -> {to}");
        }
    }
}
