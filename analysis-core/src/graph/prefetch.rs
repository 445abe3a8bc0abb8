//! Prefetching memory.

/// About the size, in bytes, of the nearer caches of a processor.
const NEAR: usize = 1 << 20;

/// Returns whether prefetching entries of `table` pays off: memory that is near already arrives before a prefetch
/// could.
pub(crate) fn is_large<T>(table: &[T]) -> bool {
    size_of_val(table) > NEAR
}

/// Prefetches an entry of `table`, if it exists, into the nearest cache. Does nothing on processors without a known
/// prefetch instruction and for entries that do not exist.
#[inline(always)]
pub(crate) fn prefetch<T>(table: &[T], index: usize) {
    let Some(entry) = table.get(index) else { return };
    fetch(std::ptr::from_ref(entry).cast());
}

#[inline(always)]
fn fetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint without visible effect, whatever the address; all such processors support it.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the same.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) address, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}
