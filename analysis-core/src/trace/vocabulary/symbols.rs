//! Names and their numbers: readers intern them, reports look them up.

use std::borrow::Cow;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::notes::Notes;
use crate::event::{LabelId, LockId, ThreadId, VarId};

/// The names of one trace.
#[derive(Default)]
pub struct Symbols {
    /// Threads, numbered as [`ThreadId`].
    pub threads: Interner,
    /// Variables, numbered as [`VarId`].
    pub vars: Interner,
    /// Locks, numbered as [`LockId`].
    pub locks: Interner,
    /// Labels of blocks, numbered as [`LabelId`].
    pub labels: Interner,
    /// The notes of the trace.
    pub notes: Notes,
}

impl Symbols {
    /// Returns the name of a thread.
    pub fn thread(&self, id: ThreadId) -> Cow<'_, str> {
        self.threads.name(id.0)
    }

    /// Returns the name of a variable.
    pub fn var(&self, id: VarId) -> Cow<'_, str> {
        self.vars.name(id.0)
    }

    /// Returns the name of a lock.
    pub fn lock(&self, id: LockId) -> Cow<'_, str> {
        self.locks.name(id.0)
    }

    /// Returns the label of a block, if it has one.
    pub fn label(&self, id: LabelId) -> Option<Cow<'_, str>> {
        (id != LabelId::NONE).then(|| self.labels.name(id.0))
    }
}

/// A two-way table of distinct byte strings and dense numbers, in order of first appearance.
///
/// The names lie end to end in one buffer; the hash table holds only numbers. Reading a trace mostly means looking up
/// the names of variables, which are too many for the caches. So a caller with several names looks at all their slots
/// first (`guess`), so that the processor waits for all of them at once.
pub struct Interner {
    bytes: Vec<u8>,
    /// Name `id` lies from `bounds[id]` to `bounds[id + 1]`.
    bounds: Vec<usize>,
    table: Table,
}

/// The hash by which a name is found in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameHash(u32);

impl NameHash {
    #[inline]
    pub(crate) fn of(name: &[u8]) -> NameHash {
        NameHash(FxBuildHasher.hash_one(name) as u32)
    }
}

impl Default for Interner {
    fn default() -> Interner {
        Interner { bytes: Vec::new(), bounds: vec![0], table: Table::default() }
    }
}

impl Interner {
    /// Returns the number of `name`, a new one at its first appearance.
    #[inline]
    pub fn intern(&mut self, name: &[u8]) -> u32 {
        self.intern_hashed(name, NameHash::of(name))
    }

    /// Like [`Interner::intern`], with the hash of the name.
    pub(crate) fn intern_hashed(&mut self, name: &[u8], hash: NameHash) -> u32 {
        if self.table.len < self.len() {
            self.index();
        }
        let new = u32::try_from(self.len()).ok().filter(|id| *id < u32::MAX).expect("fewer than 2^32 - 1 names");
        let Interner { bytes, bounds, table } = self;
        let id = table.find_or_insert(hash, new, |id| slice(bytes, bounds, id) == name);
        if id == new {
            self.bytes.extend_from_slice(name);
            self.bounds.push(self.bytes.len());
        }
        id
    }

    /// Returns the number of a name with this hash, usually the wanted one. Reads one word.
    #[inline]
    pub(crate) fn guess(&self, hash: NameHash) -> Option<u32> {
        self.table.first(hash)
    }

    /// Returns whether `id` is the number of `name`.
    #[inline]
    pub(crate) fn is(&self, id: u32, name: &[u8]) -> bool {
        slice(&self.bytes, &self.bounds, id) == name
    }

    /// Adds names that lie end to end in `bytes`, each up to one of `ends`. They get the next numbers and must be new.
    ///
    /// They only cost a copy, and are not hashed until another name is interned.
    pub(crate) fn append(&mut self, bytes: &[u8], ends: &[usize]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bounds.extend(ends.iter().map(|end| start + end));
    }

    /// Hashes the names that were appended.
    #[cold]
    fn index(&mut self) {
        for id in self.table.len as u32..self.len() as u32 {
            let hash = NameHash::of(slice(&self.bytes, &self.bounds, id));
            self.table.find_or_insert(hash, id, |_| false);
        }
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the name of a number from [`Interner::intern`], with invalid UTF-8 replaced.
    pub fn name(&self, id: u32) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(id))
    }

    /// Returns the same name as the bytes that were interned.
    pub(crate) fn bytes(&self, id: u32) -> &[u8] {
        slice(&self.bytes, &self.bounds, id)
    }
}

#[inline]
fn slice<'a>(bytes: &'a [u8], bounds: &[usize], id: u32) -> &'a [u8] {
    &bytes[bounds[id as usize]..bounds[id as usize + 1]]
}

/// Numbers by the hashes of their names: open addressing, the next slot after a taken one.
///
/// Not a library's table: it must store the hashes, so that it grows without reading the names, and looking at a slot
/// must cost one word ([`Interner::guess`]).
#[derive(Default)]
struct Table {
    /// None, or a power of two. A free slot is zero; otherwise its upper half is the hash, the lower one the number
    /// plus 1.
    slots: Vec<u64>,
    len: usize,
}

impl Table {
    /// At most two of three slots are taken, so a search stays within a cache line or two.
    fn is_full(&self) -> bool {
        3 * self.len >= 2 * self.slots.len()
    }

    #[inline]
    fn first(&self, hash: NameHash) -> Option<u32> {
        let slot = *self.slots.get(hash.0 as usize & self.slots.len().wrapping_sub(1))?;
        number_in(slot, hash)
    }

    /// Returns the number with this hash for which `is_it`; otherwise inserts `new` and returns it.
    #[inline]
    fn find_or_insert(&mut self, hash: NameHash, new: u32, is_it: impl Fn(u32) -> bool) -> u32 {
        if self.is_full() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = hash.0 as usize & mask;
        while self.slots[at] != 0 {
            match number_in(self.slots[at], hash) {
                Some(id) if is_it(id) => return id,
                _ => at = (at + 1) & mask,
            }
        }
        self.slots[at] = slot(hash, new);
        self.len += 1;
        new
    }

    fn put(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// Walks the old slots in order; their entries go to two places in the new table, which advance with them.
    #[cold]
    fn grow(&mut self) {
        const LEAST: usize = 16;
        let size = (2 * self.slots.len()).max(LEAST);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        old.into_iter().filter(|slot| *slot != 0).for_each(|slot| self.put(slot));
    }
}

fn slot(hash: NameHash, id: u32) -> u64 {
    u64::from(hash.0) << 32 | u64::from(id + 1)
}

/// Returns the number in a slot if it has this hash.
#[inline]
fn number_in(slot: u64, hash: NameHash) -> Option<u32> {
    (slot as u32 != 0 && (slot >> 32) as u32 == hash.0).then(|| slot as u32 - 1)
}

/// Names on their way from the reading thread to a table: end to end, with the end of each.
#[derive(Default)]
pub(in crate::trace) struct NewNames {
    pub(in crate::trace) bytes: Vec<u8>,
    pub(in crate::trace) ends: Vec<usize>,
}

impl NewNames {
    /// Copies the names of `table` after the first `known` ones.
    pub(in crate::trace) fn take(&mut self, table: &Interner, known: usize) {
        self.clear();
        for id in known..table.len() {
            self.bytes.extend_from_slice(table.bytes(id as u32));
            self.ends.push(self.bytes.len());
        }
    }

    /// Returns the number of names.
    pub(in crate::trace) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Appends the names to their table.
    pub(in crate::trace) fn append_to(&self, table: &mut Interner) {
        table.append(&self.bytes, &self.ends);
    }

    /// Removes all names.
    pub(in crate::trace) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number_and_a_number_its_name() {
        let mut names = Interner::default();
        let words: Vec<String> = (0..1000).map(|i| format!("name{}", i % 300)).collect();
        let ids: Vec<u32> = words.iter().map(|w| names.intern(w.as_bytes())).collect();
        assert_eq!(names.len(), 300);
        for (word, id) in words.iter().zip(ids) {
            assert_eq!(names.name(id), word.as_str());
            assert!(names.is(id, word.as_bytes()));
        }
        assert_eq!(names.intern(b""), 300);
        assert_eq!(names.name(300), "");
    }

    #[test]
    fn appended_names_have_numbers_and_are_found() {
        let mut names = Interner::default();
        names.intern(b"a");
        names.append(b"bccc", &[1, 1, 4]);
        assert_eq!(names.len(), 4);
        assert_eq!([0, 1, 2, 3].map(|id| names.name(id).into_owned()), ["a", "b", "", "ccc"]);
        assert_eq!([&b"ccc"[..], b"", b"a", b"d"].map(|name| names.intern(name)), [3, 2, 0, 4]);
    }

    #[test]
    fn names_with_one_hash_are_told_apart() {
        let mut names = Interner::default();
        let same = NameHash(7);
        let ids: Vec<u32> = (0..100).map(|i| names.intern_hashed(format!("{i}").as_bytes(), same)).collect();
        assert_eq!(ids, (0..100).collect::<Vec<u32>>());
        assert_eq!((0..100).filter(|i| names.intern_hashed(format!("{i}").as_bytes(), same) != *i).count(), 0);
        assert!(names.guess(same).is_some());
    }

    #[test]
    fn a_guess_has_the_hash() {
        let mut names = Interner::default();
        assert_eq!(names.guess(NameHash::of(b"x")), None);
        for i in 0..1000 {
            names.intern(format!("name{i}").as_bytes());
        }
        let right = (0..1000).filter(|i| names.guess(NameHash::of(format!("name{i}").as_bytes())) == Some(*i)).count();
        assert!(right > 500, "{right} of 1000 names are where they belong");
        assert_eq!(names.guess(NameHash::of(b"")), None);
    }
}
