//! Events per second of each engine: on a generated trace of ten million events, and on every recorded trace in the
//! folder that `REGIONTRACK_TRACES` names; and of reading these, as STD and binary. `cargo bench --bench engines
//! [FILTER]`.

mod binary;
#[path = "../recorded/mod.rs"]
mod recorded;

use std::time::Duration;

use analysis_core::engines::ENGINES;
use analysis_core::event::Event;
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
    for (name, path) in recorded::paths() {
        group.throughput(Throughput::Elements(recorded::read(&path).len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| recorded::read(&path).len()));
    }
}

fn traces() -> Vec<(String, Vec<Event>)> {
    let mut traces: Vec<(String, Vec<Event>)> = [4, 64]
        .map(|threads| (format!("generated, {threads} threads"), workload::mixed(1, threads, 10_000_000)))
        .into();
    traces.extend(recorded::paths().into_iter().map(|(name, path)| (name, recorded::read(&path))));
    traces
}

criterion_group!(benches, engines, reading, binary::reading);
criterion_main!(benches);
