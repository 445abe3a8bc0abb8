//! Processor time of what all predictions share and of each algorithm that predicts, on every recorded trace in the folder
//! that `REGIONTRACK_TRACES` names, as the table of `docs/measurements.md`. `cargo bench --bench predict [TRACE]`.

#[path = "../processor/mod.rs"]
mod processor;
#[path = "../recorded/mod.rs"]
mod recorded;

use analysis_core::event::Event;
use analysis_core::predict::Execution;
use analysis_core::predict::algorithm::Limits;
use analysis_core::predict::algorithms::ALGORITHMS;

fn main() {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let names: Vec<String> = ALGORITHMS.iter().map(|algorithm| format!("`{}`", algorithm.name)).collect();
    println!("| trace | events | inputs | {} |", names.join(" | "));
    println!("|---|---|---|{}", "---|".repeat(names.len()));
    for (name, path) in recorded::paths() {
        if filter.as_ref().is_none_or(|filter| name.contains(filter.as_str())) {
            row(&name, &recorded::read(&path));
        }
    }
}

/// Milliseconds: of the inputs, which most of it is, and of each algorithm on them. No schedules are looked for.
fn row(name: &str, events: &[Event]) {
    let inputs = processor::time(|| Execution::new(events.to_vec()));
    let execution = Execution::new(events.to_vec());
    let cells = ALGORITHMS.iter().map(|algorithm| {
        let unfinished = (algorithm.run)(&execution, &Limits::default()).unfinished;
        let took = processor::time(|| (algorithm.run)(&execution, &Limits::default()));
        format!("{}{took:.3}", if unfinished.is_some() { "not finished, " } else { "" })
    });
    println!("| {name} | {} | {inputs:.2} | {} |", events.len(), cells.collect::<Vec<_>>().join(" | "));
}
