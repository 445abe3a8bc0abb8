//! Small uses of the library in forced orders, each a method whose name says whether it is violated. Exactly those that say so are violated, in
//! every mode, and whichever platform classes are loaded before. Nothing overlaps in forced orders.

use std::collections::BTreeMap;

use crate::machine::{Jvm, is_full, on_newest_jvm, on_two_jvms};
use crate::recorded::violated;

const TABLE: &str = include_str!("../../../jni-bridge/models.txt");

fn check(jvm: &Jvm, options: &str, flags: &[&str]) -> Result<(), String> {
    let options = format!("exclude=schedule.*,max_reports=1000,{options}");
    let (run, report) = jvm.reported(&options, &[flags, &["uses.Main"]].concat())?;
    let uses: Vec<&str> = run.out.lines().filter(|line| line.starts_with("uses.")).collect();
    let expected: BTreeMap<String, u64> =
        uses.iter().filter(|name| name.ends_with("IsViolated")).map(|name| (format!("{name}()"), 1)).collect();
    let found = violated(&report);
    let overlaps = report["warnings"].to_string().contains("overlapped");
    if run.code == Some(0)
        && uses.len() > 370
        && found == expected
        && report["stats"]["events"]["lost"] == 0
        && !overlaps
    {
        return Ok(());
    }
    let missed: Vec<_> = expected.iter().filter(|(name, _)| !found.contains_key(*name)).collect();
    let wrong: Vec<_> = found.iter().filter(|entry| expected.get(entry.0) != Some(entry.1)).collect();
    Err(format!(
        "{options} {flags:?}: {} uses; missed {missed:?}, wrong {wrong:?}, overlaps: {overlaps}; {run:?}",
        uses.len()
    ))
}

#[test]
fn uses_of_the_library_are_violated_exactly_if_their_names_say_so() {
    on_two_jvms(|jvm| check(jvm, "mode=dependencies", &[]));
    on_newest_jvm(|jvm| {
        let options = ["mode=stream", "nested=false", "engine=regiontrack", "keys=false"];
        options.iter().try_for_each(|options| check(jvm, options, &[]))
    });
}

#[test]
fn uses_of_the_library_have_the_same_verdicts_whichever_class_of_the_platform_is_loaded_first() {
    let names: Vec<&str> =
        TABLE.lines().filter_map(|line| line.strip_prefix("class ")).flat_map(str::split_whitespace).collect();
    let classes = format!("-Dclasses={}", names.join(","));
    on_two_jvms(|jvm| {
        // In an ordinary run each JVM has another order.
        let seeds = if is_full() { 0..10 } else { jvm.feature()..jvm.feature() + 1 };
        seeds.into_iter().try_for_each(|seed| {
            let seed = format!("-Dseed={seed}");
            check(jvm, "", &["-Djava.system.class.loader=modelled.LoadingLoader", &classes, &seed])
        })
    });
}
