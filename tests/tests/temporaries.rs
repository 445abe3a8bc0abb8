//! The filters of temporaries and of constants, checked against the reference on executions with references
//! ([`regiontrack_tests::references`]).
//!
//! `REGIONTRACK_RANDOM=N` runs N plans of each family, `REGIONTRACK_EXHAUSTIVE=N` all plans up to N commands. A failure prints the
//! smallest plan that still shows it.

use analysis_core::event::{LabelId, Op, ThreadId, VarId};
use analysis_core::filter::temporary::Local;
use rayon::prelude::*;
use regiontrack_tests::asked;
use regiontrack_tests::generate;
use regiontrack_tests::references::Command::{self, *};
use regiontrack_tests::references::{self, plans};

const DEFAULT_PLANS: u64 = 2_500;
const DEFAULT_LENGTH: u64 = 6;

fn check_families(with_handovers: bool) {
    for family in generate::FAMILIES {
        let seeds = (0..asked("REGIONTRACK_RANDOM", DEFAULT_PLANS)).into_par_iter();
        let failure = seeds.find_map_first(|seed| {
            let told = references::check_or_explain(&plans::dressed(family, seed, with_handovers)).err()?;
            Some(format!("family `{}`, seed {seed}: {told}", family.name))
        });
        if let Some(failure) = failure {
            panic!("{failure}");
        }
    }
}

#[test]
fn the_answers_are_the_same_where_every_hand_over_has_a_hook() {
    check_families(false);
}

#[test]
fn nothing_is_lost_and_nothing_untrue_is_found_where_some_hand_overs_have_no_hook() {
    check_families(true);
}

#[test]
fn nothing_is_lost_and_nothing_untrue_is_found_on_every_small_plan() {
    for length in 2..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = plans::for_all(length as u32, |plan| references::check_or_explain(plan));
        let plans = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{plans} plans of {length} commands");
    }
}

const A: Local = Local(0);
const B: Local = Local(1);
const X: VarId = VarId(0);
const BEGIN: Command = Event(Op::Begin(LabelId::NONE));

fn check(plan: &[(u32, Command)]) {
    let plan: Vec<_> = plan.iter().map(|&(thread, command)| (ThreadId(thread), command)).collect();
    references::check_or_explain(&plan).unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn what_was_written_before_a_hand_over_without_a_hook_is_found() {
    let (read, write) = (Event(Op::Read(X)), Event(Op::Write(X)));
    check(&[
        (0, BEGIN),
        (0, New(A)),
        (0, Write(A, 0)),
        (0, Send(A)),
        (1, Receive(A)),
        (1, Read(A, 0)),
        (1, write),
        (0, read),
    ]);
}

#[test]
fn what_was_written_before_a_store_is_found_by_who_got_the_reference_from_a_third_thread() {
    let (read, write) = (Event(Op::Read(X)), Event(Op::Write(X)));
    let (store, hand_on) = ([(0, Write(A, 0)), (0, Publish(A))], [(1, Fetch(A)), (1, Send(A)), (2, Receive(A))]);
    check(&[&[(0, BEGIN), (0, New(A))][..], &store, &hand_on, &[(2, Read(A, 0)), (2, write), (0, read)]].concat());
}

#[test]
fn an_object_leaves_by_any_of_its_names_and_the_next_one_has_not_left() {
    let (read, write) = (Event(Op::Read(X)), Event(Op::Write(X)));
    let twice = [(0, BEGIN), (0, New(A)), (0, Send(A)), (0, New(A)), (0, Write(A, 0)), (0, Copy(A, B)), (0, Send(B))];
    check(&[&twice[..], &[(1, Receive(A)), (1, Read(A, 0)), (1, write), (0, read)]].concat());
}

#[test]
fn an_object_leaves_by_its_other_name_when_the_local_has_the_next_one() {
    let (read, write) = (Event(Op::Read(X)), Event(Op::Write(X)));
    let older = [(0, BEGIN), (0, New(A)), (0, Write(A, 0)), (0, Copy(A, B)), (0, New(A)), (0, Send(B))];
    check(&[&older[..], &[(1, Receive(A)), (1, Read(A, 0)), (1, write), (0, read)]].concat());
}

#[test]
fn what_was_written_in_the_constructor_and_read_later_counts_as_read_later() {
    let (read, write) = (Event(Op::Read(X)), Event(Op::Write(X)));
    let constructed = [(0, Construct(A)), (0, Write(A, 0)), (0, Constructed(A))];
    let ordered = [(1, BEGIN), (1, write), (0, read), (0, Read(A, 0)), (0, Send(A))];
    check(&[&constructed[..], &ordered, &[(1, Receive(A)), (1, Write(A, 0))]].concat());
}

#[test]
fn what_has_left_by_its_constructor_is_watched() {
    let left = [(0, BEGIN), (0, Construct(A)), (0, Publish(A)), (1, Fetch(A)), (0, Constructed(A))];
    check(&[&left[..], &[(0, Read(A, 0)), (1, Write(A, 0)), (0, Read(A, 0))]].concat());
}

#[test]
fn a_thread_that_does_nothing_but_fill_an_object_has_done_something() {
    let child = ThreadId(1);
    check(&[(0, BEGIN), (0, Event(Op::Fork(child))), (1, New(A)), (1, Write(A, 0)), (0, Event(Op::Join(child)))]);
}

#[test]
fn a_field_that_is_written_after_its_object_has_left_is_a_variable() {
    let (read, write) = (Event(Op::Read(X)), Event(Op::Write(X)));
    let left = [(0, BEGIN), (0, Construct(A)), (0, Publish(A)), (1, Fetch(A)), (1, read), (1, Read(A, 0))];
    check(&[&left[..], &[(0, Write(A, 0)), (0, write), (0, Constructed(A))]].concat());
}

#[test]
fn a_field_that_is_written_after_the_constructor_is_a_variable() {
    let (read, write) = (Event(Op::Read(X)), Event(Op::Write(X)));
    let made = [(0, Construct(A)), (0, Write(A, 0)), (0, Constructed(A)), (0, BEGIN), (0, Publish(A))];
    check(&[&made[..], &[(1, Fetch(A)), (0, Write(A, 0)), (1, Read(A, 0)), (1, write), (0, read)]].concat());
}

#[test]
fn many_accesses_are_saved() {
    let family = generate::find("repeated").expect("a family of that name");
    let mut sums = [0; 3];
    for seed in 0..500 {
        let saved = references::run(&plans::dressed(family, seed, true)).saved();
        sums.iter_mut().zip(saved).for_each(|(sum, events)| *sum += events);
    }
    let [all, filtered, changing] = sums;
    println!("{filtered} and {changing} of {all} events left");
    assert!(filtered < all && changing < all, "{filtered} and {changing} of {all}");
}
