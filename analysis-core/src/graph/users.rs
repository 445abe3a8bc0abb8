//! The threads that use a variable or a lock.

use crate::event::ThreadId;

/// The threads that use something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Users {
    /// No thread.
    #[default]
    Nobody,
    /// Only this thread.
    One(ThreadId),
    /// Two threads or more.
    Several,
}

impl Users {
    /// Adds a thread.
    pub(crate) fn add(&mut self, thread: ThreadId) {
        *self = self.and(Users::One(thread));
    }

    /// Returns the users of both.
    pub(crate) fn and(self, other: Users) -> Users {
        match (self, other) {
            (Users::Nobody, users) | (users, Users::Nobody) => users,
            (Users::One(one), Users::One(another)) if one == another => self,
            _ => Users::Several,
        }
    }
}
