//! Feeds an engine that needs only begins, ends and dependencies, and keeps its findings while their details are known.

use analysis_core::engine::{Dependency, DependencyEngine};
use analysis_core::event::{LabelId, Stamp, ThreadId};

use super::{Feed, Moment, Sink, Step};

/// The engine.
pub(super) struct Dependencies {
    engine: Box<dyn DependencyEngine>,
    /// The dependencies of the current event; a field so that its memory is reused.
    dependencies: Vec<Dependency>,
}

impl Dependencies {
    pub(super) fn new(engine: Box<dyn DependencyEngine>) -> Dependencies {
        Dependencies { engine, dependencies: Vec::new() }
    }

    fn keep_findings(&mut self, feed: &mut Feed) {
        if let Some(cycle) = &self.engine.findings().cycle {
            feed.found_cycle(cycle);
        }
        for violation in self.engine.take_violations() {
            feed.found(&violation);
        }
        for violation in self.engine.take_again() {
            feed.found_again(&violation);
        }
    }
}

impl Sink for Dependencies {
    fn event(&mut self, feed: &mut Feed, moment: &Moment) {
        let Moment { stamp, record, links, step, .. } = *moment;
        if step == Step::Inside && links.is_empty() {
            return;
        }
        self.dependencies.clear();
        self.dependencies.extend(links.iter().map(|link| {
            let sites = feed.pairs.sites(link.site, record, None, &mut feed.lookup);
            Dependency { on: link.on, sites }
        }));
        match step {
            Step::Begin => {
                let label = feed.states.innermost(stamp.thread()).map_or(LabelId::NONE, |open| open.label);
                self.engine.begin(stamp, label, &self.dependencies);
            }
            Step::End => self.engine.end(stamp, &self.dependencies),
            Step::Inside => self.engine.inside(stamp, &self.dependencies),
        }
        if !links.is_empty() {
            self.keep_findings(feed);
        }
    }

    fn end_block(&mut self, last: Stamp) {
        self.engine.end(last, &[]);
    }

    fn forget(&mut self, thread: ThreadId) -> bool {
        self.engine.forget(thread)
    }
}
