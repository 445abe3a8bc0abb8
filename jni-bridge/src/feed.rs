//! From merged records to engines, and from their findings to what a report needs.
//!
//! [`Dispatch`] takes each event of the merged stream. It updates the [`Feed`], which keeps what the report of any
//! engine needs: open blocks, names, counts, findings. Then it passes the event to the sinks. There are two kinds:
//! `dependencies` feeds an engine that needs only begins, ends and dependencies; `events` builds a trace of the run,
//! for a file, for an engine that takes every event, or for both. Each engine declares which kind it needs
//! (`EngineSpec::online`).

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

/// How many events lie between two updates of the progress.
const EVENTS_PER_PROGRESS: u64 = 1 << 12;

/// What is known about the run.
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
    /// Separate blocks in which their thread waits.
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
    /// For a fork, the name of the forked thread.
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
    /// From the next event of `thread` on, the number belongs to another thread.
    fn opened(&mut self, _thread: ThreadId) {}

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
    /// Ended threads for which sinks still keep state.
    to_forget: VecDeque<ThreadId>,
}

impl Dispatch {
    /// Feeds the engine that the options name, and the trace if they request one.
    ///
    /// # Errors
    /// The trace cannot be written; one line.
    pub(crate) fn new(options: &Options, names: Arc<Names>) -> Result<Dispatch, String> {
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

    /// The thread of this number has ended at `position` of its number; all its events were passed on.
    pub(crate) fn ended(&mut self, thread: ThreadId, position: u64) {
        self.end_blocks(thread, position);
        self.to_forget.extend(self.feed.states.ended(thread));
        // Twice as many as can be added, so that the queue shrinks once the threads can be forgotten.
        for _ in 0..2 {
            let Some(oldest) = self.to_forget.pop_front() else { return };
            if self.sinks.iter_mut().all(|sink| sink.forget(oldest)) {
                self.feed.states.forget_name(oldest);
            } else {
                self.to_forget.push_back(oldest);
            }
        }
    }

    /// The analysis is idle.
    pub(crate) fn rest(&mut self) {
        self.sinks.iter_mut().for_each(|sink| sink.rest());
    }

    /// Settles open blocks and completes files.
    pub(crate) fn end(&mut self) {
        let Dispatch { feed, sinks, .. } = self;
        for thread in feed.states.threads() {
            while feed.states.depth(thread) > 0 {
                feed.close(thread, Stamp::MAX_POSITION);
            }
        }
        sinks.iter_mut().for_each(|sink| sink.end(feed));
    }

    /// Reports how far the analysis has come.
    pub(crate) fn report_progress(&self, progress: &Progress) {
        self.feed.report_progress(progress);
    }

    /// What is known about the run.
    pub(crate) fn into_feed(self) -> Feed {
        self.feed
    }

    /// For how many threads more is kept than a name, and how many names.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> (usize, usize) {
        self.feed.states.kept()
    }

    /// From here on the number belongs to another thread.
    fn opened(&mut self, thread: ThreadId, opening: Opening) {
        let Opening { position, name } = opening;
        self.end_blocks(thread, position);
        self.feed.states.opened(thread, position, name.into());
        self.sinks.iter_mut().for_each(|sink| sink.opened(thread));
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

    /// Completes the trace, with the reasons why the run was incomplete.
    pub(crate) fn complete_trace(&mut self, reasons: &[String]) {
        if let Some(mut recorder) = self.recorder.take() {
            reasons.iter().for_each(|reason| recorder.note(notes::INCOMPLETE, reason));
            recorder.end();
            self.trace_failure = recorder.failure;
        }
    }

    /// Why the trace is not complete.
    pub(crate) fn trace_failure(&self) -> Option<&str> {
        self.trace_failure.as_deref()
    }

    /// Why the engine did not see every event.
    pub(crate) fn engine_limit(&self) -> Option<String> {
        self.engine_limit.clone()
    }

    /// Why the engine's verdict may differ from that of the run.
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

    /// Keeps the first cycle.
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

    /// For a violation whose witness was not kept: only where the block began.
    fn bare_witness(&mut self, thread: ThreadId, begin: u64, label: LabelId, site: u32) -> Frozen {
        let nowhere = Stamp::new(thread, begin);
        let violation = Violation { thread, label, begin, event: begin, depth: 0, other: nowhere, edges: Vec::new() };
        let site = self.lookup.site(site);
        let view = View { threads: &self.states, pairs: &self.pairs, labels: &self.labels, begin: &site };
        Frozen { kind: Kind::Interference, witness: Witness::of_violation(&violation, &view) }
    }
}
