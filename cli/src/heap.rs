//! The memory that a computation takes: the most that the process holds meanwhile, above what it held before.

use peak_alloc::PeakAlloc;

/// Counts the allocations of the process.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The memory held by a computation that is done step by step. Valid only while nothing else runs.
#[derive(Default)]
pub(crate) struct Meter {
    held: usize,
    peak: usize,
}

impl Meter {
    /// Does the next step.
    pub(crate) fn during<T>(&mut self, what: impl FnOnce() -> T) -> T {
        let before = HEAP.current_usage();
        HEAP.reset_peak_usage();
        let done = what();
        self.peak = self.peak.max((self.held + HEAP.peak_usage()).saturating_sub(before));
        self.held = (self.held + HEAP.current_usage()).saturating_sub(before);
        done
    }

    /// The most that was held, in bytes.
    pub(crate) fn peak(&self) -> usize {
        self.peak
    }
}

/// Runs `what`, and returns its result and the most bytes that it held. Valid only while nothing else runs.
pub(crate) fn peak_of<T>(what: impl FnOnce() -> T) -> (T, usize) {
    let mut meter = Meter::default();
    let done = meter.during(what);
    (done, meter.peak())
}
