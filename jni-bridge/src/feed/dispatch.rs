//! Stream mode: the merged stream of all threads, event by event, to the feed and to the sinks.

use std::sync::Arc;

use analysis_core::engine::Online;
use analysis_core::event::{Stamp, ThreadId};
use analysis_core::predict::algorithms::ALGORITHMS;
use analysis_core::trace::notes;

use super::dependencies::Dependencies;
use super::events::Events;
use super::learning::Learner;
use super::log::Log;
use super::{EVENTS_PER_PROGRESS, Feed, Learning};
use crate::codes;
use crate::names::Names;
use crate::options::Options;
use crate::predictions::Wanted;
use crate::rings::Record;
use crate::shared::Progress;
use crate::shared::Shared;
use crate::streams::{Link, Marks, Opening, Taken};
use crate::trace::Recorder;

/// What a record does to blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Begin,
    End,
    Inside,
}

/// An event of the merged stream.
pub(super) struct Moment<'a> {
    pub(super) stamp: Stamp,
    pub(super) record: Record,
    pub(super) marks: Marks,
    pub(super) links: &'a [Link],
    pub(super) step: Step,
    /// For a fork, the name of the forked thread.
    pub(super) forked: Option<Arc<str>>,
}

/// A way of feeding an engine.
pub(super) trait Sink: Send {
    /// From the next event of `thread` on, the number belongs to another thread.
    fn opened(&mut self, _feed: &mut Feed, _thread: ThreadId) {}

    /// The next event. If it begins or ends a block, that block is the innermost of its thread during the call.
    fn event(&mut self, feed: &mut Feed, moment: &Moment);

    /// A thread ended inside a block whose end was not recorded; `last` is its last event.
    fn end_block(&mut self, _last: Stamp) {}

    /// The thread has ended. False if some of its state is still needed.
    fn forget(&mut self, _thread: ThreadId) -> bool {
        true
    }

    /// The analysis is idle.
    fn rest(&mut self) {}

    /// There are no more events.
    fn end(&mut self, _feed: &mut Feed) {}
}

/// Receives the merged stream.
pub(crate) struct Dispatch {
    feed: Feed,
    sinks: Vec<Box<dyn Sink>>,
    /// The dependencies of the current event, without those that only order events; a field so that its memory is reused.
    links: Vec<Link>,
}

impl Dispatch {
    /// Feeds the engine that the options name, and the trace if they request one.
    ///
    /// # Errors
    /// The trace cannot be written; one line.
    pub(crate) fn new(options: &Options, names: Arc<Names>, shared: &Arc<Shared>) -> Result<Dispatch, String> {
        let mut recorder = options.record.as_ref().map(|(path, _)| Recorder::create(path)).transpose()?;
        if let Some(recorder) = recorder.as_mut().filter(|_| options.spec.keeps_by_default(None)) {
            recorder.note(notes::SPECIFICATION, notes::DEFAULT);
        }
        let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
        let engine = match options.engine.online {
            Online::Dependencies { stream, .. } => {
                sinks.push(Box::new(Dependencies::new(stream())));
                None
            }
            Online::Events => Some(((options.engine.build)(), Log::new(options.engine))),
        };
        let predict = (!options.predict.is_empty()).then(|| {
            let wanted = Wanted { algorithms: options.predict.clone(), sections: options.sections };
            (Log::for_predictions(options.engine), wanted)
        });
        // An engine that looks at other orders, or at what a thread holds, needs every section that keeps other threads out; the verdict on
        // this order does not.
        let warns = options.engine.claim.only_warns();
        let (engine, apart) = if options.redundant && !warns { (None, engine) } else { (engine, None) };
        if apart.is_some() {
            sinks.push(Box::new(Events::new(false, None, apart, None)));
        }
        if recorder.is_some() || engine.is_some() || predict.is_some() {
            sinks.push(Box::new(Events::new(options.redundant || warns, recorder, engine, predict)));
        }
        if options.repeats_tests || options.candidates.is_some() {
            sinks.push(Box::new(Learner));
        }
        let mut feed = Feed::new(options, names, shared);
        if options.candidates.is_some() {
            let predicts = options.predict.first().copied().or(ALGORITHMS.first());
            feed.learning = Some(Box::new(Learning::new(None, predicts)));
        }
        Ok(Dispatch { feed, sinks, links: Vec::new() })
    }

    /// The next event of the merged stream.
    pub(crate) fn event(&mut self, stamp: Stamp, taken: Taken, links: &[Link], progress: &Progress) {
        let Taken { record, marks, opening } = taken;
        if let Some(opening) = opening {
            self.opened(stamp.thread(), *opening);
        }
        let Dispatch { feed, sinks, links: real } = self;
        real.clear();
        real.extend(links.iter().filter(|link| !link.is_order));
        let links = real.as_slice();
        feed.count(record, links.len());
        if feed.events.is_multiple_of(EVENTS_PER_PROGRESS) {
            feed.report_progress(progress);
        }
        if let Some(scope) = marks.scope {
            feed.states.works_for(stamp.thread(), scope);
        }
        if marks.has_waited {
            feed.wait(stamp.thread());
        }
        let step = feed.states.step(stamp.thread(), record.code, feed.nested);
        if step == Step::Begin {
            let label = feed.begin(stamp, record.site);
            feed.instances.add(label, 1);
        }
        feed.note_wait(stamp.thread(), record);
        let forked = (record.code == codes::FORK).then(|| feed.names.take_thread(record.extra)).flatten();
        let moment = Moment { stamp, record, marks, links, step, forked };
        sinks.iter_mut().for_each(|sink| sink.event(feed, &moment));
        if step == Step::End {
            feed.close(stamp.thread(), stamp.position());
        }
    }

    /// Ends the thread of this number at `position` of its number; all its events were passed on.
    pub(crate) fn ended(&mut self, thread: ThreadId, position: u64) {
        self.end_blocks(thread, position);
        let Dispatch { feed, sinks, .. } = self;
        feed.ended(thread, |oldest| sinks.iter_mut().all(|sink| sink.forget(oldest)));
    }

    /// The analysis is idle.
    pub(crate) fn rest(&mut self) {
        self.sinks.iter_mut().for_each(|sink| sink.rest());
    }

    /// Settles open blocks and completes files.
    pub(crate) fn end(&mut self) {
        let Dispatch { feed, sinks, .. } = self;
        feed.end_all();
        sinks.iter_mut().for_each(|sink| sink.end(feed));
    }

    /// Reports how far the analysis has come.
    pub(crate) fn report_progress(&self, progress: &Progress) {
        self.feed.report_progress(progress);
    }

    /// True if the analysis is to end, because a block is violated.
    pub(crate) fn is_halted(&self) -> bool {
        self.feed.is_halted
    }

    /// What is known about the run so far.
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

    /// From here on the number belongs to another thread.
    fn opened(&mut self, thread: ThreadId, opening: Opening) {
        let Opening { position, name } = opening;
        self.end_blocks(thread, position);
        self.feed.states.opened(thread, position, name.into());
        let Dispatch { feed, sinks, .. } = self;
        sinks.iter_mut().for_each(|sink| sink.opened(feed, thread));
    }

    /// A thread can die before the ends of its blocks are recorded. The blocks end with it, so that the next thread of
    /// its number does not inherit them.
    fn end_blocks(&mut self, thread: ThreadId, position: u64) {
        while self.feed.states.depth(thread) > 0 {
            self.sinks.iter_mut().for_each(|sink| sink.end_block(Stamp::new(thread, position)));
            self.feed.close(thread, position);
        }
    }
}
