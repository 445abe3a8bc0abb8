//! `regiontrack-junit` with JUnit 5, 6 and 4: the test in which a violation happens fails, and no other, even with parallel tests.

use std::path::{Path, PathBuf};

use analysis_core::provoke::schedule::{self, Test};

use serde_json::Value;

use crate::machine::{Jvm, Run, command, finish, machine, on_all_jvms, on_two_jvms, utf8};

/// The folder that the build in `java-junit` prepares for these tests.
fn fixtures() -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java-junit/build/fixtures");
    assert!(fixtures.is_dir(), "{} is missing; run these tests by `cargo xtask test`", fixtures.display());
    fixtures
}

/// Runs test classes with a version of JUnit, several in parallel, with these options of the agent or without it.
fn run(jvm: &Jvm, version: &str, agent: Option<&str>, arguments: &[&str]) -> (Vec<String>, String) {
    let ran = ended(jvm, version, agent, arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    (ran.out.lines().map(str::to_owned).collect(), ran.err)
}

/// The same, with any exit code.
fn ended(jvm: &Jvm, version: &str, agent: Option<&str>, arguments: &[&str]) -> Run {
    let folder = fixtures();
    let class_path = ["subjects", "regiontrack/*", &format!("{version}/*"), "junit4/*"].map(|part| folder.join(part));
    let class_path = std::env::join_paths(class_path).expect("paths without separators").into_string().expect("UTF-8");
    let parallel = [
        "-Djunit.jupiter.execution.parallel.enabled=true",
        "-Djunit.jupiter.execution.parallel.config.strategy=fixed",
        "-Djunit.jupiter.execution.parallel.config.fixed.parallelism=4",
    ];
    // `shared.Race` forces the schedule without events.
    let agent = agent.map(|options| format!("exclude=shared.Race,report=/dev/null,{options}"));
    jvm.run_small(agent.as_deref(), &[&["-cp", &class_path], &parallel[..], arguments].concat())
}

/// The failure message of a test that loses an update.
fn lost(thread: &str) -> String {
    let method = "shared.Counter.increment()";
    format!(
        "FAILED {method}: lost update <- thread {thread}, whose {method} is not atomic, was here <- thread other, which came in between, \
         was here at shared.Counter.add"
    )
}

/// Compares line by line. `*` in an expected line matches any text.
fn compare(lines: &[String], expected: &[(&str, String)]) -> Result<(), String> {
    let is_like = |line: &str, (test, result): &(&str, String)| {
        let Some(said) = line.strip_prefix(test).and_then(|rest| rest.strip_prefix(": ")) else { return false };
        match result.split_once('*') {
            Some((start, end)) => said.starts_with(start) && said.ends_with(end),
            None => said == result,
        }
    };
    let wrong: Vec<&str> =
        lines.iter().map(String::as_str).filter(|line| !expected.iter().any(|test| is_like(line, test))).collect();
    if wrong.is_empty() && lines.len() == expected.len() {
        Ok(())
    } else {
        Err(format!("{} lines, unexpected among them:\n{}", lines.len(), wrong.join("\n")))
    }
}

const FIVE: [&str; 7] = [
    "subjects5.Run",
    "subjects5.PlainTest",
    "subjects5.ParallelTest",
    "subjects5.ExpectTest",
    "subjects5.ClassTest$BeforeTest",
    "subjects5.ClassTest$LateTest",
    "subjects5.ClassTest",
];

/// The expected results of these tests.
fn expected_of_five() -> Vec<(&'static str, String)> {
    let passed = || "SUCCESSFUL".to_owned();
    let lost_in = |thread: &str| lost(thread);
    let worker = "ForkJoinPool-1-worker-*";
    let skipped = format!("{} & Assumption failed: of its own", lost_in(worker));
    vec![
        ("", passed()),
        ("[subjects5.PlainTest]", passed()),
        ("[subjects5.PlainTest]/[before()]", passed()),
        ("[subjects5.PlainTest]/[planted()]", lost_in(worker)),
        ("[subjects5.PlainTest]/[notAtomic()]", passed()),
        ("[subjects5.PlainTest]/[waits()]", passed()),
        (
            "[subjects5.PlainTest]/[atomic()]",
            "FAILED shared.Counter.delegateAtomically(): * at shared.Counter.add".to_owned(),
        ),
        ("[subjects5.ParallelTest]", passed()),
        ("[subjects5.ParallelTest]/[fixedInTask()]", passed()),
        ("[subjects5.ParallelTest]/[plantedInFuture()]", lost_in("pool-1-thread-*")),
        ("[subjects5.ParallelTest]/[plantedInTask()]", lost_in("pool-1-thread-*")),
        ("[subjects5.ParallelTest]/[plantedInThread()]", lost_in("Thread-*")),
        ("[subjects5.ExpectTest]", passed()),
        ("[subjects5.ExpectTest]/[happens()]", passed()),
        ("[subjects5.ExpectTest]/[happensAsSaid()]", passed()),
        ("[subjects5.ExpectTest]/[doesNotHappen()]", "FAILED expected a violation, and there was none".to_owned()),
        (
            "[subjects5.ExpectTest]/[otherHappens()]",
            "FAILED expected a violation of Counter.fixed, and there were others & thread *".to_owned(),
        ),
        (
            "[subjects5.ExpectTest]/[failsToo()]",
            "FAILED of its own & shared.Counter.increment(): lost update <- *".to_owned(),
        ),
        ("[subjects5.ExpectTest]/[isSkippedToo()]", skipped.clone()),
        ("[subjects5.ExpectTest]/[made()]", passed()),
        ("[subjects5.ExpectTest]/[made()]/[#1]", passed()),
        ("[subjects5.ExpectTest]/[made()]/[#2]", lost_in(worker)),
        ("[subjects5.ExpectTest]/[made()]/[#3]", skipped),
        ("[subjects5.ExpectTest]/[second(org.junit.jupiter.api.RepetitionInfo)]", passed()),
        ("[subjects5.ExpectTest]/[second(org.junit.jupiter.api.RepetitionInfo)]/[#1]", passed()),
        ("[subjects5.ExpectTest]/[second(org.junit.jupiter.api.RepetitionInfo)]/[#2]", lost_in(worker)),
        ("[subjects5.ClassTest$BeforeTest]", lost_in(worker)),
        ("[subjects5.ClassTest$BeforeTest]/[passes()]", passed()),
        ("[subjects5.ClassTest$LateTest]", lost_in("Thread-*")),
        ("[subjects5.ClassTest$LateTest]/[leavesOneBehind()]", passed()),
        ("[subjects5.ClassTest]", passed()),
        ("[subjects5.ClassTest]/[Inner]", passed()),
        ("[subjects5.ClassTest]/[Inner]/[planted()]", lost_in(worker)),
    ]
}

#[test]
fn the_tests_of_junit_5_in_which_a_violation_happens_fail_and_no_others() {
    on_two_jvms(|jvm| compare(&run(jvm, "jupiter", Some(""), &FIVE).0, &expected_of_five()));
}

#[test]
fn the_same_is_true_of_junit_6_and_of_a_run_that_is_recorded_as_a_stream() {
    on_two_jvms(|jvm| {
        let version = if jvm.feature() >= 17 { "jupiter-newest" } else { "jupiter" };
        compare(&run(jvm, version, Some("mode=stream"), &FIVE).0, &expected_of_five())
    });
}

#[test]
fn the_tests_of_junit_4_in_which_a_violation_happens_fail_by_a_rule_or_a_runner() {
    let lost = |thread: &str| {
        format!(
            "FAILED shared.Counter.increment(): lost update <- thread {thread}, whose shared.Counter.increment() is not atomic, was here"
        )
    };
    let finished = || "finished".to_owned();
    let expected = [
        ("subjects4.RuleTest", lost("main")),
        ("fixed(subjects4.RuleTest)", finished()),
        ("planted(subjects4.RuleTest)", finished()),
        ("planted(subjects4.RuleTest)", lost("main")),
        ("expected(subjects4.RuleTest)", finished()),
        ("missing(subjects4.RuleTest)", finished()),
        ("missing(subjects4.RuleTest)", "FAILED expected a violation, and there was none".to_owned()),
        ("fixed(subjects4.RunnerTest)", finished()),
        ("planted(subjects4.RunnerTest)", finished()),
        ("planted(subjects4.RunnerTest)", lost("Time-limited test")),
        ("failsToo(subjects4.RunnerTest)", finished()),
        ("failsToo(subjects4.RunnerTest)", "FAILED of its own".to_owned()),
        ("failsToo(subjects4.RunnerTest)", lost("main")),
    ];
    on_two_jvms(|jvm| {
        let classes = ["subjects4.Run", "subjects4.RuleTest", "subjects4.RunnerTest"];
        compare(&run(jvm, "jupiter", Some(""), &classes).0, &expected)
    });
}

/// The failure message of a test in which one of two threads sees what the other one changes afterwards.
fn stale() -> String {
    let method = "shared.Account.withdraw(int)";
    format!("FAILED {method}: stale check-then-act *, was here at shared.Account.take")
}

/// JUnit 5 tests that are repeated until a rare violation happens, in parallel with others, and their correct twins.
fn expected_of_provoked() -> Vec<(&'static str, String)> {
    let passed = || "SUCCESSFUL".to_owned();
    vec![
        ("", passed()),
        ("[subjects5.ProvokeTest]", passed()),
        ("[subjects5.ProvokeTest]/[once()]", passed()),
        ("[subjects5.ProvokeTest]/[twoWithdraw()]", stale()),
        ("[subjects5.ProvokeTest]/[twoWithdrawAtOnce()]", passed()),
        ("[subjects5.ProvokeTest]/[isExpected()]", passed()),
        (
            "[subjects5.ProvokeTest]/[isExpectedInVain()]",
            "FAILED expected a violation, and there was none, in any of *".to_owned(),
        ),
        (
            "[subjects5.ProvokeTest]/[failsInTheSecondRun()]",
            "FAILED runs ==> expected: <1> but was: <2> & regiontrack-junit: run 2 of at most 20, *".to_owned(),
        ),
        (
            "[subjects5.ProvokeTest]/[isSkippedToo()]",
            format!("{} & Assumption failed: of its own", lost("ForkJoinPool-1-worker-*")),
        ),
        ("[subjects5.ProvokeTest]/[asksForTooFew()]", "FAILED @Provoke(runs = 1) of *".to_owned()),
        ("[subjects5.ProvokeTest]/[template()]", passed()),
        ("[subjects5.ProvokeTest]/[template()]/[#1]", stale()),
        ("[subjects5.ProvokeTest]/[template()]/[#2]", stale()),
        ("[subjects5.ProvokeTest]/[made()]", passed()),
        ("[subjects5.ProvokeTest]/[made()]/[#1]", passed()),
        ("[subjects5.ProvokeTest]/[made()]/[#2]", stale()),
        ("[subjects5.ProvokeTest]/[Whole]", passed()),
        ("[subjects5.ProvokeTest]/[Whole]/[ofTheClass()]", stale()),
    ]
}

#[test]
fn a_test_that_is_repeated_fails_with_what_seldom_happens_and_its_correct_twin_passes() {
    on_all_jvms(|jvm| {
        let versions = if jvm.feature() >= 17 { vec!["jupiter", "jupiter-newest"] } else { vec!["jupiter"] };
        versions.into_iter().try_for_each(|version| {
            let classes = ["subjects5.Run", "subjects5.ProvokeTest", "subjects5.PlainTest"];
            let (lines, _) = run(jvm, version, Some("provoke=tests"), &classes);
            let (plain, provoked): (Vec<String>, Vec<String>) =
                lines.into_iter().partition(|line| line.starts_with("[subjects5.PlainTest]"));
            let expected = expected_of_five().into_iter().filter(|(test, _)| test.starts_with("[subjects5.PlainTest]"));
            compare(&provoked, &expected_of_provoked())?;
            compare(&plain, &expected.collect::<Vec<_>>())
        })
    });
}

#[test]
fn the_same_is_true_of_junit_4_by_the_rule_and_the_runner() {
    let finished = || "finished".to_owned();
    let lost = || "FAILED shared.Account.withdraw(int): stale check-then-act *is not atomic, was here".to_owned();
    let skipped = "FAILED shared.Counter.increment(): lost update *is not atomic, was here".to_owned();
    let expected = [
        ("isSkippedToo(subjects4.ProvokeTest)", finished()),
        ("isSkippedToo(subjects4.ProvokeTest)", skipped),
        ("twoWithdraw(subjects4.ProvokeTest)", finished()),
        ("twoWithdraw(subjects4.ProvokeTest)", lost()),
        ("twoWithdrawAtOnce(subjects4.ProvokeTest)", finished()),
        ("isExpected(subjects4.ProvokeTest)", finished()),
        ("ofTheClass(subjects4.ProvokeTest$Whole)", finished()),
        ("ofTheClass(subjects4.ProvokeTest$Whole)", lost()),
        ("fixed(subjects4.ProvokeTest$Whole)", finished()),
    ];
    on_all_jvms(|jvm| {
        let classes = ["subjects4.Run", "subjects4.ProvokeTest", "subjects4.ProvokeTest$Whole"];
        compare(&run(jvm, "jupiter", Some("provoke=tests"), &classes).0, &expected)
    });
}

#[test]
fn a_timeout_does_not_measure_that_a_test_waits_until_another_one_is_repeated() {
    on_two_jvms(|jvm| {
        let version = if jvm.feature() >= 17 { "jupiter-newest" } else { "jupiter" };
        let (lines, said) = run(jvm, version, Some("provoke=tests"), &["subjects5.Run", "subjects5.TurnTest"]);
        let expected = ["", "[subjects5.TurnTest]", "[subjects5.TurnTest]/[one()]", "[subjects5.TurnTest]/[other()]"];
        compare(&lines, &expected.map(|test| (test, "SUCCESSFUL".to_owned()))).map_err(|why| why + &said)
    });
}

/// The exit code that a violation sets.
const VIOLATED: i32 = 66;

/// Runs test classes. Returns the exit code, which tests have failed, and the report, which is left in this file.
fn judged(jvm: &Jvm, options: &str, classes: &[&str], report: &Path) -> Result<(Option<i32>, String, Value), String> {
    let options = format!("exitcode={VIOLATED},report={},overwrite=true,{options}", report.display());
    let ran = ended(jvm, "jupiter", Some(&options), classes);
    let failed: Vec<&str> = ran.out.lines().filter(|line| line.contains("FAILED")).collect();
    let text = std::fs::read_to_string(report).map_err(|error| format!("{error}: {ran:?}"))?;
    let json = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
    Ok((ran.code, failed.join("\n"), json))
}

/// Returns the methods in a list of a report, without those of tests themselves.
fn methods(report: &Value, key: &str) -> Vec<String> {
    let all = report[key].as_array().into_iter().flatten().filter_map(|one| one["method"].as_str());
    all.filter(|method| method.starts_with("shared.")).map(str::to_owned).collect()
}

const INCREMENT: &str = "shared.Counter.increment()";

#[test]
fn what_tests_expect_does_not_count_in_the_report_unless_it_is_violated_elsewhere_too() {
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = |name: &str| folder.path().join(name);
        let (one, other, both) = (file("one.json"), file("other.json"), file("both.json"));
        for (runner, class, method, options) in [
            ("subjects4.Run", "subjects4.ExpectedTest", INCREMENT, ""),
            ("subjects5.Run", "subjects5.ExpectedTest$ProvokedTest", "shared.Account.withdraw(int)", "provoke=tests"),
            ("subjects5.Run", "subjects5.ExpectedTest", INCREMENT, "mode=stream"),
            ("subjects5.Run", "subjects5.ExpectedTest", INCREMENT, ""),
        ] {
            let (code, failed, report) = judged(jvm, options, &[runner, class], &one)?;
            let is_told = |one: &Value| one["reason"].as_str().is_some_and(|why| why.starts_with("expected by "));
            let is_all_told = report["suppressed"].as_array().is_some_and(|all| all.iter().all(is_told));
            let is_out = report["violations"] == Value::Array(Vec::new()) && methods(&report, "suppressed") == [method];
            if code != Some(0) || !failed.is_empty() || !is_out || !is_all_told {
                return Err(format!("{class}, {options}: {code:?} {failed} {report}"));
            }
        }
        let unexpected = |(code, _, report): (Option<i32>, String, Value)| {
            let is_in = methods(&report, "violations").iter().any(|method| method == INCREMENT);
            let is_out = methods(&report, "suppressed").iter().any(|method| method == INCREMENT);
            if code == Some(VIOLATED) && is_in && !is_out { Ok(()) } else { Err(format!("{code:?} {report}")) }
        };
        let classes = ["subjects5.Run", "subjects5.ExpectedTest", "subjects5.PlainTest"];
        unexpected(judged(jvm, "", &classes, &both)?)?;
        unexpected(judged(jvm, "", &[classes[0], classes[2]], &other)?)?;
        let merged = |reports: &[&Path]| {
            let mut merge = std::process::Command::new(command());
            merge.arg("merge").args(reports);
            finish(merge)
        };
        for (reports, code, says) in [
            (&[&*one][..], 0, "but its only finding is expected by tests"),
            (&[&one, &other], 1, INCREMENT),
            (&[&other, &one], 1, INCREMENT),
        ] {
            let ran = merged(reports);
            if ran.code != Some(code) || !ran.out.contains(says) || code == 1 && ran.out.contains("expected by") {
                return Err(format!("{reports:?}: {ran:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_test_that_expects_what_is_suppressed_or_known_passes() {
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = |name: &str| folder.path().join(name);
        let (report, lines, known) = (file("report.json"), file("lines"), file("known"));
        std::fs::write(&lines, format!("method:{INCREMENT}\n")).map_err(|error| error.to_string())?;
        judged(jvm, "", &["subjects5.Run", "subjects5.PlainTest"], &report)?;
        let mut update = std::process::Command::new(command());
        update.args(["baseline", "update", utf8(&known), utf8(&report)]);
        let updated = finish(update);
        for options in [format!("suppressions={}", utf8(&lines)), format!("baseline={}", utf8(&known))] {
            let classes = ["subjects5.Run", "subjects5.ExpectedTest"];
            let (code, failed, report) = judged(jvm, &options, &classes, &report)?;
            if code != Some(0) || !failed.is_empty() || methods(&report, "suppressed") != [INCREMENT] {
                return Err(format!("{options}: {code:?} {failed} {report} {updated:?}"));
            }
        }
        Ok(())
    });
}

/// How often a test is provoked that fails in a repetition without a hold: what happens by chance has no schedule.
const TRIES: usize = 10;

/// Provokes a test until it fails in a steered repetition. Returns the file with the schedule, the only one in this folder.
fn provoked_with_schedule(
    jvm: &Jvm,
    folder: &Path,
    classes: &[&str],
    is_it: impl Fn(&&String) -> bool,
) -> Result<PathBuf, String> {
    let options = format!("provoke=tests,schedules={}", folder.display());
    for _ in 0..TRIES {
        let (lines, said) = run(jvm, "jupiter", Some(&options), classes);
        let failed: Vec<&String> = lines.iter().filter(|line| line.contains(": FAILED")).collect();
        let files: Vec<PathBuf> =
            std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
        match &files[..] {
            [file] => return Ok(file.clone()),
            [] if failed.iter().any(&is_it) => {}
            _ => return Err(format!("{files:?} {lines:?}\n{said}")),
        }
    }
    Err(format!("it has happened by chance {TRIES} times"))
}

/// And in no other test. The rows pair a class that runs tests with a class that has a test to repeat, and name that test.
#[test]
fn what_was_provoked_in_a_test_happens_again_by_its_schedule() {
    let four = ("subjects4.Run", "subjects4.ProvokeTest$Whole", "ofTheClass(subjects4.ProvokeTest$Whole)");
    let five = ("subjects5.Run", "subjects5.ProvokeTest$Whole", "subjects5.ProvokeTest$Whole.ofTheClass()");
    on_all_jvms(|jvm| {
        for (runner, class, test) in [four, five] {
            let is_it =
                |line: &&String| line.contains("ofTheClass") && line.contains("shared.Account.withdraw(int): stale");
            let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
            let file = &provoked_with_schedule(jvm, folder.path(), &[runner, class], is_it)
                .map_err(|why| format!("{class}: {why}"))?;
            let schedule = schedule::read(file).map_err(|error| error.to_string())?.expect("a file");
            if schedule.test != Some(Test { name: test.to_owned(), nth: 1 }) {
                return Err(schedule.to_text());
            }
            let report = folder.path().join("report.json");
            let replayed = format!("replay={},report={}", file.display(), report.display());
            // First another test whose threads pass the same places.
            let others = class.strip_suffix("$Whole").expect("its name");
            let classes = if runner == "subjects4.Run" { vec![runner, others, class] } else { vec![runner, class] };
            let (lines, said) = run(jvm, "jupiter", Some(&replayed), &classes);
            let failed: Vec<&String> = lines.iter().filter(|line| line.contains(": FAILED")).collect();
            let json = std::fs::read_to_string(&report).map_err(|error| error.to_string())?;
            let json: serde_json::Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
            // If the other thread was too far, no thread comes to `other`, and any thread may pass.
            let [points, passed] = ["points", "passed"].map(|key| json["replayed"][key].as_u64());
            let way = json["replayed"]["ways"][0].as_str();
            let is_followed = schedule.points.is_empty()
                || points.is_some() && points == passed && way.is_none()
                || way.is_some_and(|way| way.ends_with("before the one by the schedule"));
            let is_alone = classes.len() == 2 || said.matches(", which is not of this test").count() == 1;
            if !failed.iter().any(is_it) || !is_followed || !is_alone {
                return Err(format!("{class}: {lines:?}\n{}\n{said}", json["replayed"]));
            }
        }
        Ok(())
    });
}

/// In dependency mode, without an agent, and with an agent that the library attaches.
#[test]
fn a_test_that_cannot_be_repeated_runs_once_and_a_line_says_what_to_add() {
    on_two_jvms(|jvm| {
        let classes = ["subjects4.Run", "subjects4.ProvokeTest$Whole"];
        for (agent, line) in [
            (Some(""), "runs once, and no thread is held in it: add provoke=tests to the options of the agent"),
            (None, "add -javaagent:regiontrack.jar"),
        ] {
            let (lines, said) = run(jvm, "jupiter", agent, &classes);
            let fixed = "fixed(subjects4.ProvokeTest$Whole): finished".to_owned();
            if !lines.contains(&fixed) || said.matches(line).count() != 1 {
                return Err(format!("{lines:?} {said}"));
            }
        }
        let jar = format!("-Dregiontrack-junit.agent={}", machine().jar.display());
        let (lines, said) =
            run(jvm, "jupiter", None, &[&[jar.as_str(), "-Dregiontrack.report=/dev/null"], &classes[..]].concat());
        let is_found = lines.iter().any(|line| line.contains("ofTheClass") && line.contains(": FAILED shared.Account"));
        if is_found { Ok(()) } else { Err(format!("{lines:?} {said}")) }
    });
}

#[test]
fn without_the_agent_tests_pass_as_they_are_and_one_line_says_what_is_missing() {
    on_two_jvms(|jvm| {
        let (lines, said) =
            run(jvm, "jupiter", None, &["subjects5.Run", "subjects5.PlainTest", "subjects5.ExpectTest"]);
        let failed: Vec<&String> = lines.iter().filter(|line| line.contains(": FAILED")).collect();
        let skipped = lines.iter().filter(|line| line.contains(": ABORTED a violation is expected")).count();
        let of_its_own = failed.len() == 1 && failed[0].ends_with("[failsToo()]: FAILED of its own");
        if of_its_own && skipped == 4 && said.matches("add -javaagent:").count() == 1 {
            Ok(())
        } else {
            Err(format!("{lines:?} {said}"))
        }
    });
}

/// The agent's jar is known, but no JVM option names it: the agent is attached before the tests.
#[test]
fn an_agent_whose_jar_is_known_is_attached_and_finds_the_same() {
    on_two_jvms(|jvm| {
        let jar = format!("-Dregiontrack-junit.agent={}", machine().jar.display());
        let options = ["-Dregiontrack.exclude=shared.Race", "-Dregiontrack.report=/dev/null"];
        let (lines, _) = run(jvm, "jupiter", None, &[&[jar.as_str()], &options[..], &FIVE[..]].concat());
        compare(&lines, &expected_of_five())
    });
}
