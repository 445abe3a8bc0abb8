//! Critical sections that write nothing: two of them, and one of another thread between them, are no finding, unless all reads are events.
//!
//! And the data of findings about critical sections: the same in a run and in its trace.
//!
//! `atomic.SectionsThatRead` has a call of one method for each shape, and `violating.SectionsThatWrite` a method for each shape in which one of the three may write.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

use crate::machine::{Jvm, command, finish, on_newest_jvm, on_two_jvms};
use crate::recorded::{self, Violated, violated};

const MODES: [&str; 2] = ["dependencies", "stream"];
const ATOMIC: &str = "atomic.SectionsThatRead";
const VIOLATING: &str = "violating.SectionsThatWrite";
const DATA: &str = "violating.DataOfLocks";
/// How many shapes the atomic one has.
const SHAPES: u64 = 15;

fn run(jvm: &Jvm, class: &str, options: &str) -> Result<Value, String> {
    let (run, report) = jvm.reported(&format!("exclude=schedule.*,{options}"), &[class])?;
    if run.code == Some(0) && report["verdict"] != "incomplete" {
        Ok(report)
    } else {
        Err(format!("{run:?}, {report}"))
    }
}

#[test]
fn sections_that_only_read_are_findings_where_all_reads_are_events() {
    on_two_jvms(|jvm| {
        for mode in MODES {
            let used = violated(&run(jvm, ATOMIC, &format!("mode={mode}"))?);
            if !used.is_empty() {
                return Err(format!("{mode}: {used:?}"));
            }
            let all = violated(&run(jvm, ATOMIC, &format!("mode={mode},reads=all"))?);
            let method = |name: &str| format!("{ATOMIC}.{name}");
            let expected =
                BTreeMap::from([(method("all()"), 1), (method("twice(java.util.function.Supplier)"), SHAPES)]);
            if all != expected {
                return Err(format!("{mode}, reads=all: {all:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn where_a_section_may_write_nothing_is_missed() {
    on_two_jvms(|jvm| {
        for mode in MODES {
            let [used, all] = ["used", "all"].map(|reads| run(jvm, VIOLATING, &format!("mode={mode},reads={reads}")));
            let (used, all): (Violated, Violated) = (violated(&used?), violated(&all?));
            if used != all {
                return Err(format!("{mode}: {used:?}, with all reads {all:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_recorded_trace_has_the_findings_of_the_run() {
    let engine = analysis_core::engines::find("reach").expect("the default engine");
    on_newest_jvm(|jvm| {
        for class in [ATOMIC, VIOLATING] {
            let run = recorded::run(jvm, class, "")?;
            let (_, found) = run.trace.judged_by(engine);
            if found != run.violated() {
                return Err(format!("{class}: {found:?}, the run {:?}", run.violated()));
            }
        }
        Ok(())
    });
}

#[test]
fn where_other_orders_are_looked_at_every_section_keeps_others_out() {
    on_newest_jvm(|jvm| {
        let all = violated(&run(jvm, ATOMIC, "reads=all")?);
        let found = violated(&run(jvm, ATOMIC, "predict=commit-node-conflict")?);
        if found == all { Ok(()) } else { Err(format!("{found:?}, not {all:?}")) }
    });
}

/// The data of each finding that has some: method, variable, and what is done where, in the first section, by others, and in the last. Without numbers of
/// objects, and with lines alone, because a trace calls objects and places otherwise.
fn data(report: &Value) -> BTreeMap<String, Vec<String>> {
    let line = |place: &Value| place.as_str().and_then(|place| place.rsplit(':').next()).unwrap_or("?").to_owned();
    let part = |datum: &Value, part: &str| {
        let did = datum[part].as_str().unwrap_or("nothing");
        format!("{did} at {}", line(&datum["at"][part]))
    };
    let told = |datum: &Value| {
        let name = datum["variable"].as_str().unwrap_or_default().split('@').next().unwrap_or_default().to_owned();
        format!("{name}: {}", ["first", "between", "last"].map(|which| part(datum, which)).join(", "))
    };
    let mut all = BTreeMap::new();
    for finding in report["violations"].as_array().into_iter().flatten() {
        if let Some(data) = finding["data"].as_array() {
            let method = finding["method"].as_str().unwrap_or_default().to_owned();
            all.insert(method, data.iter().map(told).collect());
        }
    }
    all
}

#[test]
fn a_run_and_a_trace_name_the_same_data() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let trace = folder.path().join("trace.rtb");
        let run_report = run(jvm, DATA, "mode=dependencies")?;
        run(jvm, DATA, &format!("record={}", trace.display()))?;
        let mut check = Command::new(command());
        check.args(["check", "--format", "json"]).arg(&trace);
        let checked = finish(check);
        let of_trace: Value = serde_json::from_str(&checked.out).map_err(|e| format!("{e}: {checked:?}"))?;
        let expected = BTreeMap::from([
            (format!("{DATA}.add(int)"), vec![format!("{DATA}.balance: read at 18, written at 22, written at 22")]),
            (
                format!("{DATA}.take(int)"),
                vec!["HashMap (field DataOfLocks.stock): read at 27, written at 33, written at 33".to_owned()],
            ),
        ]);
        let (of_run, of_trace) = (data(&run_report), data(&of_trace));
        if of_run != expected || of_trace != expected {
            return Err(format!("the run {of_run:#?}, the trace {of_trace:#?}"));
        }
        let all = run_report["violations"].as_array().cloned().unwrap_or_default();
        let count = all.iter().find(|finding| finding["kind"] == "lost update").cloned().unwrap_or_default();
        let locks = [0, 1].map(|edge| count["edges"][edge]["to"]["locks"].clone());
        let is_first = all.first().is_some_and(|finding| finding["kind"] == "lost update");
        if locks == [json!(["a lock"]), json!([])] && is_first { Ok(()) } else { Err(format!("{locks:?} {is_first}")) }
    });
}
