//! Overlapping calls of one key: no order is invented, and the only possible one is found. The promises and their checks are in
//! `src/results.rs`.
//!
//! `REGIONTRACK_RANDOM=N` runs 100 N random executions.

use rayon::prelude::*;
use regiontrack_tests::asked;
use regiontrack_tests::results::{self, Action, Call, Names, Seen};

const DEFAULT_TRACES: u64 = 2_500;
const CALLS: [Call; 9] = [
    Call::Get,
    Call::Contains,
    Call::Put(1),
    Call::PutIfAbsent(2),
    Call::ComputeIfAbsent(2),
    Call::Replace(2),
    Call::ReplaceValue(1, 2),
    Call::Remove,
    Call::RemoveValue(1),
];

fn sum(one: Seen, other: Seen) -> Seen {
    Seen { ordered: one.ordered + other.ordered, dropped: one.dropped + other.dropped }
}

#[test]
fn calls_that_overlap_are_in_the_order_of_their_effects_or_in_none() {
    for names in [Names::Own, Names::Shared] {
        let seen = (0..100 * asked("REGIONTRACK_RANDOM", DEFAULT_TRACES)).into_par_iter().map(|seed| {
            let (initial, moments) = results::random(seed);
            results::check(initial, &moments, names).map_err(|fault| format!("seed {seed}: {fault}"))
        });
        let seen = seen.try_reduce(Seen::default, |a, b| Ok(sum(a, b))).unwrap_or_else(|fault| panic!("{fault}"));
        println!("{names:?}: {seen:?}");
        assert!(seen.ordered > 1000 && seen.dropped > 1000, "{names:?}: {seen:?}");
    }
}

#[test]
fn every_interleaving_of_two_and_three_calls_is_ordered_rightly() {
    let mut seen = Seen::default();
    for initial in [None, Some(1)] {
        for a in CALLS {
            for b in CALLS {
                let mut judge = |moments: &[(usize, Action)]| {
                    seen = sum(
                        seen,
                        results::check(initial, moments, Names::Own).unwrap_or_else(|fault| panic!("{fault}")),
                    );
                };
                results::for_all(&[a, b], &mut judge);
                for c in CALLS {
                    results::for_all(&[a, b, c], &mut judge);
                }
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.ordered > 0 && seen.dropped > 0);
}

/// Plays two overlapping calls. `first` acts first, and also ends first if `ends`. Returns how many were ordered, and how many dropped.
fn pair(initial: Option<u32>, first: Call, second: Call, ends: bool) -> (usize, usize) {
    let (one, other) = if ends { (0, 1) } else { (1, 0) };
    let moments = [
        (0, Action::Begin(first)),
        (1, Action::Begin(second)),
        (0, Action::Act),
        (1, Action::Act),
        (one, Action::End),
        (other, Action::End),
    ];
    let seen = results::check(initial, &moments, Names::Own).unwrap_or_else(|fault| panic!("{fault}"));
    (seen.ordered, seen.dropped)
}

#[test]
fn what_the_later_one_found_tells_that_it_is_later() {
    let told = [
        (Some(1), Call::Remove, Call::Remove),
        (None, Call::Put(1), Call::Get),
        (Some(1), Call::Put(2), Call::Get),
        (Some(1), Call::Get, Call::Put(2)),
        (None, Call::PutIfAbsent(1), Call::PutIfAbsent(2)),
        (Some(1), Call::Put(2), Call::Put(3)),
        (Some(1), Call::Replace(2), Call::Replace(3)),
        (Some(1), Call::ReplaceValue(1, 2), Call::ReplaceValue(1, 3)),
        (Some(1), Call::Contains, Call::Remove),
        (Some(1), Call::Remove, Call::ComputeIfAbsent(2)),
    ];
    for (initial, first, second) in told {
        assert_eq!(pair(initial, first, second, true), (1, 0), "{first:?} {second:?}");
        // A call that ends first is not put after one that has yet to end.
        assert_eq!(pair(initial, first, second, false), (0, 1), "{first:?} {second:?}");
    }
    // Both orders are possible: the previous value is not known to be another one, and there is a value before and after.
    assert_eq!(pair(Some(1), Call::Put(1), Call::Get, true), (0, 1));
    assert_eq!(pair(Some(1), Call::Replace(2), Call::Contains, true), (0, 1));
    // The calls do not conflict.
    assert_eq!(pair(None, Call::Remove, Call::Get, true), (0, 0));
}
