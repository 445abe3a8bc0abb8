//! Stream mode: passes the events of the run (`candidates=`), or of the threads of a repeated test while it learns, to the finder of
//! candidates.
//!
//! Events that the threads make for others, such as tasks of tests that run beside it, are left out.

use std::sync::Arc;

use analysis_core::event::{Event, Op, ThreadId};
use analysis_core::predict::algorithm::AlgorithmSpec;
use analysis_core::provoke::finder::{Live, Searched, WINDOW};

use super::{Feed, Moment, Sink};
use crate::codes;
use crate::names::Site;
use crate::trace::{Context, Translator};

/// When this many variables have names, the names so far are forgotten.
const MOST_NAMES: usize = if cfg!(test) { 8 } else { 1 << 20 };

/// What is known of the run or the test so far.
pub(crate) struct Learning {
    /// The scope that the threads of a test work for.
    scope: Option<u32>,
    predicts: Option<&'static AlgorithmSpec>,
    translator: Translator,
    finder: Live<Place>,
    /// What the finders before this one have found.
    before: Searched,
    /// The events of the current record; a field so that its memory is reused.
    events: Vec<Event>,
}

/// The place of an event, if it has one in the program.
struct Place(Option<Arc<Site>>);

impl AsRef<str> for Place {
    fn as_ref(&self) -> &str {
        self.0.as_ref().map_or("", |site| &site.place)
    }
}

impl Learning {
    /// Learns from here on from the threads that work for this scope, or from all. The algorithm predicts violations that take several
    /// steps.
    pub(crate) fn new(scope: Option<u32>, predicts: Option<&'static AlgorithmSpec>) -> Learning {
        Learning {
            scope,
            predicts,
            translator: Translator::new(true),
            finder: Live::new(WINDOW, predicts),
            before: Searched::default(),
            events: Vec::new(),
        }
    }

    fn take(&mut self, feed: &mut Feed, moment: &Moment) {
        let Moment { stamp, record, marks, forked, .. } = moment;
        let site = feed.lookup.site(record.site);
        let class = feed.lookup.type_name(record.class());
        let name = feed.states.current_name(stamp.thread());
        let label = if record.code == codes::BEGIN { site.method.as_str() } else { "" };
        let forked = forked.as_deref().unwrap_or_default();
        let context = Context { name: &name, site: &site, class, names: &feed.names, label, forked };
        let Learning { translator, finder, events, .. } = self;
        events.clear();
        translator.translate(stamp.thread(), *record, *marks, &context, events);
        let last = events.len().saturating_sub(1);
        for (index, event) in events.iter().enumerate() {
            // As in a recorded trace.
            let is_placed = index == last || matches!(event.op, Op::Write(_));
            finder.take(*event, Place(is_placed.then(|| Arc::clone(&site))), &translator.symbols);
        }
        if translator.symbols.vars.len() > MOST_NAMES {
            self.begin_anew();
        }
    }

    /// What is open at that point is not seen to end, so it becomes no candidate.
    fn begin_anew(&mut self) {
        let former = std::mem::replace(self, Learning::new(self.scope, self.predicts));
        self.before = former.finish();
    }

    /// Returns the untried candidates, and what may be missing.
    pub(crate) fn finish(self) -> Searched {
        let Learning { translator, finder, before: mut all, .. } = self;
        let last = finder.finish(&translator.symbols);
        all.candidates.merge(&last.candidates);
        all.left_out += last.left_out;
        all.unfinished += last.unfinished;
        all
    }
}

/// Passes events on to what learns from them, if something does.
pub(super) struct Learner;

impl Sink for Learner {
    fn opened(&mut self, feed: &mut Feed, thread: ThreadId) {
        if let Some(learning) = &mut feed.learning {
            learning.translator.opened(thread);
        }
    }

    fn event(&mut self, feed: &mut Feed, moment: &Moment) {
        let scope = feed.states.scope(moment.stamp.thread());
        if let Some(mut learning) = feed.learning.take_if(|learning| learning.scope.is_none_or(|its| its == scope)) {
            learning.take(feed, moment);
            feed.learning = Some(learning);
        }
    }
}
