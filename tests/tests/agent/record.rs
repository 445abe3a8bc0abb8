//! Binary traces of programs: the recorded trace agrees with the run's report, and a killed program leaves a readable
//! prefix.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use analysis_core::engines;
use analysis_core::trace::input::Input;
use analysis_core::trace::{Format, Mode, TraceReader, TraceWriter};
use serde_json::Value;

use crate::machine::{Jvm, class_of, on_newest_jvm, on_two_jvms, programs};
use crate::recorded::{self, Violated};

/// The default engine's answer for a trace.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    events: u64,
    is_non_serializable: bool,
    violated: Violated,
    warnings: Vec<String>,
    is_incomplete: bool,
}

fn answer(file: &Path) -> Result<Answer, String> {
    let input = Input::open(file).map_err(|e| e.to_string())?;
    let mut reader = TraceReader::open(&input, Mode::Strict).map_err(|e| e.to_string())?;
    let mut engine = (engines::default().build)();
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch, 1 << 14).map_err(|e| e.to_string())? > 0 {
        engine.feed(&batch);
    }
    let mut violated = Violated::new();
    for violation in &engine.findings().violations {
        let method = reader.symbols().label(violation.label).map_or(String::new(), |name| name.to_string());
        *violated.entry(method).or_default() += 1;
    }
    Ok(Answer {
        events: reader.events(),
        is_non_serializable: engine.findings().is_non_serializable(),
        violated,
        warnings: reader.diagnostics().warnings(),
        is_incomplete: reader.diagnostics().is_incomplete(),
    })
}

/// Converts a trace file as `regiontrack convert` does.
fn convert(from: &Path, to: &Path) -> Result<(), String> {
    let input = Input::open(from).map_err(|e| e.to_string())?;
    let mut reader = TraceReader::open_located(&input, Mode::Strict).map_err(|e| e.to_string())?;
    let mut writer = TraceWriter::create(to, Format::fallback()).map_err(|e| e.to_string())?;
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch, 1).map_err(|e| e.to_string())? > 0 {
        let location = reader.written().location.into_owned();
        writer.write(batch[0], reader.symbols(), &location).map_err(|e| e.to_string())?;
    }
    writer.finish().map_err(|e| e.to_string())
}

/// Records a run and checks the trace against the run's report.
fn check(jvm: &Jvm, class: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [binary, text, report] = ["run.rtb", "run.std", "report.json"].map(|name| folder.path().join(name));
    let options = format!("exclude=schedule.*,format=json,report={},record={}", report.display(), binary.display());
    let run = jvm.run_small(Some(&options), &[class]);
    let said = std::fs::read_to_string(&report).map_err(|e| format!("no report: {e}; {run:?}"))?;
    let report: Value = serde_json::from_str(&said).map_err(|e| format!("{e} in {said}"))?;
    convert(&binary, &text)?;
    let found = answer(&binary)?;
    if found != answer(&text)? {
        return Err(format!("{found:?} in binary is {:?} in text", answer(&text)?));
    }
    let is_same = found.is_non_serializable == (report["verdict"] == "non-serializable")
        && found.violated == recorded::violated(&report)
        && found.events >= report["stats"]["events"]["recorded"].as_u64().unwrap_or(u64::MAX)
        && !found.is_incomplete;
    if is_same { Ok(()) } else { Err(format!("{found:?}, but the report is {said}")) }
}

#[test]
fn a_binary_trace_has_the_answer_of_the_run_that_recorded_it_also_as_text() {
    on_newest_jvm(|jvm| {
        let sources = ["violating", "atomic"].into_iter().flat_map(|folder| programs(folder).into_iter().take(6));
        let classes = sources.map(|source| class_of(&source));
        let wrong: Vec<String> =
            classes.filter_map(|class| check(jvm, &class).err().map(|why| format!("{class}: {why}"))).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn a_compressed_trace_of_a_program_that_is_killed_is_an_error_and_leniently_incomplete() {
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [trace, report] = ["run.std.gz", "report.txt"].map(|name| folder.path().join(name));
        let options = format!("report={},record={}", report.display(), trace.display());
        let mut command = jvm.command(Some(&options), &["life.RecordedForever"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())?;
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let is_recorded = lines.map_while(Result::ok).any(|line| line == "recorded");
        child.kill().and_then(|()| child.wait()).map_err(|e| e.to_string())?;
        let strict = answer(&trace).expect_err("a cut trace");
        let input = Input::open(&trace).map_err(|e| e.to_string())?;
        let mut reader = TraceReader::open(&input, Mode::Lenient).map_err(|e| e.to_string())?;
        let mut batch = Vec::new();
        while reader.read_batch(&mut batch, 1 << 14).map_err(|e| e.to_string())? > 0 {}
        let (events, warnings) = (reader.events(), reader.diagnostics().warnings());
        let is_said = warnings.iter().any(|warning| warning.contains(&format!("({events} events read)")));
        let is_incomplete = reader.diagnostics().is_incomplete();
        if is_recorded && strict.contains("truncated gzip") && is_incomplete && is_said && events > 0 {
            Ok(())
        } else {
            Err(format!("recorded {is_recorded}, strict {strict}, {events} events, {warnings:?}"))
        }
    });
}

#[test]
fn a_program_that_is_killed_leaves_what_was_recorded_up_to_a_second_before_and_no_temporary_file() {
    on_two_jvms(|jvm| {
        let [folder, temporary] =
            [tempfile::tempdir(), tempfile::tempdir()].map(|made| made.map_err(|e| e.to_string()));
        let (folder, temporary) = (folder?, temporary?);
        let [binary, report] = ["run.rtb", "report.txt"].map(|name| folder.path().join(name));
        let options = format!("report={},record={}", report.display(), binary.display());
        let property = format!("-Djava.io.tmpdir={}", temporary.path().display());
        let mut command = jvm.command(Some(&options), &[&property, "life.RecordedForever"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())?;
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let is_recorded = lines.map_while(Result::ok).any(|line| line == "recorded");
        child.kill().and_then(|()| child.wait()).map_err(|e| e.to_string())?;
        let left = std::fs::read_dir(temporary.path()).map_err(|e| e.to_string())?.count();
        if left > 0 && cfg!(unix) {
            return Err(format!("{left} temporary files are left in {}", temporary.path().display()));
        }
        let found = answer(&binary)?;
        let [warning] = &found.warnings[..] else { return Err(format!("{found:?}")) };
        let is_said = warning.starts_with("frame ") && warning.contains(&format!("after {} events", found.events));
        if is_recorded && found.is_incomplete && is_said && found.events > 0 {
            Ok(())
        } else {
            Err(format!("recorded {is_recorded}, {found:?}"))
        }
    });
}

#[test]
fn what_reflection_makes_is_no_part_of_the_program() {
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [trace, report] = ["run.std", "report.txt"].map(|name| folder.path().join(name));
        let options = format!("report={},record={},redundant=true", report.display(), trace.display());
        let run = jvm.run_small(Some(&options), &["life.CalledByReflection"]);
        let text = std::fs::read_to_string(&trace).map_err(|e| format!("no trace: {e}; {run:?}"))?;
        let calls = text.lines().filter(|line| line.contains("|w(CalledByReflection.calls")).count();
        let made = text.lines().find(|line| line.contains("jdk.internal") || line.contains(".$Proxy"));
        if run.out == "80\n" && calls == 80 && made.is_none() {
            return Ok(());
        }
        Err(format!("{run:?}, {calls} calls, {made:?}"))
    });
}
