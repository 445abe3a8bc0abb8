//! Classes without line numbers, compiled with `-g:none`: traces, candidates, schedules and reports name the index of the instruction instead. Such
//! classes are provoked and replayed like others, and their findings have the same ids as with lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use analysis_core::provoke::Place;
use analysis_core::provoke::schedule::Schedule;
use analysis_core::trace::Position;
use serde_json::Value;
use tempfile::TempDir;

use crate::machine::{
    Jvm, command, finish, jdk, machine, on_newest_jvm, on_two_jvms, programs, shared_out, tool, utf8,
};
use crate::replay::{has_points, provoked_by, read, replayed_by};

/// Programs in which threads start threads and tasks, in lambdas and methods with parameters, with and without hooks.
const PROVOKED: [&str; 5] = ["Fields", "Sections", "Maps", "Elements", "Overloads"];

/// Without line numbers, and with them.
const UNLINED: &str = "-g:none";
const LINED: &str = "-g";

/// Compiles the programs of a folder with this option.
fn compiled(folder: &str, lines: &str) -> TempDir {
    let classes = tempfile::tempdir().expect("a folder");
    let sources = programs(folder);
    let files: Vec<&str> = sources.iter().map(|source| utf8(source)).collect();
    let known = ["--release", "11", lines, "-cp", utf8(&machine().classes), "-d", utf8(classes.path())];
    tool("javac", &[&known, &files[..]].concat());
    classes
}

fn class_path(classes: &TempDir) -> String {
    let paths = [classes.path(), Path::new(&machine().classes)];
    std::env::join_paths(paths).expect("paths without separators").to_str().expect("UTF-8").to_owned()
}

/// The output of `javap` for classes, by their names. It takes a JVM, so it is requested once for each class.
type Shown = BTreeMap<String, String>;

/// Returns what `javap` shows at an index: `getfield` and its operand.
fn instruction(classes: &TempDir, shown: &mut Shown, place: &Place) -> Result<String, String> {
    let (method, index) = Position::split_index(place.location()).ok_or_else(|| format!("a line: {place}"))?;
    let shown = shown.entry(place.class().to_owned()).or_insert_with(|| {
        let mut javap = Command::new(jdk().join("bin/javap"));
        javap.args(["-c", "-p", "-cp", utf8(classes.path()), place.class()]);
        finish(javap).out
    });
    let signature = method.strip_prefix(place.class()).expect("its class").trim_start_matches('.').replace(',', ", ");
    let code = shown.split("\n\n").find(|part| part.contains(&format!(" {signature};"))).unwrap_or_default();
    let line = code.lines().find_map(|line| line.trim().strip_prefix(&format!("{index}: ")));
    line.map(str::to_owned).ok_or_else(|| format!("no instruction {index} of {signature} in {shown}"))
}

/// Checks that the instruction at a place does what the place says.
fn is_there(classes: &TempDir, shown: &mut Shown, place: &Place) -> Result<(), String> {
    let is_of_method = place.name.is_empty() && place.location().ends_with(":@0");
    if is_of_method {
        return Ok(());
    }
    let shown = instruction(classes, shown, place)?;
    let words: &[&str] = match (place.action.name(), &*place.name) {
        ("read", "[]") => &["aload"],
        ("write", "[]") => &["astore"],
        (_, name) if name.ends_with("()") => &["invoke"],
        ("read", _) => &["getfield", "getstatic"],
        ("write", _) => &["putfield", "putstatic"],
        ("acquire", _) => &["monitorenter"],
        _ => &["monitorexit"],
    };
    let name = place.name.trim_end_matches("()").trim_matches(['[', ']']);
    if words.iter().any(|word| shown.contains(word)) && shown.contains(name) {
        Ok(())
    } else {
        Err(format!("{place}: {shown}"))
    }
}

fn happens_again(jvm: &Jvm, classes: &TempDir, shown: &mut Shown, class: &str) -> Result<(), String> {
    let (path, class) = (class_path(classes), format!("provoked.{class}"));
    let program = ["-cp", &path, &class];
    let mut files = Vec::new();
    // On a busy machine every other thread may come too late for its hold.
    let mut folder = None;
    for _ in 0..3 {
        let (kept, found) = provoked_by(jvm, &program, has_points)?;
        files = found.into_iter().filter(|file| has_points(file)).collect();
        folder = Some(kept);
        if !files.is_empty() {
            break;
        }
    }
    let file = files.first().ok_or("no schedule has points")?;
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let Schedule { candidate, threads, .. } = read(file)?;
    let places = [&candidate.first, &candidate.hold, &candidate.last, &candidate.other];
    places.into_iter().chain(&candidate.enter).try_for_each(|place| is_there(classes, shown, place))?;
    for thread in threads {
        let start = thread.start.to_string();
        let at: Vec<&str> = start.split(' ').collect();
        if at.len() < 3 || Position::split_index(at[1]).is_none() {
            return Err(format!("where it was started is not known: {text}"));
        }
    }
    let mut explain = Command::new(command());
    explain.args(["explain", utf8(file)]);
    let explained = finish(explain);
    if explained.code != Some(0)
        || ![&candidate.first, &candidate.hold].iter().any(|place| explained.out.contains(&place.in_table()))
        || !explained.out.contains("started at bytecode ")
    {
        return Err(format!("{explained:?}"));
    }
    let result = replayed_by(jvm, &program, 3, file)?;
    drop(folder);
    if result["happened"] == 3 && result["runs"] == 3 { Ok(()) } else { Err(format!("{result} {text}")) }
}

#[test]
fn what_was_provoked_without_lines_happens_again_in_each_run() {
    let classes = compiled("provoked", UNLINED);
    let mut shown = Shown::new();
    on_two_jvms(|jvm| {
        let told =
            |class: &&str| happens_again(jvm, &classes, &mut shown, class).err().map(|why| format!("{class}: {why}"));
        let wrong: Vec<String> = shared_out(jvm, &PROVOKED).filter_map(told).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

/// Returns ids, methods and variables of the findings of a report.
fn ids(report: &Value, key: &str) -> BTreeSet<String> {
    let findings = report[key].as_array().into_iter().flatten();
    findings
        .filter(|finding| finding["caller"] != true)
        .map(|finding| format!("{} {} {}", finding["id"], finding["method"], finding["variables"]))
        .collect()
}

/// Returns the locations of all events of a report's findings.
fn locations(report: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest = vec![report];
    while let Some(value) = rest.pop() {
        if let Value::Object(object) = value {
            found.extend(object.get("location").and_then(Value::as_str).map(str::to_owned));
        }
        rest.extend(value.as_array().into_iter().flatten());
        rest.extend(value.as_object().into_iter().flat_map(|object| object.values()));
    }
    found.remove("");
    found
}

#[test]
fn findings_have_the_ids_that_they_have_with_lines() {
    let classes = [LINED, UNLINED].map(|lines| compiled("known", lines));
    let [lined, path] = classes.each_ref().map(class_path);
    on_newest_jvm(|jvm| {
        let program = ["known.Shop", "orders"];
        let (_, lined) = jvm.reported("exclude=schedule.*", &[&["-cp", &lined], &program[..]].concat())?;
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [trace, log] = ["run.rtb", "run.sarif"].map(|name| folder.path().join(name));
        let options = format!("exclude=schedule.*,report={},record={}", utf8(&log), utf8(&trace));
        let (run, unlined) = jvm.reported(&options, &[&["-cp", &path], &program[..]].concat())?;
        let mut check = Command::new(command());
        check.args(["check", "--format", "json", utf8(&trace)]);
        let checked = finish(check);
        let checked: Value = serde_json::from_str(&checked.out).map_err(|e| format!("{e}: {checked:?}"))?;
        let [lined_ids, unlined_ids] = [&lined, &unlined].map(|report| ids(report, "violations"));
        if lined_ids.is_empty() || lined_ids != unlined_ids || ids(&checked, "findings") != lined_ids {
            return Err(format!("{run:?}\n{lined}\n{unlined}\n{checked}"));
        }
        let told = locations(&unlined);
        let is_index = |location: &String| location.starts_with("Shop.") && Position::split_index(location).is_some();
        if told.len() < 6 || !told.iter().all(is_index) {
            return Err(format!("{told:?}"));
        }
        let mut check = Command::new(command());
        check.args(["check", utf8(&trace)]);
        let shown = finish(check).out;
        if !["  known.Shop.sell(int):@", " at bytecode "].iter().all(|said| shown.contains(said)) {
            return Err(shown);
        }
        let log = std::fs::read_to_string(&log).map_err(|e| e.to_string())?;
        let is_told =
            log.contains("\"known/Shop.java\"") && log.contains("Shop.sell(int):@") && !log.contains("startLine");
        if is_told { Ok(()) } else { Err(log) }
    });
}
