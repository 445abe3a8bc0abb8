//! Events per second of each engine: on a generated trace of ten million events, and on every recorded trace in the
//! folder that `REGIONTRACK_TRACES` names; and of reading these, as STD and binary. `cargo bench --bench engines
//! [FILTER]`.

mod binary;

use std::path::PathBuf;
use std::time::Duration;

use analysis_core::engines::ENGINES;
use analysis_core::event::Event;
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceReader};
use analysis_core::workload;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn engines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engines");
    group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    for (name, trace) in traces() {
        group.throughput(Throughput::Elements(trace.len() as u64));
        for engine in ENGINES.iter().filter(|engine| engine.most_events.is_none()) {
            group.bench_with_input(BenchmarkId::new(engine.name, &name), &trace, |bencher, trace| {
                bencher.iter(|| {
                    let mut engine = (engine.build)();
                    engine.feed(trace);
                    engine.findings().violations.len()
                });
            });
        }
    }
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read STD");
    group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    for (name, path) in recorded() {
        group.throughput(Throughput::Elements(read(&path).len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| read(&path).len()));
    }
}

fn traces() -> Vec<(String, Vec<Event>)> {
    let mut traces: Vec<(String, Vec<Event>)> = [4, 64]
        .map(|threads| (format!("generated, {threads} threads"), workload::mixed(1, threads, 10_000_000)))
        .into();
    traces.extend(recorded().into_iter().map(|(name, path)| (name, read(&path))));
    traces
}

/// The recorded traces, where there are any.
fn recorded() -> Vec<(String, PathBuf)> {
    let Some(folder) = std::env::var_os("REGIONTRACK_TRACES") else { return Vec::new() };
    let entries = std::fs::read_dir(&folder).expect("REGIONTRACK_TRACES names a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.to_string_lossy().contains(".std"));
    paths.sort();
    let name = |path: &PathBuf| path.file_name().expect("a file").to_string_lossy().into_owned();
    paths.into_iter().map(|path| (name(&path), path)).collect()
}

fn read(path: &std::path::Path) -> Vec<Event> {
    let input = Input::open(path).expect("a trace");
    let mut reader = TraceReader::open(&input, Mode::Lenient).expect("a trace");
    let (mut trace, mut batch) = (Vec::new(), Vec::new());
    while reader.read_batch(&mut batch, 1 << 14).expect("a trace") > 0 {
        trace.extend_from_slice(&batch);
    }
    trace
}

criterion_group!(benches, engines, reading, binary::reading);
criterion_main!(benches);
