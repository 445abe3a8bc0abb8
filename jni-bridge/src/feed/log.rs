//! A run kept in memory, for engines that are fed every event: for each event, what a report needs.

use std::hash::BuildHasher;
use std::sync::Arc;

use analysis_core::engine::{Edge, EngineSpec, Findings, Violation};
use analysis_core::event::{Event, LabelId, LockId, Op, Stamp};
use analysis_core::report::{Call, Ends, EventDetail, OpenBlocks, Witness, last_segments, section};
use analysis_core::trace::one_line;
use analysis_core::trace::symbols::{Interner, Symbols};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::codes;
use crate::names::{Names, Site};
use crate::predictions::{self, Predictions, Wanted};
use crate::rings::Record;
use crate::tally::{AllCauses, CauseId, Frozen, Tally, Violated};

/// How many events are kept. They need less than 1 GB, which most programs can spare.
const MOST_KEPT: u64 = 1 << 24;

/// The events that an engine was fed.
pub(super) struct Log {
    spec: &'static EngineSpec,
    entries: Vec<Entry>,
    /// How many events there is room for.
    most: u64,
    /// How many events were beyond that room.
    refused: u64,
    /// Why the engine's verdict may differ from that of the run.
    pub(super) doubt: Option<String>,
}

struct Entry {
    event: Event,
    site: Arc<Site>,
    class: Option<Arc<str>>,
    /// The number of the outermost begin that is open, or 0.
    transaction: u32,
    waits: bool,
}

impl Log {
    pub(super) fn new(spec: &'static EngineSpec) -> Log {
        let most = spec.most_events.map_or(MOST_KEPT, |most| most.min(MOST_KEPT));
        Log { spec, entries: Vec::new(), most, refused: 0, doubt: None }
    }

    /// A log for predictions, whatever the engine is.
    pub(super) fn for_predictions(spec: &'static EngineSpec) -> Log {
        Log { spec, entries: Vec::new(), most: predictions::MOST_EVENTS, refused: 0, doubt: None }
    }

    /// What other schedules could have violated.
    pub(super) fn predict(&mut self, wanted: &Wanted, symbols: Symbols) -> Predictions {
        self.find_transactions();
        let events = self.entries.iter().map(|entry| entry.event).collect();
        let detail = |symbols: &Symbols, number: u64| LogView { log: self, symbols }.event(number);
        Predictions::of(wanted, events, self.refused, symbols, detail)
    }

    /// Keeps an event; false if the engine takes no more.
    pub(super) fn take(&mut self, event: Event, record: Record, site: &Arc<Site>, class: Option<&Arc<str>>) -> bool {
        if self.entries.len() as u64 >= self.most {
            self.refused += 1;
            return false;
        }
        // Where a thread has waited, an event without effect precedes whatever else it does.
        let waits = matches!(record.code, codes::FORK | codes::JOIN) || event.op == Op::Nop;
        self.entries.push(Entry { event, site: Arc::clone(site), class: class.cloned(), transaction: 0, waits });
        true
    }

    /// Why the engine did not see every event.
    pub(super) fn limit(&self) -> Option<String> {
        let (refused, name, most) = (self.refused, self.spec.name, self.most);
        let why = if self.spec.most_events.is_some_and(|takes| takes <= most) {
            "which are too many for it".to_owned()
        } else {
            format!("because a run of at most {most} events is kept for it; use record=, and regiontrack check")
        };
        (refused > 0).then(|| format!("engine {name} was not given the last {refused} events, {why}"))
    }

    /// Adds the engine's findings to the tally, in which methods are numbered by `labels`. With `names`, blocks in which
    /// their thread waits are listed apart, unless the specification names their method.
    pub(super) fn report(
        &mut self,
        findings: &Findings,
        symbols: &Symbols,
        labels: &mut Interner,
        names: Option<&Names>,
        (causes, tally): (&mut AllCauses, &mut Tally),
    ) {
        self.find_transactions();
        self.doubt = self.open_blocks().warning(self.spec, findings);
        let view = LogView { log: self, symbols };
        tally.cycle = findings.cycle.as_ref().map(|cycle| Witness::of_cycle(&cycle.edges, &view));
        // Violations shown by one event are adjacent, outer blocks first; the innermost is settled first.
        let same_event = |a: &Violation, b: &Violation| (a.thread, a.event) == (b.thread, b.event);
        let mut judged = |violation: &Violation, finding| {
            let method = symbols.label(violation.label);
            let label = method.as_ref().map_or(LabelId::NONE, |method| LabelId(labels.intern(method.as_bytes())));
            let is_named = |names: &Names| method.as_ref().is_some_and(|method| names.is_named(method));
            let frozen = Frozen::of(violation, &view);
            let waits = names.is_some_and(|names| !is_named(names)) && self.waits_in(violation);
            let Violation { event, other, depth, .. } = *violation;
            // Every witness is known here, so no places need to stand for it.
            let cause = causes.of(label, &frozen.witness);
            (label, Violated { cause, event, other, depth, frozen: None, finding, scope: 0 }, waits, frozen)
        };
        let mut causes_of: FxHashSet<(u64, CauseId)> = FxHashSet::default();
        // By begin: the cause for which the block is violated only around others.
        let mut around: FxHashMap<u64, CauseId> = FxHashMap::default();
        for group in findings.violations.chunk_by(same_event) {
            let mut finding = None;
            for violation in group.iter().rev() {
                let (label, violated, waits, frozen) = judged(violation, finding);
                causes_of.insert((violation.begin, violated.cause));
                if finding.is_some() && !waits {
                    around.insert(violation.begin, violated.cause);
                }
                finding = tally.settle(label, violated, waits, || frozen);
            }
        }
        for violation in &findings.again {
            let (_, violated, waits, frozen) = judged(violation, None);
            if causes_of.insert((violation.begin, violated.cause)) {
                tally.settle_again(violated, around.remove(&violation.begin), waits, || frozen);
            }
        }
    }

    fn entry(&self, number: u64) -> &Entry {
        &self.entries[usize::try_from(number - 1).expect("it is in memory")]
    }

    fn find_transactions(&mut self) {
        let mut open: Vec<Vec<u32>> = Vec::new();
        for (number, entry) in (1..).zip(&mut self.entries) {
            let thread = entry.event.thread.index();
            if thread >= open.len() {
                open.resize_with(thread + 1, Vec::new);
            }
            if let Op::Begin(_) = entry.event.op {
                open[thread].push(number);
            }
            entry.transaction = open[thread].first().copied().unwrap_or(0);
            if entry.event.op == Op::End {
                open[thread].pop();
            }
        }
    }

    fn open_blocks(&self) -> OpenBlocks {
        let mut open = OpenBlocks::default();
        self.entries.iter().for_each(|entry| open.count(&[entry.event]));
        open
    }

    /// True if the thread waits between the begin of the block and its end.
    fn waits_in(&self, violation: &Violation) -> bool {
        let from = usize::try_from(violation.begin - 1).expect("it is in memory");
        let mut depth = 0u64;
        for entry in self.entries[from..].iter().filter(|entry| entry.event.thread == violation.thread) {
            match entry.event.op {
                Op::Begin(_) => depth += 1,
                Op::End => depth -= 1,
                _ if entry.waits => return true,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
        }
        false
    }
}

/// A number for a lock, named by itself or by its sections' variable: enough to tell two of them apart.
fn number_of(lock: &str) -> LockId {
    LockId((FxBuildHasher.hash_one(lock) >> 32) as u32)
}

struct LogView<'a> {
    log: &'a Log,
    symbols: &'a Symbols,
}

impl LogView<'_> {
    /// An end of an edge: an access to what stands for a section is the acquire or release of its lock.
    fn event_of(&self, number: u64, end: section::End) -> EventDetail {
        let detail = self.event(number);
        let entry = self.log.entry(number);
        let lock = match entry.event.op {
            Op::Acquire(lock) | Op::Release(lock) => Some(self.symbols.lock(lock)),
            Op::Read(variable) | Op::Write(variable) => {
                section::lock(&self.symbols.var(variable)).map(|lock| lock.to_owned().into())
            }
            _ => None,
        };
        let number = lock.map(|name| number_of(&name));
        match (number, entry.event.op) {
            (Some(number), Op::Acquire(_)) => EventDetail { op: Op::Acquire(number), ..detail },
            (Some(number), Op::Release(_)) => EventDetail { op: Op::Release(number), ..detail },
            (Some(number), _) => {
                let class = entry.class.as_deref().unwrap_or_default();
                detail.of_section(end, (number, class), format!("{} {}", end.verb(), last_segments(class, 1)))
            }
            (None, _) => detail,
        }
    }

    fn event(&self, number: u64) -> EventDetail {
        let entry = self.log.entry(number);
        let (verb, full) = self.said(entry);
        let transaction = (entry.transaction > 0).then_some(u64::from(entry.transaction));
        let transaction_method = transaction.and_then(|begin| match self.log.entry(begin).event.op {
            Op::Begin(label) => self.symbols.label(label).map(|name| one_line(&name)),
            _ => None,
        });
        let say = |subject: &str| if subject.is_empty() { verb.to_owned() } else { format!("{verb} {subject}") };
        let short = last_segments(&full, if entry.site.what.is_empty() { 1 } else { 2 });
        EventDetail {
            stamp: Stamp::new(entry.event.thread, number),
            number: Some(number),
            thread: entry.event.thread,
            thread_name: self.symbols.thread(entry.event.thread).into(),
            op: entry.event.op,
            operation: say(short),
            access: say(&full),
            call: None,
            locks: None,
            location: entry.site.location.clone(),
            transaction,
            transaction_method,
            method: Some(entry.site.method.clone()).filter(|method| !method.is_empty()),
        }
        .calling(self.call(entry))
    }

    fn call(&self, entry: &Entry) -> Option<Call> {
        let variable = entry.event.op.variable()?;
        Some(entry.site.call.clone()?.on(&self.symbols.var(variable)))
    }

    fn said(&self, entry: &Entry) -> (&'static str, String) {
        let class = entry.class.as_deref().unwrap_or_default();
        let field = match entry.site.what.as_str() {
            "" if class.is_empty() => "an array's element".to_owned(),
            "" => format!("{class} element"),
            what => what.to_owned(),
        };
        match entry.event.op {
            Op::Read(_) => ("read", field),
            Op::Write(_) => ("write", field),
            Op::Acquire(_) => ("acquire", class.to_owned()),
            Op::Release(_) => ("release", class.to_owned()),
            Op::Fork(child) => ("fork", self.symbols.thread(child).into()),
            Op::Join(child) => ("join", self.symbols.thread(child).into()),
            Op::Begin(_) => ("begin", String::new()),
            Op::Fence => ("fence", String::new()),
            _ => ("end", String::new()),
        }
    }
}

impl Ends for LogView<'_> {
    fn begin(&self, violation: &Violation) -> EventDetail {
        self.event(violation.begin)
    }

    fn from(&self, edge: &Edge) -> EventDetail {
        self.event_of(edge.from.position(), section::End::Release)
    }

    fn to(&self, edge: &Edge) -> EventDetail {
        self.event_of(edge.to.position(), section::End::Acquire)
    }
}
