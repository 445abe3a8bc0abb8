//! Numbers that name the parts of a recorded execution: its events by place, units, periods, holds of locks, contexts.

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into a dense table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The name of the element at `index`.
            #[inline]
            pub fn of(index: usize) -> $name {
                $name(u32::try_from(index).expect("fewer than 2^32 of a kind"))
            }
        }
    };
}

number! {
    /// An event, by its index in the observed order.
    At
}
number! {
    /// A unit: a transaction, or a run of a thread's events outside of transactions.
    UnitId
}
number! {
    /// A stretch of one thread between two starts or joins of other threads.
    PeriodId
}
number! {
    /// One outermost holding of a lock, from its acquire to its release.
    HoldId
}
number! {
    /// The holds that are open at an event.
    ContextId
}

impl At {
    /// The number of the event in the trace, which counts from 1.
    pub fn number(self) -> u64 {
        u64::from(self.0) + 1
    }
}
