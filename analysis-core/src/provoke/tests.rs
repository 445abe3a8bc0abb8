//! Places, candidates and their order; `tests/file.rs` tests their file.

mod file;

use super::*;
use crate::report::Application;
use crate::trace::Position;

fn place(written: &str) -> Place {
    written.parse().unwrap_or_else(|fault| panic!("{fault}"))
}

/// The candidate of the documentation.
fn account() -> Candidate {
    Candidate {
        block: "com.acme.Account.withdraw(int)".to_owned(),
        variable: "Account.balance".to_owned(),
        first: place("com.acme.Account.balance:30 read balance"),
        hold: place("com.acme.Account.balance:30 release"),
        last: place("com.acme.Account.withdraw:14 write balance"),
        other: place("com.acme.Account.withdraw:14 write balance"),
        enter: Some(place("com.acme.Account.withdraw:13 acquire")),
        steps: Vec::new(),
    }
}

/// One of these actions on a variable or a lock.
fn with_actions(first: Action, other: Action, last: Action) -> Candidate {
    let of = |action| Place::new("a.B.c:1", action, "x").expect("a place");
    let [first, other, last] = [first, other, last].map(of);
    Candidate { hold: first.clone(), first, other, last, enter: None, ..account() }
}

#[test]
fn a_place_has_a_class_a_method_and_a_line() {
    let place = place("com.acme.Outer$Inner.<init>:12 read x");
    assert_eq!(
        (place.class(), place.method(), place.position()),
        ("com.acme.Outer$Inner", "<init>", Position::Line(12))
    );
    assert_eq!((place.action, &*place.name, place.brief()), (Action::Read, "x", "Outer.java:12".to_owned()));
    let spaced = Place::new("a.B.has a space:3", Action::Write, "a b").expect("a place");
    assert_eq!(spaced.to_string(), "a.B.has\\u0020a\\u0020space:3 write a\\u0020b");
    assert_eq!(spaced.method(), "has a space");
    for action in Action::ALL {
        assert_eq!(Action::named(action.name()), Some(action));
    }
}

#[test]
fn a_place_in_a_method_without_lines_has_its_parameters_and_an_index() {
    let written = "com.acme.Outer$Inner.put(java.lang.String,int[]):@12 write x";
    let place = place(written);
    assert_eq!(place.to_string(), written);
    assert_eq!((place.class(), place.method(), place.position()), ("com.acme.Outer$Inner", "put", Position::Index(12)));
    assert_eq!(place.location(), "com.acme.Outer$Inner.put(java.lang.String,int[]):@12");
    assert_eq!(place.brief(), "bytecode 12 of Outer$Inner.put(String,int[])");
    assert_eq!(place.in_table(), "Outer$Inner.put(String,int[]):@12");
    assert_eq!(
        Place::new("a.B.<init>():@0", Action::Acquire, "").map(|place| place.position()),
        Some(Position::Index(0))
    );
}

#[test]
fn what_has_no_class_method_or_line_is_no_place() {
    for location in [
        "",
        "a.B.c",
        "a.B.c:",
        "a.B.c:0",
        "a.B.c:-1",
        "a.B.c:+1",
        "a.B.c:01",
        "c:1",
        ".c:1",
        "a.:1",
        "a.B.c:4294967296",
        "a.B.c:@1",
        "a.B.c:@",
        "a.B.c():@01",
        "a.B.c(int:@1",
        "a.B.int):@1",
        "c():@1",
        "a.B.():@1",
    ] {
        assert_eq!(Place::new(location, Action::Read, "x"), None, "{location}");
    }
    for written in [
        "a.B.c:1",
        "a.B.c:1 ",
        "a.B.c:1 reads",
        "a.B.c:1 read ",
        "a.B.c:1 read x y",
        "a.B.c:1  read",
        "a.B.c:1 read \\x",
    ] {
        let fault = written.parse::<Place>().expect_err(written);
        let expected = "is no place; expected 'CLASS.METHOD:LINE ACTION NAME', without lines 'CLASS.METHOD(TYPES):@INDEX ACTION NAME', \
             ACTION one of read, write, acquire, release";
        assert_eq!(fault.to_string(), format!("'{written}' {expected}"));
    }
}

#[test]
fn what_conflicts_twice_comes_first_then_sections_then_what_only_looks() {
    use Action::{Acquire, Read, Release, Write};
    for [first, other, last] in [[Read, Write, Read], [Read, Write, Write], [Write, Read, Write], [Write, Write, Read]]
    {
        assert_eq!(with_actions(first, other, last).rank(), Rank::Conflict);
    }
    for [first, other, last] in [[Read, Read, Read], [Read, Read, Write], [Write, Read, Read]] {
        assert_eq!(with_actions(first, other, last).rank(), Rank::Looks);
    }
    assert_eq!(with_actions(Release, Acquire, Acquire).rank(), Rank::Sections);
    assert_eq!(with_actions(Read, Acquire, Write).rank(), Rank::Looks);
}

fn trials(tries: u64, held: u64, met: u64) -> Trials {
    Trials { tries, held, met, ..Trials::default() }
}

#[test]
fn a_candidate_is_dropped_when_runs_enough_have_shown_nothing() {
    for (tries, held, met, state) in [
        (0, 0, 0, State::New),
        (7, 7, 0, State::New),
        (8, 0, 0, State::NotReached),
        (8, 8, 0, State::NotReached),
        (8, 4, 4, State::New),
        (19, 4, 4, State::New),
        (20, 1, 1, State::Impossible),
        (5, 5, 5, State::Impossible),
    ] {
        assert_eq!(trials(tries, held, met).state(), state, "{tries} {held} {met}");
        assert_eq!(Trials { is_confirmed: true, ..trials(tries, held, met) }.state(), State::Confirmed);
        let again = if state == State::New { State::Again } else { state };
        assert_eq!(Trials { was_confirmed: true, ..trials(tries, held, met) }.state(), again);
    }
    for state in State::ALL {
        assert_eq!(State::named(state.name()), Some(state));
    }
}

#[test]
fn a_thread_is_held_longer_when_nobody_came_and_not_without_bound() {
    let millis = |tries, held, met| {
        let mut all = Candidates::new();
        all.add_trials(account(), trials(tries, held, met));
        all.bound(&account(), 0).as_millis()
    };
    assert_eq!([millis(0, 0, 0), millis(3, 0, 0), millis(3, 2, 0), millis(3, 3, 2)], [10, 10, 40, 20]);
    assert_eq!(millis(u64::MAX, u64::MAX, 0), 640);
}

#[test]
fn what_differs_in_the_place_of_the_hold_alone_is_held_longer_together() {
    let elsewhere = Candidate { hold: place("com.acme.Account.withdraw:12 release"), ..account() };
    let other = Candidate { last: place("com.acme.Account.withdraw:15 write balance"), ..account() };
    let mut all = Candidates::new();
    all.add_trials(account(), trials(1, 1, 0));
    all.add_trials(elsewhere.clone(), trials(2, 1, 0));
    all.add_trials(other.clone(), trials(4, 4, 0));
    let millis = [account(), elsewhere, other].map(|candidate| all.bound(&candidate, 0).as_millis());
    assert_eq!(millis, [40, 40, 160]);
}

#[test]
fn a_run_counts_for_what_it_was_steered_to() {
    let (one, two) = (account(), with_actions(Action::Read, Action::Read, Action::Read));
    let mut all = Candidates::new();
    assert!(all.add(one.clone()) && all.add(two.clone()) && !all.add(one.clone()));
    let (first, second) = (one.id(), two.id());
    let outcome = |held, met, confirmed| Outcome { held, met, confirmed };
    all.add_run([
        (&*first, outcome(true, false, false)),
        (&*second, outcome(false, false, false)),
        ("unknown", outcome(true, true, true)),
    ]);
    all.add_run([(&*first, outcome(true, true, true))]);
    let expected = Trials { tries: 2, held: 2, met: 1, is_confirmed: true, ..Trials::default() };
    assert_eq!((all.runs, all.trials(&one), all.trials(&two)), (2, Some(&expected), Some(&trials(1, 0, 0))));
    assert_eq!(all.len(), 2);
}

#[test]
fn the_next_run_tries_the_likeliest_of_what_was_tried_least() {
    use Action::{Acquire, Read, Release, Write};
    let mut all = Candidates::new();
    let [looks, lost, stale, sections, confirmed, dropped] = [
        with_actions(Read, Read, Read),
        with_actions(Read, Write, Write),
        with_actions(Read, Write, Read),
        with_actions(Release, Acquire, Acquire),
        with_actions(Write, Read, Write),
        with_actions(Write, Write, Read),
    ];
    all.add_trials(lost.clone(), trials(1, 0, 0));
    all.add_trials(dropped.clone(), trials(5, 5, 5));
    all.add_trials(confirmed.clone(), Trials { is_confirmed: true, ..trials(1, 1, 1) });
    [&looks, &stale, &sections].into_iter().for_each(|candidate| _ = all.add(candidate.clone()));
    let candidates = |list: Vec<(&Candidate, &Trials)>| list.into_iter().map(|(it, _)| it.clone()).collect::<Vec<_>>();
    assert_eq!(candidates(all.to_try(9)), [&stale, &lost, &sections, &looks].map(Clone::clone));
    assert_eq!(candidates(all.to_try(1)), std::slice::from_ref(&stale));
    let order = [confirmed, stale, lost, sections, looks, dropped];
    assert_eq!(candidates(all.in_order()), order);
    // What has happened before comes first in a later search, and is tried as often as a new candidate.
    let [confirmed, others @ ..] = &order;
    let mut later = all.clone();
    assert_eq!((later.try_again(), later.try_again()), (1, 0));
    let again = Trials { was_confirmed: true, ..Trials::default() };
    assert_eq!((later.trials(confirmed), candidates(later.to_try(1))), (Some(&again), vec![confirmed.clone()]));
    assert_eq!(candidates(later.to_try(9))[1..], others[..4]);
    later.add_run([(&confirmed.id()[..], Outcome { met: true, confirmed: true, ..Outcome::default() })]);
    assert_eq!(candidates(later.to_try(9)), others[..4]);
    assert_eq!(all.forget(|candidate, _| candidate.rank() == Rank::Conflict), 4);
    assert_eq!(all.len(), 2);
}

/// A candidate that other threads met without a violation keeps those with a common place from their turn.
#[test]
fn a_candidate_that_others_met_in_vain_is_one_kind_less_likely_for_each_such_run() {
    use Action::{Read, Write};
    let mut all = Candidates::new();
    let (lost, looks) = (with_actions(Read, Write, Write), with_actions(Read, Read, Read));
    let later = through();
    [&lost, &looks, &later].into_iter().for_each(|candidate| _ = all.add(candidate.clone()));
    let mut order = Vec::new();
    for _ in 0..6 {
        let next = all.to_try(1)[0].0.clone();
        order.push(next.rank());
        all.add_trials(next, trials(1, 1, 1));
    }
    let (conflict, steps) = (Rank::Conflict, Rank::Steps);
    assert_eq!(order, [conflict, steps, conflict, steps, conflict, Rank::Looks]);
    // No other thread has come, which shows nothing.
    let mut all = Candidates::new();
    all.add_trials(lost.clone(), trials(3, 3, 0));
    all.add(later);
    assert_eq!(all.to_try(1)[0].0, &lost);
}

/// The candidate of the documentation with third threads.
fn through() -> Candidate {
    let step = |thread, object, at: &str| Step { thread, object, place: place(at), gate: None };
    let gate = Some(place("com.acme.Desk.take:3 acquire"));
    let steps = vec![
        Step { gate, ..step(1, Some(0), "com.acme.Desk.take:4 read in") },
        step(1, Some(1), "com.acme.Desk.take:5 write between"),
        step(2, None, "com.acme.Desk.give:9 write out"),
    ];
    Candidate { other: place("com.acme.Desk.give:9 write out"), enter: None, steps, ..account() }
}

/// A method with many candidates does not keep the others waiting.
#[test]
fn every_block_has_its_turn() {
    let of = |block: &str, line: u32| {
        let place = |line: u32, what: &str| format!("a.B.c:{line} {what} x").parse::<Place>().expect("a place");
        let (first, last) = (place(line, "read"), place(line + 1, "write"));
        let (hold, other) = (first.clone(), last.clone());
        Candidate {
            block: block.to_owned(),
            variable: "B.x".to_owned(),
            first,
            hold,
            last,
            other,
            enter: None,
            steps: Vec::new(),
        }
    };
    let mut all = Candidates::new();
    (1..=4).for_each(|line| _ = all.add(of("a.A.many()", 10 * line)));
    [("a.B.few()", 50), ("a.B.few()", 60), ("a.C.one()", 70)]
        .into_iter()
        .for_each(|(block, line)| _ = all.add(of(block, line)));
    let mut order = String::new();
    // Two candidates in each run, each of them tried in one run.
    for _ in 0..4 {
        let next: Vec<Candidate> = all.to_try(2).into_iter().map(|(candidate, _)| candidate.clone()).collect();
        for candidate in next {
            order += &candidate.block[2..3];
            all.add_trials(candidate, Trials { tries: 1, ..Trials::default() });
        }
    }
    assert_eq!(order, "ABCABAAC");
}

#[test]
fn what_would_be_held_in_an_initializer_is_no_candidate() {
    let place = |text: &str| text.parse::<Place>().expect("a place");
    let of = |first: &str, other: &str| Candidate {
        first: place(first),
        hold: place(first),
        other: place(other),
        enter: None,
        ..account()
    };
    let add = |candidate: Candidate| Candidates::new().add(candidate);
    assert!(add(of("app.Best.update:9 read cost", "app.Best.update:10 write cost")));
    assert!(!add(of("app.Best.<clinit>:7 write who", "app.Best.update:10 write cost")));
    // What initializers do can come meanwhile.
    assert!(add(of("app.Best.update:9 read cost", "app.Best.<clinit>:6 write cost")));
}

/// A candidate that a report would put last is tried later than those that would otherwise follow it, but not after all
/// of them.
#[test]
fn what_the_finding_would_lack_counts_as_if_others_of_its_block_had_come_before() {
    let of = |block: &str, line: u32| {
        let method = block.split('(').next().expect("a method");
        let place = |line: u32, what: &str| format!("{method}:{line} {what} x").parse::<Place>().expect("a place");
        let (first, last) = (place(line, "read"), place(line + 1, "write"));
        let (hold, other) = (first.clone(), last.clone());
        Candidate { block: block.to_owned(), first, hold, last, other, enter: None, ..account() }
    };
    let own = of("com.acme.util.B.own()", 10);
    let library = of("com.acmex.L.f()", 10);
    let long = Candidate { last: place("com.acme.util.B.called:9 write x"), ..of("com.acme.util.B.long()", 20) };
    let sections = Candidate { hold: place("com.acme.util.B.called:8 release"), ..long.clone() };
    let made = of("com.acme.util.B.<init>(int)", 10);
    let at_start = Candidate { first: place("com.acme.util.B.<clinit>:3 read x"), ..own.clone() };
    let vague = Candidate {
        block: "com.acme.Desk.take()".to_owned(),
        first: place("com.acme.Desk.take:1 read x"),
        last: place("com.acme.Desk.take:2 read y"),
        ..through()
    };
    let torn = Candidate {
        first: place("com.acme.Desk.take:1 write x"),
        last: place("com.acme.Desk.take:2 write y"),
        ..vague.clone()
    };
    let mut all = Candidates { own: Application::parse("com.acme.util:com.acme"), ..Candidates::new() };
    let told = |candidate: &Candidate, own: &Application| {
        let judged = candidate.judged(own);
        let is = [judged.initializes, judged.is_vague, judged.is_long, judged.is_library];
        let is: String = "ivnl".chars().zip(is).filter(|(_, is)| *is).map(|(letter, _)| letter).collect();
        (is, judged.weight())
    };
    for (candidate, is, weight) in [
        (&own, "", 0),
        (&library, "l", 1),
        (&long, "n", 1),
        (&sections, "", 0),
        (&made, "i", 4),
        (&at_start, "in", 5),
        (&vague, "v", 1),
        (&torn, "", 0),
    ] {
        assert_eq!(told(candidate, &all.own), (is.to_owned(), weight), "{candidate:?}");
        // If nothing is known, nothing is a library.
        assert_eq!(told(candidate, &Application::default()).0, is.replace('l', ""), "{candidate:?}");
    }
    let more = [20, 30, 40].map(|line| of("com.acme.util.B.own()", line));
    let [second, third, fourth] = &more;
    more.iter().chain([&library, &made, &own]).for_each(|candidate| _ = all.add(candidate.clone()));
    let next = |all: &Candidates| all.to_try(9).into_iter().map(|(it, _)| it.clone()).collect::<Vec<_>>();
    assert_eq!(next(&all), [&own, second, &library, third, fourth, &made].map(Clone::clone));
    // A candidate that was tried waits for all of its rank that were not.
    all.add_trials(own.clone(), trials(1, 0, 0));
    assert_eq!(next(&all), [second, &library, third, fourth, &made, &own].map(Clone::clone));
    let order: Vec<&Candidate> = all.in_order().into_iter().map(|(it, _)| it).collect();
    assert_eq!(order[4..], [&library, &made]);
}
