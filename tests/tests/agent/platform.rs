//! Platform classes that `include=` names. The programs' sources give the patterns (`include: PATTERNS`) and the expected
//! findings: `finding: METHOD KIND` in the run itself, `predicted: METHOD` in other schedules.

use std::collections::BTreeSet;
use std::path::Path;

use analysis_core::predict::algorithms::ALGORITHMS;
use serde_json::Value;

use crate::machine::{
    Jvm, by_turn, class_of, is_full, machine, on_newest_jvm, on_two_jvms, programs, shared_out, utf8,
};
use crate::programs::{check_programs, expected, reported};

/// Verifies the class files; by default the JVM does not verify its own.
const VERIFIED: &str = "-Xverify:all";

fn include(source: &Path) -> String {
    let patterns = expected(source, "include");
    format!("exclude=schedule.*,include=platform.*:{}", patterns.first().expect("`include: PATTERNS`"))
}

/// Checks that the program behaves as without the agent and that the findings are those that its source names: in both
/// modes in a full run, otherwise in one of them by turn.
fn check(jvm: &Jvm, source: &Path) -> Result<(), String> {
    let class = class_of(source);
    let plain = jvm.run_small(None, &[&class]);
    let predict = format!("predict={}", ALGORITHMS[0].name);
    let number = programs("platform").iter().position(|other| other == source).unwrap_or_default();
    let both = ["mode=dependencies", "mode=stream"];
    // Predictions are about programs that only luck kept apart.
    let modes = match (expected(source, "finding").is_empty(), is_full()) {
        (true, true) => [&both[..], &[&predict]].concat(),
        // Predictions need the stream.
        (true, false) => vec![both[0], &predict],
        (false, _) => by_turn(number, &both).to_vec(),
    };
    for mode in &modes {
        // Verifying all classes of the platform takes long, so it is done once.
        let flags: &[&str] = if is_full() || *mode != predict { &[VERIFIED] } else { &[] };
        let (run, report) = jvm.reported(&format!("{},{mode}", include(source)), &[flags, &[&class]].concat())?;
        if (plain.code, &plain.out) != (run.code, &run.out) {
            return Err(format!("{class} {mode}: plain {plain:?}, watched {run:?}"));
        }
        if expected(source, "finding") != reported(&report, "violations", true) || report["verdict"] == "incomplete" {
            return Err(format!("{class} {mode}: {report}"));
        }
        if *mode == predict {
            let told = reported(&report["predicted"][0], "predictions", false);
            if told != expected(source, "predicted") {
                return Err(format!("{class} {mode}: {report}"));
            }
        }
    }
    Ok(())
}

#[test]
fn a_class_of_the_platform_that_is_named_is_watched_like_one_of_the_program() {
    check_programs("platform", check);
}

/// In JDK 11 the lists of loaded classes are of one of these classes.
#[test]
fn what_the_jvm_does_to_load_classes_is_nothing_that_the_program_does() {
    let source = programs("platform").into_iter().find(|source| source.ends_with("ClassesLoaded.java"));
    let source = source.expect("the program");
    on_two_jvms(|jvm| check(jvm, &source));
}

/// If they are not named, the methods of these classes have models, or none.
#[test]
fn a_class_of_the_platform_that_is_not_named_is_not_watched() {
    on_newest_jvm(|jvm| {
        for source in programs("platform") {
            let class = class_of(&source);
            let (_, report) = jvm.reported("exclude=schedule.*", &[&class])?;
            if reported(&report, "violations", false).iter().any(|method| method.starts_with("java.")) {
                return Err(format!("{class}: {report}"));
            }
        }
        Ok(())
    });
}

/// What a program can observe: messages of exceptions, serial versions, overflows, waits, interrupts. Among the classes are those that the
/// agent itself uses, in its hooks and while it instruments a class.
#[test]
fn a_program_sees_no_difference_if_classes_are_watched_that_the_agent_uses() {
    let names = [
        "java.util.Vector",
        "java.util.Hashtable",
        "java.lang.StringBuffer",
        "java.lang.StringBuilder",
        "java.util.ArrayList",
        "java.util.HashMap",
        "java.util.LinkedList",
        "java.util.HashSet",
        "java.util.ArrayDeque",
        "java.util.Collections",
        "java.util.ImmutableCollections",
        "java.util.Abstract*",
        "java.util.TreeMap",
        "java.util.LinkedHashMap",
        "java.util.IdentityHashMap",
        "java.util.Properties",
        "java.util.concurrent.ConcurrentHashMap",
        "java.util.concurrent.CountDownLatch",
        "java.io.PrintStream",
        "java.util.Timer",
        "java.util.Random",
    ];
    let programs = machine().fixtures.join("programs");
    let options = format!("include=Behaviour*:{}", names.join(":"));
    on_two_jvms(|jvm| {
        let arguments = ["-cp", utf8(&programs), "Behaviour"];
        let plain = jvm.run(None, &arguments);
        let modes = ["mode=stream,arrays=all", "mode=dependencies"];
        for mode in shared_out(jvm, &modes) {
            let flags: &[&str] = &[VERIFIED];
            let (run, report) = jvm.reported(&format!("{options},{mode}"), &[flags, &arguments].concat())?;
            let is_failed = report["stats"]["classes"]["failed"] != 0;
            if (plain.code, &plain.out) != (run.code, &run.out) || is_failed {
                return Err(format!("{mode}: {plain:?}, watched {run:?}: {report}"));
            }
        }
        Ok(())
    });
}

fn warnings(report: &Value, about: &str) -> usize {
    let all = report["warnings"].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().filter_map(Value::as_str).filter(|warning| warning.contains(about)).count()
}

#[test]
fn what_cannot_be_watched_is_said_once_with_the_reason() {
    let refused = [
        ("java.lang.String", "the JVM and the agent's hooks are built on it"),
        ("java.lang.Thread", "the JVM and the agent's hooks are built on it"),
        ("java.lang.invoke.MethodHandles", "the JVM and the agent's hooks are built on it"),
        ("jdk.internal.misc.Unsafe", "the JVM and the agent's hooks are built on it"),
        ("java.util.Arrays", "the agent's hooks call it"),
        ("java.util.concurrent.locks.ReentrantLock", "its state is changed by means that no hook sees"),
        ("java.util.concurrent.ForkJoinPool", "the JVM runs it while a thread is neither here nor there"),
        ("java.util.Vectors", "the platform has no such class"),
        ("java.utils.Vector", "the platform has no such package"),
        ("java.util.*", "only classes are watched that are named"),
        ("java.lang.S*", "the JVM and the agent's hooks are built on it"),
    ];
    on_two_jvms(|jvm| {
        let names: Vec<&str> = refused.iter().map(|(name, _)| *name).collect();
        let options = format!("exclude=schedule.*,include=platform.*:{}:java.util.Vector", names.join(":"));
        let class = "platform.VectorRemoveAll";
        let (run, report) = jvm.reported(&options, &[class])?;
        let plain = jvm.run_small(None, &[class]);
        let is_same = (plain.code, &plain.out) == (run.code, &run.out);
        let told = |(name, reason): &(&str, &str)| warnings(&report, name) > 0 && warnings(&report, reason) > 0;
        // A refused pattern gives one warning, and counts once.
        let once = names
            .iter()
            .filter(|name| !name.ends_with('*'))
            .all(|name| warnings(&report, &format!("{name}, which")) <= 1);
        let found: BTreeSet<String> = reported(&report, "violations", false);
        let is_found = found.iter().any(|method| method.starts_with("java.util.Vector."));
        if is_same && once && is_found && refused.iter().all(told) && report["verdict"] != "serializable" {
            Ok(())
        } else {
            Err(format!("{run:?}: {report}"))
        }
    });
}
