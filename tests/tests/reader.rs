//! Compares the product's reader with the tests' own: events, names and well-formedness.

use analysis_core::event::Event;
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceError, TraceReader};
use regiontrack_tests::{generate, shrink, text, world};

fn read(std: &str, mode: Mode) -> Result<Vec<Event>, TraceError> {
    let mut reader = TraceReader::open(&Input::spool("trace.std", std.as_bytes())?, mode)?;
    let mut batch = Vec::new();
    reader.read_batch(&mut batch, usize::MAX)?;
    Ok(batch)
}

#[test]
fn every_random_trace_is_read_as_it_was_written() {
    for family in generate::FAMILIES {
        for seed in 0..300 {
            let trace = shrink::renumbered(&family.trace(seed));
            let events = read(&text::to_std(&trace), Mode::Lenient).expect("readable");
            assert_eq!(events, trace, "family `{}`, seed {seed}", family.name);
        }
    }
}

#[test]
fn the_strict_reader_takes_exactly_the_well_formed_traces() {
    for family in generate::FAMILIES {
        for seed in 0..300 {
            let trace = shrink::renumbered(&family.trace(seed));
            let outcome = read(&text::to_std(&trace), Mode::Strict);
            let place = format!("family `{}`, seed {seed}\n{}", family.name, text::to_std(&trace));
            assert_eq!(outcome.is_ok(), world::is_well_formed(&trace), "{:?}, {place}", outcome.err());
        }
    }
}
