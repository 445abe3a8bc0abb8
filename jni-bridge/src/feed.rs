//! From merged records to an engine, and from what it finds to what a report needs.
//!
//! The default engine is fed begins, ends and dependencies alone. The trace is made only where it is recorded or where
//! another engine was asked for; that one is fed every event, and the run is kept in memory for its report.

mod log;
mod state;

use std::sync::Arc;

use analysis_core::engine::{Engine, Violation};
use analysis_core::engines;
use analysis_core::engines::reach::{Dependency, Edges};
use analysis_core::event::{Event, LabelId, Op, Stamp, ThreadId};
use analysis_core::report::{Instances, Kind, Witness};
use analysis_core::trace::symbols::Interner;

use crate::analysis::Link;
use crate::codes;
use crate::names::{Lookup, Names, SiteKind};
use crate::options::Options;
use crate::rings::Record;
use crate::tally::{Frozen, Tally, Violated};
use crate::trace::{Context, Recorder, Translator};
use crate::witness::{Pairs, View};

use log::Log;
use state::{Open, States};

/// What the analysis makes of the merged stream.
pub struct Feed {
    names: Arc<Names>,
    lookup: Lookup,
    states: States,
    pub(crate) labels: Interner,
    label_of_site: Vec<Option<LabelId>>,
    pub(crate) instances: Instances,
    edges: Option<Edges>,
    pairs: Pairs,
    trace: Option<Tracing>,
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
}

/// The trace, where it is needed.
struct Tracing {
    translator: Translator,
    events: Vec<Event>,
    recorder: Option<Recorder>,
    other: Option<(Box<dyn Engine>, Log)>,
}

/// What a record does to blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Begin,
    End,
    Inside,
}

impl Feed {
    /// A feed for the engine that the options name.
    ///
    /// # Errors
    /// One line: the trace cannot be written.
    pub(crate) fn new(options: &Options, names: Arc<Names>) -> Result<Feed, String> {
        let is_default = options.engine.name == engines::default().name;
        let recorder = options.record.as_deref().map(Recorder::create).transpose()?;
        let other = (!is_default).then(|| ((options.engine.build)(), Log::new(options.engine)));
        let trace = (recorder.is_some() || other.is_some()).then(|| Tracing {
            translator: Translator::default(),
            events: Vec::new(),
            recorder,
            other,
        });
        Ok(Feed {
            lookup: Lookup::new(Arc::clone(&names)),
            names,
            states: States::default(),
            labels: Interner::default(),
            label_of_site: Vec::new(),
            instances: Instances::default(),
            edges: is_default.then(Edges::default),
            pairs: Pairs::default(),
            trace,
            tally: Tally::default(),
            accesses: 0,
            events: 0,
            dependencies: 0,
            nested: options.nested,
            tells_waits: options.is_default_spec,
            fail_after: options.fail_after,
        })
    }

    /// From here on the stream is that of the thread of this name, after `position` events.
    pub(crate) fn opened(&mut self, thread: ThreadId, position: u64, name: &str) {
        // A thread can die with blocks open, where its stack ended before their ends were recorded. They end with it and
        // are not left to the next thread of its number.
        while self.states.depth(thread) > 0 {
            if let Some(edges) = &mut self.edges {
                edges.end(thread, position.max(1), std::iter::empty());
            }
            self.close(thread, position);
        }
        self.states.opened(thread, position, name.into());
        if let Some(trace) = &mut self.trace {
            trace.translator.opened(thread);
        }
    }

    /// The next event of the merged stream.
    pub(crate) fn event(&mut self, stamp: Stamp, record: Record, links: &[Link]) {
        self.events += 1;
        self.accesses += u64::from(matches!(record.code, codes::READ | codes::WRITE));
        self.dependencies += links.len() as u64;
        assert!(self.fail_after != Some(self.events), "asked to fail after {} events", self.events);
        let step = self.states.step(stamp.thread(), record.code, self.nested);
        if step == Step::Begin {
            self.begin(stamp, record);
        }
        self.note_wait(stamp.thread(), record);
        if self.trace.is_some() {
            self.trace_event(stamp, record);
        }
        if self.edges.is_some() && (step != Step::Inside || !links.is_empty()) {
            self.advance(step, stamp, record, links);
        }
        if step == Step::End {
            self.close(stamp.thread(), stamp.position());
        }
    }

    /// What is still open is settled, files are completed.
    pub(crate) fn end(&mut self) {
        for thread in self.states.threads() {
            while self.states.depth(thread) > 0 {
                self.close(thread, Stamp::MAX_POSITION);
            }
        }
        let Some(mut trace) = self.trace.take() else { return };
        if let Some(recorder) = &mut trace.recorder {
            recorder.end();
        }
        if let Some((engine, log)) = &mut trace.other {
            log.report(
                engine.findings(),
                &trace.translator.symbols,
                &mut self.labels,
                self.tells_waits,
                &mut self.tally,
            );
        }
        self.trace = Some(trace);
    }

    /// There is nothing to do for a while.
    pub(crate) fn rest(&mut self) {
        if let Some(recorder) = self.trace.as_mut().and_then(|trace| trace.recorder.as_mut()) {
            recorder.look();
        }
    }

    /// What the trace could not hold.
    pub(crate) fn trace_failure(&self) -> Option<&str> {
        self.trace.as_ref()?.recorder.as_ref()?.failure.as_deref()
    }

    /// Why the engine has not seen everything.
    pub(crate) fn engine_limit(&self) -> Option<String> {
        self.trace.as_ref()?.other.as_ref()?.1.limit()
    }

    /// Why the engine's verdict may not be that of the run.
    pub(crate) fn engine_doubt(&self) -> Option<&str> {
        self.trace.as_ref()?.other.as_ref()?.1.doubt.as_deref()
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

    /// Gives the default engine an event, and keeps what it finds.
    fn advance(&mut self, step: Step, stamp: Stamp, record: Record, links: &[Link]) {
        let class = if links.is_empty() { 0 } else { self.class(record) };
        let Feed { edges, pairs, lookup, .. } = self;
        let Some(edges) = edges else { return };
        let dependency = |link: &Link| Dependency { on: link.on, sites: pairs.sites(link.site, record, class, lookup) };
        let dependencies: Vec<Dependency> = links.iter().map(dependency).collect();
        let (thread, now) = (stamp.thread(), stamp.position());
        match step {
            Step::Begin => {
                let label = self.states.innermost(thread).map_or(LabelId::NONE, |open| open.label);
                edges.begin(thread, now, label, dependencies.into_iter());
            }
            Step::End => edges.end(thread, now, dependencies.into_iter()),
            Step::Inside => edges.inside(thread, now, dependencies.into_iter()),
        }
        if !links.is_empty() {
            self.keep_news();
        }
    }

    fn keep_news(&mut self) {
        let Some(edges) = &mut self.edges else { return };
        let news: Vec<Violation> = edges.take_violations().collect();
        let fresh_cycle = edges.findings().cycle.as_ref().filter(|_| self.tally.cycle.is_none());
        if let Some(cycle) = fresh_cycle {
            let nowhere = self.lookup.site(0);
            let view = View { threads: &self.states, pairs: &self.pairs, labels: &self.labels, begin: &nowhere };
            self.tally.cycle = Some(Witness::of_cycle(&cycle.edges, &view));
        }
        for violation in news {
            self.violated(&violation);
        }
    }

    fn violated(&mut self, violation: &Violation) {
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

    /// The type of the array or of the lock's object.
    fn class(&self, record: Record) -> u32 {
        match record.code {
            codes::ACQUIRE | codes::RELEASE => record.extra,
            codes::READ | codes::WRITE => record.type_of_object(),
            _ => 0,
        }
    }

    fn trace_event(&mut self, stamp: Stamp, record: Record) {
        let class = self.class(record);
        let class = self.lookup.type_name(class);
        let site = self.lookup.site(record.site);
        let other = match record.code {
            codes::FORK => self.names.take_thread(record.extra).unwrap_or_else(|| "".into()),
            _ => "".into(),
        };
        let name = self.states.current_name(stamp.thread());
        let label = if record.code == codes::BEGIN { site.method.as_str() } else { "" };
        let context = Context { name: &name, site: &site, class, label, other: &other };
        let Some(Tracing { translator, events, recorder, other }) = &mut self.trace else { return };
        events.clear();
        translator.translate(stamp.thread(), record, &context, events);
        let last = events.len().saturating_sub(1);
        for (index, event) in events.iter().enumerate() {
            // What is put in before the record's own event has no place.
            let place = if index == last { site.place.as_str() } else { "" };
            if let Some(recorder) = recorder {
                recorder.write(*event, &translator.symbols, place);
            }
            if let Some((engine, log)) = other
                && log.take(*event, record, &site, context.class.as_ref())
            {
                engine.step(*event);
            }
        }
    }
}
