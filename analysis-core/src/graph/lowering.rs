//! How a running transaction came to reach others: the steps in order, so that a cycle can be walked back.

use crate::engine::Edge;
use crate::event::Stamp;

/// One step: `edge` reaches the transaction of the thread of `edge.to` that started at `start`. The step that reached
/// `edge.from` comes earlier in the [`Log`], unless `edge.from` is an event of the log's own transaction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lowering {
    pub(crate) start: u64,
    pub(crate) edge: Edge,
}

/// The steps of one running transaction.
#[derive(Default)]
pub(crate) struct Log(pub(crate) Vec<Lowering>);

impl Log {
    /// Returns the edges of the cycle that `last` closes at the transaction that began at `home`. This must be the log
    /// of that transaction, which must reach the transaction of `last.from`. (The path may pass earlier transactions of
    /// its thread, if an earlier cycle was entered too.) The starts that are reached in one thread decrease along the
    /// log, so the newest step to a thread reaches whatever an older one does. The source of an older step may have
    /// been reached again, later, by a shorter path; only the steps before a step are searched for its predecessor, so
    /// the walk ends.
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
