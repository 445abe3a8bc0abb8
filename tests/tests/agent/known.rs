//! Findings that the user has already classified: suppressions and baselines, and the ids that identify findings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::machine::{Jvm, Run, command, finish, machine, on_newest_jvm, on_two_jvms, scripted, sources, tool, utf8};

const EXIT_CODE: i32 = 66;
const SHOP: &str = "known.Shop";
/// The argument that adds a third finding.
const ORDERS: &str = "orders";

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the findings of a report: id, method and variables of each.
fn findings(report: &Value, key: &str) -> BTreeSet<String> {
    let told = list(&report[key]).iter().filter(|finding| finding["caller"] != true);
    told.map(|finding| format!("{} {} {}", finding["id"], finding["method"], finding["variables"])).collect()
}

/// Runs the command with these arguments.
fn regiontrack(arguments: &[&str]) -> Run {
    let mut regiontrack = Command::new(command());
    regiontrack.args(arguments);
    finish(regiontrack)
}

fn json(run: &Run) -> Result<Value, String> {
    serde_json::from_str(&run.out).map_err(|e| format!("{e}: {run:?}"))
}

/// Programs whose trace names the variable by its first access, which knows less about it than others: by a subclass, or
/// by no field; and one whose method has more causes than are told apart.
const OTHERWISE: [&str; 3] = ["violating.EveryCall", "violating.LongUpdaterAddTwice", "violating.UnsafeGetThenPut"];

/// Programs of which `check` finds further causes of a method, as docs/suppressions.md says.
const WITH_FURTHER_CAUSES: [&str; 1] = ["violating.SectionsThatWrite"];

/// Returns the findings of one run as the agent and `check` of its trace identify them.
fn both(jvm: &Jvm, class: &str) -> Result<[BTreeSet<String>; 2], String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let trace = folder.path().join("run.rtb");
    let (_, report) = jvm.reported(&format!("exclude=schedule.*,record={}", utf8(&trace)), &[class])?;
    let checked = json(&regiontrack(&["check", "--format", "json", utf8(&trace)]))?;
    Ok([findings(&report, "violations"), findings(&checked, "findings")])
}

#[test]
fn a_finding_has_one_id_in_a_run_and_in_its_trace() {
    on_newest_jvm(|jvm| {
        let (mut wrong, mut compared) = (Vec::new(), 0);
        for class in scripted(8, 5).iter().filter(|class| !OTHERWISE.contains(&class.as_str())) {
            let [own, mut traces] = both(jvm, class)?;
            compared += own.len();
            if WITH_FURTHER_CAUSES.contains(&class.as_str()) {
                traces.retain(|finding| own.contains(finding));
            }
            if own != traces {
                let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>();
                wrong.push(format!("{class}: agent {:?}, check {:?}", only(&own, &traces), only(&traces, &own)));
            }
        }
        match wrong.is_empty() && compared > 10 {
            true => Ok(()),
            false => Err(format!("{compared} compared: {}", wrong.join("\n"))),
        }
    });
}

/// The shop, compiled with additional empty lines before it, and the user's files next to it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(lines: usize) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.compile(lines);
        folder
    }

    fn compile(&self, lines: usize) {
        let text = std::fs::read_to_string(sources().join("known/Shop.java")).expect("a source");
        let source = self.file("Shop.java");
        std::fs::write(&source, "\n".repeat(lines) + &text).expect("written");
        let classes = utf8(&machine().classes);
        tool("javac", &["--release", "11", "-cp", classes, "-d", utf8(self.0.path()), utf8(&source)]);
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn class_path(&self) -> String {
        let paths = [self.0.path(), Path::new(&machine().classes)];
        std::env::join_paths(paths).expect("paths without separators").to_str().expect("UTF-8").to_owned()
    }

    /// Runs it with these options, with the third finding if `has_third`.
    fn run(&self, jvm: &Jvm, options: &str, has_third: bool) -> Result<(Run, Value), String> {
        let path = self.class_path();
        let arguments = ["-cp", &path, SHOP, ORDERS];
        let options = format!("exclude=schedule.*,exitcode={EXIT_CODE}{options}");
        jvm.reported(&options, &arguments[..if has_third { 4 } else { 3 }])
    }
}

/// Returns the methods of a list without class and arguments, and whether they are new.
fn told(list_of: &Value) -> Vec<String> {
    let name = |finding: &Value| {
        let method = finding["method"].as_str().unwrap_or_default();
        let name = method.split('(').next().and_then(|name| name.rsplit('.').next()).unwrap_or_default();
        format!("{name} {}", finding["status"].as_str().unwrap_or("-"))
    };
    list(list_of).iter().map(name).collect()
}

fn expect(what: &str, (run, report): &(Run, Value), code: i32, violations: &[&str]) -> Result<(), String> {
    if run.code == Some(code) && told(&report["violations"]) == violations {
        Ok(())
    } else {
        Err(format!("{what}: expected {code} and {violations:?}: {run:?} {report}"))
    }
}

fn only_new_findings_count(jvm: &Jvm) -> Result<(), String> {
    let folder = Folder::new(0);
    let [suppressions, baseline, first, trace] =
        ["app.supp", "app.baseline", "first.json", "run.rtb"].map(|name| folder.file(name));
    std::fs::write(&suppressions, "# ours\nmethod:known.Shop.sell(int)  # rounded anyway\nfield:known.Shop.none\n")
        .map_err(|e| e.to_string())?;
    let suppressing = format!(",suppressions={}", utf8(&suppressions));
    let found = folder.run(jvm, &suppressing, false)?;
    expect("one suppressed", &found, EXIT_CODE, &["visit -"])?;
    if !found.0.err.contains("because 1 finding is not suppressed; report: ") {
        return Err(format!("the reason of the exit code is missing: {:?}", found.0));
    }
    std::fs::write(&first, found.1.to_string()).map_err(|e| e.to_string())?;
    let updated = regiontrack(&["baseline", "update", utf8(&baseline), utf8(&first)]);
    if updated.code != Some(0) || !updated.out.contains(": 1 finding, 1 added") {
        return Err(format!("{updated:?}"));
    }
    let both = format!("{suppressing},baseline={}", utf8(&baseline));
    expect("nothing new", &folder.run(jvm, &both, false)?, 0, &["visit known"])?;
    let third = folder.run(jvm, &both, true)?;
    expect("a third", &third, EXIT_CODE, &["order new", "visit known"])?;
    if !third.0.err.contains("because 1 finding is new; report: ") {
        return Err(format!("the reason of the exit code is missing: {:?}", third.0));
    }
    let more = folder.file("more.baseline");
    let text = std::fs::read_to_string(&baseline).map_err(|e| e.to_string())?;
    let absent = "000000000001\tknown.Shop.visit()\n000000000002\tknown.Shop.order()\n";
    std::fs::write(&more, text + absent).map_err(|e| e.to_string())?;
    let ran = folder.run(jvm, &format!("{suppressing},baseline={}", utf8(&more)), false)?;
    let compared = &ran.1["baseline"];
    if ran.0.code != Some(0) || compared["not_seen"][0]["id"] != "000000000001" || compared["not_run"] != 1 {
        return Err(format!("what ran and was not seen: {ran:?}"));
    }
    folder.compile(9);
    expect("moved", &folder.run(jvm, &both, false)?, 0, &["visit known"])?;
    let recorded = folder.run(jvm, &format!("{both},record={}", utf8(&trace)), true)?;
    expect("recorded", &recorded, EXIT_CODE, &["order new", "visit known"])?;
    let files = ["--suppressions", utf8(&suppressions), "--baseline", utf8(&baseline)];
    let checked = regiontrack(&[&["check", "--format", "json"], &files[..], &[utf8(&trace)]].concat());
    let report = json(&checked)?;
    if checked.code != Some(1) || told(&report["findings"]) != ["order new", "visit known"] {
        return Err(format!("check: {checked:?}"));
    }
    says_in_text(jvm, &folder, &both)
}

/// Checks the text report of the same run.
fn says_in_text(jvm: &Jvm, folder: &Folder, options: &str) -> Result<(), String> {
    let path = folder.class_path();
    let run = jvm.run_small(Some(&format!("exclude=schedule.*{options}")), &["-cp", &path, SHOP]);
    for said in [
        "regiontrack: non-serializable, but 1 of 2 findings are suppressed and 1 known\n",
        "\n  findings: 0 new, 1 known by ",
        "\n   known: the baseline has it (id ",
        ":2: method:known.Shop.sell(int): 1 finding (rounded anyway)\n",
        ":3: field:known.Shop.none: matches nothing\n",
    ] {
        if !run.err.contains(said) {
            return Err(format!("{said:?} is missing: {run:?}"));
        }
    }
    Ok(())
}

#[test]
fn only_what_is_neither_suppressed_nor_known_sets_the_exit_code() {
    on_two_jvms(only_new_findings_count);
}

/// Options with `DIR` for the folder, and the words that the line must contain.
const REFUSED: [(&str, &[&str]); 7] = [
    ("suppressions=DIR/none", &["suppressions=", "none: no such file", "method:com.example"]),
    ("baseline=DIR/none", &["baseline=", "none: no such file", "regiontrack baseline update "]),
    ("suppressions=DIR/bad", &["bad:2: unknown word 'fild'", "expected method:"]),
    ("baseline=DIR/bad", &["bad:1: no baseline", "regiontrack baseline update "]),
    ("baseline=DIR/new", &["new:1: a baseline of version 9", "newer regiontrack"]),
    ("baseline=DIR/broken", &["broken:2: '=======' is no id", "remove the line"]),
    ("suppressions=DIR/good,halt_on_violation=true", &["halt_on_violation=true", "leave out"]),
];

#[test]
fn wrong_files_are_one_line_and_the_program_does_not_start() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        for (name, text) in [
            ("bad", "# one\nfild:x\n"),
            ("new", "regiontrack-baseline 9\n"),
            ("broken", "regiontrack-baseline 1\n=======\n"),
            ("good", "kind:**\n"),
        ] {
            std::fs::write(folder.path().join(name), text).map_err(|e| e.to_string())?;
        }
        for (options, words) in REFUSED {
            let run = jvm.run(Some(&options.replace("DIR", utf8(folder.path()))), &["atomic.JoinBeforeRead"]);
            let is_clear = match run.said()[..] {
                [line] => line.starts_with("regiontrack: ") && words.iter().all(|word| line.contains(word)),
                _ => false,
            };
            if !is_clear || !run.out.is_empty() || run.code != Some(2) {
                return Err(format!("{options}: {words:?}: {run:?}"));
            }
        }
        Ok(())
    });
}
