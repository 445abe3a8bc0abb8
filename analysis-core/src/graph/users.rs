//! Which threads use something: a variable or a lock.

use crate::event::ThreadId;

/// Which threads use something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Users {
    /// No thread.
    #[default]
    Nobody,
    /// This one alone.
    One(ThreadId),
    /// Two threads or more.
    Several,
}

impl Users {
    /// The thread uses it, too.
    pub(crate) fn add(&mut self, thread: ThreadId) {
        *self = self.and(Users::One(thread));
    }

    /// Those of both.
    pub(crate) fn and(self, other: Users) -> Users {
        match (self, other) {
            (Users::Nobody, users) | (users, Users::Nobody) => users,
            (Users::One(one), Users::One(another)) if one == another => self,
            _ => Users::Several,
        }
    }
}
