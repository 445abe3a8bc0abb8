//! Hand-overs: no order is invented (`analysis_core::protocol::handovers`).
//!
//! In random executions threads give a few objects in one place, take them, look at them, or take some of them without being counted, and their calls
//! overlap. The reference is every assignment of gifts to what was received: a call can receive a gift whose call started before its own end; nothing
//! is taken twice; where others take, a look cannot see what a call had taken that returned before the look began. A dependency must be on the thread
//! that gave the object in all assignments, and on no later call of that thread.
//!
//! `REGIONTRACK_RANDOM=N` runs 10 N executions. A failure prints the seed and the execution.

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::handovers::{Handover, Latch, MOST};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use regiontrack_tests::asked;

const DEFAULT_TRACES: u64 = 2_500;
const CALLS: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Give,
    Take,
    /// Takes an object that is not counted as taken.
    Drain,
    /// Looks at an object that nobody takes.
    See,
    /// Looks at an object that others can take.
    Peek,
}

/// A call with the moments of its start and its end.
#[derive(Clone, Copy, Debug)]
struct Call {
    kind: Kind,
    thread: u32,
    start: usize,
    end: usize,
    /// The object that it gave or received; `None` if it failed.
    object: Option<usize>,
    /// The object that it was to give.
    wanted: usize,
    /// For a call that looks, by object: the removals at its start, which the rule is told.
    removals: [usize; 3],
    /// The start of the call on which it depends according to the rule.
    claim: Option<usize>,
}

/// A thread's call while it runs, and whether it has taken effect.
#[derive(Clone, Copy)]
struct Running {
    call: Call,
    has_effect: bool,
}

struct Dice(Pcg32);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound
    }
}

fn stamp(call: &Call) -> Stamp {
    Stamp::new(ThreadId(call.thread), call.start as u64 + 1)
}

/// Returns a random execution with the rule's claims.
fn random(seed: u64) -> Vec<Call> {
    let mut dice = Dice(Pcg32::seed_from_u64(seed));
    let threads = 2 + dice.below(2);
    let objects = 1 + dice.below(3);
    let mut handovers = vec![Handover::default(); objects];
    let mut there = Vec::new();
    let mut running: Vec<Option<Running>> = vec![None; threads];
    let mut calls = Vec::new();
    let mut started = 0;
    let mut moment = 0;
    while started < CALLS || running.iter().any(Option::is_some) {
        let thread = dice.below(threads);
        moment += 1;
        let Some(run) = &mut running[thread] else {
            if started < CALLS {
                started += 1;
                let mixed = |other: Kind, dice: &mut Dice| [Kind::Take, other][dice.below(2)];
                let receives = match seed % 4 {
                    0 => Kind::Take,
                    1 => Kind::See,
                    2 => mixed(Kind::Drain, &mut dice),
                    _ => mixed(Kind::Peek, &mut dice),
                };
                let kind = [Kind::Give, receives][dice.below(2)];
                let wanted = dice.below(objects);
                let call = Call {
                    kind,
                    thread: thread as u32,
                    start: moment,
                    end: usize::MAX,
                    object: None,
                    wanted,
                    removals: [0, 1, 2].map(|object| handovers.get(object).map_or(0, Handover::removals)),
                    claim: None,
                };
                if kind == Kind::Give {
                    handovers[wanted].give(stamp(&call));
                }
                running[thread] = Some(Running { call, has_effect: false });
            }
            continue;
        };
        let call = &mut run.call;
        if !run.has_effect {
            run.has_effect = true;
            match call.kind {
                Kind::Give if dice.below(5) > 0 => {
                    there.push(call.wanted);
                    call.object = Some(call.wanted);
                }
                Kind::Take | Kind::Drain if !there.is_empty() => {
                    call.object = Some(there.swap_remove(dice.below(there.len())));
                }
                Kind::See | Kind::Peek if !there.is_empty() => call.object = Some(there[dice.below(there.len())]),
                _ => {}
            }
            continue;
        }
        let source = match (call.kind, call.object) {
            (Kind::Give, None) => {
                handovers[call.wanted].withdraw(stamp(call));
                None
            }
            (Kind::Take, Some(object)) => handovers[object].take(),
            (Kind::See | Kind::Drain, Some(object)) => handovers[object].source(),
            (Kind::Peek, Some(object)) => handovers[object].seen(call.removals[object]),
            _ => None,
        };
        call.claim = source.map(|source| source.position() as usize - 1);
        call.end = moment;
        calls.push(*call);
        running[thread] = None;
    }
    calls
}

/// Judges the calls in every assignment of different gifts to the calls from `next` on that have taken something.
fn check(calls: &[Call], next: usize, chosen: &mut Vec<(usize, usize)>) -> Result<(), String> {
    let Some(call) = calls.get(next) else { return judge(calls, chosen) };
    let is_free = |gift: usize, chosen: &[(usize, usize)]| chosen.iter().all(|(_, other)| *other != gift);
    let gifts = candidates(calls, call);
    if !matches!(call.kind, Kind::Take | Kind::Drain) || call.object.is_none() {
        return check(calls, next + 1, chosen);
    }
    for gift in gifts {
        if is_free(gift, chosen) {
            chosen.push((next, gift));
            check(calls, next + 1, chosen)?;
            chosen.pop();
        }
    }
    Ok(())
}

/// Returns the numbers of the gifts that a call can have received.
fn candidates(calls: &[Call], call: &Call) -> Vec<usize> {
    let is_candidate = |other: &Call| other.kind == Kind::Give && other.object == call.object && other.start < call.end;
    (0..calls.len()).filter(|number| call.object.is_some() && is_candidate(&calls[*number])).collect()
}

/// Judges one assignment of gifts to all takes. A look can have seen any gift that was not taken before it.
fn judge(calls: &[Call], chosen: &[(usize, usize)]) -> Result<(), String> {
    let is_gone = |gift: usize, before: usize| chosen.iter().any(|(take, of)| *of == gift && calls[*take].end < before);
    let seen = (0..calls.len()).filter(|number| matches!(calls[*number].kind, Kind::See | Kind::Peek));
    let seen = seen.flat_map(|number| {
        let gifts = candidates(calls, &calls[number]).into_iter();
        gifts.filter(move |gift| !is_gone(*gift, calls[number].start)).map(move |gift| (number, gift))
    });
    for (number, gift) in chosen.iter().copied().chain(seen) {
        let (call, gift) = (&calls[number], &calls[gift]);
        let Some(start) = call.claim else { continue };
        let source = calls.iter().find(|other| other.start == start).expect("a call that gave");
        if source.thread != gift.thread || source.start > gift.start {
            return Err(format!("{call:?} can have received {gift:?}"));
        }
    }
    Ok(())
}

#[test]
fn a_dependency_holds_however_gifts_and_what_was_received_belong_together() {
    let claims: usize = (0..10 * asked("REGIONTRACK_RANDOM", DEFAULT_TRACES))
        .into_par_iter()
        .map(|seed| {
            let calls = random(seed);
            check(&calls, 0, &mut Vec::new()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}\n{calls:#?}"));
            calls.iter().filter(|call| call.claim.is_some()).count()
        })
        .sum();
    assert!(claims > 10_000, "only {claims} dependencies");
}

#[test]
fn what_was_given_once_is_always_followed() {
    let mut followed = 0;
    for seed in 0..asked("REGIONTRACK_RANDOM", DEFAULT_TRACES) {
        let calls = random(seed);
        for call in calls.iter().filter(|call| call.kind != Kind::Give) {
            let Some(object) = call.object else { continue };
            let gifts: Vec<&Call> =
                calls.iter().filter(|other| other.kind == Kind::Give && other.wanted == object).collect();
            let is_taken_meanwhile = call.kind == Kind::Peek && call.claim.is_none();
            if let ([gift], false) = (&gifts[..], is_taken_meanwhile) {
                assert_eq!(call.claim, Some(gift.start), "seed {seed}: {call:?} in\n{calls:#?}");
                followed += 1;
            }
        }
    }
    assert!(followed > 300, "only {followed}");
}

#[test]
fn a_thread_that_gives_an_object_again_is_followed_from_its_first_gift_that_may_be_there() {
    let (early, late, other) = (Stamp::new(ThreadId(1), 3), Stamp::new(ThreadId(1), 8), Stamp::new(ThreadId(2), 5));
    let mut handover = Handover::default();
    handover.give(early);
    handover.give(late);
    assert_eq!(handover.take(), Some(early));
    assert_eq!(handover.take(), Some(early));
    assert!(handover.is_empty());
    assert_eq!(handover.take(), None);
    handover.give(late);
    assert_eq!(handover.source(), Some(late));
    handover.give(other);
    assert_eq!(handover.source(), None);
    handover.withdraw(other);
    assert_eq!(handover.source(), Some(late));
}

#[test]
fn too_many_gifts_are_forgotten_for_good() {
    let mut handover = Handover::default();
    for position in 1..=MOST as u64 + 1 {
        handover.give(Stamp::new(ThreadId(1), position));
    }
    assert_eq!(handover.take(), None);
    assert!(!handover.is_empty());
    handover.give(Stamp::new(ThreadId(1), 90));
    assert_eq!(handover.source(), None);
}

/// Plays random executions of a latch: threads try to count it down, perhaps more often than its count, and others
/// look. Returns how many looks had sources.
fn check_latch(seed: u64) -> Result<usize, String> {
    let mut dice = Dice(Pcg32::seed_from_u64(seed));
    let count = 1 + dice.below(3);
    let calls = count + dice.below(3);
    let mut left = count;
    let mut latch = Latch::of(count);
    // By call: not started, has read the count and stamped, has taken effect, has failed, has returned.
    let mut states = vec![0; calls];
    let mut effective = Vec::new();
    let mut found = 0;
    for _ in 0..40 {
        let call = dice.below(calls + 1);
        let stamp = |call: usize| Stamp::new(ThreadId(call as u32 + 1), 1);
        if call == calls {
            if left == 0 {
                let sources: Vec<Stamp> = latch.sources().to_vec();
                found += usize::from(!sources.is_empty());
                if let Some(wrong) = sources.iter().find(|source| !effective.contains(*source)) {
                    return Err(format!("seed {seed}: {wrong:?} has not counted down; {effective:?} have"));
                }
            }
            continue;
        }
        states[call] = match states[call] {
            0 if left > 0 => {
                latch.arrive(stamp(call));
                1
            }
            0 => 3,
            1 if left > 0 => {
                left -= 1;
                effective.push(stamp(call));
                2
            }
            1 => {
                // It finds that the count is zero, and withdraws later.
                4
            }
            4 => {
                latch.withdraw(stamp(call));
                3
            }
            state => state,
        };
    }
    if left == 0 && states.iter().all(|state| *state == 2 || *state == 3) && latch.sources().len() != count {
        return Err(format!("seed {seed}: {:?} instead of {effective:?}", latch.sources()));
    }
    Ok(found)
}

#[test]
fn a_thread_that_passes_a_latch_follows_those_that_have_counted_it_down_and_no_others() {
    let found: Result<usize, String> = (0..10 * asked("REGIONTRACK_RANDOM", DEFAULT_TRACES)).map(check_latch).sum();
    let found = found.unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(found > 10_000, "only {found}");
}

/// Plays random executions of a thread's flag: others set it by calls that take time, and the thread clears it. Returns how often it
/// followed another thread.
fn check_flag(seed: u64) -> Result<usize, String> {
    let mut dice = Dice(Pcg32::seed_from_u64(seed));
    let threads = 1 + dice.below(3);
    let mut flags = Handover::default();
    let mut running: Vec<Option<Stamp>> = vec![None; threads];
    // The call that has set the flag, and whether the thread has cleared it and is about to report that.
    let mut set_by: Option<Stamp> = None;
    let mut cleared: Option<Stamp> = None;
    let mut found = 0;
    for moment in 1..40 {
        let thread = dice.below(threads + 1);
        if thread < threads {
            match running[thread] {
                None => {
                    let stamp = Stamp::new(ThreadId(thread as u32 + 1), moment);
                    flags.give(stamp);
                    running[thread] = Some(stamp);
                }
                Some(stamp) => {
                    set_by = set_by.or(Some(stamp));
                    running[thread] = None;
                }
            }
        } else if let Some(setter) = cleared.take() {
            let Some(source) = flags.take() else { continue };
            if source.thread() != setter.thread() || source.position() > setter.position() {
                return Err(format!("seed {seed}: {source:?} instead of {setter:?}"));
            }
            found += 1;
        } else {
            cleared = set_by.take();
        }
    }
    Ok(found)
}

#[test]
fn a_thread_that_was_interrupted_follows_who_has_interrupted_it() {
    let found: Result<usize, String> = (0..10 * asked("REGIONTRACK_RANDOM", DEFAULT_TRACES)).map(check_flag).sum();
    let found = found.unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(found > 10_000, "only {found}");
}
