//! Names and their numbers: what a reader interns and a report looks up.

mod interner;
mod new_names;

pub use interner::Interner;
pub(super) use interner::NameHash;
pub(super) use new_names::NewNames;

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
