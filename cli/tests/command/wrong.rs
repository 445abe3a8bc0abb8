//! Wrong uses of the commands around the agent: one line on standard error that says what to do, nothing on standard output, exit
//! code 2.

use crate::runner::{CLEAN, Folder};

const AGENT: &str = "the agent .*regiontrack.jar: name its jar with --agent: ";

/// Arguments, and the line; a `.*` in it stands for anything.
const USES: [(&[&str], &str); 60] = [
    (&["run"], "the following required arguments were not provided: <COMMAND>...; see --help"),
    (&["run", "--"], "the following required arguments were not provided: <COMMAND>...; see --help"),
    (&["run", "mvn", "test"], "unexpected argument 'mvn' found; see --help"),
    (&["run", "--", "true"], AGENT),
    (&["run", "--agent", "none.jar", "--", "true"], "the agent none.jar: name its jar with --agent: "),
    (&["run", "--agent", "a.jar", "--", "no-such-command"], "no-such-command: cannot be started: "),
    (
        &["run", "--agent", "a.jar", "--options", "format=json", "--", "true"],
        "--options format=: each JVM gets its own; ",
    ),
    (
        &["run", "--agent", "a.jar", "--format", "pdf", "--", "true"],
        "invalid value 'pdf' for '--format <NAME>'; [possible values: ",
    ),
    (
        &["run", "--agent", "a.jar", "--progress", "often", "--", "true"],
        "invalid value 'often' for '--progress <SECONDS>': ",
    ),
    (&["run", "--agent", "a.jar", "--keep", "a.jar", "--", "true"], "a.jar: "),
    (&["run", "--agent", "a.jar", "--", "true"], "true ended without a report of the agent: no JVM was started"),
    (&["attach", "12"], AGENT),
    (
        &["attach", "--agent", "a.jar", "--java", "none", "12"],
        "--java none: there is no such command; expected a java, ",
    ),
    (&["attach", "--agent", "a.jar", "twelve"], "invalid value 'twelve' for '[PID]': "),
    (&["attach", "--agent", "a.jar", "--", "-1"], "invalid value '-1' for '[PID]': "),
    (&["attach", "--agent", "a.jar", "1", "2"], "unexpected argument '2' found; see --help"),
    (&["attach", "--agent", "a.jar", "--options", "arrays=all"], "--options: no process is named; name one, as in "),
    (&["doctor"], AGENT),
    (&["doctor", "--agent", "a.jar", "--java", "none"], "--java none: there is no such command; expected a java, "),
    (
        &["doctor", "--agent", "a.jar", "4294967295"],
        "there is no process 4294967295; regiontrack attach without a process lists ",
    ),
    (
        &["doctor", "--agent", "a.jar", "7", "--", "java"],
        "the argument '[PID]' cannot be used with '[COMMAND]...'; see --help",
    ),
    (&["init", "none"], "none: no such folder; name that of the project"),
    (
        &["init", "--write", "empty"],
        "empty: no pom.xml and no build.gradle, so there is nothing to write; run the tests with  regiontrack run -- ",
    ),
    (&["init", "xml"], "xml/pom.xml: its root is <settings>, so it is no Maven project; expected <project>"),
    (&["init", "--write", "open"], "open/build.gradle: a brace that is not closed"),
    (&["init", "--write", "there"], "there/build.gradle: has the plugin dev.regiontrack already"),
    (&["merge"], "the following required arguments were not provided: <REPORT>...; see --help"),
    (&["merge", "none.json"], "none.json: "),
    (&["merge", "a.std"], "a.std: "),
    (&["baseline", "show", "none.baseline"], "none.baseline: "),
    (&["candidates"], "the following required arguments were not provided: <TRACE>...; see --help"),
    (&["candidates", "none.std"], "none.std: "),
    (&["candidates", "--window", "0", "a.std"], "invalid value '0' for '--window <N>': "),
    (&["candidates", "a.std", "-o", "a.std"], "a.std: is no list of candidates: expected 'regiontrack candidates 1' "),
    (
        &["candidates", "--format", "json", "a.std", "-o", "new"],
        "the argument '--format <FORMAT>' cannot be used with '--output <FILE>'; see --help",
    ),
    (
        &["candidates", "show", "none"],
        "none: no such file; expected candidates, as regiontrack candidates TRACE -o FILE ",
    ),
    (
        &["candidates", "drop", "c.candidates"],
        "the following required arguments were not provided: <--id <ID>...|--state <STATE>...|--class <PATTERN>...>; ",
    ),
    (
        &["candidates", "drop", "c.candidates", "--id", "12"],
        "c.candidates: no candidate 12; regiontrack candidates show lists what is there",
    ),
    (
        &["candidates", "drop", "c.candidates", "--state", "old"],
        "c.candidates: no state 'old'; expected one of confirmed, again, new, impossible, not-reached; ",
    ),
    (&["candidates", "drop", "c.candidates", "--class", "a.*"], "c.candidates: no class matches 'a.*'; "),
    (&["provoke"], "the following required arguments were not provided: <COMMAND>...; see --help"),
    (&["provoke", "--", "true"], AGENT),
    (
        &["provoke", "--agent", "a.jar", "--options", "record=x", "--", "true"],
        "--options record=: each run gets its own; ",
    ),
    (&["provoke", "--agent", "a.jar", "--runs", "0", "--", "true"], "invalid value '0' for '--runs <N>': "),
    (
        &["provoke", "--agent", "a.jar", "--runs", "1", "--minutes", "1", "--", "true"],
        "the argument '--runs <N>' cannot be used with '--minutes <M>'; see --help",
    ),
    (
        &["provoke", "--agent", "a.jar", "--details", "5", "--", "true"],
        "the following required arguments were not provided: --report <FILE>; see --help",
    ),
    (
        &["provoke", "--agent", "a.jar", "--changes", "3", "--no-priorities", "--", "true"],
        "the argument '--changes <N>' cannot be used with '--no-priorities'; see --help",
    ),
    (&["provoke", "--agent", "a.jar", "--", "no-such-command"], "no-such-command: cannot be started: "),
    (
        &["provoke", "--agent", "a.jar", "--schedules", "a.std/x/y", "--", "true"],
        "--schedules .*a.std is no folder; name another one",
    ),
    (
        &["provoke", "--agent", "a.jar", "--report", "a.std/r.html", "--", "true"],
        "--report a.std/r.html: .*a.std is no folder; name another one",
    ),
    (&["provoke", "--agent", "a.jar", "--report", "xml", "--", "true"], "--report xml: it is a folder; name a file"),
    (
        &["provoke", "--agent", "a.jar", "--learn", "places", "--window", "9", "--", "true"],
        "--window: only recorded events are searched; leave it out, or --learn places",
    ),
    (&["provoke", "--agent", "a.jar", "--predict", "x", "--", "true"], "unknown algorithm 'x'"),
    (&["replay"], "the following required arguments were not provided: <FILE>; <COMMAND>...; see --help"),
    (&["replay", "none.schedule", "--", "true"], "none.schedule: no such file; regiontrack provoke writes schedules"),
    (&["replay", "c.candidates", "--", "true"], "c.candidates: is no schedule: expected 'regiontrack schedule 1' "),
    (&["replay", "a.schedule", "--", "true"], "a.schedule: is cut off: its last line is not 'end'; "),
    (&["explain", "a.schedule"], "a.schedule: is cut off: its last line is not 'end'; "),
    (&["explain", "a.schedule", "7"], "a.schedule: is a schedule, which is drawn as a whole; leave out the number 7"),
    (&["explain", "a.schedule", "--svg", "x"], "a.schedule: is a schedule, which is drawn as text; leave out --svg"),
];

/// Nothing is known of what it would have done.
#[cfg(unix)]
#[test]
fn a_run_that_takes_too_long_is_ended() {
    let folder = Folder::new().with("a.jar", "");
    let runs = ["--agent", "a.jar", "--runs", "1", "--timeout", "1", "--", "sleep", "600"];
    let ran = folder.run(&[&["provoke"][..], &runs].concat());
    assert!(
        ran.code == 2 && ran.stdout.contains("a run took longer than --timeout, and was ended"),
        "{} {}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn each_wrong_use_has_its_line() {
    let folder = Folder::new()
        .with("a.std", CLEAN)
        .with("a.jar", "")
        .with("a.schedule", "regiontrack schedule 1\n")
        .with("c.candidates", "regiontrack candidates 1\nruns 0\nend\n");
    for (name, file, text) in [
        ("empty", "Makefile.txt", ""),
        ("xml", "pom.xml", "<settings/>"),
        ("open", "build.gradle", "plugins {\n"),
        ("there", "build.gradle", "plugins {\n    id 'dev.regiontrack' version '1'\n}\n"),
    ] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder");
        std::fs::write(folder.path().join(name).join(file), text).expect("written");
    }
    let mut wrong = Vec::new();
    for (arguments, line) in USES {
        let ran = folder.run(arguments);
        let told = ran.stderr.strip_prefix("regiontrack: ").unwrap_or_default();
        let (start, end) = line.split_once(".*").unwrap_or((line, ""));
        let is_told = told.starts_with(start) && told[start.len()..].contains(end) && told.lines().count() == 1;
        if ran.code != 2 || !ran.stdout.is_empty() || !is_told {
            wrong.push(format!("{arguments:?}: expected {line}, got {} {}{}", ran.code, ran.stdout, ran.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn help_and_the_version_are_no_errors() {
    let folder = Folder::new();
    for arguments in [&["--help"][..], &["--version"], &["attach", "--help"], &["help", "doctor"]] {
        let ran = folder.run(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(!ran.stdout.is_empty());
    }
}
