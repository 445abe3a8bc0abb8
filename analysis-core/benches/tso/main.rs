//! Processor time of each algorithm for store buffers by the length of the trace and the number of threads, on generated
//! traces, as the table of `docs/measurements.md` (`lengths`); and of `tso-fenced` beside the engine `reach` in turn, also on
//! every recorded trace in the folder that `REGIONTRACK_TRACES` names, with a fence at the end of each transaction that
//! writes (`monitor`). `cargo bench --bench tso [lengths|monitor]`.

#[path = "../processor/mod.rs"]
mod processor;
#[path = "../recorded/mod.rs"]
mod recorded;

use std::hint::black_box;
use std::time::{Duration, Instant};

use analysis_core::engines;
use analysis_core::event::Event;
use analysis_core::tso::{self, ALGORITHMS, Algorithm, Answer, WORK};
use analysis_core::workload::buffers::{executed, fenced, synchronized, unfenced};

/// Makes a trace of so many threads and events from a seed.
type Generate = fn(u64, u32, usize) -> Vec<Event>;

const FAMILIES: [(&str, Generate); 2] = [("synchronized", synchronized), ("unfenced", unfenced)];

/// A row for each algorithm and number of threads, a column for each length.
fn lengths() {
    println!("| family | threads | algorithm | 10^3 | 10^4 | 10^5 | 10^6 |");
    println!("|---|---|---|---|---|---|---|");
    for (family, generate) in FAMILIES {
        for threads in 2..=4 {
            let traces: Vec<Vec<Event>> = (3..=6).map(|power| generate(1, threads, 10usize.pow(power))).collect();
            for algorithm in ALGORITHMS {
                let cells: Vec<String> = traces.iter().map(|trace| cell(algorithm, trace)).collect();
                println!("| {family} | {threads} | `{}` | {} |", algorithm.name, cells.join(" | "));
            }
        }
    }
}

/// What the algorithm says, if that is not that nothing was found, and in how many milliseconds. The one for executions
/// is given one, of which the trace is what is left without commits.
fn cell(algorithm: &Algorithm, trace: &[Event]) -> String {
    let execution = (algorithm.name == "tso-execution").then(|| executed(trace));
    let events = execution.as_deref().unwrap_or(trace);
    let said = match algorithm.check(events, WORK) {
        Answer::Clean => "",
        Answer::Violation(_) => "found, ",
        Answer::Undecided(_) => "undecided, ",
        Answer::Unsuitable(_) => return String::new(),
    };
    let took = processor::time(|| algorithm.check(events, WORK).is_violation());
    let digits = if took < 1.0 { 2 } else { usize::from(took < 10.0) };
    format!("{said}{took:.digits$}")
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

fn main() {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_chosen = |name: &str| filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()));
    if is_chosen("monitor") {
        monitor();
    }
    if is_chosen("lengths") {
        lengths();
    }
}
