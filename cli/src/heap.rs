//! How much memory something takes: the most that the process holds meanwhile, over what it held before.

use peak_alloc::PeakAlloc;

/// Counts what the process allocates.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Does `what`, and says how many bytes that took at the most. Of use only while nothing else runs.
pub(crate) fn peak_of<T>(what: impl FnOnce() -> T) -> (T, usize) {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let done = what();
    (done, HEAP.peak_usage().saturating_sub(before))
}
