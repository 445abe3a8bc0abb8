//! Scopes, by which test frameworks attribute violations: a thread or a task works for the scope of the code that handed it on.

use crate::machine::on_two_jvms;

const PROGRAM: &str = "scoped.Handed";
const FOUND: &str = "scoped.Handed$Box.increment() lost update";

#[test]
fn a_violation_belongs_to_the_scope_of_who_has_handed_the_work_on() {
    on_two_jvms(|jvm| {
        for mode in ["dependencies", "stream"] {
            let run = jvm.run_small(Some(&format!("exclude=schedule.*,report=/dev/null,mode={mode}")), &[PROGRAM]);
            let (nothing, found): (Vec<&str>, Vec<&str>) =
                run.out.lines().partition(|line| line.starts_with("before the end:"));
            let is_found = |line: &&str| line.ends_with(&format!(": {FOUND}"));
            if run.code != Some(0)
                || nothing != ["before the end: "]
                || found.len() != 16
                || !found.iter().all(is_found)
            {
                return Err(format!("mode={mode}: {run:?}"));
            }
        }
        Ok(())
    });
}
