//! The tables in which the program's threads mark what they share, as the Java side lays them out (`Learning.java`).
//!
//! They have room for as many places as there could be, and the pages that nobody writes take no memory. They are never freed: threads may
//! write to them as long as there are threads. A table is read once, at the end; a mark that comes later is one of a run that goes on.

use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::collections::HashMap;
use std::ptr;

/// A byte for each site: a [`Mark`], or 0.
pub(super) const MARKS: u32 = 0;
/// Words of 8 bytes; those that are not 0 are in any order. Each has a block in the upper half, by its number plus 1, and a site that was
/// reached while the block was the innermost one.
pub(super) const PAIRS: u32 = 1;
/// One word of 8 bytes: not 0 if pairs found no room.
pub(super) const FULL: u32 = 2;

/// What was seen of the variable at a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Threads share it.
    Shared = 1,
    /// A thread has read what another had written, and the order between the two was known already.
    Read = 2,
    /// Threads share it, and some order of two threads at it was not known from other orders.
    Open = 3,
}

/// The tables by their numbers: addresses and sizes in bytes.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    tables: HashMap<u32, (usize, usize)>,
}

impl Tables {
    /// Allocates a table of zeros and returns its address.
    pub(crate) fn allocate(&mut self, which: u32, bytes: usize) -> usize {
        let bytes = bytes.max(1).next_multiple_of(8);
        let layout = Layout::from_size_align(bytes, 8).expect("the Java side asks for a size that is possible");
        // SAFETY: the size is not 0.
        let memory = unsafe { alloc_zeroed(layout) };
        if memory.is_null() {
            handle_alloc_error(layout);
        }
        self.tables.insert(which, (memory as usize, bytes));
        memory as usize
    }

    /// The numbers of the sites that have this mark; for shared ones also those where an order was open.
    pub(crate) fn marked(&self, as_what: Mark) -> Vec<u32> {
        // There is room for many more sites than there are, so eight of them are checked at once.
        let words = self.values::<u64>(MARKS).filter(|(_, word)| *word != 0);
        let bytes = words.flat_map(|(at, word)| (8 * at..).zip(word.to_ne_bytes()));
        bytes
            .filter(|(_, mark)| *mark == as_what as u8 || as_what == Mark::Shared && *mark == Mark::Open as u8)
            .filter_map(|(site, _)| u32::try_from(site).ok())
            .collect()
    }

    /// The pairs of a block and a site that was reached in it.
    pub(crate) fn pairs(&self) -> Vec<(u32, u32)> {
        let pairs = self.values::<u64>(PAIRS).map(|(_, pair)| pair).filter(|pair| *pair >> 32 != 0);
        pairs.map(|pair| ((pair >> 32) as u32 - 1, pair as u32)).collect()
    }

    /// True if there are more pairs than there was room for.
    pub(crate) fn is_full(&self) -> bool {
        self.values::<u64>(FULL).any(|(_, word)| word != 0)
    }

    fn values<T: Copy>(&self, which: u32) -> impl Iterator<Item = (usize, T)> {
        let (address, bytes) = self.tables.get(&which).copied().unwrap_or_default();
        // SAFETY: the table has that many values, and is never freed. Other threads may write meanwhile.
        (0..bytes / size_of::<T>()).map(move |at| (at, unsafe { ptr::read_volatile((address as *const T).add(at)) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_threads_write_is_read() {
        let mut tables = Tables::default();
        let (marks, pairs) = (tables.allocate(MARKS, 100), tables.allocate(PAIRS, 64));
        assert!(tables.marked(Mark::Shared).is_empty() && tables.pairs().is_empty() && !tables.is_full());
        // SAFETY: inside of the tables.
        unsafe {
            (marks as *mut u8).add(7).write(1);
            (marks as *mut u8).add(8).write(2);
            (pairs as *mut u64).add(3).write(5 << 32 | 9);
        }
        let full = tables.allocate(FULL, 8);
        unsafe { (full as *mut u64).write(1) };
        assert_eq!((tables.marked(Mark::Shared), tables.marked(Mark::Read)), (vec![7], vec![8]));
        assert_eq!(tables.pairs(), vec![(4, 9)]);
        assert!(tables.is_full());
    }
}
