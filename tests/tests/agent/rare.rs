//! Programs with a rare window, and correct twins of them (`tests/programs/rare`): `regiontrack provoke` confirms the window within ten
//! runs, and reports nothing about the twin. `cargo xtask provoked` gives the figures.

use std::process::Command;

use serde_json::Value;

use crate::machine::{Jvm, command, is_full, machine, on_newest_jvm, programs};

/// The number of runs that confirm the window, including those that learn.
const ENOUGH: &str = "10";
/// The programs of a run that is not full.
const SOME: [&str; 2] = ["Registry", "Virtual"];

/// The pairs with a candidate.
fn pairs() -> Vec<String> {
    let mut pairs = Vec::new();
    for file in programs("rare") {
        let text = std::fs::read_to_string(&file).expect("a source");
        if text.contains("class Wrong ") && !text.contains("// no candidate: ") {
            pairs.push(file.file_stem().expect("a name").to_string_lossy().into_owned());
        }
    }
    pairs.retain(|pair| is_full() || SOME.contains(&&**pair));
    pairs
}

/// Returns the exit code and the result of `provoke` on a program.
pub(crate) fn provoke(jvm: &Jvm, options: &str, program: &[&str]) -> Result<(Option<i32>, Value), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let java = jvm.started(program);
    let mut provoke = Command::new(command());
    provoke.args(["provoke", "--format", "json", "--no-minimize", "--no-priorities", "--runs", ENOUGH, "--schedules"]);
    provoke.arg(folder.path()).args(["--options", options, "--agent"]).arg(&machine().jar);
    let ran = provoke.arg("--").arg(java.get_program()).args(java.get_args()).output().map_err(|e| e.to_string())?;
    let result = serde_json::from_slice(&ran.stdout).map_err(|e| format!("{program:?}: {e}: {ran:?}"))?;
    Ok((ran.status.code(), result))
}

/// Whether nothing was found and there is no warning.
pub(crate) fn is_clean((code, result): &(Option<i32>, Value)) -> bool {
    let is_empty = |key| result[key].as_array().is_some_and(Vec::is_empty);
    *code == Some(0) && ["findings", "observed", "warnings"].into_iter().all(is_empty)
}

#[test]
fn a_rare_window_is_confirmed_and_nothing_is_reported_of_its_twin() {
    on_newest_jvm(|jvm| {
        let pairs = pairs();
        assert!(!pairs.is_empty());
        for pair in pairs {
            let of = |half: &str| provoke(jvm, "", &["rare.Rare", &format!("{pair}${half}"), "1"]);
            let (code, result) = of("Wrong")?;
            if code != Some(1) || result["confirmed"] == 0 {
                return Err(format!("{pair}: not confirmed: {result}"));
            }
            let twin = of("Right")?;
            if !is_clean(&twin) {
                return Err(format!("{pair}: reported of the twin: {twin:?}"));
            }
        }
        Ok(())
    });
}
