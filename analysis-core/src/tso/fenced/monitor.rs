//! One pass over a trace that finds the edges into each event once, for both the engine and the delays.

use super::delays::Delays;
use super::windows::Windows;
use crate::engine::{Dependency, DependencyEngine, Engine, Findings, Online};
use crate::engines;
use crate::event::{Event, Op, Stamp, VarId};
use crate::graph::accesses::{Access, Accesses};

/// The number of events between two checks whether the trace is fenced.
const BATCH: usize = 1 << 12;

/// What a trace shows. The numbers are those of events.
#[derive(Clone, Copy)]
pub(super) enum Finding {
    /// It is not fenced: an unfenced write, and a read of a later transaction of its thread.
    Unfenced { write: u32, read: u32 },
    /// The event closes a cycle under sequential consistency.
    Cycle { event: u32 },
    /// If the write is delayed past the access, there is a cycle.
    Late { write: u32, access: u32 },
}

/// The state after some events.
pub(super) struct Monitor {
    number: u32,
    accesses: Accesses,
    windows: Windows,
    delays: Delays,
    engine: Box<dyn DependencyEngine>,
    unfenced: Option<Finding>,
    cycle: Option<Finding>,
    late: Option<Finding>,
    /// The sources of the current event; kept to reuse their memory.
    sources: Vec<Access>,
    dependencies: Vec<Dependency>,
}

impl Monitor {
    /// Returns what a trace without commits shows: with priority that it is not fenced, then a cycle without delays.
    pub(super) fn finding(trace: &[Event]) -> Option<Finding> {
        let Online::Dependencies { stream, .. } = engines::default().online else {
            unreachable!("the default engine takes edges")
        };
        let mut monitor = Monitor {
            number: 0,
            accesses: Accesses::default(),
            windows: Windows::default(),
            delays: Delays::default(),
            engine: stream(),
            unfenced: None,
            cycle: None,
            late: None,
            sources: vec![],
            dependencies: vec![],
        };
        for batch in trace.chunks(BATCH) {
            monitor.feed(batch);
            if monitor.unfenced.is_some() {
                break;
            }
        }
        monitor.unfenced.or(monitor.cycle).or(monitor.late)
    }

    #[inline]
    fn read(&mut self, me: Stamp, x: VarId) {
        if let Some(write) = self.windows.over(me.thread()) {
            self.unfenced = self.unfenced.or(Some(Finding::Unfenced { write, read: self.number }));
        }
        self.accesses.event(me, Op::Read(x), &mut self.sources);
        if !self.sources.is_empty() {
            self.follow(me);
            self.inside(me);
        }
        if !self.delays.is_empty() {
            self.judge(me, x);
        }
    }

    #[inline]
    fn write(&mut self, me: Stamp, x: VarId) {
        self.accesses.event(me, Op::Write(x), &mut self.sources);
        if !self.sources.is_empty() {
            self.follow(me);
            if self.late.is_none() {
                self.dependencies.iter().for_each(|read| self.delays.depart(read.on, me, x, &mut self.windows));
            }
            self.inside(me);
        }
        if !self.delays.is_empty() {
            self.judge(me, x);
        }
        self.windows.write(self.number, me.thread(), x);
    }

    /// Handles an event that is neither an access nor a commit.
    fn other(&mut self, me: Stamp, op: Op) {
        self.windows.take(Event::new(me.thread(), op));
        // These conflict with nothing here, not even with the fork or join of their thread.
        match op {
            Op::Begin(label) => return self.engine.begin(me, label, &[]),
            Op::End => return self.engine.end(me, &[]),
            Op::Nop | Op::Together | Op::Update => return,
            _ => self.delays.fence(me.thread()),
        }
        if let Op::Join(child) = op {
            self.delays.fence(child);
        }
        self.accesses.event(me, op, &mut self.sources);
        if !self.sources.is_empty() {
            self.follow(me);
            self.inside(me);
        }
    }

    /// Follows the sources, which become dependencies.
    fn follow(&mut self, me: Stamp) {
        if !self.delays.is_empty() {
            self.sources.iter().for_each(|source| self.delays.follow(source.stamp, me));
        }
        self.dependencies.extend(self.sources.drain(..).map(|source| Dependency::from(source.stamp)));
    }

    /// Passes an event with its dependencies to the engine.
    fn inside(&mut self, me: Stamp) {
        self.engine.inside(me, &self.dependencies);
        self.dependencies.clear();
        if self.engine.findings().is_non_serializable() {
            self.cycle = self.cycle.or(Some(Finding::Cycle { event: self.number }));
        }
    }

    /// Only the first finding is needed.
    #[cold]
    fn judge(&mut self, me: Stamp, x: VarId) {
        if let Some(write) = self.delays.late(me, x, &mut self.windows) {
            self.late = Some(Finding::Late { write, access: self.number });
            self.delays = Delays::default();
        }
    }
}

impl Engine for Monitor {
    #[inline]
    fn step(&mut self, Event { thread, op }: Event) {
        self.number += 1;
        let me = Stamp::new(thread, u64::from(self.number));
        match op {
            Op::Read(x) => self.read(me, x),
            Op::Write(x) => self.write(me, x),
            op => self.other(me, op),
        }
    }

    fn is_large(&self) -> bool {
        self.accesses.is_large()
    }

    #[inline]
    fn expect(&self, x: VarId) {
        self.accesses.expect(x);
    }

    fn findings(&self) -> &Findings {
        self.engine.findings()
    }
}
