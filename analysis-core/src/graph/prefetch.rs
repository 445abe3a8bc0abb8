//! Asking the processor for memory before it is needed.

/// About the size, in bytes, of the nearer caches of a processor.
const NEAR: usize = 1 << 20;

/// True if asking for entries of `table` pays: what is near already comes quicker than it can be asked for.
pub(crate) fn is_large<T>(table: &[T]) -> bool {
    size_of_val(table) > NEAR
}

/// Has an entry of `table`, if there is one, in the nearest cache soon. On processors that we know no such request of, and
/// for entries that are not there, nothing happens.
#[inline(always)]
pub(crate) fn prefetch<T>(table: &[T], index: usize) {
    let Some(entry) = table.get(index) else { return };
    fetch(std::ptr::from_ref(entry).cast());
}

#[inline(always)]
fn fetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint. The program sees nothing of it, whatever the address; all such processors have it.
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
