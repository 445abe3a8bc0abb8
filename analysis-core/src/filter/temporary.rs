//! Accesses to an object that was allocated in the running method and has not left it.
//!
//! A trace does not say which threads can reach an object, so this is a function on traces *with references*
//! ([`Step`]). It is the specification of the agent's instrumenter, which makes the same decision before the program
//! runs. No trace has references, so it is not one of the [`FILTERS`](super::FILTERS).
//!
//! While an object has not left, no other thread can access it, so no edge leads into an access to it, and the edges
//! out of the access lead to accesses that come after the object has left. So an access leaves no record; it only marks
//! the object. When a marked object **leaves**, all its variables count as written at that point. It leaves by
//! - being stored, in a field, an element or a static field, whether that store has a hook or not, and even if it is stored
//!   in another object that has not left;
//! - being passed, returned, captured or thrown.
//!
//! A store that has a hook is no exception. A thread that takes the reference from there is ordered after the store,
//! but may hand it on without a hook, and the thread that then gets it is ordered after nothing: the writes from before
//! the store must be found on the object itself.
//!
//! An object with a constructor becomes a temporary when the constructor has returned, unless it has left before. In
//! the constructor each access has its hook. An access marks the object even if it is only a read, or if an earlier
//! access of the same thread covers it, in the constructor or elsewhere: the thread may since have been ordered after
//! another one, and a thread that gets the object is ordered after that.
//!
//! A library collection whose calls have a model is an object with one variable, and a view of it is another reference
//! to it. The agent drops accesses only to collections that never leave.
//!
//! Tracking follows *values*: a local holds a new one each time the same `new` is executed, and two locals may hold the
//! same one.
//!
//! # What is kept, exactly
//! Let *today* be the trace of all hooked accesses, and *the execution* that trace with an edge from each hand-over of
//! a reference without a hook to where it is taken. The filtered trace finds at least what is found today and at most
//! what is true of the execution: each block that is violated today is violated, at the same event or an earlier one,
//! and each violated block is one of the execution's. If every hand-over has a hook, the three are the same. The
//! possible gain is the order of what the thread did between the access and the leaving: it is real, because the
//! reference itself went that way, and only the filtered trace shows it. `tests/` checks this against the reference.
//!
//! The first event after a fork of its thread is kept, whatever it is: whether a thread that was started and joined has
//! done anything decides.

use crate::event::{Op, ThreadId, VarId};
use crate::graph::accesses::at;

/// A local variable of the method that a thread runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local(pub u8);

/// What a thread does in an execution whose references are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A local takes a new object, with these variables.
    New {
        /// Which local.
        to: Local,
        /// The variables of the object: its fields or elements.
        variables: Vec<VarId>,
    },
    /// A local takes a new object, with these variables, and its constructor begins.
    Construct {
        /// Which local.
        to: Local,
        /// The variables of the object.
        variables: Vec<VarId>,
    },
    /// The constructor of the object in a local has returned.
    Constructed {
        /// Which local.
        value: Local,
    },
    /// A local takes the reference in another one.
    Copy {
        /// The other one.
        from: Local,
        /// Which local.
        to: Local,
    },
    /// An access that has a hook.
    Access {
        /// The local that holds the object of the variable; none for a static field.
        holder: Option<Local>,
        /// The read or write.
        op: Op,
        /// The local that holds the written reference, if it is a reference.
        value: Option<Local>,
        /// The local that takes the value read, if it is a reference.
        to: Option<Local>,
    },
    /// The reference in a local is passed, returned, captured, thrown, or stored without a hook.
    Leave {
        /// Which local.
        value: Local,
    },
    /// A local takes a reference from elsewhere without a hook.
    Take {
        /// Which local.
        to: Local,
    },
    /// Any other event.
    Event(Op),
}

/// The filter, and what it knows of each thread.
#[derive(Default)]
pub struct Temporaries {
    threads: Vec<Thread>,
}

#[derive(Default)]
struct Thread {
    /// By local: the value that it holds, if this thread made the value.
    locals: Vec<Option<usize>>,
    values: Vec<Value>,
    /// The thread was forked and has made no event since.
    is_forked: bool,
}

/// An object made by the thread.
struct Value {
    variables: Vec<VarId>,
    is_constructed: bool,
    has_left: bool,
    /// The object was accessed, and the access was not recorded.
    is_marked: bool,
}

impl Temporaries {
    /// Processes the next step of a thread and passes on the remaining events, in order.
    pub fn step(&mut self, thread: ThreadId, step: &Step, mut emit: impl FnMut(Op)) {
        if let Step::Event(Op::Fork(child)) = step {
            at(&mut self.threads, child.index()).is_forked = true;
        }
        let thread = at(&mut self.threads, thread.index());
        match step {
            Step::New { to, variables } => thread.make(*to, variables.clone(), true),
            Step::Construct { to, variables } => thread.make(*to, variables.clone(), false),
            Step::Constructed { value } => thread.construct(*value),
            Step::Copy { from, to } => *thread.local(*to) = *thread.local(*from),
            Step::Access { holder, op, value, to } => {
                value.iter().for_each(|value| thread.leave(*value, &mut emit));
                thread.access(*holder, *op, &mut emit);
                to.iter().for_each(|to| *thread.local(*to) = None);
            }
            Step::Leave { value } => thread.leave(*value, &mut emit),
            Step::Take { to } => *thread.local(*to) = None,
            Step::Event(op) => thread.emit(*op, &mut emit),
        }
    }
}

impl Thread {
    fn local(&mut self, local: Local) -> &mut Option<usize> {
        at(&mut self.locals, usize::from(local.0))
    }

    fn make(&mut self, to: Local, variables: Vec<VarId>, is_constructed: bool) {
        self.values.push(Value { variables, is_constructed, has_left: false, is_marked: false });
        *self.local(to) = Some(self.values.len() - 1);
    }

    fn construct(&mut self, value: Local) {
        if let Some(value) = *self.local(value) {
            self.values[value].is_constructed = true;
        }
    }

    fn access(&mut self, holder: Option<Local>, op: Op, emit: &mut impl FnMut(Op)) {
        let value = holder.and_then(|holder| *self.local(holder));
        let temporary =
            value.map(|value| &mut self.values[value]).filter(|value| value.is_constructed && !value.has_left);
        let is_temporary = temporary.is_some();
        if let Some(value) = temporary {
            value.is_marked = true;
        }
        if !is_temporary || self.is_forked {
            self.emit(op, emit);
        }
    }

    fn leave(&mut self, local: Local, emit: &mut impl FnMut(Op)) {
        let Some(value) = *self.local(local) else { return };
        let value = &mut self.values[value];
        let is_written = value.is_marked && !value.has_left;
        value.has_left = true;
        if is_written {
            let variables = std::mem::take(&mut value.variables);
            variables.into_iter().for_each(|x| self.emit(Op::Write(x), emit));
        }
    }

    fn emit(&mut self, op: Op, emit: &mut impl FnMut(Op)) {
        self.is_forked = false;
        emit(op);
    }
}
