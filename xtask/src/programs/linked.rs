//! `--link`: checks that every class of the released programs can be verified under the agent.
//!
//! A run reaches only a part of a program's classes. Here one JVM without the agent and one with it link all classes in
//! its libraries (`programs/src/linked`), twice: as released, and with frames that do not know of locals that are no
//! longer read, as optimizers write them. A class that ends in an error under the agent must end in the same one
//! without it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;

use super::report::Report;
use super::table::Program;
use super::trial::{LIMIT, Laboratory};
use super::{SAME, try_each};
use crate::Outcome;
use crate::java::without_options;

/// The task that builds the linking program.
pub(super) const TASK: &str = "install-linked";
/// The folder of its result, relative to the root.
const BUILT: &str = "programs/build/linked/linked";
/// The folder of the classes as released, and that of the classes with forgetful frames.
const FOLDERS: [&str; 2] = ["libraries", "forgetful"];
/// A class that cannot be verified, put among those with forgetful frames: it shows that the JVM verifies.
const BROKEN: &str = "linked.Broken";
/// The result of successful linking.
const OK: &str = "ok";
/// The number of errors of a program that are shown at once; all are in the files of the runs.
const SHOWN: usize = 20;
/// The heading of the table.
const HEADING: [&str; 9] =
    ["program", "same?", "classes", "linked", "same error", "different", "instrumented", "plain s", "agent s"];
/// What its columns mean.
const LEGEND: &str = "linked: as released, with frames that forget; same error, different: of both together; instrumented: instrumented/skipped/failed, of both together";

/// The result of linking each class of a folder.
type Endings = BTreeMap<(String, String), String>;

/// One run.
struct Run {
    endings: Endings,
    /// Why it linked only a part, if it did.
    failure: Option<String>,
    seconds: f64,
}

impl Run {
    /// Returns the run; fails if the run has failed.
    fn succeeded(self) -> io::Result<Run> {
        match self.failure {
            Some(failure) => Err(io::Error::other(failure)),
            None => Ok(self),
        }
    }
}

/// The differences between two runs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Comparison {
    /// The number of classes linked in both, by folder.
    linked: BTreeMap<String, usize>,
    /// The number of classes that end in the same kind of error.
    same: usize,
    /// Errors only under the agent, with the classes that end in them.
    errors: BTreeMap<String, Vec<String>>,
    /// Errors that disappear under the agent.
    gone: Vec<String>,
}

/// Links the classes of these programs; fails if one of them can be linked only without the agent.
pub(super) fn try_all(laboratory: &Laboratory, chosen: &[Program]) -> Outcome {
    let one = |program: &Program| trial(laboratory, program);
    try_each(laboratory, chosen, (HEADING, LEGEND), "classes that can be linked only without the agent", one)
}

/// Links a program's classes without and with the agent and prints the differences. Returns the line of the table.
fn trial(laboratory: &Laboratory, program: &Program) -> io::Result<[String; 9]> {
    let folder = laboratory.folder(program);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let folders = [laboratory.built(program).join(FOLDERS[0]), folder.join(FOLDERS[1])];
    let report = folder.join("agent.json");
    run(laboratory, &folder, FOLDERS[1], None, "linked.Forgetful", &folders)?.succeeded()?;
    let plain = run(laboratory, &folder, "plain", None, "linked.Links", &folders)?.succeeded()?;
    let agent = laboratory.agent_option(&report, "");
    let watched = run(laboratory, &folder, "agent", Some(&agent), "linked.Links", &folders)?;
    std::fs::remove_dir_all(&folders[1])?;
    let mut endings = plain.endings;
    let broken = endings.remove(&(FOLDERS[1].to_owned(), BROKEN.to_owned()));
    if broken.is_none_or(|ending| kind(&ending) != "java.lang.VerifyError") {
        return Err(io::Error::other(format!("this JVM does not verify: it links {BROKEN}")));
    }
    let report = Report::read(&report);
    let Comparison { linked, same, errors, gone } = compared(&endings, &watched.endings);
    let failures: Vec<&String> = watched.failure.iter().chain(report.as_ref().err()).collect();
    for failure in &failures {
        println!("  DIFFERENT: {failure}");
    }
    for (error, classes) in errors.iter().take(SHOWN) {
        println!("  DIFFERENT: {}: {error}", several(classes));
    }
    if errors.len() > SHOWN {
        println!(
            "  and {} other errors; see {}",
            errors.len() - SHOWN,
            laboratory.workspace.relative(&folder).display()
        );
    }
    for line in gone.iter().chain(report.iter().flat_map(|report| &report.warnings)) {
        println!("  {line}");
    }
    let instrumented = report.as_ref().map(|report| &report.stats.classes);
    Ok([
        program.name.clone(),
        if errors.is_empty() && failures.is_empty() { SAME } else { "DIFFERENT" }.to_owned(),
        endings.keys().filter(|(folder, _)| folder == FOLDERS[0]).count().to_string(),
        FOLDERS.map(|folder| linked.get(folder).copied().unwrap_or(0).to_string()).join(", "),
        same.to_string(),
        errors.values().map(Vec::len).sum::<usize>().to_string(),
        instrumented.map_or("-".to_owned(), |of| format!("{}/{}/{}", of.instrumented, of.skipped, of.failed)),
        format!("{:.1}", plain.seconds),
        format!("{:.1}", watched.seconds),
    ])
}

/// Runs one of the classes of `programs/src/linked` and reads its output.
fn run(
    laboratory: &Laboratory,
    folder: &Path,
    name: &str,
    agent: Option<&str>,
    main: &str,
    folders: &[impl AsRef<Path>],
) -> io::Result<Run> {
    let built = laboratory.workspace.root.join(BUILT);
    let class_path = [built.join("classes"), built.join("libraries").join("*")];
    let class_path = std::env::join_paths(class_path).map_err(io::Error::other)?;
    let mut command = Command::new(&laboratory.jvm.java);
    command.current_dir(folder).args(agent).arg("-cp").arg(class_path).arg(main);
    command.args(folders.iter().map(AsRef::as_ref));
    without_options(&mut command);
    let (out, err) = (folder.join(format!("{name}.txt")), folder.join(format!("{name}-stderr.txt")));
    let timed = laboratory.stopwatch.time(&command, LIMIT, &out, &err)?;
    let is_good = timed.status.is_some_and(|status| status.success());
    let failure =
        (!is_good).then(|| format!("{main} has failed; see {}", laboratory.workspace.relative(&err).display()));
    Ok(Run { endings: read(&String::from_utf8_lossy(&std::fs::read(&out)?)), failure, seconds: timed.wall })
}

/// Parses the lines `FOLDER CLASS ENDING`, separated by tabs.
fn read(text: &str) -> Endings {
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    let lines = lines.filter_map(|(folder, rest)| Some((folder, rest.split_once('\t')?)));
    lines.map(|(folder, (class, ending))| ((folder.to_owned(), class.to_owned()), ending.to_owned())).collect()
}

/// Returns only the class of the error: its message can differ.
fn kind(ending: &str) -> &str {
    ending.split(' ').next().unwrap_or(ending)
}

fn compared(plain: &Endings, watched: &Endings) -> Comparison {
    let mut comparison = Comparison::default();
    for ((folder, class), ending) in plain {
        let under_agent = watched.get(&(folder.clone(), class.clone())).map_or("not reached", String::as_str);
        match (kind(ending), kind(under_agent)) {
            (OK, OK) => *comparison.linked.entry(folder.clone()).or_default() += 1,
            (without, with) if without == with => comparison.same += 1,
            (_, OK) => comparison.gone.push(format!("only without the agent: {class} ({folder}): {ending}")),
            (without, _) => {
                let error = format!("{under_agent}, not {without}");
                comparison.errors.entry(error).or_default().push(format!("{class} ({folder})"));
            }
        }
    }
    comparison
}

/// Returns the first of some classes, and the number of others.
fn several(classes: &[String]) -> String {
    match classes {
        [] => String::new(),
        [one] => one.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERIFY: &str = "java.lang.VerifyError a.A.m()V @3: aload_1: Type top is not assignable";

    fn endings(lines: &[[&str; 3]]) -> Endings {
        read(&lines.iter().map(|line| line.join("\t") + "\n").collect::<String>())
    }

    #[test]
    fn an_error_under_the_agent_alone_is_a_difference_with_all_classes_that_it_ends() {
        let plain = endings(&[
            ["libraries", "a.A", "ok"],
            ["libraries", "a.B", "java.lang.NoClassDefFoundError x/Y"],
            ["libraries", "a.C", "ok"],
            ["forgetful", "a.A", "ok"],
        ]);
        assert_eq!(compared(&plain, &plain).errors, BTreeMap::new());
        let watched =
            endings(&[["libraries", "a.A", VERIFY], ["libraries", "a.B", VERIFY], ["libraries", "a.C", VERIFY]]);
        let errors = compared(&plain, &watched).errors;
        let told: Vec<_> = errors.iter().map(|(error, classes)| format!("{}: {error}", several(classes))).collect();
        assert_eq!(
            told,
            [
                format!("a.B (libraries): {VERIFY}, not java.lang.NoClassDefFoundError"),
                format!("a.A (libraries) and 1 more: {VERIFY}, not ok"),
                "a.A (forgetful): not reached, not ok".to_owned(),
            ]
        );
    }

    #[test]
    fn the_same_error_in_other_words_is_none_and_one_that_is_gone_is_told() {
        let plain = endings(&[
            ["libraries", "a.A", "java.lang.VerifyError (class: a/A, method: m signature: ()V) Bad"],
            ["libraries", "a.B", "java.lang.NoClassDefFoundError x/Y"],
            ["libraries", "a.C", "ok"],
        ]);
        let watched = endings(&[["libraries", "a.A", VERIFY], ["libraries", "a.B", "ok"], ["libraries", "a.C", "ok"]]);
        let expected = Comparison {
            linked: BTreeMap::from([("libraries".to_owned(), 1)]),
            same: 1,
            errors: BTreeMap::new(),
            gone: vec!["only without the agent: a.B (libraries): java.lang.NoClassDefFoundError x/Y".to_owned()],
        };
        assert_eq!(compared(&plain, &watched), expected);
    }
}
