//! Hand-overs: what precedes a thread that has received something.
//!
//! This is the specification of the agent's hooks at queues, futures and tasks. A thread that gives something (puts an
//! element into a queue, submits a task, completes a future) stamps it before the call, a *gift*; a thread that has received
//! it depends on the gift's stamp after the call. What is received is known by identity: the element, the task, the future.
//! Nothing is locked while the library runs, so the order of two calls that overlap is not known. And one object can be
//! given twice, to one queue:
//!
//! - Gifts of one thread are in its order, so the earliest of them comes before whatever was received, whichever of them
//!   that was. If the gifts are of several threads, it is not known which was received: there is no dependency.
//! - A gift stays until as many gifts were taken as there are: only then is each of them known to be gone.
//! - The result of a future is only looked at: its gift stays. What others can take away meanwhile (the head of a queue) could be gone by
//!   the end of the call that has looked at it, and given again: so that call depends on a gift only if none was removed since its start.
//! - What is to run when a future is complete is a gift of the thread that has registered it. It completes a future of its own, which
//!   stands for it, in a separate place, so that registering and running are distinguished.
//! - A thread need not depend again on what it has depended on last.
//! - An interruption is a gift of the interrupted thread, taken by the call that clears its flag. Several interruptions set one flag, so
//!   more gifts can be gone than were taken; those that stay make less certain.
//! - A queue that is emptied into a collection hands its elements over one by one, and it is not known whether the collection takes
//!   them. So they are not counted as taken. Until it is counted, what was received has a gift that stays.
//! - A call that returns and has given nothing (a full queue, a future that was complete) withdraws its gift.
//! - More than [`MOST`] gifts of one object are not kept, and from then on the object has no dependencies. Nor has an
//!   object that many places have (a constant that ends queues): the agent keeps gifts in 64.
//!
//! So a recorded dependency holds whatever the order of the effects was; `tests/` holds that against every way in which what was
//! received can be what was given. A dependency can be missed. Nothing is known of hand-overs by code that is not watched: if it
//! gives an object which watched code has given to the same queue, and which is not known to be gone, it is taken for that gift.

use crate::event::Stamp;

/// How many gifts of one object are kept.
pub const MOST: usize = 16;

/// One object in one place, such as a queue.
#[derive(Clone, Debug, Default)]
pub struct Handover {
    gifts: Vec<Stamp>,
    /// How many were taken since the gifts were last known to be gone; fewer than there are.
    taken: usize,
    /// How often gifts were found to be gone.
    removals: usize,
    is_forgotten: bool,
}

impl Handover {
    /// Begins a call that gives the object.
    pub fn give(&mut self, stamp: Stamp) {
        if self.is_forgotten || self.gifts.len() == MOST {
            *self = Handover { is_forgotten: true, ..Handover::default() };
        } else {
            self.gifts.push(stamp);
        }
    }

    /// A call that was to give the object has returned without giving it. Its gift is one of those with this stamp.
    pub fn withdraw(&mut self, stamp: Stamp) {
        if let Some(at) = self.gifts.iter().position(|gift| *gift == stamp) {
            self.gifts.remove(at);
            self.settle();
        }
    }

    /// The gift before a call that has seen the object there, and is about to return. Either no call takes such objects, or
    /// this call took it and is not counted.
    pub fn source(&self) -> Option<Stamp> {
        let first = self.gifts.iter().min_by_key(|gift| gift.position())?;
        self.gifts.iter().all(|gift| gift.thread() == first.thread()).then_some(*first)
    }

    /// The argument of [`Handover::seen`], to be read at the start of a call that looks at the object where others can take
    /// it away.
    pub fn removals(&self) -> usize {
        self.removals
    }

    /// The gift before a call that has seen the object where others can take it away, and is about to return.
    pub fn seen(&self, removals: usize) -> Option<Stamp> {
        self.source().filter(|_| self.removals == removals)
    }

    /// The gift before a call that has taken the object away, and is about to return.
    pub fn take(&mut self) -> Option<Stamp> {
        let source = self.source();
        self.taken += usize::from(!self.gifts.is_empty());
        self.settle();
        source
    }

    /// True if nothing needs to be kept of the object.
    pub fn is_empty(&self) -> bool {
        self.gifts.is_empty() && !self.is_forgotten
    }

    fn settle(&mut self) {
        if self.taken >= self.gifts.len() {
            self.removals += 1;
            self.gifts.clear();
            self.taken = 0;
        }
    }
}

/// A latch: a thread that has passed it comes after all that have counted it down.
///
/// All calls that count it down are seen, from inside: each stamps the latch before it tries to change the count, and
/// withdraws if another has brought the count to zero meanwhile. So those that have changed the count are among the stamps.
/// If there are as many stamps as the count was, these are the calls that changed it; if there are more, one of them may
/// still fail.
#[derive(Clone, Debug, Default)]
pub struct Latch {
    count: usize,
    arrivals: Vec<Stamp>,
}

impl Latch {
    /// A latch that is passed after this many have arrived.
    pub fn of(count: usize) -> Latch {
        Latch { count, arrivals: Vec::new() }
    }

    /// A call that counts down is about to change the count.
    pub fn arrive(&mut self, stamp: Stamp) {
        self.arrivals.push(stamp);
    }

    /// The call has not changed the count, which was zero by then.
    pub fn withdraw(&mut self, stamp: Stamp) {
        if let Some(at) = self.arrivals.iter().position(|arrival| *arrival == stamp) {
            self.arrivals.remove(at);
        }
    }

    /// The arrivals before a call that has found the count to be zero, and is about to return.
    pub fn sources(&self) -> &[Stamp] {
        if self.arrivals.len() == self.count { &self.arrivals } else { &[] }
    }
}
