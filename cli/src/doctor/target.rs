//! The target: a command or a process, as the words that a JVM was or will be given.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::Findings;
use super::flags::{ENVIRONMENT, READ_LAST};

/// The command or process to be watched.
pub(super) struct Target {
    /// The process, if the target is already running.
    pub(super) process: Option<u32>,
    /// The words of the command, the program first; empty if no command was named.
    words: Vec<String>,
    /// The folder in which it is started.
    folder: PathBuf,
    /// The variables from which a JVM takes options, and their values.
    pub(super) environment: Vec<(&'static str, String)>,
}

/// The parts of a `java` command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// The JVM's options, with those of the environment, in the order in which the JVM reads them.
    pub(super) options: Vec<String>,
    /// Jars, folders, `folder/*`.
    pub(super) class_path: Vec<String>,
    /// The main class, if it is named.
    pub(super) main: Option<String>,
    /// The source file that is to be compiled and run.
    pub(super) source: Option<String>,
    /// Whether the program is a jar or on the class path; otherwise nothing is known about it.
    pub(super) is_known: bool,
}

impl Target {
    /// The target for a command, or for a process, as far as the system reveals it.
    pub(super) fn of(command: &[OsString], process: Option<u32>) -> Result<Target> {
        let Some(process) = process else {
            let words = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            let environment = ENVIRONMENT.iter().filter_map(|name| Some((*name, std::env::var(name).ok()?)));
            let folder = std::env::current_dir().unwrap_or_default();
            return Ok(Target { process: None, words, folder, environment: environment.collect() });
        };
        let of = PathBuf::from(format!("/proc/{process}"));
        if !of.is_dir() {
            if Path::new("/proc/self").is_dir() {
                bail!("there is no process {process}; regiontrack attach without a process lists those that are JVMs");
            }
            return Ok(Target {
                process: Some(process),
                words: Vec::new(),
                folder: PathBuf::new(),
                environment: Vec::new(),
            });
        }
        // The system does not reveal what another user's process has loaded.
        let maps = std::fs::read(of.join("maps")).unwrap_or_default();
        if !maps.is_empty() && !maps.windows(6).any(|name| name == b"libjvm") {
            bail!("process {process} is no JVM; regiontrack attach without a process lists those that are");
        }
        let words = parts(&of.join("cmdline"));
        let all = parts(&of.join("environ"));
        let environment = ENVIRONMENT.iter().filter_map(|name| {
            let value = all.iter().find_map(|one| one.strip_prefix(name)?.strip_prefix('='))?;
            Some((*name, value.to_owned()))
        });
        let folder = std::fs::read_link(of.join("cwd")).unwrap_or_default();
        Ok(Target { process: Some(process), words, folder, environment: environment.collect() })
    }

    /// The `java` that runs the target, if it is one.
    pub(super) fn java(&self) -> Option<PathBuf> {
        if let Some(process) = self.process {
            return crate::java::candidates(None, Some(process)).ok().map(|mut all| all.remove(0));
        }
        let first = Path::new(self.words.first()?);
        if first.file_stem() != Some("java".as_ref()) {
            return None;
        }
        if first.components().count() > 1 {
            return Some(first.to_owned());
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).map(|folder| folder.join(first)).find(|java| java.is_file())
    }

    /// An entry of the target's class path, as a path that this process can use.
    pub(super) fn absolute(&self, entry: &str) -> PathBuf {
        self.folder.join(entry)
    }

    /// Notes what is unknown about the target.
    pub(super) fn describe(&self, found: &mut Findings) {
        if let Some(file) = self.words().source {
            found.note(format!("{file}: java compiles it when it starts, so its classes are not checked"));
        }
        match (self.process, self.words.first()) {
            (Some(process), None) => found.note(format!(
                "process {process}: this system does not say how it was started; checked is what does not depend on that"
            )),
            (None, None) => found.note("no command is named, so its flags and classes are not checked; name one after --"),
            (None, Some(first)) if self.java().is_none() => found.note(format!(
                "{first}: which JVMs it starts is not known before it runs; regiontrack run -- {} puts the agent into all of them",
                self.words.join(" ")
            )),
            _ => {}
        }
    }

    /// The parts of the command, if it is `java`, and the options of the environment.
    pub(super) fn words(&self) -> Words {
        let is_java = self.words.first().is_some_and(|first| Path::new(first).file_stem() == Some("java".as_ref()));
        let mut words = if is_java { self.parse(&self.words[1..]) } else { Words::default() };
        let of = |is_last: bool| {
            let variables = self.environment.iter().filter(move |(name, _)| (*name == READ_LAST) == is_last);
            let words = variables.flat_map(|(_, value)| value.split_whitespace());
            words.map(|word| word.trim_matches('"').to_owned())
        };
        words.options.splice(0..0, of(false));
        words.options.extend(of(true));
        words
    }

    fn parse(&self, words: &[String]) -> Words {
        let mut result = Words::default();
        let all = self.expanded(words);
        let mut words = all.iter();
        let (mut is_named, mut is_source) = (false, false);
        while let Some(word) = words.next() {
            // Long options take their value from the next word, too.
            let (option, own) = match word.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value.to_owned())),
                _ => (word.as_str(), None),
            };
            let mut value = || own.clone().or_else(|| words.next().cloned()).unwrap_or_default();
            match option {
                "-cp" | "-classpath" | "--class-path" => {
                    result.class_path = split(&value());
                    is_named = true;
                }
                "-jar" => {
                    result.class_path = words.next().cloned().into_iter().collect();
                    result.is_known = true;
                    return result;
                }
                "-p" | "--module-path" => result.class_path.extend(split(&value())),
                "-m" | "--module" => {
                    result.main = value().split_once('/').map(|(_, class)| class.to_owned());
                    result.is_known = true;
                    return result;
                }
                "--source" => {
                    value();
                    is_source = true;
                }
                "--add-modules"
                | "--add-reads"
                | "--add-exports"
                | "--add-opens"
                | "--limit-modules"
                | "--patch-module"
                | "--upgrade-module-path"
                | "--enable-native-access" => result.options.push(format!("{option}={}", value())),
                _ if word.starts_with('-') => result.options.push(word.clone()),
                file if is_source || file.ends_with(".java") && self.absolute(file).is_file() => {
                    result.source = Some(file.to_owned());
                    return result;
                }
                main => {
                    result.main = Some(main.to_owned());
                    result.is_known = true;
                    break;
                }
            }
        }
        if !is_named && result.class_path.is_empty() && result.main.is_some() {
            result.class_path = std::env::var("CLASSPATH").map_or_else(|_| vec![".".to_owned()], |path| split(&path));
        }
        result
    }

    /// Replaces each `@file` by the words in the file, as the launcher does before the main class.
    fn expanded(&self, words: &[String]) -> Vec<String> {
        let mut all = Vec::new();
        for word in words {
            match word.strip_prefix('@').map(|file| std::fs::read_to_string(self.folder.join(file))) {
                Some(Ok(text)) => all.extend(text.split_whitespace().map(|word| word.trim_matches('"').to_owned())),
                _ => all.push(word.clone()),
            }
        }
        all
    }
}

/// The parts of a zero-separated file in which the system describes a process.
fn parts(file: &Path) -> Vec<String> {
    let bytes = std::fs::read(file).unwrap_or_default();
    let parts = bytes.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}

fn split(path: &str) -> Vec<String> {
    let parts =
        std::env::split_paths(path).map(|part| if part.as_os_str().is_empty() { PathBuf::from(".") } else { part });
    parts.map(|part| part.to_string_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Words {
        let words = line.split(' ').map(str::to_owned).collect();
        Target { process: None, words, folder: PathBuf::new(), environment: Vec::new() }.words()
    }

    #[test]
    fn the_parts_of_a_command_are_told_apart() {
        let found = words("java -Xss1m --add-opens a/b=ALL -cp a.jar:lib/* com.acme.Main -cp x");
        assert_eq!(found.options, ["-Xss1m", "--add-opens=a/b=ALL"]);
        assert_eq!(
            (&found.class_path[..], found.main.as_deref()),
            (&["a.jar".to_owned(), "lib/*".to_owned()][..], Some("com.acme.Main"))
        );
        let found = words("jdk/bin/java -Xmx1g -jar app.jar -Xint");
        assert_eq!(
            (found.options.len(), found.class_path, found.main, found.is_known),
            (1, vec!["app.jar".to_owned()], None, true)
        );
        let found = words("java -p mods -m com.acme/com.acme.Main");
        assert_eq!((found.class_path, found.main.as_deref()), (vec!["mods".to_owned()], Some("com.acme.Main")));
        assert_eq!(words("mvn -Xint test"), Words::default());
    }

    #[test]
    fn long_options_have_their_value_behind_an_equals_sign_or_in_the_next_word() {
        for line in ["java --module-path=mods --module=m/a.Main arg1", "java --module-path mods --module m/a.Main arg1"]
        {
            let found = words(line);
            assert_eq!((found.class_path, found.main.as_deref()), (vec!["mods".to_owned()], Some("a.Main")), "{line}");
            assert!(found.options.is_empty(), "{line}: {:?}", found.options);
        }
        let found = words("java --class-path=a.jar --limit-modules=java.se -Dx=--y a.Main");
        assert_eq!(found.options, ["--limit-modules=java.se", "-Dx=--y"]);
        assert_eq!((found.class_path, found.main.as_deref()), (vec!["a.jar".to_owned()], Some("a.Main")));
    }

    #[test]
    fn a_source_file_is_no_main_class() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("Main.java"), "").expect("written");
        let source = |line: &str| {
            let words = line.split(' ').map(str::to_owned).collect();
            let folder = folder.path().to_owned();
            let found = Target { process: None, words, folder, environment: Vec::new() }.words();
            assert_eq!(found.is_known, found.source.is_none(), "{line}");
            found.source
        };
        assert_eq!(source("java -cp lib Main.java x").as_deref(), Some("Main.java"));
        assert_eq!(source("java --source 17 start").as_deref(), Some("start"));
        assert_eq!(source("java --source=17 start").as_deref(), Some("start"));
        // Without such a file, it is the class java in the package None.
        assert_eq!(source("java None.java"), None);
    }

    #[test]
    fn options_are_in_the_order_in_which_the_jvm_reads_them() {
        let words = ["java", "-Xss2m", "a.Main"].map(str::to_owned).to_vec();
        let environment = [("JAVA_TOOL_OPTIONS", "-Xss1m"), ("_JAVA_OPTIONS", "\"-Xss3m\"")]
            .map(|(name, value)| (name, value.to_owned()));
        let target = Target { process: None, words, folder: PathBuf::new(), environment: environment.to_vec() };
        assert_eq!(target.words().options, ["-Xss1m", "-Xss2m", "-Xss3m"]);
    }
}
