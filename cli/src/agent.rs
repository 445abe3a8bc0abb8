//! The agent, and commands that run under it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use analysis_core::options;
use anyhow::{Context, Result};

/// The variable from which every JVM takes options.
const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";
/// The variable from which the launcher, which creates the main thread, takes options.
const LAUNCHER_OPTIONS: &str = "JDK_JAVA_OPTIONS";
/// The variable in which `java -jar` names the jar that it has unpacked this command from.
const UNPACKED_FROM: &str = "_REGIONTRACK_JAR";
/// The option for the stack size of the main thread, and of threads for which the program sets none.
const STACK: &str = "-Xss";

/// The agent's jar and options.
pub(crate) struct Agent {
    jar: PathBuf,
    options: String,
    /// The stack size, as `-Xss` takes it: `8m`. Calls with hooks need more than calls without.
    stack: Option<String>,
}

impl Agent {
    /// The agent in this jar, or else in the jar that contains this command or lies beside it.
    pub(crate) fn of(jar: Option<&Path>, options: &str) -> Result<Agent> {
        let jar = jar.map_or_else(own, |jar| Ok(jar.to_owned()))?;
        let jar = fs::canonicalize(&jar)
            .with_context(|| format!("the agent {}: name its jar with --agent", jar.display()))?;
        Ok(Agent { jar, options: options.to_owned(), stack: None })
    }

    /// The agent's jar.
    pub(crate) fn jar(&self) -> &Path {
        &self.jar
    }

    /// Sets the stack size of the main thread, for commands that do not set it themselves.
    pub(crate) fn with_stack(self, size: &str) -> Agent {
        Agent { stack: Some(size.to_owned()), ..self }
    }

    /// The user's command under the agent: `java` gets the agent as an argument, any other command through the
    /// environment, so that every JVM that it starts has it.
    pub(crate) fn command(&self, words: &[OsString]) -> Command {
        let mut agent = OsString::from("-javaagent:");
        agent.push(&self.jar);
        if !self.options.is_empty() {
            agent.push("=");
            agent.push(&self.options);
        }
        let mut command = Command::new(&words[0]);
        let own = words[1..].iter().any(|word| word.to_string_lossy().starts_with(STACK));
        let stack = self.stack(|variable| std::env::var_os(variable));
        if is_java(words) {
            command.args(stack.filter(|_| !own)).arg(agent);
        } else {
            // The JVM splits the value at spaces, except between quotes.
            let mut quoted = OsString::from("\"");
            quoted.push(agent);
            quoted.push("\"");
            command.env(TOOL_OPTIONS, after(TOOL_OPTIONS, &quoted));
            command.envs(stack.map(|stack| (LAUNCHER_OPTIONS, after(LAUNCHER_OPTIONS, OsStr::new(&stack)))));
        }
        command.args(&words[1..]);
        command
    }

    /// The option for the stack size of the main thread, given the variables of the environment; `None` if the launcher
    /// has one there. The launcher does not read those of every JVM. So a size there is passed on to it: another one
    /// would override it for the other threads.
    fn stack(&self, variable: impl Fn(&str) -> Option<OsString>) -> Option<String> {
        let last = |name: &str| {
            let options = variable(name)?.to_string_lossy().into_owned();
            let mut options = options.split_whitespace().map(|option| option.trim_matches(['"', '\'']));
            options.rfind(|option| option.starts_with(STACK)).map(str::to_owned)
        };
        let size = self.stack.as_ref()?;
        if last(LAUNCHER_OPTIONS).is_some() {
            return None;
        }
        Some(last(TOOL_OPTIONS).unwrap_or_else(|| format!("{STACK}{size}")))
    }
}

/// True if the command is `java` itself.
pub(crate) fn is_java(words: &[OsString]) -> bool {
    Path::new(&words[0]).file_stem() == Some(OsStr::new("java"))
}

/// The value of the variable, with this option appended.
fn after(variable: &str, option: &OsStr) -> OsString {
    let mut all = std::env::var_os(variable).map_or_else(OsString::new, |mut others| {
        others.push(" ");
        others
    });
    all.push(option);
    all
}

/// The jar that this command was unpacked from, or the one beside it.
fn own() -> Result<PathBuf> {
    if let Some(jar) = std::env::var_os(UNPACKED_FROM) {
        return Ok(jar.into());
    }
    let own = std::env::current_exe().context("the folder of this command: name the agent's jar with --agent")?;
    Ok(own.with_file_name("regiontrack.jar"))
}

/// The first of the keys `own`, which the command sets itself, that the agent options set.
pub(crate) fn set_in(options: &str, own: &[&str]) -> Option<&'static str> {
    let words = options::words(options);
    let mut keys = words.iter().filter_map(|word| options::of_word(word)).map(|option| option.name);
    keys.find(|key| own.contains(key))
}

/// The command in one line.
pub(crate) fn shown(command: &[OsString]) -> String {
    let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    words.join(" ").replace(['\n', '\r'], " ")
}

/// The reports that JVMs have left in a folder, by name.
pub(crate) fn reports(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in entries {
        paths.push(entry.with_context(|| folder.display().to_string())?.path());
    }
    paths.retain(|path| path.extension() == Some(OsStr::new("json")));
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent() -> Agent {
        Agent {
            jar: PathBuf::from("/opt/a b/regiontrack.jar"),
            options: "arrays=all".to_owned(),
            stack: Some("8m".to_owned()),
        }
    }

    fn words(command: &str) -> Vec<OsString> {
        command.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn java_gets_the_agent_and_the_stack_as_arguments() {
        let arguments = |line: &str| -> Vec<String> {
            let command = agent().command(&words(line));
            command.get_args().map(|word| word.to_string_lossy().into_owned()).collect()
        };
        let own = "-javaagent:/opt/a b/regiontrack.jar=arrays=all";
        assert_eq!(arguments("java -cp x Main 1"), ["-Xss8m", own, "-cp", "x", "Main", "1"]);
        assert_eq!(arguments("/usr/bin/java -Xss1m Main"), [own, "-Xss1m", "Main"]);
    }

    #[test]
    fn a_stack_size_of_the_environment_is_kept() {
        let stack = |tool: &str, launcher: &str| {
            let value = |name: &str| if name == TOOL_OPTIONS { tool } else { launcher }.to_owned();
            agent().stack(|name| Some(value(name).into()))
        };
        assert_eq!(stack("", "-Xint").as_deref(), Some("-Xss8m"));
        assert_eq!(stack("-Xss1m \"-Xss16m\" -Xint", "").as_deref(), Some("-Xss16m"));
        assert_eq!(stack("-Xss16m", "-Xss2m"), None);
        assert_eq!(agent().stack(|_| None).as_deref(), Some("-Xss8m"));
    }

    #[test]
    fn options_that_a_command_sets_itself_are_found_as_the_agent_finds_them() {
        let own = ["exclude-method", "report", "format"];
        assert_eq!(set_in("arrays=all, report = r.txt", &own), Some("report"));
        assert_eq!(set_in("exclude_method=a.B.c", &own), Some("exclude-method"));
        assert_eq!(set_in("suppressions=report,exclude-method=a.B.c(report,format)", &["report", "format"]), None);
    }

    #[test]
    fn other_commands_get_them_by_the_environment() {
        let command = agent().command(&words("mvn test"));
        let value = |name: &str| {
            let found = command.get_envs().find(|(known, _)| *known == OsStr::new(name));
            found.and_then(|(_, value)| value).map(|value| value.to_string_lossy().into_owned())
        };
        let options = value(TOOL_OPTIONS).expect("it is set");
        assert!(options.ends_with("\"-javaagent:/opt/a b/regiontrack.jar=arrays=all\""), "{options}");
        assert!(value(LAUNCHER_OPTIONS).is_some_and(|options| options.ends_with("-Xss8m")));
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["test"]);
    }
}
