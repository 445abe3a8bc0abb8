//! Futures: every call has the orders of the table, whether the future is complete at the call or not, in both modes and whichever class of the
//! platform is loaded first.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::machine::{Jvm, is_full, on_two_jvms};
use crate::recorded::{of_methods, violated};

const ORDERS: &str = "modelled.FutureOrders";

/// Returns how many instances of each method of a class were violated, including methods that wait inside.
fn counts(report: &Value, class: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for list in ["violations", "waits_inside"] {
        for (method, [count, _]) in of_methods(&report[list]) {
            let method = method.strip_prefix(class).unwrap_or_default();
            let name = method.trim_start_matches('.').split('(').next().unwrap_or_default();
            *counts.entry(name.to_owned()).or_default() += count;
        }
    }
    counts
}

fn check(jvm: &Jvm, options: &str) -> Result<(), String> {
    let (run, report) = jvm.reported(&format!("exclude=schedule.*,{options}"), &[ORDERS])?;
    let expected: BTreeMap<String, u64> = run
        .out
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, count)| (name.to_owned(), count.parse().unwrap_or_default()))
        .collect();
    let mut found = counts(&report, ORDERS);
    // With a timeout of milliseconds, the thread that sets it may see its end.
    found.remove("$Call.make");
    if expected.len() == 5 && found == expected && report["stats"]["events"]["lost"] == 0 {
        Ok(())
    } else {
        Err(format!("{options}: expected {expected:?}, found {found:?}; {run:?}"))
    }
}

#[test]
fn every_call_of_a_future_has_the_orders_of_the_table_and_no_others() {
    on_two_jvms(|jvm| {
        let both = ["mode=dependencies", "mode=stream"];
        let rest: &[&str] = if is_full() { &["nested=false", "keys=false", "engine=regiontrack"] } else { &[] };
        both.iter().chain(rest).try_for_each(|options| check(jvm, options))
    });
}

/// Returns the findings in the programs after the platform's classes were loaded in some order, by the system class loader or one that the program
/// creates.
fn loaded(jvm: &Jvm, seed: u32, loader: &str) -> Result<Vec<String>, String> {
    let seed = format!("-Dseed={seed}");
    let (run, report) = jvm.reported("exclude=schedule.*", &[&seed, loader, "modelled.LoadingProgram"])?;
    if run.code == Some(0) && report["verdict"] == "non-serializable" {
        Ok(violated(&report).into_keys().collect())
    } else {
        Err(format!("seed {seed}: {run:?} {report}"))
    }
}

#[test]
fn orders_of_tasks_are_seen_whichever_class_of_the_platform_is_loaded_first() {
    on_two_jvms(|jvm| {
        let (system, own) = ("-Djava.system.class.loader=modelled.LoadingLoader", "modelled.LoadingLoader");
        let first = loaded(jvm, 0, system)?;
        for name in ["invoked()", "submitted()", "streamed()", "supplied()", "forked()", "scheduled()"] {
            if !first.iter().any(|method| method.ends_with(name)) {
                return Err(format!("{name} is not among {first:?}"));
            }
        }
        let seeds = if is_full() { 1..10 } else { 1..3 };
        for (seed, loader) in seeds.map(|seed| (seed, system)).chain([(0, own), (1, own), (2, own)]) {
            let found = loaded(jvm, seed, loader)?;
            if found != first {
                return Err(format!("seed {seed}, {loader}: {found:?} instead of {first:?}"));
            }
        }
        Ok(())
    });
}
