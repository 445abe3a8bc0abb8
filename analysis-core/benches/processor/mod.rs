//! Processor time, which other work on the machine makes no longer.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

/// How much processor time one of [`SAMPLES`] takes at least.
const SAMPLE: f64 = 150.0;
const SAMPLES: usize = 3;

/// The least mean of a sample, in milliseconds of processor time. A sample is so long that the clock of the scheduler, which
/// is a few milliseconds late, does not matter.
pub(crate) fn time<T>(mut run: impl FnMut() -> T) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..SAMPLES {
        let (begin, mut runs, mut next) = (clock(), 0, 1);
        let took = loop {
            (0..next).for_each(|_| _ = black_box(run()));
            runs += next;
            let took = clock() - begin;
            if took >= SAMPLE {
                break took;
            }
            // Looking at the clock takes longer than a short run.
            next = runs;
        };
        least = least.min(took / f64::from(runs));
    }
    least
}

/// The processor time of this thread in milliseconds; where the system does not tell it, the time by the clock.
fn clock() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64() * 1e3, |nanoseconds| nanoseconds / 1e6)
}
