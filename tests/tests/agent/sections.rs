//! Critical sections that write nothing: two of them, and one of another thread between them, are no finding, unless all reads are events.
//!
//! `atomic.SectionsThatRead` has a call of one method for each shape, and `violating.SectionsThatWrite` a method for each shape in which one of the three may write.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::machine::{Jvm, on_newest_jvm, on_two_jvms};
use crate::recorded::{self, Violated, violated};

const MODES: [&str; 2] = ["dependencies", "stream"];
const ATOMIC: &str = "atomic.SectionsThatRead";
const VIOLATING: &str = "violating.SectionsThatWrite";
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
