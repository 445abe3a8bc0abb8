//! Overlapping calls for one key of a map: which came last, by what they returned.
//!
//! This is the specification of the agent's hooks around calls of a map that is made for threads, for a key that several threads use.
//! [`operations`](super::operations) drops a call that has overlapped one that conflicts with it, because their order is not known. But
//! what calls return can show it: of two calls of `remove`, the one that found nothing comes after the one that has removed the value.
//!
//! Each call is a transition: it found something, and left something. When a call ends, the calls that it has overlapped, and those that
//! these have overlapped, are put into every order in which
//!
//! - a call that had ended comes before one that began later,
//! - each call finds what can be there after those before it. What was there before all of them is not known.
//!
//! The true order is one of these, if all calls that have changed the key meanwhile are among them: so no other call that can write may
//! have begun and not ended. If there is such an order, and in each of them the call comes after all recorded calls of other threads that
//! conflict with it, it is recorded after them. Otherwise it is dropped; for other calls it remains one that has changed the key.
//!
//! # What is not put in order
//!
//! - A call that ends before another one that comes before it: the other one is dropped when it ends. Waiting for it would mean holding
//!   back what is recorded.
//! - More than [`MOST`] calls, and calls that overlap a call that can write and has not ended.
//!
//! Values are known by numbers. Equal values may have two numbers only if no call compares them, and two values can have the same number:
//! then more orders seem possible than are, so that less is known, but nothing wrong.

use crate::event::ThreadId;

/// How many overlapping calls are considered, including the one that ends last.
pub const MOST: usize = 6;

/// What is there for a key, what a call found, or what it left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Nothing is known.
    Any,
    /// No value.
    Absent,
    /// A value, whichever it is.
    Present,
    /// This one.
    Value(u32),
    /// Not this one: something else, or no value. No call leaves that.
    Not(u32),
    /// Only of what a call left: what it found.
    Same,
}

/// What a call found, what it left, and whether it counts as a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was there.
    pub found: State,
    /// What the call has put there.
    pub left: State,
    /// Whether the call is recorded as a write, otherwise as a read.
    pub is_write: bool,
}

/// A call that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    from: usize,
    can_write: bool,
}

/// The calls of a key.
#[derive(Clone, Debug, Default)]
pub struct Key {
    ended: Vec<Ended>,
    writing: usize,
}

#[derive(Clone, Copy, Debug)]
struct Ended {
    thread: ThreadId,
    /// How many had ended when it began.
    from: usize,
    step: Step,
    is_recorded: bool,
}

impl Key {
    /// Begins a call, which can write or cannot.
    pub fn begin(&mut self, can_write: bool) -> Begun {
        self.writing += usize::from(can_write);
        Begun { from: self.ended.len(), can_write }
    }

    /// Ends a call. True if it is recorded, after all that were recorded before; otherwise it is dropped.
    pub fn end(&mut self, Begun { from, can_write }: Begun, thread: ThreadId, step: Step) -> bool {
        self.writing -= usize::from(can_write);
        let call = Ended { thread, from, step, is_recorded: true };
        let overlaps = self.ended[from..].iter().any(|other| other.is_before(&call));
        let is_recorded = !overlaps || self.is_last(&call);
        self.ended.push(Ended { is_recorded, ..call });
        is_recorded
    }

    fn is_last(&self, call: &Ended) -> bool {
        let n = self.ended.len();
        let mut first = call.from;
        let mut i = n;
        while i > first {
            i -= 1;
            first = first.min(self.ended[i].from);
        }
        if self.writing > 0 || n - first >= MOST {
            return false;
        }
        let mut orders =
            Orders { calls: &self.ended[first..], first, last: call, are_any: false, can_be_earlier: false };
        orders.extend(0, State::Any, false);
        orders.are_any && !orders.can_be_earlier
    }
}

impl Ended {
    /// True if the call is recorded, and a call of another thread has to come after it to be recorded.
    fn is_before(&self, call: &Ended) -> bool {
        self.is_recorded && self.thread != call.thread && (self.step.is_write || call.step.is_write)
    }
}

/// The orders of some calls, and of one more that is about to end.
struct Orders<'a> {
    calls: &'a [Ended],
    /// The number of the first call.
    first: usize,
    last: &'a Ended,
    are_any: bool,
    can_be_earlier: bool,
}

impl Orders<'_> {
    /// Puts each call that can be the next one after those in `done`.
    fn extend(&mut self, done: u32, state: State, is_earlier: bool) {
        let n = self.calls.len();
        if self.can_be_earlier {
            return;
        }
        if done == (2 << n) - 1 {
            self.are_any = true;
            self.can_be_earlier = is_earlier;
            return;
        }
        for i in (0..=n).filter(|i| done >> i & 1 == 0) {
            let call = self.calls.get(i).unwrap_or(self.last);
            if self.follows(i, done) && state.can_be(call.step.found) {
                let is_after_last = i < n && done >> n & 1 == 1 && call.is_before(self.last);
                self.extend(done | 1 << i, state.after(call.step), is_earlier || is_after_last);
            }
        }
    }

    /// True if `done` has all calls that had ended when a call began.
    fn follows(&self, i: usize, done: u32) -> bool {
        let call = self.calls.get(i).unwrap_or(self.last);
        (0..self.calls.len()).all(|j| j == i || done >> j & 1 == 1 || self.first + j >= call.from)
    }
}

impl State {
    /// True if a call can have found this there.
    fn can_be(self, found: State) -> bool {
        match (self, found) {
            (State::Any, _) | (_, State::Any) => true,
            (_, State::Not(value)) => self != State::Value(value),
            (State::Not(value), _) => found != State::Value(value),
            (State::Absent, _) | (_, State::Absent) => self == found,
            (State::Present, _) | (_, State::Present) => true,
            _ => self == found,
        }
    }

    /// What is known after a call.
    fn after(self, step: Step) -> State {
        let says_more = match step.found {
            State::Any => false,
            State::Not(_) => self == State::Any,
            _ => matches!(self, State::Any | State::Present | State::Not(_)),
        };
        match step.left {
            State::Same if says_more => step.found,
            State::Same => self,
            left => left,
        }
    }
}
