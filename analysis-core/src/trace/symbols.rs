//! Names and their numbers: what a reader interns and a report looks up.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::event::{LabelId, LockId, ThreadId, VarId};

/// A two-way table of distinct byte strings and dense numbers, in order of first appearance.
///
/// The names lie end to end in one buffer; the hash table holds numbers only.
#[derive(Default)]
pub struct Interner {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Interner {
    /// The number of `name`, a new one at its first appearance.
    #[inline]
    pub fn intern(&mut self, name: &[u8]) -> u32 {
        if self.table.len() < self.ends.len() {
            self.index();
        }
        let hash = FxBuildHasher.hash_one(name);
        let Interner { bytes, ends, table } = self;
        if let Some(found) = table.find(hash, |&id| slice(bytes, ends, id) == name) {
            return *found;
        }
        let id = u32::try_from(ends.len()).expect("fewer than 2^32 names");
        bytes.extend_from_slice(name);
        ends.push(bytes.len());
        table.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(slice(bytes, ends, id)));
        id
    }

    /// Adds names that lie end to end in `bytes`, each up to one of `ends`. They get the next numbers and must be new.
    ///
    /// They are not looked up and cost a copy only, until one is interned.
    pub(crate) fn append(&mut self, bytes: &[u8], ends: &[usize]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.ends.extend(ends.iter().map(|end| start + end));
    }

    /// Makes the names known that were appended.
    #[cold]
    fn index(&mut self) {
        let Interner { bytes, ends, table } = self;
        for id in table.len() as u32..ends.len() as u32 {
            let hash = |id: u32| FxBuildHasher.hash_one(slice(bytes, ends, id));
            table.insert_unique(hash(id), id, |&id| hash(id));
        }
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if no name was interned.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a number that [`Interner::intern`] gave, with what is not UTF-8 replaced.
    pub fn name(&self, id: u32) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(id))
    }

    /// The same, byte by byte as it was interned.
    pub(crate) fn bytes(&self, id: u32) -> &[u8] {
        slice(&self.bytes, &self.ends, id)
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[usize], id: u32) -> &'a [u8] {
    let index = id as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &bytes[start..ends[index]]
}

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
}

impl Symbols {
    /// The name of a thread.
    pub fn thread(&self, id: ThreadId) -> std::borrow::Cow<'_, str> {
        self.threads.name(id.0)
    }

    /// The name of a variable.
    pub fn var(&self, id: VarId) -> std::borrow::Cow<'_, str> {
        self.vars.name(id.0)
    }

    /// The name of a lock.
    pub fn lock(&self, id: LockId) -> std::borrow::Cow<'_, str> {
        self.locks.name(id.0)
    }

    /// The label of a block, if it has one.
    pub fn label(&self, id: LabelId) -> Option<std::borrow::Cow<'_, str>> {
        (id != LabelId::NONE).then(|| self.labels.name(id.0))
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
}
