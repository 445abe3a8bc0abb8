//! `regiontrack doctor`: which JVM and which classes would be watched, and what is in the way.
//!
//! It looks at the words of a command or of a process, and starts neither: it runs two small programs from the agent's
//! jar, one of them under the agent.

mod classes;
mod flags;
mod target;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use analysis_core::options;
use anyhow::Result;

use crate::Outcome;
use crate::agent::Agent;
use crate::output::Output;
use classes::Classes;
use target::Target;

/// The program that describes a JVM and lists what is on a class path.
const INSPECT: &str = "dev.regiontrack.attach.Inspect";
/// Agent options that the trial omits: those that write files, those that need one of these, the exit code of a run that
/// watches nothing, as the trial does, and the file with more of them, of which the trial gets a copy.
const OMITTED: [&str; 14] = [
    "report",
    "record",
    "redundant",
    "profile",
    "slice",
    "predict",
    "sections",
    "candidates",
    "provoke",
    "provoke-share",
    "provoke-turn",
    "schedules",
    "exitcode",
    CONFIG,
];
/// The agent option that names a file with more of them, a line each.
const CONFIG: &str = "config";

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
    let (asked, report) = (option(options, CONFIG), folder.path().join("report.txt"));
    let copy = asked.as_deref().and_then(|file| without_omitted(file, folder.path()));
    let names = std::env::vars_os().map(|(name, _)| name);
    let mut command = trial(java, jar, &kept(options, copy.as_deref().or(asked.as_deref())), &report, names);
    match command.output() {
        Ok(ran) if ran.status.success() && report.is_file() => found.fine("the agent starts, and writes its report"),
        Ok(ran) => {
            let told = String::from_utf8_lossy(&ran.stderr).into_owned();
            let line = told.lines().find_map(|line| line.strip_prefix("regiontrack: "));
            let mut line = line.or(told.lines().next()).unwrap_or("it says nothing").to_owned();
            // The user knows the file, not its copy.
            if let (Some(copy), Some(asked)) = (&copy, &asked) {
                line = line.replace(copy, asked);
            }
            found.problem(format!("the agent does not start: {line}"));
        }
        Err(error) => found.problem(format!("{}: cannot be started: {error}", java.display())),
    }
}

/// The options of the trial, whose file with more of them is `config`.
fn kept(options: &str, config: Option<&str>) -> String {
    let mut words = options::words(options);
    words.retain(|word| !is_omitted(word));
    words.push("overwrite=true".to_owned());
    words.extend(config.map(|file| format!("{CONFIG}={file}")));
    words.join(",")
}

/// The command that starts the agent, without the variables `names` of the environment that are omitted options.
fn trial(
    java: &Path,
    jar: &Path,
    options: &str,
    report: &Path,
    names: impl Iterator<Item = OsString>,
) -> std::process::Command {
    let mut agent = OsString::from("-javaagent:");
    agent.push(jar);
    agent.push(format!("={options},report="));
    agent.push(report);
    let mut command = std::process::Command::new(java);
    command.arg(agent).arg("-cp").arg(jar).arg(INSPECT).stdin(std::process::Stdio::null());
    let is_option = |name: &OsString| {
        let key = name.to_str().and_then(|name| name.strip_prefix(options::ENVIRONMENT));
        key.is_some_and(|key| is_omitted(&key.to_lowercase()))
    };
    for name in names.filter(|name| is_option(name) || flags::ENVIRONMENT.iter().any(|known| name == known)) {
        command.env_remove(name);
    }
    command
}

/// A copy, in `folder`, of a file with options, without those that the trial omits. Lines keep their numbers. `None` if
/// the file cannot be read; the agent says why.
fn without_omitted(file: &str, folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let lines: Vec<&str> = text.lines().map(|line| if is_omitted(line) { "" } else { line }).collect();
    let copy = folder.join(CONFIG);
    std::fs::write(&copy, lines.join("\n")).ok()?;
    Some(copy.display().to_string())
}

/// Whether the trial omits the option that a word or a line is about.
fn is_omitted(word: &str) -> bool {
    options::of_word(word).is_some_and(|option| OMITTED.contains(&option.name))
}

/// The value of an agent option, from the command line, the environment, or the file with more options.
fn option(options: &str, name: &str) -> Option<String> {
    let value = |word: &str| {
        let (_, value) = word.split_once('=')?;
        options::of_word(word).filter(|option| option.name == name).map(|_| value.trim().to_owned())
    };
    let in_file = || {
        let file = (name != CONFIG).then(|| option(options, CONFIG)).flatten()?;
        std::fs::read_to_string(file).ok()?.lines().find_map(value)
    };
    let of_words = options::words(options).iter().find_map(|word| value(word));
    of_words.or_else(|| std::env::var(format!("{}{}", options::ENVIRONMENT, name.to_uppercase())).ok()).or_else(in_file)
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
    fn options_are_split_as_the_agent_splits_them() {
        let options = "include=a.*:b.*,exclude-method=a.B.c(int,long),arrays=all";
        assert_eq!(option(options, "include").as_deref(), Some("a.*:b.*"));
        assert_eq!(option(options, "arrays").as_deref(), Some("all"));
        // An option without a value ends the list of algorithms. The agent refuses it, and so does that of the trial.
        assert_eq!(kept("predict=block,engine,arrays=all", None), "engine,arrays=all,overwrite=true");
    }

    #[test]
    fn the_trial_gets_no_option_that_writes_files() {
        let options = "arrays=all,predict=block,commit-node-conflict,sections=true,provoke_share=3,exitcode=9,config=c";
        let all = kept(options, Some("copy"));
        assert_eq!(all, "arrays=all,overwrite=true,config=copy");
        let names = ["REGIONTRACK_PROFILE", "REGIONTRACK_provoke_turn", "REGIONTRACK_CONFIG", "REGIONTRACK_ARRAYS"];
        let names = names.into_iter().chain(["JAVA_TOOL_OPTIONS", "PATH"]).map(OsString::from);
        let command = trial(Path::new("java"), Path::new("a.jar"), &all, Path::new("r"), names);
        let removed: Vec<_> = command.get_envs().filter_map(|(name, value)| value.is_none().then_some(name)).collect();
        let omitted = ["JAVA_TOOL_OPTIONS", "REGIONTRACK_CONFIG", "REGIONTRACK_PROFILE", "REGIONTRACK_provoke_turn"];
        assert_eq!(removed, omitted);
        let agent = format!("-javaagent:a.jar={all},report=r");
        assert_eq!(command.get_args().next(), Some(agent.as_ref()));
    }

    #[test]
    fn a_file_with_options_is_read_and_the_trial_gets_a_copy_without_what_writes_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("agent.conf");
        std::fs::write(&file, "# mine\nprofile = p\n include=a.*\n\nrecord=t.std\narrays=all\n").expect("written");
        let file = file.display().to_string();
        let copy = without_omitted(&file, folder.path()).expect("a copy");
        let text = std::fs::read_to_string(copy).expect("text");
        assert_eq!(text, "# mine\n\n include=a.*\n\n\narrays=all");
        let options = format!("arrays=none,config={file}");
        assert_eq!(option(&options, "include").as_deref(), Some("a.*"));
        assert_eq!(option(&options, "arrays").as_deref(), Some("none"));
        assert_eq!(without_omitted("no such file", folder.path()), None);
    }
}
