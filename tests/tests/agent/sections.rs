//! Critical sections that write nothing: two of them with a section of another thread in between are no finding, unless all reads are events.
//!
//! Also the data of findings about critical sections, which is the same in a run and in its trace.
//!
//! `atomic.SectionsThatRead` has a call of one method for each shape, and `violating.SectionsThatWrite` a method for each shape in which one of the
//! three sections may write.

use std::collections::BTreeMap;
use std::process::Command;

use analysis_core::event::{Op, ThreadId};
use serde_json::{Value, json};

use crate::machine::{Jvm, command, finish, on_newest_jvm, on_two_jvms};
use crate::rare::{is_clean, provoke};
use crate::recorded::{self, Violated, violated};

const MODES: [&str; 2] = ["dependencies", "stream"];
const ATOMIC: &str = "atomic.SectionsThatRead";
const VIOLATING: &str = "violating.SectionsThatWrite";
const DATA: &str = "violating.DataOfLocks";
/// The number of shapes in the atomic program.
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
fn provoke_reports_nothing_of_sections_that_only_read() {
    on_newest_jvm(|jvm| {
        let told = provoke(jvm, "exclude=schedule.*", &[ATOMIC])?;
        if is_clean(&told) { Ok(()) } else { Err(format!("{told:?}")) }
    });
}

#[test]
fn where_other_orders_are_looked_at_every_section_keeps_others_out_and_the_findings_stay() {
    let engine = analysis_core::engines::find("reach").expect("the default engine");
    on_newest_jvm(|jvm| {
        for class in [ATOMIC, VIOLATING] {
            let [used, all] = ["used", "all"].map(|reads| run(jvm, class, &format!("mode=stream,reads={reads}")));
            let (used, all) = (violated(&used?), violated(&all?));
            let recorded = recorded::run(jvm, class, "redundant=true")?;
            let (_, of_trace) = recorded.trace.judged_by(engine);
            let predicting = violated(&run(jvm, class, "predict=commit-node-conflict")?);
            if [&recorded.violated(), &predicting, &of_trace] != [&used, &used, &all] {
                return Err(format!("{class}: {:?}, {predicting:?}, of its trace {of_trace:?}", recorded.violated()));
            }
        }
        Ok(())
    });
}

#[test]
fn so_it_is_with_an_engine_that_takes_every_event() {
    on_newest_jvm(|jvm| {
        let found = violated(&run(jvm, ATOMIC, "engine=velodrome,predict=block")?);
        if found.is_empty() { Ok(()) } else { Err(format!("{found:?}")) }
    });
}

/// Many sections of several threads, none of which writes: the trace has them one after the other, as they happened.
#[test]
fn a_trace_says_who_holds_a_lock_also_if_nobody_writes() {
    on_newest_jvm(|jvm| {
        for option in ["", "redundant=true"] {
            let trace = recorded::run(jvm, "life.ReadersOfOneLock", option)?.trace;
            let ends = trace.events.iter().filter_map(|event| match event.op {
                Op::Acquire(_) | Op::Release(_) => Some(event.thread),
                Op::Read(variable) if trace.variable(variable).ends_with(".lock") => Some(event.thread),
                _ => None,
            });
            let ends: Vec<ThreadId> = ends.collect();
            let overlap = ends.chunks(2).position(|section| section.first() != section.last());
            if ends.len() < 40_000 || overlap.is_some() {
                return Err(format!("{option}: {} ends of sections, not together: {overlap:?}", ends.len()));
            }
        }
        Ok(())
    });
}

/// Returns the data of the findings that have some: the variable, and the accesses with their places in the first section, by others, and in the
/// last. Packages and object numbers are removed and only lines kept, because a trace names objects and places differently.
fn data<'a>(findings: impl IntoIterator<Item = &'a Value>) -> BTreeMap<String, Vec<String>> {
    let line = |place: &Value| place.as_str().and_then(|place| place.rsplit(':').next()).unwrap_or("?").to_owned();
    let part = |datum: &Value, part: &str| {
        let did = datum[part].as_str().unwrap_or("nothing");
        format!("{did} at {}", line(&datum["at"][part]))
    };
    let told = |datum: &Value| {
        let name = datum["variable"].as_str().unwrap_or_default().split('@').next().unwrap_or_default();
        let name = name.strip_prefix("violating.").unwrap_or(name);
        format!("{name}: {}", ["first", "between", "last"].map(|which| part(datum, which)).join(", "))
    };
    let with_data = findings.into_iter().filter_map(|finding| {
        let method = finding["method"].as_str().unwrap_or_default().to_owned();
        Some((method, finding["data"].as_array()?.iter().map(told).collect()))
    });
    with_data.collect()
}

#[test]
fn a_run_and_a_trace_name_the_same_data() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let trace = folder.path().join("trace.rtb");
        let report = run(jvm, DATA, "mode=dependencies")?;
        run(jvm, DATA, &format!("record={}", trace.display()))?;
        let explained = |number: &str| -> Result<Value, String> {
            let mut explain = Command::new(command());
            explain.args(["explain", "--format", "json"]).arg(&trace).arg(number);
            let explained = finish(explain);
            let told: Value = serde_json::from_str(&explained.out).map_err(|e| format!("{e}: {explained:?}"))?;
            Ok(told["finding"].clone())
        };
        let of_trace = ["1", "2", "3"].into_iter().map(explained).collect::<Result<Vec<Value>, String>>()?;
        let expected = BTreeMap::from([
            (
                format!("{DATA}.add(int)"),
                vec!["DataOfLocks.balance: read at 18, written at 22, written at 22".to_owned()],
            ),
            (
                format!("{DATA}.take(int)"),
                vec!["HashMap (field DataOfLocks.stock): read at 27, written at 33, written at 33".to_owned()],
            ),
        ]);
        let of_run = report["violations"].as_array().cloned().unwrap_or_default();
        if data(&of_run) != expected || data(&of_trace) != expected {
            return Err(format!("the run {:#?}, the trace {:#?}", data(&of_run), data(&of_trace)));
        }
        // Only one of two accesses is under a lock, so it comes first: in the run by the later event of each edge.
        let first = of_run.first().cloned().unwrap_or_default();
        let locks = [0, 1].map(|edge| first["edges"][edge]["to"]["locks"].clone());
        let is_first = [&first, &of_trace[0]].iter().all(|finding| finding["kind"] == "lost update");
        if is_first && locks == [json!(["a lock"]), json!([])] { Ok(()) } else { Err(format!("{locks:?}: {report}")) }
    });
}
