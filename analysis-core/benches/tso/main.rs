//! Time of each algorithm for store buffers by the length of the trace and the number of threads, on generated traces; and
//! of `tso-fenced` beside the engine `reach`, also on every recorded trace in the folder that `REGIONTRACK_TRACES` names,
//! with a fence at the end of each transaction. `cargo bench --bench tso [FILTER]`.

#[path = "../recorded/mod.rs"]
mod recorded;

use std::time::Duration;

use analysis_core::engines;
use analysis_core::event::Event;
use analysis_core::tso::{self, ALGORITHMS, WORK};
use analysis_core::workload::buffers::{fenced, synchronized, unfenced};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Makes a trace of so many threads and events from a seed.
type Generate = fn(u64, u32, usize) -> Vec<Event>;

const FAMILIES: [(&str, Generate); 2] = [("synchronized", synchronized), ("unfenced", unfenced)];

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    group
}

fn lengths(criterion: &mut Criterion) {
    for (family, generate) in FAMILIES {
        let mut group = group(criterion, family);
        for threads in 2..=4 {
            for length in [1_000, 10_000, 100_000, 1_000_000] {
                let trace = generate(1, threads, length);
                // That of executions asks for commits.
                for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.name != "tso-execution") {
                    let id = BenchmarkId::new(format!("{}, {threads} threads", algorithm.name), length);
                    group.bench_function(id, |bencher| bencher.iter(|| algorithm.check(&trace, WORK).is_violation()));
                }
            }
        }
    }
}

fn monitor(criterion: &mut Criterion) {
    let mut group = group(criterion, "monitor");
    let monitor = tso::find("tso-fenced").expect("an algorithm");
    let generated = ("synchronized, 4 threads".to_owned(), synchronized(1, 4, 1_000_000));
    let traces = recorded::paths().into_iter().map(|(name, path)| (name, recorded::read(&path)));
    for (name, trace) in std::iter::once(generated).chain(traces) {
        let trace = fenced(&trace);
        group.throughput(Throughput::Elements(trace.len() as u64));
        group.bench_function(BenchmarkId::new("reach", &name), |bencher| {
            bencher.iter(|| {
                let mut engine = (engines::default().build)();
                engine.feed(&trace);
                engine.findings().violations.len()
            });
        });
        group.bench_function(BenchmarkId::new(monitor.name, &name), |bencher| {
            bencher.iter(|| monitor.check(&trace, WORK).is_violation());
        });
    }
}

criterion_group!(benches, monitor, lengths);
criterion_main!(benches);
