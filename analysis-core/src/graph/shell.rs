//! The common part of all engines that follow last accesses, so that an engine's folder holds only its paper's state
//! and rules. The shell numbers the events, finds the edges into each ([`Accesses`]) and calls the rules, in this
//! order: begin, edges, end.

use super::accesses::{Access, Accesses};
use crate::engine::{Engine, Findings};
use crate::event::{Event, LabelId, Op, Stamp, ThreadId, VarId};

/// The state and the rules of an engine.
pub(crate) trait Rules: Default + Send {
    /// The tag that the engine attaches to each kept access, such as a clock.
    type Tag: Copy + Default + Send;

    /// Whether the verdict is final after the first cycle, so that later events are ignored.
    const STOPS_AT_CYCLE: bool = false;

    /// Called for each event of `thread`, before all other rules.
    #[inline]
    fn meet(&mut self, _thread: ThreadId) {}

    /// The event `me` opens a block. Edges into the event come after.
    fn begin(&mut self, me: Stamp, label: LabelId);

    /// Receives the operation of an event that follows others; called before [`Rules::follow`].
    #[inline]
    fn about(&mut self, _op: Op) {}

    /// The event `me` follows `sources`, events of other threads; there is at least one.
    fn follow(&mut self, me: Stamp, sources: &[Access<Self::Tag>]);

    /// The event `me` closes the innermost open block of its thread, if one is open. Edges into the event came before.
    fn end(&mut self, me: Stamp);

    /// Returns the tag for an event of `thread` that comes now.
    fn tag(&self, thread: ThreadId) -> Self::Tag;

    /// Returns whether it is time to [`Rules::collect`].
    #[inline]
    fn is_full(&self) -> bool {
        false
    }

    /// Frees what none of `tags` names any longer. `tags` are all tags of accesses.
    fn collect<'a>(&mut self, _tags: impl Iterator<Item = &'a mut Self::Tag>)
    where
        Self::Tag: 'a,
    {
    }

    /// Returns the findings in the events so far.
    fn findings(&self) -> &Findings;
}

/// An engine: rules, and the accesses that they follow.
#[derive(Default)]
pub(crate) struct Shell<R: Rules> {
    events: u64,
    accesses: Accesses<R::Tag>,
    rules: R,
    /// The sources of the current event; kept to reuse its memory.
    sources: Vec<Access<R::Tag>>,
}

impl<R: Rules> Shell<R> {
    #[inline]
    fn take(&mut self, Event { thread, op }: Event) {
        let Shell { events, accesses, rules, sources } = self;
        *events += 1;
        let me = Stamp::new(thread, *events);
        rules.meet(thread);
        let entry = accesses.event(me, op, sources);
        if let Op::Begin(label) = op {
            rules.begin(me, label);
        }
        if !sources.is_empty() {
            // A join follows the child's last event, of whatever kind: its tag is the child's. That source is the last
            // one.
            if let (Op::Join(child), Some(source)) = (op, sources.last_mut())
                && source.stamp.thread() == child
            {
                source.tag = rules.tag(child);
            }
            rules.about(op);
            rules.follow(me, sources);
            sources.clear();
        }
        if op == Op::End {
            rules.end(me);
        }
        // Finding the entry again would cost engines without tags a tenth of their time.
        if size_of::<R::Tag>() > 0 {
            accesses.tag(entry, rules.tag(thread));
        }
        if rules.is_full() {
            rules.collect(accesses.tags());
        }
    }

    /// The rules, for tests of their state.
    #[cfg(test)]
    pub(crate) fn rules(&self) -> &R {
        &self.rules
    }

    /// The number of events processed.
    #[cfg(test)]
    pub(crate) fn events(&self) -> u64 {
        self.events
    }

    /// The number of kept accesses with a tag.
    #[cfg(test)]
    pub(crate) fn tags(&mut self) -> usize {
        self.accesses.tags().count()
    }
}

impl<R: Rules> Engine for Shell<R> {
    #[inline]
    fn step(&mut self, event: Event) {
        if !R::STOPS_AT_CYCLE || !self.rules.findings().is_non_serializable() {
            self.take(event);
        }
    }

    fn is_large(&self) -> bool {
        self.accesses.is_large()
    }

    #[inline]
    fn expect(&self, x: VarId) {
        self.accesses.expect(x);
    }

    fn findings(&self) -> &Findings {
        self.rules.findings()
    }
}
