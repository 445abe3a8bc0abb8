//! Semaphores, barriers and phasers: no order is invented. The reference is an implementation in which every effect is known.
//!
//! `REGIONTRACK_RANDOM=N` runs 10 N random executions.

use regiontrack_tests::asked;
use std::collections::HashMap;

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::permits::{Barrier, MOST, Phases, Semaphore};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

const DEFAULT_TRACES: u64 = 2_500;

struct Dice(Pcg32);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        u64::from(self.0.next_u32()) % bound
    }
}

/// The progress of a call of a semaphore.
#[derive(Clone, Copy, Debug)]
enum State {
    Idle,
    /// It has stamped, but not yet added its permits.
    Releasing(Stamp, u64),
    /// It has begun an attempt.
    Trying(u64, u64),
    /// It has the permits, but has not returned. The third value is when it took them.
    Acquired(u64, u64, usize),
}

/// Lets threads release and acquire a few permits, in interleaved steps. Returns how often a release was followed.
fn check_semaphore(seed: u64) -> Result<usize, String> {
    let mut dice = Dice(Pcg32::seed_from_u64(seed));
    let initial = dice.below(4);
    let most = 1 + dice.below(3);
    let mut semaphore = Semaphore::of(initial);
    let mut available = initial;
    let mut states = [State::Idle; 4];
    let mut positions = [0; 4];
    // When each release took effect.
    let mut effects: HashMap<Stamp, usize> = HashMap::new();
    let mut found = 0;
    for now in 0..60 {
        let thread = dice.below(4) as usize;
        states[thread] = match states[thread] {
            State::Idle if dice.below(2) == 0 => {
                positions[thread] += 1;
                let stamp = Stamp::new(ThreadId::of(thread + 1), positions[thread]);
                let permits = dice.below(most + 1);
                semaphore.release(stamp, permits);
                State::Releasing(stamp, permits)
            }
            State::Idle => State::Trying(semaphore.attempt(), dice.below(most + 1)),
            State::Releasing(stamp, permits) => {
                available += permits;
                effects.insert(stamp, now);
                State::Idle
            }
            State::Trying(attempt, permits) if available >= permits => {
                available -= permits;
                State::Acquired(attempt, permits, now)
            }
            State::Trying(..) => State::Idle,
            State::Acquired(attempt, permits, then) => {
                let sources = semaphore.acquire(attempt, permits);
                found += sources.len();
                let is_before = |stamp: &Stamp| effects.get(stamp).is_some_and(|effect| *effect < then);
                if let Some(wrong) = sources.iter().find(|stamp| !is_before(stamp)) {
                    return Err(format!("seed {seed}: {wrong:?} had no effect before moment {then}; {effects:?} had"));
                }
                State::Idle
            }
        };
    }
    Ok(found)
}

#[test]
fn an_acquisition_follows_only_releases_that_came_before_it() {
    let found: Result<usize, String> = (0..10 * asked("REGIONTRACK_RANDOM", DEFAULT_TRACES)).map(check_semaphore).sum();
    let found = found.unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(found > 20_000, "only {found}");
}

#[test]
fn a_semaphore_that_is_used_as_a_lock_orders_its_sections() {
    let mut semaphore = Semaphore::of(1);
    for position in 1..200 {
        let attempt = semaphore.attempt();
        let before: Vec<Stamp> = (position > 1).then(|| Stamp::new(ThreadId(1), position - 1)).into_iter().collect();
        assert_eq!(semaphore.acquire(attempt, 1), before);
        semaphore.release(Stamp::new(ThreadId(1), position), 1);
    }
}

#[test]
fn several_releases_are_followed_if_all_of_their_permits_are_needed() {
    let (a, b) = (Stamp::new(ThreadId(1), 1), Stamp::new(ThreadId(2), 1));
    let mut semaphore = Semaphore::of(0);
    semaphore.release(a, 1);
    semaphore.release(b, 2);
    // Two permits are b's; three are from both.
    assert_eq!(semaphore.clone().acquire(0, 2), [b]);
    assert_eq!(semaphore.clone().acquire(0, 3), [a, b]);
    assert_eq!(semaphore.clone().acquire(0, 1), []);
    semaphore.forget();
    assert_eq!(semaphore.acquire(0, 3), []);
}

#[test]
fn releases_beyond_those_that_are_kept_still_count() {
    let mut semaphore = Semaphore::of(0);
    let all = MOST as u64 + 1;
    for position in 1..=all {
        semaphore.release(Stamp::new(ThreadId(1), position), 1);
    }
    assert_eq!(semaphore.clone().acquire(0, all - 1), []);
    assert_eq!(semaphore.acquire(0, all).len(), MOST);
}

/// Lets threads arrive at a barrier, which sometimes breaks and is reset. Returns how often it tripped.
fn check_barrier(seed: u64) -> usize {
    let mut dice = Dice(Pcg32::seed_from_u64(seed));
    let parties = 1 + dice.below(4) as usize;
    let mut barrier = Barrier::default();
    let mut arrived = Vec::new();
    let mut trips = 0;
    for position in 1..=40 {
        if dice.below(10) == 0 {
            barrier.shatter();
            arrived.clear();
            continue;
        }
        let stamp = Stamp::new(ThreadId(1 + dice.below(5) as u32), position);
        barrier.arrive(stamp);
        arrived.push(stamp);
        if arrived.len() == parties {
            assert_eq!(barrier.trip(), std::mem::take(&mut arrived), "seed {seed}");
            trips += 1;
        }
    }
    trips
}

#[test]
fn who_passes_a_barrier_follows_those_of_its_generation_and_no_others() {
    let trips: usize = (0..asked("REGIONTRACK_RANDOM", DEFAULT_TRACES)).map(check_barrier).sum();
    assert!(trips > 10_000, "only {trips}");
}

/// The progress of a call of a phaser.
#[derive(Clone, Copy, Debug)]
enum Arriving {
    Idle,
    /// It has stamped.
    Begun(Stamp),
    /// It has arrived in this phase, but not yet reported it.
    Arrived(Stamp, u64),
    /// It is the last to arrive.
    Last,
    /// It has stamped the end of the phase.
    Ending,
    /// It waits until this phase is over.
    Waiting(u64),
}

/// Lets threads arrive at a phaser, in interleaved steps, and wait until the phase is over; one more thread only waits. Returns how
/// many arrivals were followed.
fn check_phases(seed: u64) -> Result<usize, String> {
    let mut dice = Dice(Pcg32::seed_from_u64(seed));
    let parties = 1 + dice.below(4) as usize;
    let mut phases = Phases::default();
    let mut states = vec![Arriving::Idle; parties + 1];
    states[parties] = Arriving::Waiting(0);
    let mut phase = 0;
    // The calls that have arrived, and what has ended each finished phase.
    let mut effective = Vec::new();
    let mut ends = Vec::new();
    let mut left = parties;
    let mut found = 0;
    for now in 1..=120 {
        let thread = dice.below(states.len() as u64) as usize;
        let stamp = Stamp::new(ThreadId::of(thread + 1), now);
        states[thread] = match states[thread] {
            Arriving::Idle => Arriving::Begun(stamp),
            Arriving::Begun(stamp) => {
                effective.push(stamp);
                left -= 1;
                if left == 0 { Arriving::Last } else { Arriving::Arrived(stamp, phase) }
            }
            Arriving::Arrived(stamp, of) => {
                phases.arrived(stamp);
                Arriving::Waiting(of)
            }
            Arriving::Last => {
                let sources = phases.meet();
                found += sources.len();
                if let Some(wrong) = sources.iter().find(|stamp| !effective.contains(stamp)) {
                    return Err(format!("seed {seed}: {wrong:?} has not arrived in phase {phase}; {effective:?} have"));
                }
                phases.end(phase, stamp);
                ends.push(stamp);
                Arriving::Ending
            }
            Arriving::Ending => {
                phase += 1;
                left = parties;
                Arriving::Idle
            }
            Arriving::Waiting(of) if phase > of => {
                let (sources, over) = (phases.pass(of, phase), &ends[of as usize..phase as usize]);
                if sources != over {
                    return Err(format!("seed {seed}: {sources:?} instead of {over:?}"));
                }
                if thread == parties { Arriving::Waiting(phase) } else { Arriving::Idle }
            }
            waiting @ Arriving::Waiting(_) => waiting,
        };
    }
    Ok(found)
}

#[test]
fn who_sees_that_a_phase_is_over_follows_those_that_have_arrived_in_it_and_no_others() {
    let found: Result<usize, String> = (0..asked("REGIONTRACK_RANDOM", DEFAULT_TRACES)).map(check_phases).sum();
    let found = found.unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(found > 5_000, "only {found}");
}
