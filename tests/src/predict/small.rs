//! Random small sets of units: up to three units and ten events, more under locks, with an observed order.
//!
//! A set is drawn thread by thread and then run by a random scheduler. What is drawn depends on a [`Kind`]; the same seed
//! gives the same set everywhere.

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

use crate::generate::dice::Dice;
use crate::world::World;

/// The shape of a set of units.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    threads: (u32, u32),
    units: u32,
    vars: u32,
    /// The chance in percent that a unit is not a transaction.
    outside: u32,
    /// The chance that the first thread starts and joins a thread.
    forked: u32,
    /// The chance that a release is moved anywhere after its acquire, perhaps into a later unit.
    loose: u32,
    /// The chance that the next element is a hold of a lock.
    locked: u32,
    locks: u32,
    /// The maximum number of accesses, acquires and releases.
    events: u32,
}

const PAIR: Kind = Kind {
    name: "pair",
    threads: (2, 2),
    units: 2,
    vars: 2,
    outside: 0,
    forked: 0,
    loose: 0,
    locked: 35,
    locks: 2,
    events: 10,
};

/// Two transactions of two threads.
pub const PAIRS: Kind = PAIR;
/// Pairs with one variable.
pub const ONE_VARIABLE_PAIRS: Kind = Kind { name: "one-variable pair", vars: 1, ..PAIR };
/// Two or three transactions; a thread may have two of them.
pub const SETS: Kind = Kind { name: "set", threads: (2, 3), units: 3, vars: 3, ..PAIR };
/// Sets with one variable.
pub const ONE_VARIABLE_SETS: Kind = Kind { name: "one-variable set", vars: 1, ..SETS };
/// Sets with units that are not transactions.
pub const MIXED: Kind = Kind { name: "mixed", outside: 40, ..SETS };
/// Sets with starts and joins, some inside blocks.
pub const FORKED: Kind = Kind { name: "forked", outside: 20, forked: 70, ..SETS };
/// Sets with locks that do not nest, or are held from one unit into another.
pub const LOOSE: Kind = Kind { name: "loose", outside: 30, forked: 20, loose: 50, ..SETS };
/// Two transactions that do nearly everything under one lock. Locks leave few interleavings, so there may be more events.
pub const LOCKED_PAIRS: Kind = Kind { name: "locked pair", vars: 1, locked: 75, locks: 1, events: 14, ..PAIR };
/// Two transactions with two locks, one of which may be released while the other stays held.
pub const HAND_OVER_HAND: Kind = Kind { name: "hand over hand", locked: 75, loose: 60, events: 14, ..PAIR };

/// Every kind.
pub const KINDS: &[Kind] =
    &[PAIRS, ONE_VARIABLE_PAIRS, SETS, ONE_VARIABLE_SETS, MIXED, FORKED, LOOSE, LOCKED_PAIRS, HAND_OVER_HAND];

impl Kind {
    /// Returns the trace of a seed.
    pub fn trace(&self, seed: u64) -> Vec<Event> {
        let mut dice = Dice::new(seed);
        let mut programs = self.programs(&mut dice);
        self.start_and_join(&mut programs, &mut dice);
        // A random schedule may end in a deadlock; one thread after the other rarely does.
        (0..8).find_map(|_| run(&programs, &mut dice, 70)).or_else(|| run(&programs, &mut dice, 0)).unwrap_or_default()
    }

    fn programs(&self, dice: &mut Dice) -> Vec<Vec<Op>> {
        let threads = dice.within(&(self.threads.0..=self.threads.1));
        let mut programs = vec![Vec::new(); threads as usize];
        let units = threads.max(dice.within(&(2..=self.units)));
        let mut left = dice.within(&(4..=self.events)) as usize;
        for unit in 0..units {
            let thread = if unit < threads { unit } else { dice.below(threads) } as usize;
            let share = if unit + 1 == units { left } else { left.min(1 + dice.below(left.max(1) as u32) as usize) };
            left -= share;
            let is_outside = dice.chance(self.outside);
            let mut body = Vec::new();
            self.body(share, &mut body, &[], dice);
            if dice.chance(self.loose) {
                move_a_release(&mut body, dice);
            }
            if !is_outside {
                programs[thread].push(Op::Begin(LabelId(unit)));
            }
            programs[thread].extend(body);
            if !is_outside {
                programs[thread].push(Op::End);
            }
            if dice.chance(self.loose / 2) {
                move_a_release(&mut programs[thread], dice);
            }
        }
        programs
    }

    /// Draws `left` accesses, acquires and releases, with locks that nest. A lock may be acquired again.
    fn body(&self, mut left: usize, body: &mut Vec<Op>, held: &[LockId], dice: &mut Dice) {
        while left > 0 {
            if left >= 3 && dice.chance(self.locked) {
                let lock = LockId(dice.below(self.locks));
                let inner = dice.below(left as u32 - 1) as usize;
                body.push(Op::Acquire(lock));
                self.body(inner, body, &[held, &[lock]].concat(), dice);
                body.push(Op::Release(lock));
                left -= inner + 2;
            } else {
                let var = VarId(dice.below(self.vars));
                body.push(if dice.chance(55) { Op::Read(var) } else { Op::Write(var) });
                left -= 1;
            }
        }
    }

    fn start_and_join(&self, programs: &mut [Vec<Op>], dice: &mut Dice) {
        for child in 1..programs.len() {
            if !dice.chance(self.forked) {
                continue;
            }
            let child_id = ThreadId(child as u32);
            let at = dice.below(programs[0].len() as u32 + 1) as usize;
            programs[0].insert(at, Op::Fork(child_id));
            if dice.chance(60) {
                let later = at + 1 + dice.below((programs[0].len() - at) as u32) as usize;
                programs[0].insert(later, Op::Join(child_id));
            }
        }
    }
}

/// Moves a random release further back.
fn move_a_release(body: &mut Vec<Op>, dice: &mut Dice) {
    let releases: Vec<usize> = (0..body.len()).filter(|index| matches!(body[*index], Op::Release(_))).collect();
    if releases.is_empty() {
        return;
    }
    let from = releases[dice.below(releases.len() as u32) as usize];
    let release = body.remove(from);
    let to = from + dice.below((body.len() - from) as u32 + 1) as usize;
    body.insert(to, release);
}

/// Runs the programs. A thread continues with a chance of one minus `switch` percent. Returns `None` if they get stuck.
fn run(programs: &[Vec<Op>], dice: &mut Dice, switch: u32) -> Option<Vec<Event>> {
    let mut places = vec![0; programs.len()];
    let (mut world, mut trace) = (World::default(), Vec::new());
    let waits_for_start = |thread: usize| programs[0].contains(&Op::Fork(ThreadId(thread as u32)));
    let total: usize = programs.iter().map(Vec::len).sum();
    let mut current = 0;
    while trace.len() < total {
        let next = |thread: usize, world: &World, places: &[usize]| -> Option<Event> {
            let name = ThreadId(thread as u32);
            let event = Event::new(name, *programs[thread].get(places[thread])?);
            let is_ready = match event.op {
                Op::Join(child) => places[child.index()] == programs[child.index()].len(),
                _ => !waits_for_start(thread) || world.is_born(name),
            };
            (is_ready && world.allows(event)).then_some(event)
        };
        if dice.chance(switch) {
            current = dice.below(programs.len() as u32) as usize;
        }
        let ready = (0..programs.len()).map(|step| (current + step) % programs.len());
        let event = ready.filter_map(|thread| next(thread, &world, &places)).next()?;
        current = event.thread.index();
        places[current] += 1;
        world.take(event);
        trace.push(event);
    }
    Some(trace)
}
