//! What the agent cannot use, it names in one line, and the program does not start.

use crate::machine::{finish, on_every_jvm};

/// The options, and what the one line must contain.
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

#[test]
fn bad_options_are_one_clear_line_and_the_program_does_not_start() {
    on_every_jvm(|jvm| {
        let mut wrong = Vec::new();
        for (options, words) in CASES {
            let run = jvm.run(Some(options), &["atomic.JoinBeforeRead"]);
            let ours: Vec<&str> = run.err.lines().filter(|line| line.starts_with("regiontrack: ")).collect();
            let is_clear = ours.len() == 1 && words.iter().all(|word| ours[0].contains(word));
            if !is_clear || !run.out.is_empty() || run.code == Some(0) {
                wrong.push(format!("{options}: {run:?}"));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn a_wrong_specification_is_named_with_its_line() {
    on_every_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("app.spec");
        std::fs::write(&path, "+ **\n* com.example.Cache\n").map_err(|e| e.to_string())?;
        let run = jvm.run(Some(&format!("spec={}", path.display())), &["atomic.JoinBeforeRead"]);
        if run.err.contains("app.spec:2:") && run.out.is_empty() && run.code != Some(0) {
            Ok(())
        } else {
            Err(format!("{run:?}"))
        }
    });
}

#[test]
fn options_may_come_from_system_properties_the_environment_and_a_file_and_the_nearest_wins() {
    on_every_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [agent, property, environment, config] =
            ["agent", "property", "environment", "config"].map(|n| folder.path().join(n));
        let options = folder.path().join("options");
        std::fs::write(&options, format!("# a file\nreport={}\nformat=json\n", config.display()))
            .map_err(|e| e.to_string())?;
        let config_option = format!("config={}", options.display());
        let run = |agent: &str, property: Option<&std::path::Path>, environment: Option<&std::path::Path>| {
            let property = property.map(|file| format!("-Dregiontrack.report={}", file.display()));
            let arguments: Vec<&str> = property.as_deref().into_iter().chain(["atomic.JoinBeforeRead"]).collect();
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
