//! Traces of programs, judged under TSO: `record=` writes fences where the program has them.

use std::path::Path;

use crate::machine::{Jvm, command, finish, on_newest_jvm};

/// Each program with the methods that must be atomic. The program's argument selects how it writes its threads' signals.
const PROGRAMS: [(&str, &[&str]); 3] =
    [("tso.TaskPool", &["takeFirst", "takeLast"]), ("tso.Dekker", &["increment"]), ("tso.Peterson", &["increment"])];

/// Returns the exit code and the output of the command for a trace.
fn judge(arguments: &[&str], trace: &Path) -> Result<(Option<i32>, String), String> {
    let mut regiontrack = std::process::Command::new(command());
    regiontrack.args(arguments).arg(trace);
    let run = finish(regiontrack);
    Ok((run.code, run.out + &run.err))
}

/// Checks that every interleaving is serializable, and every execution under TSO exactly if the program has fences.
fn check(jvm: &Jvm, (class, atomic): (&str, &[&str]), kind: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [spec, report, trace] = ["app.spec", "report.txt", "run.rtb"].map(|name| folder.path().join(name));
    let rules: String = atomic.iter().map(|method| format!("+ {class}.{method}()\n")).collect();
    std::fs::write(&spec, rules).map_err(|e| e.to_string())?;
    // If what is redundant for interleavings is dropped, the last access of one thread may be missing that orders the other's end after it.
    let options = format!(
        "exclude=schedule.*,exitcode=3,redundant=true,spec={},report={},record={}",
        spec.display(),
        report.display(),
        trace.display()
    );
    let (run, plain) = (jvm.run_small(Some(&options), &[class, kind]), jvm.run_small(None, &[class, kind]));
    if run.code != Some(0) || run.out != plain.out {
        return Err(format!("{run:?}, without the agent {plain:?}"));
    }
    let violates = i32::from(kind == "plain");
    let expected = [
        (&["check"][..], 0),
        (&["tso", "check"], violates),
        (&["tso", "check", "--algorithm", "robustness"], violates),
    ];
    for (arguments, code) in expected {
        let (found, said) = judge(arguments, &trace)?;
        if found != Some(code) {
            return Err(format!("{arguments:?} of {class} with {kind} fields: {found:?}, {said}"));
        }
    }
    Ok(())
}

#[test]
fn without_fences_a_program_that_no_interleaving_violates_is_violated_under_tso() {
    on_newest_jvm(|jvm| PROGRAMS.iter().try_for_each(|program| check(jvm, *program, "plain")));
}

#[test]
fn volatile_fields_and_explicit_fences_make_it_atomic_again() {
    on_newest_jvm(|jvm| {
        let kinds = ["volatile", "fenced"];
        PROGRAMS.iter().try_for_each(|program| kinds.iter().try_for_each(|kind| check(jvm, *program, kind)))
    });
}
