//! From records to engines, and from their findings to what a report needs.
//!
//! The [`Feed`] keeps what the report of any engine needs: open blocks, names, counts, findings. In stream mode [`Dispatch`] updates the
//! feed with each event of the merged stream, and then passes the event to the sinks. There are three kinds: `dependencies` feeds an engine
//! that needs only begins, ends and dependencies; `events` builds a trace of the run, for a file, for an engine that takes every event, or
//! for both; `learning` looks for candidates in the run. Each engine declares which kind it needs (`EngineSpec::online`). In dependency
//! mode [`Items`] updates the feed with each item, and calls the engine.

mod data;
mod dependencies;
mod dispatch;
mod events;
mod items;
mod learning;
mod log;
mod state;
mod users;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use analysis_core::engine::{Cycle, Violation};
use analysis_core::event::{LabelId, Stamp, ThreadId};
use analysis_core::report::{Ends, EventDetail, Instances, Provoked, Witness};
use analysis_core::trace::notes;
use analysis_core::trace::symbols::Interner;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::names::{Lookup, Names, Site};
use crate::options::{Mode, Options};
use crate::predictions::Predictions;
use crate::provoke::{Provoking, Shown};
use crate::rings::Record;
use crate::shared::{Progress, Shared};
use crate::tally::{AllCauses, Frozen, Group, Groups, Tally, Violated};
use crate::trace::Recorder;
use crate::witness::{Pairs, View};

pub(crate) use data::Path;
use dispatch::{Moment, Sink, Step};
use state::{Open, States};

pub(crate) use dispatch::Dispatch;
pub(crate) use items::Items;
pub(crate) use learning::Learning;

/// How many events lie between two updates of the progress.
const EVENTS_PER_PROGRESS: u64 = 1 << 12;

/// For how many violations the feed checks whether a hold of another thread has led to them although that can confirm no
/// candidate.
const MOST_BESIDES: u32 = 256;

/// What is known about the run.
pub struct Feed {
    names: Arc<Names>,
    lookup: Lookup,
    states: States,
    pub(crate) labels: Interner,
    label_of_site: Vec<Option<LabelId>>,
    pub(crate) instances: Instances,
    /// The instances that were not watched, if only a part of the run was to be.
    pub(crate) unwatched: Instances,
    pairs: Pairs,
    pub(crate) causes: AllCauses,
    pub(crate) tally: Tally,
    shared: Arc<Shared>,
    /// The findings of each scope that has not ended, as far as their blocks have ended.
    scoped: FxHashMap<u32, Tally>,
    /// Counts of what was recorded: accesses, events, dependencies.
    pub(crate) accesses: u64,
    pub(crate) events: u64,
    pub(crate) dependencies: u64,
    /// Ended threads for which engines still keep state.
    to_forget: VecDeque<ThreadId>,
    /// Whether several events of a thread can have the same stamp.
    has_epochs: bool,
    /// Whether inner blocks are decided too.
    nested: bool,
    /// Whether the run ends at the first violation that counts.
    halts: bool,
    /// Whether a violation that counts was found and ends the run.
    pub(crate) is_halted: bool,
    /// Whether blocks in which their thread waits are listed apart.
    tells_waits: bool,
    /// For how many more violations the feed checks whether a hold of another thread has led to them, where that can confirm
    /// nothing.
    besides: u32,
    fail_after: Option<u64>,
    recorder: Option<Recorder>,
    trace_failure: Option<String>,
    engine_limit: Option<String>,
    engine_doubt: Option<String>,
    /// What a repeated test shows of itself while it learns.
    pub(crate) learning: Option<Box<Learning>>,
    /// What other schedules could have violated, if that was asked for.
    pub(crate) predictions: Option<Box<Predictions>>,
}

impl Feed {
    fn new(options: &Options, names: Arc<Names>, shared: &Arc<Shared>) -> Feed {
        Feed {
            lookup: Lookup::new(Arc::clone(&names)),
            names,
            states: States::default(),
            labels: Interner::default(),
            label_of_site: Vec::new(),
            instances: Instances::default(),
            unwatched: Instances::default(),
            pairs: Pairs::default(),
            causes: AllCauses::default(),
            tally: Tally::default(),
            shared: Arc::clone(shared),
            scoped: FxHashMap::default(),
            accesses: 0,
            events: 0,
            dependencies: 0,
            to_forget: VecDeque::new(),
            has_epochs: options.mode() == Mode::Dependencies,
            nested: options.nested,
            halts: options.halt_on_violation,
            is_halted: false,
            tells_waits: options.spec.keeps_by_default(None),
            besides: MOST_BESIDES,
            fail_after: options.fail_after,
            recorder: None,
            trace_failure: None,
            engine_limit: None,
            engine_doubt: None,
            learning: None,
            predictions: None,
        }
    }

    /// Completes the trace, with the reasons why the run was incomplete and what was not seen that can hide a violation.
    pub(crate) fn complete_trace(&mut self, reasons: &[String], unseen: &[String]) {
        if let Some(mut recorder) = self.recorder.take() {
            reasons.iter().for_each(|reason| recorder.note(notes::INCOMPLETE, reason));
            unseen.iter().for_each(|what| recorder.note(notes::UNSEEN, what));
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

    fn count(&mut self, record: Record, links: usize) {
        self.events += 1;
        self.accesses += u64::from(matches!(record.code, codes::READ | codes::WRITE));
        self.dependencies += links as u64;
        assert!(self.fail_after != Some(self.events), "asked to fail after {} events", self.events);
    }

    /// The event at `stamp` begins a block of the method that `site` is in. Returns the label of the method.
    fn begin(&mut self, stamp: Stamp, site: u32) -> LabelId {
        let label = self.label(site);
        let begin = stamp.position();
        // Where stamps are epochs, a block can have ended long before the analysis learns of it.
        let until = if self.has_epochs { begin } else { Stamp::MAX_POSITION };
        self.states.begin(stamp, Open { begin, site, label, until, waits: false, violated: None, again: Vec::new() });
        label
    }

    /// Notes that a thread has ended. Frees what is kept of threads that ended earlier, where `forget` agrees.
    fn ended(&mut self, thread: ThreadId, mut forget: impl FnMut(ThreadId) -> bool) {
        self.to_forget.extend(self.states.ended(thread));
        // Twice as many as can be added, so that the queue shrinks once the threads can be forgotten.
        for _ in 0..2 {
            let Some(oldest) = self.to_forget.pop_front() else { return };
            if self.states.is_running(oldest) {
                // The number is another thread's by now; it is forgotten with that one.
                continue;
            }
            if forget(oldest) {
                self.states.forget_name(oldest);
            } else {
                self.to_forget.push_back(oldest);
            }
        }
    }

    /// Closes every open block at the end of the run.
    fn end_all(&mut self) {
        for thread in self.states.threads() {
            while self.states.depth(thread) > 0 {
                self.close(thread, Stamp::MAX_POSITION);
            }
        }
    }

    /// The method that a site is in, as a label.
    pub(crate) fn label(&mut self, site: u32) -> LabelId {
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
        let waits = match record.code {
            codes::FORK | codes::JOIN => true,
            _ => self.tells_waits && record.can_wait() && self.lookup.is_wait(record.site),
        };
        if waits {
            self.wait(thread);
        }
    }

    /// Notes that a thread waits in its open blocks.
    fn wait(&mut self, thread: ThreadId) {
        if self.tells_waits && self.states.depth(thread) > 0 {
            self.states.wait(thread);
        }
    }

    /// Keeps the first cycle.
    fn found_cycle(&mut self, cycle: &Cycle) {
        if self.tally.cycle.is_none() {
            let nowhere = self.lookup.site(0);
            self.tally.cycle = Some(Witness::of_cycle(&cycle.edges, &self.view(&nowhere)));
        }
    }

    /// Notes that an open block is violated. True if the violation counts, as far as is known before the block ends, and is the
    /// first of its method and cause or stops the run.
    fn found(&mut self, violation: &Violation) -> bool {
        let Some((violated, is_told)) = self.violated(violation) else { return false };
        if let Some(open) = self.states.open_at_mut(violation.thread, violation.depth) {
            open.violated = Some(violated);
        }
        is_told
    }

    /// Notes that a violated open block is violated for another cause too. True as above.
    fn found_again(&mut self, violation: &Violation) -> bool {
        let Some((violated, is_told)) = self.violated(violation) else { return false };
        let Some(open) = self.states.open_at_mut(violation.thread, violation.depth) else { return false };
        let is_known = open.shown().any(|known| known.cause == violated.cause);
        if !is_known {
            open.again.push(violated);
        }
        is_told && !is_known
    }

    /// Returns what is known of a violation, and whether it counts, as far as is known before its block ends, and is the first
    /// of its method and cause or stops the run.
    fn violated(&mut self, violation: &Violation) -> Option<(Violated, bool)> {
        let Open { site, label, waits, .. } = *self.states.open_at(violation.thread, violation.depth)?;
        let counts = !(waits && self.tells_waits_of(label));
        let scope = match self.states.scope(violation.thread) {
            0 => 0,
            scope => self.shared.scopes.open(scope),
        };
        // The places of the edges by which the path leaves the block and returns to it.
        let places =
            [violation.edges.first(), violation.edges.last()].map(|edge| edge.map_or(0, |edge| edge.sites.pair));
        let provoked = self.provoked(violation, label).or_else(|| self.provoked_besides(violation, label));
        let mut frozen = None;
        let cause = match self.causes.known(label, &places) {
            Some(cause) => cause,
            None => {
                let first = self.freeze(violation, site);
                let cause = self.causes.learn(label, &places, &first.witness);
                frozen = Some(Box::new(first));
                cause
            }
        };
        let is_wanted_there = scope != 0 && self.scoped.entry(scope).or_default().wants_witness(cause, waits);
        let is_wanted = frozen.is_some() || is_wanted_there || self.tally.wants_witness(cause, waits);
        let frozen = is_wanted.then(|| {
            let frozen = frozen.take().unwrap_or_else(|| Box::new(self.freeze(violation, site)));
            Box::new(Frozen { provoked, ..*frozen })
        });
        self.is_halted |= counts && self.halts;
        // The run is stopped by the thread that tells its stack, though enough is known of its violation if many blocks have waited before.
        let is_told = counts && (frozen.is_some() || self.halts);
        let Violation { event, other, depth, .. } = *violation;
        Some((Violated { cause, event, other, depth, frozen, finding: None, scope }, is_told))
    }

    /// The methods whose blocks are violated only where they wait for other threads.
    pub(crate) fn waiting(&self) -> BTreeSet<String> {
        let Tally { violations, waits_inside, .. } = &self.tally;
        let methods = |groups: &Groups| groups.keys().map(|cause| self.causes.method(*cause)).collect::<BTreeSet<_>>();
        let only = &methods(waits_inside) - &methods(violations);
        only.into_iter().map(|method| self.labels.name(method.0).into_owned()).collect()
    }

    /// True if blocks of this method in which their thread waits are listed separately.
    fn tells_waits_of(&self, label: LabelId) -> bool {
        self.tells_waits && !(label != LabelId::NONE && self.names.is_named(&self.labels.name(label.0)))
    }

    /// Takes the stack of the thread whose blocks were just violated, the innermost frame first.
    fn stack(&mut self, thread: ThreadId, frames: &[String]) {
        let violated = self.states.open_mut(thread).flat_map(Open::shown);
        let frozen = violated.filter_map(|violated| violated.frozen.as_mut());
        for frozen in frozen.filter(|frozen| frozen.stack.is_empty()) {
            frozen.stack = frames.to_vec();
        }
    }

    /// The ends of edges, for a block that begins at this site.
    fn view<'a>(&'a self, begin: &'a Site) -> View<'a, States> {
        let Feed { states, pairs, labels, has_epochs, .. } = self;
        View { threads: states, pairs, labels, begin, has_epochs: *has_epochs }
    }

    /// Ends the innermost block of `thread`.
    fn close(&mut self, thread: ThreadId, position: u64) {
        let Some(Open { begin, site, label, waits, violated: Some(violated), again, .. }) =
            self.states.end(thread, position)
        else {
            return;
        };
        let Violated { event, other, depth, .. } = violated;
        let waits = waits && self.tells_waits_of(label);
        let Feed { lookup, states, pairs, labels, has_epochs, tally, scoped, shared, .. } = self;
        if waits {
            shared.steered(|steered| steered.waited((thread, begin)));
        }
        // Without a kept witness, only the begin of the block is known. It is rarely wanted, and slow to look up.
        let mut bare = || {
            let begins = Violation { thread, label, begin, event, depth, other, edges: Vec::new() };
            let begin = lookup.site(site);
            Frozen::of(&begins, &View { threads: &*states, pairs, labels, begin: &begin, has_epochs: *has_epochs })
        };
        if let Some(scoped) = scoped.get_mut(&violated.scope) {
            scoped.settle(label, violated.clone(), waits, &mut bare);
        }
        let mut around = (violated.finding.is_some() && !waits).then_some(violated.cause);
        let finding = tally.settle(label, violated, waits, &mut bare);
        for again in again {
            if let Some(scoped) = scoped.get_mut(&again.scope) {
                scoped.settle_again(again.clone(), None, waits, &mut bare);
            }
            tally.settle_again(again, around.take(), waits, &mut bare);
        }
        if let Some(outer) = self.states.innermost_mut(thread)
            && let Some(outer) = &mut outer.violated
            && outer.event == event
        {
            outer.finding = finding;
        }
    }

    /// Ends a scope and returns what was violated in it. Open blocks count as if they ended now; what becomes of them later
    /// does not count.
    pub(crate) fn end_scope(&mut self, scope: u32) -> Tally {
        let mut tally = self.scoped.remove(&scope).unwrap_or_default();
        for thread in self.states.threads() {
            let mut inner = None;
            for open in self.states.open_inside_out(thread) {
                let waits = open.waits && self.tells_waits_of(open.label);
                for again in open.again.iter().filter(|again| again.scope == scope) {
                    tally.settle_open_again(again.clone(), waits);
                }
                let Some(violated) = open.violated.as_ref().filter(|violated| violated.scope == scope) else {
                    continue;
                };
                let same_event = inner.filter(|(event, _)| *event == violated.event).and_then(|(_, finding)| finding);
                let violated = Violated { finding: violated.finding.or(same_event), ..violated.clone() };
                let event = violated.event;
                inner = Some((event, tally.settle_open(open.label, violated, waits)));
            }
        }
        tally
    }

    /// The tests that expect a finding, if it was violated in such tests alone.
    pub(crate) fn expected_by(&self, group: &Group) -> Option<BTreeSet<String>> {
        self.shared.scopes.expecting(&group.scopes, group.cause)
    }

    /// How a violation of a block that begins at this site came about.
    fn freeze(&mut self, violation: &Violation, site: u32) -> Frozen {
        let begin = self.lookup.site(site);
        let frozen = Frozen::of(violation, &self.view(&begin));
        // Where every event is recorded, the trace shows the data.
        let path = self.has_epochs.then(|| Path::of(violation, &frozen.witness)).flatten();
        Frozen { path, ..frozen }
    }

    /// The hold by which a violation of a block of this method was provoked, if it was.
    fn provoked(&mut self, violation: &Violation, label: LabelId) -> Option<Provoked> {
        if let Some(priorities) = &self.shared.priorities {
            return Some(priorities.asked.provoked());
        }
        let shared = Arc::clone(&self.shared);
        let Violation { thread, begin, event, .. } = *violation;
        if let Some(replaying) = &shared.replaying {
            return replaying.provoked(thread, begin, event, &self.labels.name(label.0));
        }
        let of_steered = |steered: &Provoking| {
            if !steered.was_held(thread, begin, event) {
                return None;
            }
            let path = self.passed(violation);
            steered.provoked(Shown { thread, begin, event, method: &self.labels.name(label.0), path: &path })
        };
        shared.steered(of_steered).flatten()
    }

    /// The hold of another thread that can have led to a violation whose thread was not held in its block, if there is
    /// one.
    fn provoked_besides(&mut self, violation: &Violation, label: LabelId) -> Option<Provoked> {
        let shared = Arc::clone(&self.shared);
        let of_steered = |steered: &Provoking| {
            if !steered.has_held() {
                return None;
            }
            // Once no candidate is open, the paths of at most `MOST_BESIDES` violations are examined.
            if !steered.is_open() {
                self.besides = self.besides.checked_sub(1)?;
            }
            let path = self.passed(violation);
            let Violation { thread, begin, event, .. } = *violation;
            steered.provoked_besides(Shown { thread, begin, event, method: &self.labels.name(label.0), path: &path })
        };
        shared.steered(of_steered).flatten()
    }

    /// The events at which the path of a violation goes from one thread to another.
    fn passed(&mut self, violation: &Violation) -> Vec<EventDetail> {
        let nowhere = self.lookup.site(0);
        let view = self.view(&nowhere);
        violation.edges.iter().flat_map(|edge| [view.from(edge), view.to(edge)]).collect()
    }
}
