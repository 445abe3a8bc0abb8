//! The JVM flags that conflict with the agent or with a fair result, from the command line and the environment.

use std::path::Path;

use super::target::Target;
use super::{Findings, Level};

/// The variables from which JVMs and their launcher take options.
pub(super) const ENVIRONMENT: [&str; 3] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", READ_LAST];
/// The one of them that overrides the command line.
pub(super) const READ_LAST: &str = "_JAVA_OPTIONS";
/// The smallest stack, in bytes, that leaves enough room for calls with hooks: the JVM's default.
const STACK: u64 = 1 << 20;
/// The smallest heap, in bytes.
const HEAP: u64 = 64 << 20;

/// The flag that denies native libraries to modules which no other flag names.
const DENIED: &str = "--illegal-native-access=deny";
/// The starts of flags of which only the last one counts.
const LAST_COUNTS: [&str; 4] = ["-Xss", "-Xmx", "--limit-modules=", "--illegal-native-access="];

/// Judges all flags that count, in order.
pub(super) fn judge(target: &Target, found: &mut Findings) {
    for (name, value) in &target.environment {
        found.note(format!("{name} gives options to every JVM: {value}"));
    }
    found.0.extend(of_all(&target.words().options, target.process.is_some()));
}

/// The levels and texts for the flags that no later one overrides.
fn of_all(flags: &[String], is_attached: bool) -> Vec<(Level, String)> {
    let is_overridden = |at: usize| {
        let kind = LAST_COUNTS.iter().find(|kind| flags[at].starts_with(**kind));
        kind.is_some_and(|kind| flags[at + 1..].iter().any(|later| later.starts_with(kind)))
    };
    let is_allowed = flags.iter().any(|flag| lists(flag, "--enable-native-access=", "ALL-UNNAMED"));
    let counting = (0..flags.len()).filter(|at| !is_overridden(*at)).map(|at| &flags[at]);
    counting.filter(|flag| !(is_allowed && *flag == DENIED)).filter_map(|flag| of(flag, is_attached)).collect()
}

/// Whether a flag is this option, and has this word in its list.
fn lists(flag: &str, option: &str, word: &str) -> bool {
    flag.strip_prefix(option).is_some_and(|list| list.split(',').any(|one| one == word))
}

/// The level and the text for a flag, if there is anything to say.
fn of(flag: &str, is_attached: bool) -> Option<(Level, String)> {
    let level = if is_attached { Level::Problem } else { Level::Note };
    if let Some(agent) = flag.strip_prefix("-javaagent:") {
        return Some(of_agent(agent.split('=').next().unwrap_or_default()));
    }
    if let Some(size) = flag.strip_prefix("-Xss").and_then(bytes) {
        let why = "calls with hooks need more stack; give the main thread -Xss8m";
        return (size < STACK).then(|| (Level::Problem, format!("{flag}: {why}")));
    }
    if let Some(size) = flag.strip_prefix("-Xmx").and_then(bytes) {
        let why = "a small heap; what the agent keeps of objects and threads may not fit, so give it at least -Xmx64m";
        return (size < HEAP).then(|| (Level::Problem, format!("{flag}: {why}")));
    }
    let start = "start the program with -javaagent:regiontrack.jar instead";
    let (level, why) = match flag {
        "-Xint" => (
            Level::Note,
            "nothing is compiled, so the program is slow, and several times slower under the agent; leave it out"
                .to_owned(),
        ),
        "-XX:+DisableAttachMechanism" | "-XX:-EnableDynamicAgentLoading" => {
            (level, format!("the agent cannot be attached once the program runs; {start}"))
        }
        DENIED => (Level::Problem, "the agent's library is denied; add --enable-native-access=ALL-UNNAMED".to_owned()),
        "-Xverify:none" | "-XX:-BytecodeVerificationRemote" => (
            Level::Note,
            "classes are not verified, so a broken one may end the JVM with or without the agent".to_owned(),
        ),
        _ if flag.starts_with("-XX:TieredStopAtLevel=") => (
            Level::Note,
            "not all compilers are used, so the program is slower under the agent than it could be; leave it out"
                .to_owned(),
        ),
        _ if flag.starts_with("-Djava.security.manager") && !flag.ends_with("=disallow") => (
            level,
            format!(
                "a security manager can deny the program's threads what the agent needs{}",
                if is_attached {
                    format!("; {start}")
                } else {
                    "; grant regiontrack.jar AllPermission in its policy".to_owned()
                }
            ),
        ),
        _ if flag.starts_with("-Xshare:dump") || flag.starts_with("-XX:ArchiveClassesAtExit") => (
            Level::Problem,
            "the JVM makes an archive of classes, which must not have hooks; make it in a run without the agent"
                .to_owned(),
        ),
        _ if flag.starts_with("-XX:SharedArchiveFile") || flag.starts_with("-XX:AOTCache") => (
            Level::Note,
            "classes that get hooks do not come from the archive, so the program starts more slowly".to_owned(),
        ),
        _ if flag.starts_with("-XX:CompilerDirectivesFile") => {
            (Level::Note, "your directives stay in force, and the agent adds none that would come over them".to_owned())
        }
        _ if flag.starts_with("-agentlib:jdwp") || flag.starts_with("-Xrunjdwp") => (
            Level::Note,
            "a debugger: while it stops threads, what they would have done at the same time is not seen".to_owned(),
        ),
        _ if flag.starts_with("-agentlib:") || flag.starts_with("-agentpath:") => {
            (Level::Note, "a native agent: what it does to classes and threads is not watched".to_owned())
        }
        // The module java.se requires java.instrument.
        _ if flag.starts_with("--limit-modules=")
            && !["java.instrument", "java.se"].iter().any(|module| lists(flag, "--limit-modules=", module)) =>
        {
            (Level::Problem, "without the module java.instrument the JVM loads no agent; add it to the list".to_owned())
        }
        _ => return None,
    };
    Some((level, format!("{flag}: {why}")))
}

fn of_agent(jar: &str) -> (Level, String) {
    let name = Path::new(jar).file_name().map_or_else(|| jar.to_owned(), |name| name.to_string_lossy().to_lowercase());
    if name.contains("jacoco") {
        (Level::Fine, format!("-javaagent:{jar}: JaCoCo sees the classes as they are, and its probes are not watched"))
    } else if name.contains("regiontrack") {
        (Level::Problem, format!("-javaagent:{jar}: the agent is there already; leave one of them out"))
    } else {
        (
            Level::Note,
            format!("-javaagent:{jar}: another agent; its classes are not watched, what it adds to the program's is"),
        )
    }
}

/// A size as the JVM reads it.
fn bytes(text: &str) -> Option<u64> {
    let (number, shift) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (&text[..at], 10),
        (at, 'm' | 'M') => (&text[..at], 20),
        (at, 'g' | 'G') => (&text[..at], 30),
        _ => (text, 0),
    };
    Some(number.parse::<u64>().ok()? << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_in_the_way_are_told_from_those_that_are_not() {
        for (flag, level) in [
            ("-Xss256k", Some(Level::Problem)),
            ("-Xss8m", None),
            ("-Xmx32m", Some(Level::Problem)),
            ("-Xmx2g", None),
            ("-javaagent:/x/jacocoagent.jar=destfile=a", Some(Level::Fine)),
            ("-javaagent:/x/regiontrack.jar", Some(Level::Problem)),
            ("-javaagent:/x/newrelic.jar", Some(Level::Note)),
            ("-Djava.security.manager", Some(Level::Note)),
            ("-Djava.security.manager=disallow", None),
            ("-XX:+DisableAttachMechanism", Some(Level::Note)),
            ("-XX:+UseG1GC", None),
        ] {
            assert_eq!(of(flag, false).map(|(level, _)| level), level, "{flag}");
        }
        assert_eq!(of("-XX:+DisableAttachMechanism", true).map(|(level, _)| level), Some(Level::Problem));
    }

    #[test]
    fn flags_are_judged_together_and_the_last_of_a_kind_counts() {
        let (allowed, other) = ("--enable-native-access=m,ALL-UNNAMED", "--enable-native-access=m");
        for (flags, problems) in [
            (&["-Xss256k", "-Xshare:auto", "-Xss8m"][..], 0),
            (&["-Xss8m", "-Xss256k"], 1),
            (&["-Xmx16m", "-Xss256k", "-Xmx1g"], 1),
            (&[DENIED], 1),
            (&[DENIED, other], 1),
            (&[DENIED, allowed], 0),
            (&[DENIED, "--illegal-native-access=warn"], 0),
            (&["--limit-modules=java.base"], 1),
            (&["--limit-modules=java.instruments"], 1),
            (&["--limit-modules=java.sql,java.se"], 0),
            (&["--limit-modules=java.base", "--limit-modules=java.base,java.instrument"], 0),
        ] {
            let owned: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
            let found = of_all(&owned, false);
            let count = found.iter().filter(|(level, _)| *level == Level::Problem).count();
            assert_eq!(count, problems, "{flags:?}: {found:?}");
        }
    }
}
