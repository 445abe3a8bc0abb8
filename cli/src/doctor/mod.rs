//! `regiontrack doctor`: which JVM and which classes would be watched, and what is in the way.
//!
//! It looks at the words of a command or of a process, and starts neither: it runs two small programs from the agent's
//! jar, one of them under the agent.

mod classes;
mod flags;
mod target;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::Outcome;
use crate::agent::Agent;
use crate::output::Output;
use classes::Classes;
use target::Target;

/// The program that describes a JVM and lists what is on a class path.
const INSPECT: &str = "dev.regiontrack.attach.Inspect";
/// Agent options that write files, and those that need one of these: the trial omits them.
const WRITING: [&str; 11] = [
    "report",
    "record",
    "redundant",
    "profile",
    "slice",
    "predict",
    "candidates",
    "provoke",
    "provoke-share",
    "provoke-turn",
    "schedules",
];

/// The arguments of `doctor`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's jar; by default the jar that contains this command, or regiontrack.jar beside it.
    #[arg(long, value_name = "JAR")]
    agent: Option<PathBuf>,
    /// The options that the agent will have: `include=com.example.*,arrays=all`.
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    options: String,
    /// The java, or the folder of its JDK; by default that of the command or process, of JAVA_HOME, or on the path.
    #[arg(long, value_name = "JAVA")]
    java: Option<PathBuf>,
    /// A running process to which the agent is to be attached.
    #[arg(value_name = "PID", conflicts_with = "command")]
    process: Option<u32>,
    /// The command to be watched: `java -jar app.jar`.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The result of one check, worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Fine,
    Note,
    Problem,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Fine => "ok",
            Level::Note => "note",
            Level::Problem => "problem",
        }
    }
}

/// The lines to print, in order.
#[derive(Default)]
struct Findings(Vec<(Level, String)>);

impl Findings {
    fn fine(&mut self, text: impl Into<String>) {
        self.0.push((Level::Fine, text.into()));
    }

    fn note(&mut self, text: impl Into<String>) {
        self.0.push((Level::Note, text.into()));
    }

    fn problem(&mut self, text: impl Into<String>) {
        self.0.push((Level::Problem, text.into()));
    }
}

/// Checks the JVM and the program, and prints a line for each result. Any problem makes the outcome a failed one.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let agent = Agent::of(arguments.agent.as_deref(), &arguments.options)?;
    let target = Target::of(&arguments.command, arguments.process)?;
    let java = match (&arguments.java, target.java()) {
        (None, Some(java)) => java,
        (asked, _) => crate::java::candidates(asked.as_deref(), None)?.remove(0),
    };
    let mut found = Findings::default();
    target.describe(&mut found);
    look_at_jvm(&java, agent.jar(), &target, &mut found);
    flags::judge(&target, &mut found);
    try_agent(&java, agent.jar(), &arguments.options, &mut found);
    classes::judge(&target, &arguments.options, &mut found, |entries| inspect(&java, agent.jar(), entries, &target));
    for (level, text) in &found.0 {
        output.print(&format!("{:<8} {}\n", level.name(), text.replace(['\n', '\r'], " ")));
    }
    let worst = found.0.iter().map(|(level, _)| *level).max();
    Ok(if worst == Some(Level::Problem) { Outcome::Failed } else { Outcome::Clean })
}

/// The output of [`INSPECT`], one element per line, each split at its tabs; or why there is none.
fn inspect(java: &Path, jar: &Path, entries: &[String], target: &Target) -> Result<Vec<Vec<String>>, String> {
    let words: Vec<OsString> = entries.iter().map(|entry| target.absolute(entry).into()).collect();
    let ran = crate::java::run(java, jar, INSPECT, &words).map_err(|error| format!("cannot be started: {error}"))?;
    if !ran.status.success() {
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        return Err(told.lines().next().unwrap_or("ended early").to_owned());
    }
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    Ok(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

fn look_at_jvm(java: &Path, jar: &Path, target: &Target, found: &mut Findings) {
    let lines = match inspect(java, jar, &[], target) {
        Ok(lines) => lines,
        Err(why) if why.contains("UnsupportedClassVersionError") => {
            return found
                .problem(format!("{}: older than Java 11; run the program on Java 11 or newer", java.display()));
        }
        Err(why) => return found.problem(format!("{}: {why}; name another java with --java", java.display())),
    };
    for line in lines {
        let parts: Vec<&str> = line.iter().map(String::as_str).collect();
        match parts[..] {
            ["jvm", version, vendor, vm, arch, _] => {
                found.fine(format!("{}: Java {version} of {vendor}, {vm}, {arch}", java.display()));
                if !vm.contains("HotSpot") && !vm.contains("OpenJDK") {
                    found.note(format!("{vm}: the agent is tested on HotSpot alone"));
                }
            }
            ["module", "java.instrument", "false"] => found.problem(
                "this Java runtime has no module java.instrument, without which it loads no agent; take a JDK, or jlink --add-modules java.instrument",
            ),
            ["module", "jdk.attach", "false"] if target.process.is_some() => found.problem(
                "this Java runtime has no module jdk.attach; name the java of a JDK for attach with --java",
            ),
            ["native", platform, "true"] => found.fine(format!("the agent's jar has a native library for {platform}")),
            ["native", platform, _] => found.problem(format!(
                "the agent's jar has no native library for {platform}; build it there with cargo xtask build"
            )),
            _ => {}
        }
    }
}

/// Starts the agent once, in a program that does nothing.
fn try_agent(java: &Path, jar: &Path, options: &str, found: &mut Findings) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let kept: Vec<&str> = split(options).into_iter().filter(|word| !WRITING.contains(&key(word))).collect();
    let report = folder.path().join("report.txt");
    let mut agent = OsString::from("-javaagent:");
    agent.push(jar);
    agent.push("=");
    agent.push([&kept[..], &["overwrite=true"]].concat().join(","));
    agent.push(",report=");
    agent.push(&report);
    let mut command = std::process::Command::new(java);
    command.arg(agent).arg("-cp").arg(jar).arg(INSPECT).stdin(std::process::Stdio::null());
    for variable in flags::ENVIRONMENT {
        command.env_remove(variable);
    }
    match command.output() {
        Ok(ran) if ran.status.success() && report.is_file() => found.fine("the agent starts, and writes its report"),
        Ok(ran) => {
            let told = String::from_utf8_lossy(&ran.stderr).into_owned();
            let line = told.lines().find_map(|line| line.strip_prefix("regiontrack: "));
            let line = line.or(told.lines().next()).unwrap_or("it says nothing");
            found.problem(format!("the agent does not start: {line}"));
        }
        Err(error) => found.problem(format!("{}: cannot be started: {error}", java.display())),
    }
}

/// Splits the options at the commas between them. A comma inside an option starts a part without a key, which stays
/// with that option.
fn split(options: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in options.match_indices(',') {
        let next = options[at + 1..].split(',').next().unwrap_or_default();
        if next.contains('=') && !next.contains('(') || !options[start..at].contains('(') {
            parts.push(options[start..at].trim());
            start = at + 1;
        }
    }
    parts.push(options[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

fn key(option: &str) -> &str {
    option.split('=').next().unwrap_or_default().trim()
}

/// The value of an agent option, from the command line or the environment.
fn option(options: &str, name: &str) -> Option<String> {
    let of_words = split(options).into_iter().find_map(|word| {
        let (key, value) = word.split_once('=')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    });
    of_words.or_else(|| std::env::var(format!("REGIONTRACK_{}", name.to_uppercase())).ok())
}

/// A count with its noun.
fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// The entries with the largest counts, in words: `com.acme (120), org.lib (3) and 4 more`.
fn largest(counts: &std::collections::BTreeMap<String, usize>, most: usize) -> String {
    let mut all: Vec<(&String, &usize)> = counts.iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let more = all.len().saturating_sub(most);
    let told: Vec<String> = all.iter().take(most).map(|(name, count)| format!("{name} ({count})")).collect();
    told.join(", ") + &if more == 0 { String::new() } else { format!(" and {more} more") }
}

impl Classes {
    /// The version of class files of Java 26, the newest that the agent's ASM reads.
    const NEWEST: u32 = 70;
    /// The version of class files of Java 6: older ones have no frames.
    const FIRST_WITH_FRAMES: u32 = 50;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_split_between_methods_and_their_arguments() {
        let options = "include=a.*:b.*,exclude-method=a.B.c(int,long),arrays=all";
        assert_eq!(split(options), ["include=a.*:b.*", "exclude-method=a.B.c(int,long)", "arrays=all"]);
        assert_eq!(option(options, "include").as_deref(), Some("a.*:b.*"));
        assert_eq!(option(options, "arrays").as_deref(), Some("all"));
        assert!(split("").is_empty());
    }
}
