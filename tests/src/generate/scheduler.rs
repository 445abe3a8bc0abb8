//! Plays a random execution, event by event, within what a well-formed trace allows.

use std::ops::RangeInclusive;

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

use super::dice::Dice;
use crate::world::World;

/// The shape of a family's traces. Chances are in percent; weights are relative to each other.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) threads: (u32, u32),
    pub(super) vars: (u32, u32),
    pub(super) locks: (u32, u32),
    /// The number of events before the trace is wound down.
    pub(super) events: (u32, u32),
    pub(super) weights: Weights,
    /// How many blocks of a thread may be open at a time.
    pub(super) depth: u32,
    /// The number of labels. Few labels make blocks look recursive.
    pub(super) labels: u32,
    /// The chance that a thread continues for another event.
    pub(super) burst: u32,
    /// The chance that an access is to the variable that the thread accessed last.
    pub(super) repeat: u32,
    /// The chance that an access is a write in the first half of the trace and a read in the second. Blocks that give
    /// early and take late make cycles that nobody is to blame for.
    pub(super) phased: u32,
    /// Whether every thread except the first exists only once it is forked.
    pub(super) is_tree: bool,
    /// The chance that a thread of a tree never does anything.
    pub(super) idle: u32,
    /// The chance that an event is taken without asking whether it is allowed.
    pub(super) lawless: u32,
}

/// How often each operation is tried.
#[derive(Clone, Copy)]
pub(super) struct Weights {
    pub(super) read: u32,
    pub(super) write: u32,
    pub(super) acquire: u32,
    pub(super) release: u32,
    pub(super) begin: u32,
    pub(super) end: u32,
    pub(super) fork: u32,
    pub(super) join: u32,
}

/// Returns the trace of one seed.
pub(super) fn play(shape: &Shape, seed: u64) -> Vec<Event> {
    let mut dice = Dice::new(seed);
    let mut play = Play::new(shape, &mut dice);
    play.run(&mut dice);
    if dice.chance(50) {
        play.wind_down();
    }
    play.trace
}

struct Play<'a> {
    shape: &'a Shape,
    vars: u32,
    locks: u32,
    length: usize,
    threads: Vec<Actor>,
    world: World,
    trace: Vec<Event>,
}

#[derive(Clone, Copy)]
struct Actor {
    is_idle: bool,
    last_var: Option<VarId>,
}

impl<'a> Play<'a> {
    fn new(shape: &'a Shape, dice: &mut Dice) -> Self {
        let draw = |dice: &mut Dice, (least, most): (u32, u32)| dice.within(&RangeInclusive::new(least, most));
        let threads = draw(dice, shape.threads);
        let actor = |number| Actor { is_idle: number > 0 && dice.chance(shape.idle), last_var: None };
        let threads = (0..threads).map(actor).collect();
        Self {
            shape,
            vars: draw(dice, shape.vars),
            locks: draw(dice, shape.locks),
            length: draw(dice, shape.events) as usize,
            threads,
            world: World::default(),
            trace: Vec::new(),
        }
    }

    fn run(&mut self, dice: &mut Dice) {
        let mut current = ThreadId(0);
        // Threads may all be joined or idle: after this many tries nothing more can happen.
        for _ in 0..self.length * 20 {
            if self.trace.len() >= self.length {
                return;
            }
            if !dice.chance(self.shape.burst) {
                current = ThreadId(dice.below(self.threads.len() as u32));
            }
            let event = Event::new(current, self.draw_op(current, dice));
            if dice.chance(self.shape.lawless) || self.may(event) {
                self.take(event);
            }
        }
    }

    fn may(&self, event: Event) -> bool {
        let me = event.thread;
        let is_there = !self.shape.is_tree || me.0 == 0 || self.world.is_born(me);
        // Joining a thread that is not forked yet would keep it from ever starting.
        let is_too_early = matches!(event.op, Op::Join(child) if self.shape.is_tree && !self.world.is_born(child));
        let is_too_deep = matches!(event.op, Op::Begin(_)) && self.world.open_blocks(me) >= self.shape.depth;
        is_there && !is_too_early && !is_too_deep && !self.threads[me.index()].is_idle && self.world.allows(event)
    }

    fn take(&mut self, event: Event) {
        if let Op::Read(x) | Op::Write(x) = event.op {
            self.threads[event.thread.index()].last_var = Some(x);
        }
        self.world.take(event);
        self.trace.push(event);
    }

    fn draw_op(&self, me: ThreadId, dice: &mut Dice) -> Op {
        let Weights { read, write, acquire, release, begin, end, fork, join } = self.shape.weights;
        match dice.weighted(&[read, write, acquire, release, begin, end, fork, join]) {
            kind @ (0 | 1) => {
                let is_late = self.trace.len() * 2 > self.length;
                let is_read = if dice.chance(self.shape.phased) { is_late } else { kind == 0 };
                let x = self.draw_var(me, dice);
                if is_read { Op::Read(x) } else { Op::Write(x) }
            }
            2 => Op::Acquire(LockId(dice.below(self.locks))),
            3 => Op::Release(LockId(dice.below(self.locks))),
            4 => Op::Begin(LabelId(dice.below(self.shape.labels))),
            5 => Op::End,
            6 => Op::Fork(ThreadId(dice.below(self.threads.len() as u32))),
            _ => Op::Join(ThreadId(dice.below(self.threads.len() as u32))),
        }
    }

    fn draw_var(&self, me: ThreadId, dice: &mut Dice) -> VarId {
        let last = self.threads[me.index()].last_var.filter(|_| dice.chance(self.shape.repeat));
        last.unwrap_or_else(|| VarId(dice.below(self.vars)))
    }

    /// Releases every lock and closes every block of the threads that can still do so.
    fn wind_down(&mut self) {
        for lock in (0..self.locks).map(LockId) {
            while let Some(holder) = self.world.holder(lock) {
                let release = Event::new(holder, Op::Release(lock));
                if !self.world.allows(release) {
                    break;
                }
                self.take(release);
            }
        }
        let ends: Vec<Event> = self.world.missing_ends().collect();
        for end in ends {
            if self.world.allows(end) {
                self.take(end);
            }
        }
    }
}
