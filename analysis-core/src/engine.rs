//! The contract between an engine and its callers.
//!
//! # Life cycle
//! [`EngineSpec::build`] builds an engine that has seen no events. [`Engine::step`] is called once for each event, in
//! an order that respects program order and the order of conflicting events; [`Engine::feed`] does the same for a batch
//! at the cost of one dynamic call. [`Engine::findings`] may be called at any time and covers exactly the events seen
//! so far: blocks may be open, locks held, threads not started. The end of a trace needs no call.
//!
//! # To add an engine
//! 1. Create a folder `engines/<name>/` with a `mod.rs` that opens with the paper, the idea and "Where we differ", and
//!    holds one `pub(super) const SPEC: EngineSpec`. An engine that follows last accesses implements only its rules
//!    (`graph/shell.rs`); any other implements [`Engine`].
//! 2. Add its two lines to `engines/mod.rs`, the only list of engines.
//!
//! [`EngineSpec::online`] says how the agent feeds it: [`Online::Events`] is right for an engine that only analyses traces.
//!
//! Help texts, the table in the README, the conformance and differential tests and the benches iterate over that list.
//! The tests check the engine's [`Claim`] against the reference. An engine owns only its state and its rules: it reads
//! no files, prints nothing, imports no other engine, and accepts any sequence of events, well-formed or not.

use crate::event::{Event, LabelId, Op, Stamp, ThreadId, VarId};

/// How many events ahead variables are prefetched: enough to hide the memory latency, few enough for the nearest cache.
const SOON: usize = 12;

/// An analysis that is fed one event at a time.
pub trait Engine: Send {
    /// Processes the next event of the trace. Events are numbered from 1, in the order in which the engine receives
    /// them.
    fn step(&mut self, event: Event);

    /// Processes the next events of the trace, in order.
    fn feed(&mut self, events: &[Event]) {
        let expected = if self.is_large() { events.len().saturating_sub(SOON) } else { 0 };
        for (event, soon) in events[..expected].iter().zip(&events[events.len() - expected..]) {
            if let Op::Read(x) | Op::Write(x) = soon.op {
                self.expect(x);
            }
            self.step(*event);
        }
        events[expected..].iter().for_each(|event| self.step(*event));
    }

    /// Whether the state of the variables exceeds the caches, so that [`Engine::expect`] pays off.
    fn is_large(&self) -> bool {
        false
    }

    /// A hint that `x` will be accessed soon, so that its state can be prefetched.
    #[inline]
    fn expect(&self, _x: VarId) {}

    /// The findings in the events given so far.
    fn findings(&self) -> &Findings;
}

/// An analysis that needs no accesses: begins, ends, and events that depend on other threads are enough.
///
/// Positions grow along each thread. A dependency `(u, p)` of an event says that the event follows everything that `u`
/// did up to position `p`, which has been passed here before. The caller may omit dependencies that earlier ones of the
/// same thread imply, and events that neither begin nor end a block nor have a dependency.
pub trait DependencyEngine: Send {
    /// The event at `now` begins a block of its thread.
    fn begin(&mut self, now: Stamp, label: LabelId, dependencies: &[Dependency]);

    /// The event at `now` ends the innermost block of its thread.
    fn end(&mut self, now: Stamp, dependencies: &[Dependency]);

    /// The event at `now` neither begins nor ends a block.
    fn inside(&mut self, now: Stamp, dependencies: &[Dependency]);

    /// The thread has ended: frees its state, except what later events of other threads may need. Returns false if some
    /// of it has to stay for now; the caller may ask again. The thread number may be reused, with positions that
    /// continue to grow.
    fn forget(&mut self, thread: ThreadId) -> bool;

    /// Returns the violations found since the last call, so that a long run need not keep them all.
    fn take_violations(&mut self) -> Vec<Violation>;

    /// Like [`DependencyEngine::take_violations`], for [`Findings::again`].
    fn take_again(&mut self) -> Vec<Violation> {
        Vec::new()
    }

    /// Returns the findings in the events so far, without violations that were taken.
    fn findings(&self) -> &Findings;
}

/// An analysis that each thread calls itself, whenever it takes dependencies that earlier ones do not imply.
///
/// Positions are epochs (`protocol::epochs`): they grow at begins and at new dependencies only. The engine is not
/// notified of begins and ends: it learns of a block late, from the first item that names it, either an item of the
/// block's own thread ([`ItemStep::pushes`]) or one of a thread that depends on it ([`Source::open`]). A block that no
/// item names takes no dependency, so it cannot be violated. Calls must come in an order that respects the
/// dependencies: each item when it happens, under one lock.
pub trait ItemEngine: Send {
    /// A thread takes new dependencies.
    fn item(&mut self, step: &ItemStep<'_>);

    /// Tells the engine which blocks a source's thread has open: the begins of *all* its open blocks that are not after
    /// `on`, outermost first, as they were read with [`Source::open`]. If called at all, it is called before
    /// [`ItemEngine::item`]; no answer depends on it. Without it, memory grows while a block is the source of
    /// dependencies from ever new inner blocks and takes none.
    fn shown(&mut self, on: Stamp, open: &[u64]);

    /// A new thread takes over the number of `first`, its first position. No block of the previous thread is open.
    fn opened(&mut self, first: Stamp);

    /// The thread has ended, and its blocks with it: frees its state, except what later items of other threads may
    /// need. Returns false if some of it has to stay for now; the caller may ask again, until the number is given to a
    /// new thread ([`ItemEngine::opened`]).
    fn forget(&mut self, thread: ThreadId) -> bool;

    /// Returns the violations found since the last call: after [`ItemEngine::item`], those of the item.
    fn take_violations(&mut self) -> Vec<Violation>;

    /// Like [`ItemEngine::take_violations`], for [`Findings::again`].
    fn take_again(&mut self) -> Vec<Violation> {
        Vec::new()
    }

    /// Returns the findings in the items so far, without violations that were taken.
    fn findings(&self) -> &Findings;
}

/// What a thread passes to the engine when it takes dependencies that earlier ones do not imply.
#[derive(Clone, Copy, Debug)]
pub struct ItemStep<'a> {
    /// The thread and its new position.
    pub now: Stamp,
    /// How many of the blocks that the thread's items have named are now closed, counted from the innermost.
    pub pops: u32,
    /// The blocks that were opened since and are still open, outermost first.
    pub pushes: &'a [Push],
    /// The dependencies, all on other threads.
    pub sources: &'a [Source],
}

/// A block that an item names for the first time.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// The position of its begin.
    pub begin: u64,
    /// Its label.
    pub label: LabelId,
}

/// A new dependency.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The epoch that the item depends on.
    pub on: Stamp,
    /// The begin of the outermost open block of the source's thread, read from the thread's state after the stamp and
    /// before the item: `None` if no block is open or if the block began after `on`.
    pub open: Option<u64>,
    /// The places of the two events in the program, and what both touch.
    pub sites: Sites,
}

/// An event of another thread that the current event follows.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// The earlier event.
    pub on: Stamp,
    /// The places of the two events in the program, and what both touch.
    pub sites: Sites,
}

impl From<Stamp> for Dependency {
    fn from(on: Stamp) -> Dependency {
        Dependency { on, sites: Sites::default() }
    }
}

/// What an engine has found in the prefix of the trace that it has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The first event at which the engine knows the trace to be non-serializable, with the cycle; `None` as long as it
    /// considers the trace serializable.
    pub cycle: Option<Cycle>,
    /// Each violated block instance, in order of detection; at one event, outer blocks first.
    pub violations: Vec<Violation>,
    /// Further causes for blocks already known to be violated, in order of detection: at most a few for each block, and
    /// at one event only for the innermost block. Empty from engines that do not look for more causes.
    pub again: Vec<Violation>,
}

impl Findings {
    /// Returns whether the trace is known to be non-serializable.
    pub fn is_non_serializable(&self) -> bool {
        self.cycle.is_some()
    }
}

/// Why a trace is non-serializable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The event that closes the cycle.
    pub event: Stamp,
    /// The cross-thread edges of a cycle of transactions, in the order of the walk: the transaction of `edges[i].to` is
    /// the one of `edges[i + 1].from` or an earlier one of the same thread, and the last edge ends at `event`. Empty
    /// for engines that only know that a cycle exists.
    pub edges: Vec<Edge>,
}

/// One violated block instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The thread of the block.
    pub thread: ThreadId,
    /// The label of the block.
    pub label: LabelId,
    /// The position of its begin.
    pub begin: u64,
    /// The position of the first event of the block that shows the violation.
    pub event: u64,
    /// How many blocks of the thread are open around it: 0 for a transaction.
    pub depth: u32,
    /// Some event of another thread with `begin → other → event`. From an engine that blames too many, the start of the
    /// edge that closes a cycle of transactions at `event`. From an engine that only warns, the earlier of the two
    /// events of the block that cannot be moved together; `event` is the later one.
    pub other: Stamp,
    /// The cross-thread edges of a path `begin → … → event`: the first leaves the block, the last ends at `event`, and
    /// each starts in the thread in which the previous one ended, not earlier than there. From an engine that blames
    /// too many, the edges of a cycle, as in [`Cycle`]. Empty in warnings and from engines without paths.
    pub edges: Vec<Edge>,
}

impl Violation {
    /// Returns whether this is only a warning, from an engine that claims no more ([`BlameClaim::Warnings`]).
    pub fn is_warning(&self) -> bool {
        self.other.thread() == self.thread
    }

    /// Returns the two events of the block that a warning is about, as an edge within the thread.
    pub fn pair(&self) -> Edge {
        Edge::new(self.other, Stamp::new(self.thread, self.event))
    }
}

/// A cross-thread edge of happens-before, between two conflicting events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The earlier event.
    pub from: Stamp,
    /// The later event.
    pub to: Stamp,
    /// The places of the two events in the program, if the caller provided them.
    pub sites: Sites,
}

/// The places of the two ends of an edge in the program, and what both ends touch, as numbers chosen by the caller; 0
/// is "unknown". Engines pass them through, so that the report of an online analysis needs no memory of past events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sites {
    /// The two places.
    pub pair: u32,
    /// The variable, lock or thread. Different ones may share a number.
    pub subject: u32,
}

impl Edge {
    /// Returns the edge between two events, without sites.
    pub fn new(from: Stamp, to: Stamp) -> Edge {
        Edge { from, to, sites: Sites::default() }
    }
}

/// An engine in the registry: everything known about it without running it.
#[derive(Clone, Copy)]
pub struct EngineSpec {
    /// The name on the command line.
    pub name: &'static str,
    /// What it computes, in one line.
    pub summary: &'static str,
    /// The paper: authors, title, venue, year, section or algorithm.
    pub source: &'static str,
    /// What it guarantees about its answers.
    pub claim: Claim,
    /// The longest trace it accepts, for engines that keep every event. A driver must not feed more.
    pub most_events: Option<u64>,
    /// Builds an engine that has seen no events.
    pub build: fn() -> Box<dyn Engine>,
    /// How it analyses a running program.
    pub online: Online,
}

/// How an engine analyses a running program.
#[derive(Clone, Copy)]
pub enum Online {
    /// From dependencies, with begins and ends. No events of the run are kept.
    Dependencies {
        /// Builds the engine for a stream of begins, ends and events with dependencies.
        stream: fn() -> Box<dyn DependencyEngine>,
        /// Builds the engine for items.
        items: fn() -> Box<dyn ItemEngine>,
    },
    /// From every event, as in a trace. The run is kept in memory for the report.
    Events,
}

impl std::fmt::Debug for EngineSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EngineSpec").field("name", &self.name).field("claim", &self.claim).finish_non_exhaustive()
    }
}

/// What an engine promises about its answers. Tests check each promise against the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// About the verdict on the trace.
    pub verdict: VerdictClaim,
    /// About the set of violated blocks.
    pub blame: BlameClaim,
}

impl Claim {
    /// Verdict and blame exact at every prefix, inner blocks included, each violation at its first event.
    pub const EXACT: Claim = Claim { verdict: VerdictClaim::AtEveryPrefix, blame: BlameClaim::Exact };
    /// No verdict and no violations: only warnings about transactions that another schedule looks able to violate.
    pub const WARNINGS: Claim = Claim { verdict: VerdictClaim::Silent, blame: BlameClaim::Warnings };

    /// Returns whether the findings are warnings and not violations. Reports must say so, and no verdict or exit code
    /// depends on them.
    pub fn only_warns(self) -> bool {
        self.blame == BlameClaim::Warnings
    }
}

/// What an engine promises about the verdict on the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictClaim {
    /// Exact at every prefix, so `first_event` is exact too.
    AtEveryPrefix,
    /// Exact once every block is closed; `first_event` is where the engine notices.
    OnceBlocksClose,
    /// No verdict: the engine never reports a cycle.
    Silent,
}

/// What an engine promises about the violated blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlameClaim {
    /// No blame.
    Silent,
    /// Exactly the violated blocks, inner ones too, each at the first event that shows it.
    Exact,
    /// Only violated blocks, perhaps not all.
    Subset,
    /// All violated transactions, perhaps others too.
    Superset,
    /// No guarantee: each warning names a transaction that is not known to be atomic in every schedule, at most once;
    /// violated ones may be missing. See [`Violation::is_warning`].
    Warnings,
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.verdict {
            VerdictClaim::AtEveryPrefix => "verdict exact at every event",
            VerdictClaim::OnceBlocksClose => "verdict exact once all blocks are closed",
            VerdictClaim::Silent => "no verdict",
        })?;
        f.write_str(match self.blame {
            BlameClaim::Silent => "; blames nobody",
            BlameClaim::Exact => "; violated blocks exact, inner ones too, each at its first event",
            BlameClaim::Subset => "; blames only violated blocks, perhaps not all",
            BlameClaim::Superset => "; blames every violated transaction, perhaps others",
            BlameClaim::Warnings => "; warns of transactions: some of them may be atomic, and others are missed",
        })
    }
}
