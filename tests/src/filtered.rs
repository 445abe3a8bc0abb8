//! Compares filters of events, alone and chained, with the reference: the events that are left must give the same answer.
//!
//! This must hold in both ways of leaving an event out: removing it, or replacing it by an event without effect.

use analysis_core::event::Event;
use analysis_core::filter::{Chain, FILTERS, FilterSpec};

use crate::compare::{Answer, Blame};
use crate::{shrink, text};

/// Returns each filter alone, any two in both orders, and all of them.
fn rows() -> Vec<Vec<&'static FilterSpec>> {
    let mut rows: Vec<Vec<_>> = FILTERS.iter().map(|spec| vec![spec]).collect();
    for first in FILTERS {
        rows.extend(FILTERS.iter().filter(|second| second.name != first.name).map(|second| vec![first, second]));
    }
    rows.push(FILTERS.iter().collect());
    rows.push(FILTERS.iter().rev().collect());
    rows
}

/// Returns a chain of these filters, ready for `trace`: filters that look ahead have seen it.
pub fn chain(row: &[&FilterSpec], trace: &[Event]) -> Chain {
    let mut chain = Chain::new(row.iter().copied());
    while chain.looks_ahead() {
        chain.foresee(trace);
        chain.foreseen();
    }
    chain
}

/// Returns the answer about `trace` without what the filters drop, in the event numbers of `trace`.
fn answer_without(row: &[&FilterSpec], trace: &[Event]) -> Answer {
    let mut chain = chain(row, trace);
    let numbered = (1..).zip(trace).filter(|(_, event)| chain.needs(**event));
    let (numbers, left): (Vec<u64>, Vec<Event>) = numbered.map(|(number, event)| (number, *event)).unzip();
    let number = |position: u64| numbers[position as usize - 1];
    let answer = Answer::of_reference(&left);
    let blame = |blame: &Blame| Blame { begin: number(blame.begin), event: number(blame.event), ..*blame };
    Answer { first_event: answer.first_event.map(number), violated: answer.violated.iter().map(blame).collect() }
}

fn check(trace: &[Event], right: &Answer) -> Result<(), String> {
    for row in rows() {
        let names = || row.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", then ");
        let mut replaced = trace.to_vec();
        chain(&row, trace).apply(&mut replaced);
        let answers = [("gone", answer_without(&row, trace)), ("without effect", Answer::of_reference(&replaced))];
        for (how, answer) in answers {
            if answer != *right {
                let dropped = (1..).zip(trace.iter().zip(&replaced)).filter(|(_, (before, after))| before != after);
                let dropped: Vec<u64> = dropped.map(|(number, _)| number).collect();
                return Err(format!(
                    "filter {}, events {how}: {answer:?}\nexpected {right:?}; dropped {dropped:?}",
                    names()
                ));
            }
        }
    }
    Ok(())
}

/// Checks each filter alone and all of them chained. Shrinks the trace if they fail.
pub fn check_or_explain(trace: &[Event]) -> Result<(), String> {
    check(trace, &Answer::of_reference(trace)).map_err(|_| {
        let is_faulty = |trace: &[Event]| check(trace, &Answer::of_reference(trace)).is_err();
        let small = shrink::shrink(trace, is_faulty);
        let told = check(&small, &Answer::of_reference(&small)).expect_err("it is faulty");
        format!("{told}\n{}", text::to_std(&small))
    })
}
