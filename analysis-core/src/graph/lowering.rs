//! How a running transaction came to reach others: the steps in order, so that a cycle can be walked back.

use crate::engine::Edge;
use crate::event::Stamp;

/// One step: by `edge`, the transaction of the thread of `edge.to` that started at `start` is reached. What `edge.from`
/// itself was reached by stands before it in the [`Log`], unless it is an event of the log's own transaction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lowering {
    pub(crate) start: u64,
    pub(crate) edge: Edge,
}

/// The steps of one running transaction.
#[derive(Default)]
pub(crate) struct Log(pub(crate) Vec<Lowering>);

impl Log {
    /// The edges of the cycle that `last` closes at the transaction that began at `home`, whose log this is and which
    /// reaches the transaction of `last.from`. (On the way may be earlier transactions of its thread, where an earlier
    /// cycle was entered too.) The starts that are reached of one thread fall along the log, so the newest step to a
    /// thread reaches whatever an older one does. In an older step a source may stand that was reached, later, by a
    /// shorter way; only steps before a step are asked for what led to it, so the walk ends.
    pub(crate) fn cycle(&self, home: Stamp, last: Edge) -> Vec<Edge> {
        let mut walk = vec![last];
        let mut log = &self.0[..];
        let mut at = last.from;
        while at.thread() != home.thread() || at.position() < home.position() {
            let is_way = |l: &Lowering| l.edge.to.thread() == at.thread();
            let place = log.iter().rposition(is_way).expect("what a transaction reaches was reached by a step");
            debug_assert!(log[place].start <= at.position(), "the newest step reaches the earliest transaction");
            walk.push(log[place].edge);
            at = log[place].edge.from;
            log = &log[..place];
        }
        walk.reverse();
        walk
    }
}
