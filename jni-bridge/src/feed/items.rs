//! Dependency mode: the engine is called with each item, and its findings are kept while their details are known.
//!
//! An item names the blocks that have ended and begun since the last one of its thread; blocks that no item names are
//! unknown here, and cannot be violated. In the table of a finding, what another thread did is shown outside blocks unless
//! an item of some thread has shown that it was inside one; a position is an epoch, so that can also be what came after
//! the block in the same epoch. Methods, places and counts are exact.

use std::sync::Arc;

use analysis_core::engine::{ItemEngine, ItemStep, Push, Source};
use analysis_core::event::{Stamp, ThreadId};

use super::Feed;
use crate::codes;
use crate::names::Names;
use crate::options::Options;
use crate::rings::Record;
use crate::shared::Shared;

/// The engine, and what is known about the run.
pub(crate) struct Items {
    feed: Feed,
    engine: Box<dyn ItemEngine>,
    /// By thread: how many ended blocks the engine does not know of yet.
    ended: Vec<u32>,
    /// The blocks that the current item names, and its dependencies; fields so that their memory is reused.
    pushes: Vec<Push>,
    links: Vec<Link>,
    sources: Vec<Source>,
    /// Whether the thread of the current item holds a lock, if that is known.
    locked: Option<bool>,
}

/// A dependency of an item.
struct Link {
    on: Stamp,
    site: u32,
    /// The begin of the outermost open block of the source's thread.
    open: Option<u64>,
}

impl Items {
    /// Calls `engine`.
    pub(crate) fn new(
        options: &Options,
        names: Arc<Names>,
        shared: &Arc<Shared>,
        engine: Box<dyn ItemEngine>,
    ) -> Items {
        let feed = Feed::new(options, names, shared);
        Items {
            feed,
            engine,
            ended: Vec::new(),
            pushes: Vec::new(),
            links: Vec::new(),
            sources: Vec::new(),
            locked: None,
        }
    }

    /// From here on, the number of `first` belongs to another thread, whose first position this is.
    pub(crate) fn opened(&mut self, first: Stamp, name: &str) {
        let index = first.thread().index();
        if index >= self.ended.len() {
            self.ended.resize(index + 1, 0);
        }
        self.ended[index] = 0;
        self.feed.states.opened(first.thread(), first.position() - 1, name.into());
        self.engine.opened(first);
    }

    /// Takes an item, after which its thread is at `now`. Without an event it only names blocks. True if a block that
    /// counts is violated, the first of its method or one that stops the run.
    pub(crate) fn item(&mut self, now: Stamp, mut records: impl DoubleEndedIterator<Item = Record>) -> bool {
        let last = records.next_back().expect("an item has records");
        if codes::is_event(last.code) {
            records.for_each(|record| self.note(now.thread(), record));
            self.step(now, last)
        } else {
            records.chain([last]).for_each(|record| self.note(now.thread(), record));
            assert!(self.pushes.is_empty() && self.links.is_empty(), "an item without an event");
            false
        }
    }

    /// Takes a record before the event.
    fn note(&mut self, thread: ThreadId, record: Record) {
        let states = &mut self.feed.states;
        match record.code {
            codes::POP => {
                assert!(states.depth(thread) > 0, "a block ends that no item has named");
                self.ended[thread.index()] += 1;
                self.feed.close(thread, Stamp::MAX_POSITION);
            }
            codes::PUSH => {
                let label = self.feed.begin(Stamp::new(thread, record.word), record.site);
                if record.extra != 0 {
                    self.feed.states.wait(thread);
                }
                self.pushes.push(Push { begin: record.word, label });
            }
            codes::SCOPE => states.works_for(thread, record.word as u32),
            codes::WAITED => {
                let waited = usize::try_from(record.word).unwrap_or(usize::MAX);
                states.open_mut(thread).take(waited).for_each(|open| open.waits = true);
            }
            codes::LOCKS => self.locked = Some(record.extra != 0),
            codes::DEPEND => self.links.push(Link { on: record.stamp(), site: record.site, open: None }),
            codes::OPEN => {
                let link = self.links.last_mut().expect("OPEN follows DEPEND");
                link.open = (record.word != 0).then_some(record.word);
            }
            code => panic!("a record with the unknown code {code}"),
        }
    }

    /// Calls the engine.
    fn step(&mut self, now: Stamp, event: Record) -> bool {
        let Items { feed, engine, ended, pushes, links, sources, locked } = self;
        let locked = locked.take();
        let thread = now.thread();
        feed.count(event, links.len());
        feed.note_wait(thread, event);
        if let Some(begin) = feed.states.open_at(thread, 0).map(|open| open.begin) {
            feed.states.is_inside(thread, begin, now.position());
        }
        for Link { on, open, .. } in links.iter() {
            open.iter().for_each(|begin| feed.states.is_inside(on.thread(), *begin, on.position()));
        }
        sources.extend(links.drain(..).map(|Link { on, site, open }| {
            let sites = feed.pairs.sites(site, event, locked, &mut feed.lookup);
            Source { on, open, sites }
        }));
        let pops = std::mem::take(&mut ended[thread.index()]);
        engine.item(&ItemStep { now, pops, pushes, sources });
        pushes.clear();
        sources.clear();
        if let Some(cycle) = &engine.findings().cycle {
            feed.found_cycle(cycle);
        }
        let violations = engine.take_violations();
        let any = violations.iter().fold(false, |any, violation| feed.found(violation) | any);
        engine.take_again().iter().fold(any, |any, violation| feed.found_again(violation) | any)
    }

    /// Takes the stack of the thread whose item has just violated a block, the innermost frame first.
    pub(crate) fn stack(&mut self, thread: ThreadId, frames: &[String]) {
        self.feed.stack(thread, frames);
    }

    /// Takes the data that the thread whose item has just violated a block accesses.
    pub(crate) fn data(&mut self, thread: ThreadId, text: &str) {
        self.feed.data(thread, text);
    }

    /// Ends a thread, and its blocks with it.
    pub(crate) fn ended(&mut self, thread: ThreadId) {
        let Items { feed, engine, .. } = self;
        while feed.states.depth(thread) > 0 {
            feed.close(thread, Stamp::MAX_POSITION);
        }
        engine.forget(thread);
        feed.ended(thread, |oldest| engine.forget(oldest));
    }

    /// Ends the run, and with it every block. Takes the blocks that were counted, by site: those that were watched, and the
    /// others.
    pub(crate) fn end(
        &mut self,
        instances: impl Iterator<Item = (u32, u64)>,
        unwatched: impl Iterator<Item = (u32, u64)>,
    ) {
        self.feed.end_all();
        for (site, count) in instances {
            let label = self.feed.label(site);
            self.feed.instances.add(label, count);
        }
        for (site, count) in unwatched {
            let label = self.feed.label(site);
            self.feed.unwatched.add(label, count);
        }
    }

    /// True if the run is to end, because a block is violated.
    pub(crate) fn is_halted(&self) -> bool {
        self.feed.is_halted
    }

    /// How many dependencies there were, and how many findings there are.
    pub(crate) fn counts(&self) -> [u64; 2] {
        [self.feed.dependencies, self.feed.tally.violations.len() as u64]
    }

    /// What is known about the run so far; how often each method ran is not.
    pub(crate) fn feed_mut(&mut self) -> &mut Feed {
        &mut self.feed
    }

    /// What is known about the run.
    pub(crate) fn into_feed(self) -> Feed {
        self.feed
    }

    /// The numbers of threads for which more than a name is kept, and of names.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> (usize, usize) {
        self.feed.states.kept()
    }
}
