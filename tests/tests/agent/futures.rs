//! Futures: whichever class of the platform is loaded first, what tasks and futures hand over is seen.

use crate::machine::{Jvm, is_full, on_every_jvm};
use crate::recorded::violated;

/// What is found of the programs after the platform's classes were loaded in some order.
fn loaded(jvm: &Jvm, seed: u32) -> Result<Vec<String>, String> {
    let loader = "-Djava.system.class.loader=modelled.LoadingLoader";
    let seed = format!("-Dseed={seed}");
    let (run, report) = jvm.reported("exclude=schedule.*", &[loader, &seed, "modelled.LoadingProgram"])?;
    if run.code == Some(0) && report["verdict"] == "non-serializable" {
        Ok(violated(&report).into_keys().collect())
    } else {
        Err(format!("seed {seed}: {run:?} {report}"))
    }
}

#[test]
fn orders_of_tasks_are_seen_whichever_class_of_the_platform_is_loaded_first() {
    on_every_jvm(|jvm| {
        let first = loaded(jvm, 0)?;
        for name in ["invoked()", "submitted()", "streamed()", "supplied()", "forked()", "scheduled()"] {
            if !first.iter().any(|method| method.ends_with(name)) {
                return Err(format!("{name} is not among {first:?}"));
            }
        }
        let seeds = if is_full() { 1..10 } else { 1..3 };
        for seed in seeds {
            let found = loaded(jvm, seed)?;
            if found != first {
                return Err(format!("seed {seed}: {found:?} instead of {first:?}"));
            }
        }
        Ok(())
    });
}
