//! Runs guided by what earlier runs have learnt, checked against the reference: nothing is invented, and what is missed is known.
//!
//! `REGIONTRACK_RANDOM=N` runs N traces of each family, `REGIONTRACK_EXHAUSTIVE=N` all traces up to N events. A failure
//! prints what is kept, and the smallest trace that still shows it.

use analysis_core::event::{Event, LabelId, LockId, Op, VarId};
use analysis_core::filter::guided::{Shared, guided as left_of};
use analysis_core::protocol::epochs::Nested;
use rayon::prelude::*;
use regiontrack_tests::guided::{self, explained, labelled};
use regiontrack_tests::{asked, enumerate, generate, text};

const DEFAULT_TRACES: u64 = 400;
const DEFAULT_LENGTH: u64 = 5;

fn for_every_family(check: impl Fn(&[Event], u64) -> Result<(), String> + Sync) {
    for family in generate::FAMILIES.iter().filter(|family| family.is_well_formed()) {
        let seeds = (0..asked("REGIONTRACK_RANDOM", DEFAULT_TRACES)).into_par_iter();
        let failure = seeds.find_map_first(|seed| {
            let told = explained(&labelled(&family.trace(seed)), |trace| check(trace, seed)).err()?;
            Some(format!("family `{}`, seed {seed}: {told}", family.name))
        });
        if let Some(failure) = failure {
            panic!("{failure}");
        }
    }
}

fn for_every_small_trace(check: impl Fn(&[Event]) -> Result<(), String> + Sync) {
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = enumerate::for_all_traces(length as usize, |trace| explained(&labelled(trace), &check));
        let traces = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{traces} traces of {length} events");
    }
}

/// The empty profile.
fn nothing() -> Shared {
    Shared::default()
}

#[test]
fn nothing_is_invented_whatever_is_kept_on_random_traces() {
    for_every_family(guided::check_truth_of_any);
}

#[test]
fn nothing_is_invented_whatever_is_kept_on_every_small_trace() {
    for_every_small_trace(|trace| (0..3).try_for_each(|seed| guided::check_truth_of_any(trace, seed)));
}

#[test]
fn all_is_found_of_the_run_that_was_learnt_from_on_random_traces() {
    for_every_family(|trace, seed| {
        let more = if seed % 2 == 0 { nothing() } else { guided::anything(trace, seed) };
        guided::check_completeness(trace, &more)
    });
}

#[test]
fn all_is_found_of_the_run_that_was_learnt_from_on_every_small_trace() {
    for_every_small_trace(|trace| guided::check_completeness(trace, &nothing()));
}

#[test]
fn what_is_learnt_is_what_the_rules_say_on_random_traces() {
    for_every_family(|trace, _| guided::check_learning(trace));
}

#[test]
fn what_is_learnt_is_what_the_rules_say_on_every_small_trace() {
    for_every_small_trace(guided::check_learning);
}

#[test]
fn the_same_is_learnt_where_the_steps_of_hooks_interleave() {
    for_every_family(guided::check_interleaved);
}

#[test]
fn nothing_is_invented_in_another_schedule_than_the_one_that_was_learnt_from() {
    for_every_family(|trace, seed| {
        let shared = Shared::learn(&guided::other_schedule(trace, seed), Nested::Exact);
        guided::check_truth_of(trace, &shared, seed)
    });
}

#[test]
fn runs_that_have_learnt_from_more_schedules_find_more() {
    for family in generate::CONFORMANCE {
        let mut sums = [0; 4];
        for seed in 0..300 {
            let trace = labelled(&family.trace(seed));
            let mut shared = nothing();
            for (schedule, sum) in [0, 1, 3].into_iter().zip(1..) {
                for other in 0..schedule {
                    let learnt = Shared::learn(&guided::other_schedule(&trace, 1_000 * seed + other), Nested::Exact);
                    shared.vars.extend(learnt.vars);
                    shared.locks.extend(learnt.locks);
                    shared.blocks.extend(learnt.blocks);
                }
                sums[sum] += guided::seen(&trace, &shared).1;
            }
            sums[0] += guided::seen(&trace, &shared).0;
        }
        let [violated, without, after_one, after_three] = sums;
        println!("{}: of {violated} violated blocks {without}, {after_one}, {after_three} are seen", family.name);
        assert!(without <= after_one && after_one < after_three && after_three <= violated, "{sums:?}");
    }
}

fn events(trace: &str) -> Vec<Event> {
    labelled(&text::read(trace).expect("a readable trace").events)
}

fn learnt(trace: &str) -> Shared {
    Shared::learn(&events(trace), Nested::Exact)
}

/// Checks what is learnt. Variables are named x0, x1; locks l0, l1.
#[track_caller]
fn assert_learnt(trace: &str, vars: &[u32], locks: &[u32], blocks: &[u32]) {
    let expected = Shared {
        vars: vars.iter().copied().map(VarId).collect(),
        locks: locks.iter().copied().map(LockId).collect(),
        blocks: blocks.iter().copied().map(LabelId).collect(),
    };
    assert_eq!(learnt(trace), expected);
}

#[test]
fn what_one_thread_has_to_itself_is_not_shared() {
    assert_learnt("T0|begin T0|w(x) T0|acq(l) T0|rel(l) T0|end T1|begin T1|w(y) T1|end", &[], &[], &[]);
}

#[test]
fn a_variable_that_gives_an_order_is_shared_and_so_are_both_blocks() {
    assert_learnt("T0|begin T0|w(x) T0|end T1|begin T1|r(x) T1|end", &[0], &[], &[0, 1]);
}

#[test]
fn what_is_published_once_by_something_shared_is_not_shared() {
    assert_learnt("T0|begin T0|w(x) T0|w(y) T0|end T1|begin T1|r(y) T1|r(x) T1|end", &[1], &[], &[0, 1]);
}

#[test]
fn what_was_written_before_its_readers_were_started_is_not_shared() {
    assert_learnt("T0|w(x) T0|fork(T1) T1|begin T1|r(x) T1|end T1|w(x)", &[], &[], &[]);
}

#[test]
fn a_lock_that_only_the_starter_had_before_the_start_is_not_shared() {
    assert_learnt("T0|acq(l) T0|rel(l) T0|fork(T1) T1|acq(l) T1|rel(l)", &[], &[], &[]);
}

#[test]
fn what_the_starter_does_after_the_start_is_shared_with_the_writer() {
    assert_learnt("T0|fork(T1) T0|w(x) T1|w(x)", &[0], &[], &[]);
    assert_learnt("T0|r(x) T0|fork(T1) T0|r(x) T1|w(x)", &[0], &[], &[]);
}

#[test]
fn what_threads_have_read_before_the_writer_joined_them_is_not_shared() {
    assert_learnt("T0|w(x) T0|fork(T1) T1|begin T1|r(x) T1|end T0|join(T1) T0|w(x)", &[], &[], &[]);
    assert_learnt("T0|fork(T1) T1|r(x) T0|r(x) T0|join(T1) T0|r(x) T0|w(x)", &[], &[], &[]);
}

#[test]
fn what_threads_do_one_after_the_other_is_shared_although_each_was_joined() {
    assert_learnt("T0|fork(T1) T1|w(x) T0|join(T1) T0|fork(T2) T2|r(x) T2|w(x)", &[0], &[], &[]);
    assert_learnt("T0|fork(T1) T1|r(x) T0|join(T1) T0|fork(T2) T2|w(x)", &[0], &[], &[]);
    assert_learnt("T0|fork(T1) T1|r(x) T1|w(x) T0|join(T1) T0|r(x) T0|w(x)", &[0], &[], &[]);
    assert_learnt("T0|fork(T1) T1|w(x) T0|w(x) T0|join(T1)", &[0], &[], &[]);
    // What T2 reads orders the lock, too.
    let locked = |thread: u32| format!("T{thread}|acq(l) T{thread}|rel(l) ");
    let first = format!("T0|fork(T1) {}T1|w(x) T0|join(T1) T0|fork(T2) T2|r(x) ", locked(1));
    assert_learnt(&(first + &locked(2)), &[0], &[0], &[]);
}

#[test]
fn what_a_lock_orders_is_shared_once_it_is_written_after_another_threads_access() {
    let of = |thread: u32, access: &str| format!("T{thread}|acq(l) T{thread}|{access} T{thread}|rel(l) ");
    // The lock gives the order.
    assert_learnt(&(of(0, "w(x)") + &of(1, "r(x)")), &[], &[0], &[]);
    assert_learnt(&(of(0, "w(x)") + &of(1, "w(x)")), &[0], &[0], &[]);
    assert_learnt(&(of(0, "r(x)") + &of(1, "w(x)")), &[0], &[0], &[]);
}

#[test]
fn an_own_read_before_the_write_hides_nobody_elses_access() {
    let both = |first: &str| format!("T0|acq(l) T0|{first} T0|rel(l) T1|acq(l) T1|r(x) T1|w(x) T1|rel(l)");
    assert_learnt(&both("w(x)"), &[0], &[0], &[]);
    assert_learnt(&both("r(x)"), &[0], &[0], &[]);
}

#[test]
fn a_block_is_shared_if_a_block_inside_it_is_or_if_it_starts_or_joins_threads() {
    assert_learnt("T0|begin T0|begin T0|w(x) T0|end T0|begin T0|end T0|end T1|r(x)", &[0], &[], &[0, 1]);
    assert_learnt("T0|begin T0|begin T0|fork(T1) T0|end T0|begin T0|end T0|end", &[], &[], &[0, 1]);
}

/// Checks which events are left if `shared` is kept.
fn assert_left(trace: &str, shared: &Shared, expected: &str) {
    let kept: Vec<Op> = left_of(&events(trace), shared, |_| true).iter().map(|kept| kept.event.op).collect();
    let unlabelled = |op: Op| if matches!(op, Op::Begin(_)) { Op::Begin(LabelId::NONE) } else { op };
    let kept: Vec<Op> = kept.into_iter().map(unlabelled).collect();
    assert_eq!(kept, events(expected).into_iter().map(|event| unlabelled(event.op)).collect::<Vec<_>>());
}

#[test]
fn an_inner_block_stays_without_the_one_around_it() {
    let inner = Shared { blocks: [LabelId(1)].into(), vars: [VarId(0)].into(), ..nothing() };
    let trace = "T0|begin T0|w(x) T0|begin T0|w(x) T0|end T0|w(x) T0|end T0|acq(l) T0|rel(l)";
    assert_left(trace, &inner, "T0|w(x) T0|begin T0|w(x) T0|end T0|w(x)");
}

/// A limit of a run that has learnt from itself: the thread did something, but nobody watched it.
#[test]
fn a_thread_that_does_nothing_shared_counts_as_one_that_does_nothing() {
    let trace = "T0|begin T0|fork(T1) T1|w(x) T0|join(T1) T0|end";
    assert_learnt(trace, &[], &[], &[0]);
    assert_eq!(guided::seen(&events(trace), &learnt(trace)), (1, 0));
}

/// A limit in other runs: what no run has seen shared.
#[test]
fn a_violation_by_what_the_runs_before_have_only_published_is_missed_once() {
    let apart = "T0|begin T0|w(x) T0|w(x) T0|w(y) T0|end T1|begin T1|r(y) T1|r(x) T1|end";
    let meanwhile = "T0|begin T0|w(x) T1|begin T1|r(y) T1|r(x) T1|end T0|w(x) T0|w(y) T0|end";
    assert_learnt(apart, &[1], &[], &[0, 1]);
    assert_eq!(guided::seen(&events(meanwhile), &learnt(apart)), (1, 0));
    assert_eq!(guided::seen(&events(meanwhile), &learnt(meanwhile)), (1, 1));
}
