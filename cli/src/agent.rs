//! The agent, and commands with it in them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// What every JVM takes options from.
const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";
/// What the launcher takes options from, which makes the main thread.
const LAUNCHER_OPTIONS: &str = "JDK_JAVA_OPTIONS";
/// In which `java -jar` says what it has unpacked the command from.
const UNPACKED_FROM: &str = "_REGIONTRACK_JAR";
/// The option for the stack of the main thread, and of threads of which the program does not say how large theirs is.
const STACK: &str = "-Xss";

/// The agent's jar, and options for it.
pub(crate) struct Agent {
    jar: PathBuf,
    options: String,
    /// As `-Xss` takes it: `8m`. Calls with hooks need more than without.
    stack: Option<String>,
}

impl Agent {
    /// That in this jar, or in the one that has this command in it or beside it.
    pub(crate) fn of(jar: Option<&Path>, options: &str) -> Result<Agent> {
        let jar = jar.map_or_else(own, |jar| Ok(jar.to_owned()))?;
        let jar = fs::canonicalize(&jar)
            .with_context(|| format!("the agent {}: name its jar with --agent", jar.display()))?;
        Ok(Agent { jar, options: options.to_owned(), stack: None })
    }

    /// Its jar.
    pub(crate) fn jar(&self) -> &Path {
        &self.jar
    }

    /// The same, where the main thread gets so much stack, if nothing else says how much.
    pub(crate) fn with_stack(self, size: &str) -> Agent {
        Agent { stack: Some(size.to_owned()), ..self }
    }

    /// The user's command with the agent in it: `java` gets it as an argument, anything else by the environment, so that every
    /// JVM that it starts has it.
    pub(crate) fn command(&self, words: &[OsString]) -> Command {
        let mut agent = OsString::from("-javaagent:");
        agent.push(&self.jar);
        if !self.options.is_empty() {
            agent.push("=");
            agent.push(&self.options);
        }
        let mut command = Command::new(&words[0]);
        let stack = self.stack.as_ref().map(|size| format!("{STACK}{size}"));
        let others = || words[1..].iter().any(|word| word.to_string_lossy().starts_with(STACK));
        if is_java(words) {
            command.args(stack.filter(|_| !others() && !has_stack(LAUNCHER_OPTIONS))).arg(agent);
        } else {
            // The JVM splits it at spaces, except between quotes.
            let mut quoted = OsString::from("\"");
            quoted.push(agent);
            quoted.push("\"");
            command.env(TOOL_OPTIONS, after(TOOL_OPTIONS, &quoted));
            let stack = stack.filter(|_| !has_stack(LAUNCHER_OPTIONS) && !has_stack(TOOL_OPTIONS));
            command.envs(stack.map(|stack| (LAUNCHER_OPTIONS, after(LAUNCHER_OPTIONS, OsStr::new(&stack)))));
        }
        command.args(&words[1..]);
        command
    }
}

/// True if the command is `java` itself.
pub(crate) fn is_java(words: &[OsString]) -> bool {
    Path::new(&words[0]).file_stem() == Some(OsStr::new("java"))
}

/// What the variable has, and this.
fn after(variable: &str, option: &OsStr) -> OsString {
    let mut all = std::env::var_os(variable).map_or_else(OsString::new, |mut others| {
        others.push(" ");
        others
    });
    all.push(option);
    all
}

fn has_stack(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|options| options.to_string_lossy().contains(STACK))
}

/// The jar that this command was unpacked from, or the one beside it.
fn own() -> Result<PathBuf> {
    if let Some(jar) = std::env::var_os(UNPACKED_FROM) {
        return Ok(jar.into());
    }
    let own = std::env::current_exe().context("the folder of this command: name the agent's jar with --agent")?;
    Ok(own.with_file_name("regiontrack.jar"))
}

/// The first of these keys that options for the agent set, though a command sets it itself.
pub(crate) fn set_in<'a>(options: &'a str, own: &[&str]) -> Option<&'a str> {
    let keys = options.split(',').map(|option| option.split('=').next().unwrap_or_default().trim());
    keys.into_iter().find(|key| own.contains(key))
}

/// The command, in a line.
pub(crate) fn shown(command: &[OsString]) -> String {
    let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    words.join(" ").replace(['\n', '\r'], " ")
}

/// The files in a folder in which JVMs have left their reports, by name.
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
