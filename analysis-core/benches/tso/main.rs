//! Time of each algorithm for store buffers by the length of the trace and the number of threads, on generated traces; and
//! of `tso-fenced` beside the engine `reach` in turn, also on every recorded trace in the folder that `REGIONTRACK_TRACES`
//! names, with a fence at the end of each transaction that writes. `cargo bench --bench tso [FILTER]`.

#[path = "../recorded/mod.rs"]
mod recorded;

use std::hint::black_box;
use std::time::{Duration, Instant};

use analysis_core::engines;
use analysis_core::event::Event;
use analysis_core::tso::{self, ALGORITHMS, WORK};
use analysis_core::workload::buffers::{fenced, synchronized, unfenced};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group};

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

/// How long each pair of a trace is repeated.
const PAIRED: Duration = Duration::from_secs(2);

/// The monitor and the engine in turn, many times, so that both see the same load of the machine. The least time of each is
/// nearest to what it takes alone. Both run in this thread, so that is processor time too.
fn monitor() {
    let monitor = tso::find("tso-fenced").expect("an algorithm");
    let generated = ("synchronized, 4 threads".to_owned(), synchronized(1, 4, 1_000_000));
    let traces = recorded::paths().into_iter().map(|(name, path)| (name, recorded::read(&path)));
    println!(
        "{:32} {:>9} {:>6} {:>9} {:>10} {:>6} {:>7}",
        "monitor", "events", "pairs", "reach", monitor.name, "ratio", "median"
    );
    for (name, trace) in std::iter::once(generated).chain(traces) {
        let trace = fenced(&trace);
        let (mut pairs, begin) = (Vec::new(), Instant::now());
        while pairs.len() < 20 || begin.elapsed() < PAIRED {
            let engine = time(|| {
                let mut engine = (engines::default().build)();
                engine.feed(&trace);
                engine.findings().violations.len()
            });
            pairs.push((engine, time(|| monitor.check(&trace, WORK).is_violation())));
        }
        let least = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).fold(f64::MAX, f64::min);
        let (engine, monitor) = (least(|pair| pair.0), least(|pair| pair.1));
        let mut ratios: Vec<f64> = pairs.iter().map(|(engine, monitor)| monitor / engine).collect();
        ratios.sort_by(f64::total_cmp);
        let (events, count, median) = (trace.len(), ratios.len(), ratios[ratios.len() / 2]);
        println!("{name:32} {events:9} {count:6} {engine:9.3} {monitor:10.3} {:6.2} {median:7.2}", monitor / engine);
    }
}

/// In milliseconds.
fn time<T>(run: impl FnOnce() -> T) -> f64 {
    let begin = Instant::now();
    black_box(run());
    begin.elapsed().as_secs_f64() * 1e3
}

criterion_group!(benches, lengths);

fn main() {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if filter.is_none_or(|filter| "monitor".contains(&filter)) {
        monitor();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
