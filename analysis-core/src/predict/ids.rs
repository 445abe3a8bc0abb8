//! Numbers that name the parts of a recorded execution: its events by place, units, periods, holds of locks, contexts.

use crate::event::dense_id;

dense_id! {
    /// An event, by its index in the observed order.
    At
}
dense_id! {
    /// A unit: a transaction, or a run of a thread's events outside of transactions.
    UnitId
}
dense_id! {
    /// A part of one thread between two starts or joins of other threads.
    PeriodId
}
dense_id! {
    /// One outermost hold of a lock, from its acquire to its release.
    HoldId
}
dense_id! {
    /// The holds that are open at an event.
    ContextId
}

impl At {
    /// The number of the event in the trace, which counts from 1.
    pub fn number(self) -> u64 {
        u64::from(self.0) + 1
    }
}
