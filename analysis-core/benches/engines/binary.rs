//! Reading recorded traces from binary files: decoded alone, and with the default engine, in one thread and in two.

use std::path::Path;
use std::time::Duration;

use analysis_core::engines;
use analysis_core::trace::binary::{Reader, Writer};
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, Pace, TraceReader, rapid};
use criterion::{Criterion, Throughput};

const BATCH: usize = 1 << 14;

pub(crate) fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read binary");
    group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    for (name, path) in crate::recorded::paths() {
        let file = tempfile::Builder::new().suffix(".rtb").tempfile().expect("a temporary file");
        let events = convert(&path, file.path());
        let bytes = file.as_file().metadata().expect("a file").len();
        let size = bytes as f64 / events as f64;
        println!("{name}: {events} events in {bytes} bytes, {size:.2} an event");
        let input = Input::open(file.path()).expect("a trace");
        group.throughput(Throughput::Elements(events));
        for (what, pace) in [("in the same thread", Pace::Along), ("in a thread of its own", Pace::Ahead)] {
            group.bench_function(format!("{name}, {what}"), |bencher| bencher.iter(|| decode(&input, pace, |_| {})));
            group.bench_function(format!("{name}, {what}, default engine"), |bencher| {
                bencher.iter(|| {
                    let mut engine = (engines::default().build)();
                    decode(&input, pace, |events| engine.feed(events));
                    engine.findings().violations.len()
                });
            });
        }
        group.bench_function(format!("{name}, checked, default engine"), |bencher| bencher.iter(|| check(&input)));
    }
}

/// Writes an STD trace as a binary one, with locations, and says how many events it has.
fn convert(from: &Path, to: &Path) -> u64 {
    let input = Input::open(from).expect("a trace");
    let mut reader = rapid::Reader::new("trace", input.reopen().expect("a trace"));
    let mut writer = Writer::new("trace", std::fs::File::create(to).expect("a file"));
    let mut events = 0;
    while let Some(located) = reader.next_located().expect("a trace") {
        let (event, location) = (located.event, located.location.to_owned());
        writer.write(event, reader.symbols(), &location).expect("room for the trace");
        events += 1;
    }
    writer.finish().expect("room for the trace");
    events
}

fn decode(input: &Input, pace: Pace, mut take: impl FnMut(&[analysis_core::event::Event])) -> usize {
    let mut reader = Reader::open(input.data(), pace).expect("a trace");
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch, BATCH).expect("a trace") > 0 {
        take(&batch);
        batch.clear();
    }
    reader.symbols().vars.len()
}

/// The way of `regiontrack check`.
fn check(input: &Input) -> usize {
    let mut engine = (engines::default().build)();
    let mut reader = TraceReader::open(input, Mode::Lenient).expect("a trace");
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch, BATCH).expect("a trace") > 0 {
        engine.feed(&batch);
    }
    engine.findings().violations.len()
}
