//! From merged records to engines, and from what they find to what a report needs.
//!
//! [`Dispatch`] takes each event of the merged stream. What every engine's report needs is kept in the [`Feed`]: open
//! blocks, names, counts, findings. Then the event goes to the sinks. There are two kinds: `dependencies` feeds an engine
//! that needs begins, ends and dependencies alone; `events` makes a trace of the run, for a file, for an engine that takes
//! every event, or for both. An engine says itself which kind it needs (`EngineSpec::online`).

mod dependencies;
mod events;
mod log;
mod state;
mod users;

use std::collections::VecDeque;
use std::sync::Arc;

use analysis_core::engine::{Cycle, Online, Violation};
use analysis_core::event::{Event, LabelId, Op, Stamp, ThreadId};
use analysis_core::report::{Instances, Kind, Witness};
use analysis_core::trace::notes;
use analysis_core::trace::symbols::Interner;

use crate::codes;
use crate::names::{Lookup, Names, SiteKind};
use crate::options::Options;
use crate::rings::Record;
use crate::shared::Progress;
use crate::streams::{Link, Opening, Taken};
use crate::tally::{Frozen, Tally, Violated};
use crate::trace::Recorder;
use crate::witness::{Pairs, View};

use dependencies::Dependencies;
use events::Events;
use log::Log;
use state::{Open, States};

/// After how many events progress is told.
const EVENTS_PER_PROGRESS: u64 = 1 << 12;

/// What is known of the run.
pub struct Feed {
    names: Arc<Names>,
    lookup: Lookup,
    states: States,
    pub(crate) labels: Interner,
    label_of_site: Vec<Option<LabelId>>,
    pub(crate) instances: Instances,
    pairs: Pairs,
    pub(crate) tally: Tally,
    /// Counts of what was recorded: accesses, events, dependencies.
    pub(crate) accesses: u64,
    pub(crate) events: u64,
    pub(crate) dependencies: u64,
    /// Decide inner blocks too.
    nested: bool,
    /// Tell blocks apart in which their thread waits.
    tells_waits: bool,
    fail_after: Option<u64>,
    recorder: Option<Recorder>,
    trace_failure: Option<String>,
    engine_limit: Option<String>,
    engine_doubt: Option<String>,
}

/// What a record does to blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Begin,
    End,
    Inside,
}

/// An event of the merged stream.
struct Moment<'a> {
    stamp: Stamp,
    record: Record,
    links: &'a [Link],
    step: Step,
    /// The name of the thread that it forks.
    forked: Option<Arc<str>>,
}

impl Moment<'_> {
    /// The type of the array or of the lock's object.
    fn class(&self) -> u32 {
        match self.record.code {
            codes::ACQUIRE | codes::RELEASE => self.record.extra,
            codes::READ | codes::WRITE => self.record.type_of_object(),
            _ => 0,
        }
    }
}

/// A way of feeding an engine.
trait Sink: Send {
    /// From the next event of `thread` on, the number is another thread's.
    fn opened(&mut self, _thread: ThreadId) {}

    /// The next event. Its block, if it begins one, is the innermost of its thread; if it ends one, still is.
    fn event(&mut self, feed: &mut Feed, moment: &Moment);

    /// A thread has ended in a block, whose end was not recorded; `last` is its last event.
    fn end_block(&mut self, _last: Stamp) {}

    /// The thread has ended. False if something has to be kept of it for now.
    fn forget(&mut self, _thread: ThreadId) -> bool {
        true
    }

    /// There is nothing to do for a while.
    fn rest(&mut self) {}

    /// There are no more events.
    fn end(&mut self, _feed: &mut Feed) {}
}

/// Takes the merged stream.
pub(crate) struct Dispatch {
    feed: Feed,
    sinks: Vec<Box<dyn Sink>>,
    /// Threads that have ended, of which sinks keep something.
    to_forget: VecDeque<ThreadId>,
}

impl Dispatch {
    /// Feeds the engine that the options name, and the trace that they ask for.
    ///
    /// # Errors
    /// One line: the trace cannot be written.
    pub(crate) fn new(options: &Options, names: Arc<Names>) -> Result<Dispatch, String> {
        let mut recorder = options.record.as_ref().map(|(path, _)| Recorder::create(path)).transpose()?;
        if let Some(recorder) = recorder.as_mut().filter(|_| options.spec.keeps_by_default(None)) {
            recorder.note(notes::SPECIFICATION, notes::DEFAULT);
        }
        let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
        let engine = match options.engine.online {
            Online::Dependencies(build) => {
                sinks.push(Box::new(Dependencies::new(build())));
                None
            }
            Online::Events => Some(((options.engine.build)(), Log::new(options.engine))),
        };
        if recorder.is_some() || engine.is_some() {
            sinks.push(Box::new(Events::new(recorder, engine)));
        }
        Ok(Dispatch { feed: Feed::new(options, names), sinks, to_forget: VecDeque::new() })
    }

    /// The next event of the merged stream.
    pub(crate) fn event(&mut self, stamp: Stamp, taken: Taken, links: &[Link], progress: &Progress) {
        let Taken { record, opening } = taken;
        if let Some(opening) = opening {
            self.opened(stamp.thread(), *opening);
        }
        let Dispatch { feed, sinks, .. } = self;
        feed.count(record, links);
        if feed.events.is_multiple_of(EVENTS_PER_PROGRESS) {
            feed.report_progress(progress);
        }
        let step = feed.states.step(stamp.thread(), record.code, feed.nested);
        if step == Step::Begin {
            feed.begin(stamp, record);
        }
        feed.note_wait(stamp.thread(), record);
        let forked = (record.code == codes::FORK).then(|| feed.names.take_thread(record.extra)).flatten();
        let moment = Moment { stamp, record, links, step, forked };
        sinks.iter_mut().for_each(|sink| sink.event(feed, &moment));
        if step == Step::End {
            feed.close(stamp.thread(), stamp.position());
        }
    }

    /// The thread of this number has ended after so many events of its number, which all were passed on.
    pub(crate) fn ended(&mut self, thread: ThreadId, position: u64) {
        self.end_blocks(thread, position);
        self.to_forget.extend(self.feed.states.ended(thread));
        // Twice as many as can come, so that the queue does not stay long when what kept them has gone.
        for _ in 0..2 {
            let Some(oldest) = self.to_forget.pop_front() else { return };
            if !self.sinks.iter_mut().all(|sink| sink.forget(oldest)) {
                self.to_forget.push_back(oldest);
            }
        }
    }

    /// There is nothing to do for a while.
    pub(crate) fn rest(&mut self) {
        self.sinks.iter_mut().for_each(|sink| sink.rest());
    }

    /// What is still open is settled, files are completed.
    pub(crate) fn end(&mut self) {
        let Dispatch { feed, sinks, .. } = self;
        for thread in feed.states.threads() {
            while feed.states.depth(thread) > 0 {
                feed.close(thread, Stamp::MAX_POSITION);
            }
        }
        sinks.iter_mut().for_each(|sink| sink.end(feed));
    }

    /// Says how far it has come.
    pub(crate) fn report_progress(&self, progress: &Progress) {
        self.feed.report_progress(progress);
    }

    /// What is known of the run.
    pub(crate) fn into_feed(self) -> Feed {
        self.feed
    }

    /// Of how many threads more is kept than a name, and how many names.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> (usize, usize) {
        self.feed.states.kept()
    }

    /// From here on the number is another thread's.
    fn opened(&mut self, thread: ThreadId, opening: Opening) {
        let Opening { position, name } = opening;
        self.end_blocks(thread, position);
        self.feed.states.opened(thread, position, name.into());
        self.sinks.iter_mut().for_each(|sink| sink.opened(thread));
    }

    /// A thread can end with blocks open, where its stack ended before their ends were recorded. They end with it and are
    /// not left to the next thread of its number.
    fn end_blocks(&mut self, thread: ThreadId, position: u64) {
        while self.feed.states.depth(thread) > 0 {
            self.sinks.iter_mut().for_each(|sink| sink.end_block(Stamp::new(thread, position)));
            self.feed.close(thread, position);
        }
    }
}

impl Feed {
    fn new(options: &Options, names: Arc<Names>) -> Feed {
        Feed {
            lookup: Lookup::new(Arc::clone(&names)),
            names,
            states: States::default(),
            labels: Interner::default(),
            label_of_site: Vec::new(),
            instances: Instances::default(),
            pairs: Pairs::default(),
            tally: Tally::default(),
            accesses: 0,
            events: 0,
            dependencies: 0,
            nested: options.nested,
            tells_waits: options.spec.keeps_by_default(None),
            fail_after: options.fail_after,
            recorder: None,
            trace_failure: None,
            engine_limit: None,
            engine_doubt: None,
        }
    }

    /// Completes the trace, which says why the run was incomplete.
    pub(crate) fn complete_trace(&mut self, reasons: &[String]) {
        if let Some(mut recorder) = self.recorder.take() {
            reasons.iter().for_each(|reason| recorder.note(notes::INCOMPLETE, reason));
            recorder.end();
            self.trace_failure = recorder.failure;
        }
    }

    /// What the trace could not hold.
    pub(crate) fn trace_failure(&self) -> Option<&str> {
        self.trace_failure.as_deref()
    }

    /// Why the engine has not seen everything.
    pub(crate) fn engine_limit(&self) -> Option<String> {
        self.engine_limit.clone()
    }

    /// Why the engine's verdict may not be that of the run.
    pub(crate) fn engine_doubt(&self) -> Option<&str> {
        self.engine_doubt.as_deref()
    }

    fn report_progress(&self, progress: &Progress) {
        progress.set(self.events, self.instances.total(), self.tally.violations.len() as u64);
    }

    fn count(&mut self, record: Record, links: &[Link]) {
        self.events += 1;
        self.accesses += u64::from(matches!(record.code, codes::READ | codes::WRITE));
        self.dependencies += links.len() as u64;
        assert!(self.fail_after != Some(self.events), "asked to fail after {} events", self.events);
    }

    fn begin(&mut self, stamp: Stamp, record: Record) {
        let label = self.label(record.site);
        self.instances.count(&[Event::new(stamp.thread(), Op::Begin(label))]);
        self.states
            .begin(stamp, Open { begin: stamp.position(), site: record.site, label, waits: false, violated: None });
    }

    /// The method that a site is in, as a label.
    fn label(&mut self, site: u32) -> LabelId {
        let index = site as usize;
        if index >= self.label_of_site.len() {
            self.label_of_site.resize(index + 1, None);
        }
        if let Some(label) = self.label_of_site[index] {
            return label;
        }
        let method = &self.lookup.site(site).method;
        if method.is_empty() {
            return LabelId::NONE;
        }
        let label = LabelId(self.labels.intern(method.as_bytes()));
        self.label_of_site[index] = Some(label);
        label
    }

    fn note_wait(&mut self, thread: ThreadId, record: Record) {
        if !self.tells_waits || self.states.depth(thread) == 0 {
            return;
        }
        let waits = match record.code {
            codes::FORK | codes::JOIN => true,
            codes::RELEASE => self.lookup.site(record.site).kind == SiteKind::Wait,
            _ => false,
        };
        if waits {
            self.states.wait(thread);
        }
    }

    /// A cycle; the first is kept.
    fn found_cycle(&mut self, cycle: &Cycle) {
        if self.tally.cycle.is_none() {
            let nowhere = self.lookup.site(0);
            let view = View { threads: &self.states, pairs: &self.pairs, labels: &self.labels, begin: &nowhere };
            self.tally.cycle = Some(Witness::of_cycle(&cycle.edges, &view));
        }
    }

    /// An open block is violated.
    fn found(&mut self, violation: &Violation) {
        let Some(open) = self.states.open_at(violation.thread, violation.depth) else { return };
        let frozen = self.tally.wants_witness(open.label, open.waits).then(|| {
            let begin = self.lookup.site(open.site);
            let view = View { threads: &self.states, pairs: &self.pairs, labels: &self.labels, begin: &begin };
            Box::new(Frozen {
                kind: Kind::of_violation(violation, &view),
                witness: Witness::of_violation(violation, &view),
            })
        });
        let violated = Violated { event: violation.event, depth: violation.depth, frozen, finding: None };
        if let Some(open) = self.states.open_at_mut(violation.thread, violation.depth) {
            open.violated = Some(violated);
        }
    }

    /// The innermost block of `thread` ends.
    fn close(&mut self, thread: ThreadId, position: u64) {
        let Some(open) = self.states.innermost(thread) else { return };
        if open.violated.is_none() {
            self.states.end(thread, position);
            return;
        }
        let bare = self.bare_witness(thread, open.begin, open.label, open.site);
        let Some(Open { label, waits, violated: Some(violated), .. }) = self.states.end(thread, position) else {
            return;
        };
        let event = violated.event;
        let waits = waits && !(label != LabelId::NONE && self.names.is_named(&self.labels.name(label.0)));
        let finding = self.tally.settle(label, violated, waits, bare);
        if let Some(outer) = self.states.innermost_mut(thread)
            && let Some(outer) = &mut outer.violated
            && outer.event == event
        {
            outer.finding = finding;
        }
    }

    /// For a violation whose witness was not kept: where the block began.
    fn bare_witness(&mut self, thread: ThreadId, begin: u64, label: LabelId, site: u32) -> Frozen {
        let nowhere = Stamp::new(thread, begin);
        let violation = Violation { thread, label, begin, event: begin, depth: 0, other: nowhere, edges: Vec::new() };
        let site = self.lookup.site(site);
        let view = View { threads: &self.states, pairs: &self.pairs, labels: &self.labels, begin: &site };
        Frozen { kind: Kind::Interference, witness: Witness::of_violation(&violation, &view) }
    }
}
