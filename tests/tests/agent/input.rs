//! Invalid input is reported in one line, and the program does not start.

use crate::machine::{Jvm, Run, finish, on_two_jvms};

/// Options, and the words that the line must contain.
const CASES: &[(&str, &[&str])] = &[
    ("reprot=x.txt", &["reprot", "report"]),
    ("arrays=some", &["arrays", "some", "refs"]),
    ("engine=raech", &["raech", "reach"]),
    ("spec=nowhere.spec", &["nowhere.spec"]),
    ("report=nowhere/report.txt", &["nowhere/report.txt"]),
    ("record=nowhere/trace.std", &["nowhere/trace.std"]),
    ("max_reports=many", &["max_reports", "many"]),
    ("exitcode=-1", &["exitcode", "-1"]),
];

/// A program that would print something.
const PROGRAM: &str = "atomic.JoinBeforeRead";

/// Checks that the output is one line with these words and that the exit code is the agent's.
fn is_refused(run: &Run, words: &[&str]) -> Result<(), String> {
    let is_clear = match run.said()[..] {
        [line] => line.starts_with("regiontrack: ") && words.iter().all(|word| line.contains(word)),
        _ => false,
    };
    if is_clear && run.out.is_empty() && run.code == Some(2) { Ok(()) } else { Err(format!("{words:?}: {run:?}")) }
}

/// Checks that this specification is rejected with its name, the number of the wrong line and these words.
fn specification_is_refused(jvm: &Jvm, text: &str, line: u32, words: &[&str]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("app.spec");
    std::fs::write(&path, text).map_err(|e| e.to_string())?;
    let place = format!("app.spec:{line}:");
    let run = jvm.run(Some(&format!("spec={}", path.display())), &[PROGRAM]);
    is_refused(&run, &[&[place.as_str()], words].concat())
}

#[test]
fn bad_options_are_one_clear_line_and_the_program_does_not_start() {
    on_two_jvms(|jvm| {
        let refused = |(options, words): &(&str, &[&str])| is_refused(&jvm.run(Some(options), &[PROGRAM]), words).err();
        let wrong: Vec<String> = CASES.iter().filter_map(refused).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn a_wrong_specification_is_named_with_its_line() {
    on_two_jvms(|jvm| {
        specification_is_refused(jvm, "+ **\n* com.example.Cache\n", 2, &[])?;
        specification_is_refused(jvm, "# a comment\n\n+ com.example.Cache.get(int\n- x y z\n", 3, &[])
    });
}

#[test]
fn a_platform_without_a_native_library_is_named() {
    on_two_jvms(|jvm| {
        let run = jvm.run(Some(""), &["-Dos.arch=vax", PROGRAM]);
        is_refused(&run, &["no native library for ", "-vax"])
    });
}

/// On Java 11 the command line can override the version. The agent's own build tests the check itself on every JVM.
#[test]
fn a_jvm_that_is_too_old_is_named() {
    on_two_jvms(|jvm| {
        let run = jvm.run(Some(""), &["-Djava.specification.version=1.8", PROGRAM]);
        if jvm.feature() < 17 { is_refused(&run, &["Java 1.8", "Java 11 or newer"]) } else { Ok(()) }
    });
}

#[test]
fn options_come_from_system_properties_the_environment_or_a_file_and_the_strongest_wins() {
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [agent, property, environment, config] =
            ["agent", "property", "environment", "config"].map(|n| folder.path().join(n));
        let options = folder.path().join("options");
        std::fs::write(&options, format!("# a file\nreport={}\nformat=json\n", config.display()))
            .map_err(|e| e.to_string())?;
        let config_option = format!("config={}", options.display());
        let run = |agent: &str, property: Option<&std::path::Path>, environment: Option<&std::path::Path>| {
            let property = property.map(|file| format!("-Dregiontrack.report={}", file.display()));
            let arguments: Vec<&str> = property.as_deref().into_iter().chain([PROGRAM]).collect();
            let mut command = jvm.command(Some(agent), &arguments);
            command.envs(environment.map(|file| ("REGIONTRACK_REPORT", file)));
            finish(command)
        };
        let all = format!("{config_option},report={}", agent.display());
        let steps = [
            (run(&config_option, None, None), &config),
            (run(&config_option, None, Some(&environment)), &environment),
            (run(&config_option, Some(&property), Some(&environment)), &property),
            (run(&all, Some(&property), Some(&environment)), &agent),
        ];
        let missing = steps.iter().find(|(_, file)| !file.is_file());
        missing.map_or(Ok(()), |(run, file)| Err(format!("no {}: {run:?}", file.display())))
    });
}
