//! Accesses to fields that only constructors write, before any other thread can reach the object.
//!
//! Such a field is as good as final. Like [`temporary`](super::temporary) this is a function on traces *with
//! references* ([`Step`]), and the specification of the agent's instrumenter, which decides for a field what is decided
//! here for each variable.
//!
//! A variable is **constant** if every write to it happens in the constructor of its object, through a local that holds
//! the object, before the object has left that thread. No access to a constant variable is needed: a thread that reads
//! it got the reference from somewhere, and each store and load on that way is an event. So the write happens before
//! the read even without these two events, through events that come after the write in its thread and before the read
//! in the other one. A path through the two continues through those events. No edge leads from a read to a write,
//! because no other thread can read before the last write.
//!
//! # What is kept, exactly
//! If every hand-over of a reference has a hook, the filtered trace gives the same answer. If one has none, the order
//! may be visible only through the write and the read, and can be missed: final fields, which are not variables at all,
//! are missed in the same way. Whatever is found in the filtered trace is also found in the whole one. `tests/` checks
//! this against the reference.
//!
//! The first event after a fork of its thread is kept, as by [`temporary`](super::temporary).

use super::temporary::{Local, Step};
use crate::event::{Op, ThreadId};
use crate::graph::accesses::at;

/// The filter, what it knows of each thread, and which variables are not constant.
#[derive(Default)]
pub struct Constructed {
    threads: Vec<Thread>,
    /// By variable: whether it is written outside a constructor, or belongs to no object.
    is_changed: Vec<bool>,
}

#[derive(Default)]
struct Thread {
    /// By local: the object that it holds, if this thread made the object.
    locals: Vec<Option<usize>>,
    objects: Vec<Object>,
    /// The thread was forked and has made no event since.
    is_forked: bool,
}

/// An object that was made by the thread.
struct Object {
    is_in_constructor: bool,
    has_left: bool,
}

impl Constructed {
    /// Processes the next step of the whole execution, before the first call of [`Constructed::needs`].
    pub fn foresee(&mut self, thread: ThreadId, step: &Step) {
        let thread = at(&mut self.threads, thread.index());
        if let Step::Access { holder, op: Op::Write(x), value, .. } = step {
            // The value first: an object that is stored in itself has left.
            value.iter().for_each(|value| thread.leave(*value));
            *at(&mut self.is_changed, x.index()) |= !holder.is_some_and(|holder| thread.is_constructing(holder));
        }
        thread.follow(step);
    }

    /// Processes the next step, from the start again. Returns false if it is an access that can be dropped.
    pub fn needs(&mut self, thread: ThreadId, step: &Step) -> bool {
        match step {
            Step::Event(Op::Fork(child)) => at(&mut self.threads, child.index()).is_forked = true,
            Step::Event(_) | Step::Access { .. } => {}
            _ => return true,
        }
        let is_first = std::mem::take(&mut at(&mut self.threads, thread.index()).is_forked);
        is_first || !self.is_constant(step)
    }

    fn is_constant(&mut self, step: &Step) -> bool {
        match step {
            Step::Access { holder: Some(_), op: Op::Read(x) | Op::Write(x), .. } => {
                !*at(&mut self.is_changed, x.index())
            }
            _ => false,
        }
    }
}

impl Thread {
    fn local(&mut self, local: Local) -> &mut Option<usize> {
        at(&mut self.locals, usize::from(local.0))
    }

    fn follow(&mut self, step: &Step) {
        match step {
            Step::New { to, .. } => self.make(*to, false),
            Step::Construct { to, .. } => self.make(*to, true),
            Step::Constructed { value } => {
                self.object(*value).into_iter().for_each(|object| object.is_in_constructor = false);
            }
            Step::Copy { from, to } => *self.local(*to) = *self.local(*from),
            Step::Access { value, to, .. } => {
                value.iter().for_each(|value| self.leave(*value));
                to.iter().for_each(|to| *self.local(*to) = None);
            }
            Step::Leave { value } => self.leave(*value),
            Step::Take { to } => *self.local(*to) = None,
            Step::Event(_) => {}
        }
    }

    fn make(&mut self, to: Local, is_in_constructor: bool) {
        self.objects.push(Object { is_in_constructor, has_left: false });
        *self.local(to) = Some(self.objects.len() - 1);
    }

    fn object(&mut self, local: Local) -> Option<&mut Object> {
        let object = (*self.local(local))?;
        self.objects.get_mut(object)
    }

    fn leave(&mut self, local: Local) {
        self.object(local).into_iter().for_each(|object| object.has_left = true);
    }

    fn is_constructing(&mut self, local: Local) -> bool {
        self.object(local).is_some_and(|object| object.is_in_constructor && !object.has_left)
    }
}
