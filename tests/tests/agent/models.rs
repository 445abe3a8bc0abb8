//! Models of library calls: the user's own models, none at all, and mistakes in them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::machine::{Jvm, compile_libraries, on_newest_jvm, on_two_jvms, shared_out};

/// Returns the violated methods with their kinds, in a run with these options.
fn findings(jvm: &Jvm, class: &str, options: &str) -> Result<Vec<(String, String)>, String> {
    let (_, report) = jvm.reported(options, &[class])?;
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let list = report["violations"].as_array().ok_or_else(|| format!("no findings in {report}"))?;
    Ok(list.iter().map(|finding| (text(finding, "method"), text(finding, "kind"))).collect())
}

#[test]
fn a_table_says_what_calls_of_a_library_do_whose_code_is_not_watched() {
    const REGISTRY: &str = "modelled.OwnRegistry";
    const EXCLUDED: &str = "exclude=schedule.*:modelled.OwnRegistry$Registry";
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let with = |table: &str| {
            let path = folder.path().join("own.txt");
            std::fs::write(&path, table).map_err(|e| e.to_string())?;
            findings(jvm, REGISTRY, &format!("{EXCLUDED},models={}", path.display()))
        };
        let class = "class modelled.OwnRegistry$Registry\n";
        let expect = |table: &str, kinds: &[&str]| {
            let found = with(&format!("{class}{table}"))?;
            let kinds: Vec<_> = kinds.iter().map(|kind| (format!("{REGISTRY}.twice()"), (*kind).to_owned())).collect();
            if found == kinds { Ok(()) } else { Err(format!("{table}: expected {kinds:?}, found {found:?}")) }
        };
        expect("read lookup\n write-if-null register/2\n", &["unrepeatable read"])?;
        expect("read lookup\n write-if-nonnull register\n", &["unrepeatable read"])?;
        // Reads are not ordered, and no overload has three parameters.
        expect("read lookup register\n", &[])?;
        expect("read lookup\n write register/3\n", &[])?;
        // Later entries of the same class win.
        expect(&format!("read lookup\n write register\n{class}none register\n"), &[])
    });
}

#[test]
fn an_entry_for_an_interface_holds_for_what_implements_it_and_is_not_watched() {
    const STORE: &str = "modelled.OwnInterface";
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("own.txt");
        let with = |table: &str, mode: &str| {
            std::fs::write(&path, format!("class {STORE}$Store\n{table}")).map_err(|e| e.to_string())?;
            let excluded = format!("exclude=schedule.*:{STORE}$Store:{STORE}$Plain");
            let found = findings(jvm, STORE, &format!("{excluded},models={}{mode}", path.display()))?;
            Ok::<_, String>(found.into_iter().map(|(method, _)| method).collect::<Vec<_>>())
        };
        let three = ["byInterface", "byClass", "byDefaultMethod"].map(|method| format!("{STORE}.{method}()"));
        let trace = format!(",record={}", folder.path().join("trace.std").display());
        for mode in ["", &trace] {
            let found = with(" key-read find has\n key-write-if-null keep\n", mode)?;
            if found != three {
                return Err(format!("{mode}: {found:?}"));
            }
        }
        // For each method, a class's own entries win over those of its interface.
        let own = format!(" key-read find has\n key-write-if-null keep\nclass {STORE}$Plain\n none keep\n");
        let found = with(&own, "")?;
        if found.is_empty() { Ok(()) } else { Err(format!("{found:?}")) }
    });
}

#[test]
fn a_report_names_classes_and_methods_of_the_table_for_which_there_was_nothing() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("own.txt");
        let table = "class modelled.OwnInterface$Plain\n read find fnid has hashCode keep/3\nclass modelled.OwnInterface$Sotre\n read find\n\
                     class java.util.ArrayList\n read get gte\n";
        std::fs::write(&path, table).map_err(|e| e.to_string())?;
        let options = format!("exclude=schedule.*,models={}", path.display());
        let (_, report) = jvm.reported(&options, &["modelled.OwnInterface"])?;
        let warnings: Vec<&str> =
            report["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let no_method = |class: &str, method: &str| {
            format!("models: {class} has no method {method}, nor has what is above it; is that its name?")
        };
        let expected = [
            no_method("modelled.OwnInterface$Plain", "fnid"),
            no_method("modelled.OwnInterface$Plain", "keep/3"),
            "models: no class modelled.OwnInterface$Sotre was loaded, so its entries have had no effect; is that its name?"
                .to_owned(),
            no_method("java.util.ArrayList", "gte"),
        ];
        if warnings == expected { Ok(()) } else { Err(format!("{warnings:?}")) }
    });
}

#[test]
fn two_calls_of_a_shared_buffer_that_belong_together_are_found_unless_there_are_no_models() {
    on_newest_jvm(|jvm| {
        let expected = [("modelled.SharedBuffer.add(java.lang.String)".to_owned(), "lost update".to_owned())];
        for (models, expected) in [("", &expected[..]), (",models=none", &[])] {
            let found = findings(jvm, "modelled.SharedBuffer", &format!("exclude=schedule.*{models}"))?;
            if found != expected {
                return Err(format!("{models}: {found:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_report_names_the_call_that_does_both_in_one_step_and_calls_without_a_model() {
    on_newest_jvm(|jvm| {
        let told = |class: &str| jvm.run_small(Some("exclude=schedule.*"), &[class]).err;
        let (check, lock) = (told("violating.MapCheckThenPut"), told("unmodelled.Parks"));
        if check.contains(
            "putIfAbsent or computeIfAbsent (for a key that is there: replace or computeIfPresent) does in one step",
        ) && lock.contains("java.util.concurrent.locks.LockSupport.park")
        {
            Ok(())
        } else {
            Err(format!("{check}\n{lock}"))
        }
    });
}

/// Returns the agent's wording of the list of what is not seen.
fn words_of_what_is_not_seen() -> BTreeSet<&'static str> {
    const TABLE: &str =
        include_str!("../../../java-agent/runtime/src/main/java/dev/regiontrack/runtime/bridge/Unseen.java");
    TABLE
        .lines()
        .filter_map(|line| line.trim().split_once("(\"")?.1.split_once("\")"))
        .map(|(words, _)| words)
        .collect()
}

#[test]
fn the_list_of_what_is_not_seen_has_the_words_of_the_report() {
    let manual = include_str!("../../../docs/models.md");
    let list = manual.split("## What is not seen").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows = list.unwrap_or_default().lines().filter(|line| line.starts_with("| ")).skip(1);
    let counted: Vec<&str> = rows.filter_map(|row| row.trim_end_matches(" |").rsplit(" | ").next()).collect();
    let has_reason = |cell: &&str| cell.starts_with("no: ") || cell.starts_with("`stats.unmodelled`: ");
    let (others, words): (Vec<&str>, Vec<&str>) = counted.into_iter().partition(has_reason);
    let words: BTreeSet<&str> = words.into_iter().map(|cell| cell.trim_matches('"')).collect();
    assert_eq!(words, words_of_what_is_not_seen());
    assert!(words.len() > 8 && others.len() > 8, "{words:?} {others:?}");
}

/// What is lost only if each access is an event.
const OF_STREAM: &str = "threads that first changed a sum, a number of keys or a queue after others had looked at it";

#[test]
fn a_run_counts_what_is_not_seen() {
    let words = words_of_what_is_not_seen();
    on_two_jvms(|jvm| {
        let told = |class: &str, options: &str| -> Result<BTreeSet<&str>, String> {
            let (run, report) = jvm.reported(&format!("exclude=schedule.*{options}"), &[class])?;
            let warnings: Vec<&str> =
                report["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            if run.code != Some(0) || report["verdict"] == "incomplete" {
                return Err(format!("{class}: {run:?} {report}"));
            }
            let is_told = |words: &&str| warnings.iter().any(|w| w.starts_with(&format!("tolerated: {words} (")));
            let mut changes = warnings.iter().filter(|w| w.contains("calls that changed some keys"));
            // Through `removeIf`, `replaceAll` and `addAll`.
            if !changes.all(|w| w.contains(" (3): ")) {
                return Err(format!("{class}: {warnings:?}"));
            }
            Ok(words.iter().copied().filter(is_told).collect())
        };
        let (mut all, none) = (told("unmodelled.Unseen", "")?, told("unmodelled.Parks", "")?);
        // With each access as an event.
        let of_stream: BTreeSet<&str> = told("unmodelled.Unseen", ",mode=stream")?;
        let is_new = !all.contains(OF_STREAM) && of_stream.contains(OF_STREAM);
        all.insert(OF_STREAM);
        if all == words && none.is_empty() && is_new {
            Ok(())
        } else {
            Err(format!("only {all:?}, and {none:?}; as a stream {of_stream:?}"))
        }
    });
}

#[test]
fn without_models_calls_of_the_library_have_no_effect() {
    on_newest_jvm(|jvm| {
        let found = |options: &str| findings(jvm, "violating.MapCheckThenPut", &format!("exclude=schedule.*{options}"));
        if found("")?.len() == 1 && found(",models=none")?.is_empty() {
            Ok(())
        } else {
            Err(format!("{:?} and without models {:?}", found(""), found(",models=none")))
        }
    });
}

#[test]
fn a_mistake_in_a_table_is_one_line_and_the_program_does_not_start() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("own.txt");
        std::fs::write(&path, "class a.B\n  raeds get\n").map_err(|e| e.to_string())?;
        let run = jvm.run_small(Some(&format!("models={}", path.display())), &["violating.MapCheckThenPut"]);
        let line = format!("{}:2: unknown effect 'raeds'; did you mean read?", path.display());
        if run.code == Some(2) && run.out.is_empty() && run.err.contains(&line) {
            Ok(())
        } else {
            Err(format!("{run:?}"))
        }
    });
}

/// Runs a program in which exactly the methods called `twice..` are violated if the shipped models are in force.
fn shipped_models_find(class: &str) {
    let (class_path, methods) = compile_libraries(class, "modelled");
    let twice: BTreeSet<String> = methods.into_iter().filter(|method| method.starts_with("twice")).collect();
    assert!(twice.len() > 10);
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let trace = folder.path().join("trace.std");
        let modes = [String::new(), format!(",record={}", trace.display())];
        for mode in shared_out(jvm, &modes) {
            let found = |more: &str| -> Result<BTreeSet<String>, String> {
                let options = format!("exclude=schedule.*:com.google.*:com.github.*,max_reports=100{more}{mode}");
                let (run, report) = jvm.reported(&options, &["-cp", &class_path, class])?;
                if run.out.trim() != "done" || report["waits_inside"] != Value::Array(Vec::new()) {
                    return Err(format!("{options}: {run:?} {report}"));
                }
                let methods = report["violations"].as_array().into_iter().flatten();
                let name =
                    |method: &str| method.rsplit('.').next().unwrap_or_default().trim_end_matches("()").to_owned();
                Ok(methods.map(|finding| name(finding["method"].as_str().unwrap_or_default())).collect())
            };
            let (with, without) = (found("")?, found(",models=none")?);
            if with != twice || !without.is_empty() {
                let missed: Vec<_> = twice.difference(&with).collect();
                let invented: Vec<_> = with.difference(&twice).collect();
                return Err(format!("missed {missed:?}, invented {invented:?}, and without models found {without:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn shipped_models_say_what_calls_of_libraries_do_that_are_not_watched() {
    shipped_models_find("libraries.ModelledLibraries");
}

#[test]
fn shipped_models_say_what_calls_of_guavas_collections_do() {
    shipped_models_find("libraries.ModelledCollections");
}

#[test]
fn an_entry_of_a_monitor_that_waits_gives_it_up_or_has_not_taken_it_yet() {
    const CLASS: &str = "libraries.WaitingLibraries";
    let (class_path, _) = compile_libraries(CLASS, "modelled");
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let trace = folder.path().join("trace.std");
        let modes = [String::new(), format!(",record={}", trace.display())];
        for mode in shared_out(jvm, &modes) {
            let options = format!("exclude=schedule.*:com.google.*:com.github.*{mode}");
            let (run, report) = jvm.reported(&options, &["-cp", &class_path, CLASS])?;
            let named = |list: &str, start: &str| -> BTreeSet<String> {
                let methods =
                    report[list].as_array().into_iter().flatten().filter_map(|found| found["method"].as_str());
                let names = methods.filter_map(|method| method.rsplit('.').next());
                names.filter(|name| name.starts_with(start)).map(str::to_owned).collect()
            };
            let (waits, violated) = (named("waits_inside", "waits"), named("violations", ""));
            let is_right = waits.iter().eq(["waitsFor()", "waitsForUninterruptibly()"])
                && violated.iter().eq(["twiceEnteredWhen()"])
                && named("waits_inside", "once").is_empty();
            if run.out.trim() != "done" || !is_right {
                return Err(format!("{options}: {run:?} {report}"));
            }
        }
        Ok(())
    });
}
