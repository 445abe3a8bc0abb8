//! How much memory something takes: the most that the process holds meanwhile, over what it held before.

use peak_alloc::PeakAlloc;

/// Counts what the process allocates.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// How much is held of what is allocated while something is done, bit by bit. Of use only while nothing else runs.
#[derive(Default)]
pub(crate) struct Meter {
    held: usize,
    peak: usize,
}

impl Meter {
    /// Does the next bit.
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

/// Does `what`, and says how many bytes that took at the most. Of use only while nothing else runs.
pub(crate) fn peak_of<T>(what: impl FnOnce() -> T) -> (T, usize) {
    let mut meter = Meter::default();
    let done = meter.during(what);
    (done, meter.peak())
}
