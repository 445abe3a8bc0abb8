//! The contract between an engine and its callers.
//!
//! # Life cycle
//! [`EngineSpec::build`] builds an engine that has seen no events. [`Engine::step`] is called once for each event, in an
//! order that respects program order and the order of conflicting events; [`Engine::feed`] does the same for a batch at
//! the cost of one dynamic call. [`Engine::findings`] may be called at any time and is about exactly the events seen so
//! far: blocks may be open, locks held, threads not started. The end of a trace needs no announcement.
//!
//! # To add an engine
//! 1. Make a folder `engines/<name>/` with a `mod.rs` that opens with the paper, the idea and "Where we differ", and
//!    holds one `pub(super) const SPEC: EngineSpec`. An engine that follows last accesses writes only its rules
//!    (`graph/shell.rs`); any other implements [`Engine`].
//! 2. Add its two lines to `engines/mod.rs`, the only list of engines.
//!
//! [`EngineSpec::online`] says how the agent feeds it: [`Online::Events`] is right for an engine that only analyses traces.
//!
//! Help texts, the table in the README, conformance, differential tests and benches loop over that list. The tests check
//! the engine's [`Claim`] against the reference. An engine owns only its state and its rules: it reads no files,
//! prints nothing, imports no other engine, and accepts any sequence of events, well-formed or not.

use crate::event::{Event, LabelId, Op, Stamp, ThreadId, VarId};

/// How many events ahead variables are fetched: enough to hide a fetch from memory, few enough for the nearest cache.
const SOON: usize = 12;

/// An analysis that is fed one event at a time.
pub trait Engine: Send {
    /// Takes the next event of the trace. Its number, from 1, is how many events the engine has been given.
    fn step(&mut self, event: Event);

    /// Takes the next events of the trace, in order.
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

    /// True if the state of variables exceeds the caches, so that [`Engine::expect`] pays off.
    fn is_large(&self) -> bool {
        false
    }

    /// A hint that `x` is accessed soon, so that its state can be fetched.
    #[inline]
    fn expect(&self, _x: VarId) {}

    /// The findings in the events given so far.
    fn findings(&self) -> &Findings;
}

/// An analysis that needs no accesses: begins, ends, and the events that depend on other threads are enough.
///
/// Positions grow along each thread. A dependency `(u, p)` of an event says that it follows everything that `u` did up
/// to position `p`, which has been passed here before. Dependencies that are implied by earlier ones of the same thread
/// may be left out, and so may events that neither begin nor end a block nor have a dependency.
pub trait DependencyEngine: Send {
    /// The event at `now` begins a block of its thread.
    fn begin(&mut self, now: Stamp, label: LabelId, dependencies: &[Dependency]);

    /// The event at `now` ends the innermost block of its thread.
    fn end(&mut self, now: Stamp, dependencies: &[Dependency]);

    /// The event at `now` neither begins nor ends a block.
    fn inside(&mut self, now: Stamp, dependencies: &[Dependency]);

    /// The thread has ended: what is kept of it can be given back, but for what later events of others may need. False if
    /// something has to stay for now; the caller may ask again. The number may be used again, with positions that go on.
    fn forget(&mut self, thread: ThreadId) -> bool;

    /// Hands over the violations found since the last time, so that a long run need not keep them all.
    fn take_violations(&mut self) -> Vec<Violation>;

    /// The same of [`Findings::again`].
    fn take_again(&mut self) -> Vec<Violation> {
        Vec::new()
    }

    /// What is known of the events so far, but for violations that were taken.
    fn findings(&self) -> &Findings;
}

/// An analysis that is called by the thread itself, where it takes dependencies that are not implied by earlier ones.
///
/// Positions are epochs (`protocol::epochs`): they grow at begins and at new dependencies only. Begins and ends are not
/// told: blocks become known late, at the first item that names them, from their own thread ([`ItemStep::pushes`]) or
/// from another that depends on it ([`Source::open`]). A block that nobody names takes no dependency, so it cannot be
/// violated. Calls must come in an order that respects the dependencies: each item at its moment, under one lock.
pub trait ItemEngine: Send {
    /// A thread takes new dependencies.
    fn item(&mut self, step: &ItemStep<'_>);

    /// Which blocks a source's thread has open: the begins of *all* its open blocks that are not after `on`, outermost
    /// first, as they were read with [`Source::open`]. Called before [`ItemEngine::item`], if at all: no answer depends
    /// on it. Without it memory grows while a block gives dependencies away from ever new inner blocks and takes none.
    fn shown(&mut self, on: Stamp, open: &[u64]);

    /// The number of `first` has a new thread, whose first position that is. No block of the one before is open.
    fn opened(&mut self, first: Stamp);

    /// The thread has ended, and its blocks with it: what is kept of it can be given back, but for what later items of
    /// others may need. False if something has to stay for now; the caller may ask again, until the number has a new
    /// thread ([`ItemEngine::opened`]).
    fn forget(&mut self, thread: ThreadId) -> bool;

    /// Hands over the violations found since the last time: after [`ItemEngine::item`], those of the item.
    fn take_violations(&mut self) -> Vec<Violation>;

    /// The same of [`Findings::again`].
    fn take_again(&mut self) -> Vec<Violation> {
        Vec::new()
    }

    /// What is known of the items so far, but for violations that were taken.
    fn findings(&self) -> &Findings;
}

/// What a thread hands over when it takes dependencies that are not implied.
#[derive(Clone, Copy, Debug)]
pub struct ItemStep<'a> {
    /// The thread and its new position.
    pub now: Stamp,
    /// How many of the blocks that its items have named are closed now, from the innermost.
    pub pops: u32,
    /// The blocks that were opened since and are still open, outermost first.
    pub pushes: &'a [Push],
    /// The dependencies, all on other threads.
    pub sources: &'a [Source],
}

/// A block that is named by an item for the first time.
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
    /// The begin of the outermost block that the source's thread has open, read in the thread's state after the stamp and
    /// before the item: `None` if there is none, or if it began after `on`.
    pub open: Option<u64>,
    /// Where in the program the two events are, and what they touch.
    pub sites: Sites,
}

/// An event of another thread that the current event follows.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// The earlier event.
    pub on: Stamp,
    /// Where in the program the two events are, and what they touch.
    pub sites: Sites,
}

impl From<Stamp> for Dependency {
    fn from(on: Stamp) -> Dependency {
        Dependency { on, sites: Sites::default() }
    }
}

/// What an engine has found in the prefix that it has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The first event at which the engine knows the trace to be non-serializable, with the cycle; `None` as long as it
    /// considers the trace serializable.
    pub cycle: Option<Cycle>,
    /// Each violated block instance, in order of detection; at one event, outer blocks first.
    pub violations: Vec<Violation>,
    /// What shows of blocks that were known to be violated that they also are for other causes, in order of detection: at most a
    /// few for each, of the innermost one at an event. Empty from engines that do not look for more.
    pub again: Vec<Violation>,
}

impl Findings {
    /// True if the trace is known to be non-serializable.
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
    /// Some event of another thread with `begin → other → event`; from an engine that blames too many, the start of the
    /// edge that closes a cycle of transactions at `event`; from one that only warns, the earlier event of the block that
    /// does not move to where `event` is, or `event` to it.
    pub other: Stamp,
    /// The cross-thread edges of a path `begin → … → event`: the first leaves the block, the last ends at `event`, and
    /// each starts in the thread in which the one before ended, not earlier than there. From an engine that blames too
    /// many, those of a cycle, as in [`Cycle`]. Empty from engines without, and in warnings.
    pub edges: Vec<Edge>,
}

impl Violation {
    /// True if it is none, but the warning of an engine that claims no more ([`BlameClaim::Warnings`]).
    pub fn is_warning(&self) -> bool {
        self.other.thread() == self.thread
    }

    /// The two events of the block that a warning is about, as an edge within the thread.
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
    /// Where in the program they are, if the caller said so.
    pub sites: Sites,
}

/// Where in the program the two ends of an edge are and what both touch, as numbers chosen by the caller; 0 is "unknown".
/// Engines pass them through, so that a run analysed online needs no memory of past events for its report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sites {
    /// The two places.
    pub pair: u32,
    /// The variable, lock or thread. Equal numbers need not mean the same one.
    pub subject: u32,
}

impl Edge {
    /// The edge between two events, without sites.
    pub fn new(from: Stamp, to: Stamp) -> Edge {
        Edge { from, to, sites: Sites::default() }
    }
}

/// An engine in the registry: everything that can be said about it without running it.
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
    /// Builds one that has seen no events.
    pub build: fn() -> Box<dyn Engine>,
    /// How it analyses a running program.
    pub online: Online,
}

/// How an engine analyses a running program.
#[derive(Clone, Copy)]
pub enum Online {
    /// By dependencies, with begins and ends. No events of the run are kept.
    Dependencies {
        /// Builds the engine for a stream of begins, ends and events with dependencies.
        stream: fn() -> Box<dyn DependencyEngine>,
        /// Builds the engine for items.
        items: fn() -> Box<dyn ItemEngine>,
    },
    /// By every event, as in a trace. The run is kept in memory for the report.
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
    /// Both verdicts exact at every prefix, inner blocks too, each violation at its first event.
    pub const EXACT: Claim = Claim { verdict: VerdictClaim::AtEveryPrefix, blame: BlameClaim::Exact };
    /// No verdict, and no violation: it says which transactions look as if another schedule could violate them.
    pub const WARNINGS: Claim = Claim { verdict: VerdictClaim::Silent, blame: BlameClaim::Warnings };

    /// True if what it finds are warnings and not violations. Whoever reports them says so, and no verdict and no exit code
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
    /// It gives none: there is never a cycle.
    Silent,
}

/// What an engine promises about the violated blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlameClaim {
    /// It blames nobody.
    Silent,
    /// Exactly the violated blocks, inner ones too, each at the first event that shows it.
    Exact,
    /// Only violated blocks, perhaps not all.
    Subset,
    /// All violated transactions, perhaps others too.
    Superset,
    /// Nothing: each is a transaction that is not known to be atomic in every schedule, at most once; violated ones may be
    /// missing. See [`Violation::is_warning`].
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
