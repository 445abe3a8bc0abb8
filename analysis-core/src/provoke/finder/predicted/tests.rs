//! Candidates that take more than one access of another thread, by name; random traces are in the crate of tests.

use crate::provoke::finder::TOGETHER;
use crate::provoke::finder::trace::tests::of_text;
use crate::provoke::{Candidate, Step};

/// The candidates with several steps in a trace, whose lines are separated by blanks, each as its places.
fn with_steps(trace: &str) -> Vec<String> {
    let text = |candidate: &Candidate| {
        let Candidate { block, variable, first, hold, last, .. } = candidate;
        let step = |step: &Step| {
            let object = step.object.map_or("-".to_owned(), |object| object.to_string());
            let gate = step.gate.as_ref().map_or(String::new(), |gate| format!(" behind {gate}"));
            format!("; {} {object} {}{gate}", Step::letter(step.thread), step.place)
        };
        let steps: String = candidate.steps.iter().map(step).collect();
        format!("{block} {variable}: {first}; {hold}{steps}; {last}")
    };
    of_text(trace).iter().filter(|candidate| !candidate.steps.is_empty()).map(text).collect()
}

/// A synchronized call that accesses the balance of an account.
fn section(thread: &str, account: u32, verb: &str, line: u32) -> String {
    let lock = |op: &str| format!("{thread}|{op}(Account@{account})|a.Account.m:{line} ");
    format!("{}{thread}|{verb}(Account.balance@{account})|a.Account.m:{line} {}", lock("acq"), lock("rel"))
}

#[test]
fn two_accounts_are_read_while_money_is_under_way() {
    let total = format!("A|begin(a.B.total())|a.B.t:1 {}{}A|end ", section("A", 2, "r", 3), section("A", 3, "r", 3));
    let mv = format!("{}{}", section("B", 2, "w", 5), section("B", 3, "w", 5));
    assert_eq!(
        with_steps(&(total + &mv)),
        ["a.B.total() Account: a.Account.m:3 acquire; a.Account.m:3 release; b 0 a.Account.m:5 acquire; \
          b 1 a.Account.m:5 release; a.Account.m:3 acquire"]
    );
}

/// The block writes `in` and reads `out`; one thread carries what it finds from `in` to `mid`, another one from `mid` to `out`.
fn through(carriers: &str) -> String {
    format!("A|begin(a.T.ask())|a.T.a:1 A|w(C.in@1)|a.T.a:2 A|r(C.out@3)|a.T.a:3 A|end {carriers}")
}

const CARRIERS: &str = "B|r(C.in@1)|a.T.b:5 B|w(C.mid@2)|a.T.b:6 C|r(C.mid@2)|a.T.c:7 C|w(C.out@3)|a.T.c:8";

#[test]
fn one_thread_tells_a_third_one_that_changes_what_the_block_reads() {
    let held = |at: &str| {
        format!(
            "a.T.ask() C.in and C.mid and C.out: a.T.a:2 write in; {at}; b 0 a.T.b:5 read in; b 1 a.T.b:6 write mid; \
          c 1 a.T.c:7 read mid; c 2 a.T.c:8 write out; a.T.a:3 read out"
        )
    };
    assert_eq!(with_steps(&through(CARRIERS)), [held("a.T.a:2 write in"), held("a.T.a:3 read out")]);
}

/// How many candidates of a trace hold the thread before its last place.
fn held_before(trace: &str) -> usize {
    of_text(trace).iter().filter(|candidate| candidate.is_held_before()).count()
}

#[test]
fn a_thread_is_held_before_its_last_place_only_where_others_can_come() {
    assert_eq!(held_before(&through(CARRIERS)), 1);
    // Before its last place it can be held even if it gives one of the others its task in between.
    let task = |thread: &str, verb: &str| format!("{thread}|{verb}(task+given+to+an+executor@7)|a.T.x:9 ");
    let given = through(CARRIERS).replace("A|r(C.out@3)", &format!("{}A|r(C.out@3)", task("A", "w")));
    let given = given.replace("B|r(C.in@1)", &format!("{}B|r(C.in@1)", task("B", "r")));
    assert_eq!((held_before(&given), with_steps(&given).len()), (1, 1));
    // Others need the lock that it holds there.
    let locked = |trace: String, thread: &str, access: &str| {
        let (lock, free) = (format!("{thread}|acq(L@9)|a.T.l:9 "), format!(" {thread}|rel(L@9)|a.T.l:9"));
        trace.replace(access, &format!("{lock}{access}{free}"))
    };
    let own = locked(through(CARRIERS), "A", "A|r(C.out@3)|a.T.a:3");
    assert_eq!(held_before(&own), 1);
    assert_eq!(held_before(&locked(own, "C", "C|r(C.mid@2)|a.T.c:7")), 0);
    // What it publishes in a call within another one is not complete when that call ends.
    let within = through(CARRIERS).replace("A|begin(a.T.ask())", "A|begin(a.T.ask())|a.T.a:1 A|begin(a.T.ask())");
    assert_eq!(held_before(&within.replace("A|end", "A|end A|end")), 0);
    // The object of the last place has to be known.
    assert_eq!(held_before(&through(CARRIERS).replace("C.out@3", "C.out")), 0);
}

#[test]
fn a_third_thread_under_a_lock_of_the_others_waits_before_that() {
    let locked = CARRIERS
        .replace("B|w(C.mid@2)", "B|acq(L@9)|a.T.b:6 B|w(C.mid@2)")
        .replace("a.T.b:6 C|r", "a.T.b:6 B|rel(L@9)|a.T.b:6 C|acq(L@9)|a.T.c:7 C|r");
    let found = with_steps(&through(&(locked + " C|rel(L@9)|a.T.c:9")));
    assert!(found[0].contains("b 1 a.T.b:6 release; c 1 a.T.c:7 acquire"), "{found:?}");
}

#[test]
fn what_starts_joins_or_is_handed_over_the_other_way_is_none() {
    let started = format!(
        "A|begin(a.T.ask())|a.T.a:1 A|w(C.in@1)|a.T.a:2 A|r(C.out@3)|a.T.a:3 A|fork(B)|a.T.a:4 A|end {CARRIERS}"
    );
    assert!(with_steps(&started).is_empty());
    let joined = format!("{CARRIERS} A|join(C)|a.T.a:1 {}", through(""));
    assert!(with_steps(&joined).is_empty());
    let task = |thread: &str, verb: &str| format!("{thread}|{verb}(task+given+to+an+executor@7)|a.T.x:9 ");
    let handed = format!("{}{}{}{CARRIERS}", through(""), task("A", "w"), task("B", "r"));
    assert!(with_steps(&handed).is_empty(), "{:?}", with_steps(&handed));
}

#[test]
fn what_one_access_of_another_thread_does_is_left_to_the_finder() {
    let update = |t: &str| format!("{t}|begin(a.B.m())|a.B.m:1 {t}|r(C.x@1)|a.B.m:2 {t}|w(C.x@1)|a.B.m:3 {t}|end ");
    assert!(with_steps(&(update("A") + &update("B"))).is_empty());
    let twice = format!("A|begin(a.B.m())|a.B.m:1 {}{}A|end ", section("A", 2, "r", 3), section("A", 2, "w", 4));
    assert!(with_steps(&(twice + &section("B", 2, "w", 5))).is_empty());
}

/// Blocks like those of methods that a profile leaves out, or that do nothing which others see.
#[test]
fn blocks_in_which_nothing_happens_take_no_room() {
    let nothing = "B|begin(a.T.no())|a.T.n:1 C|begin(a.T.no())|a.T.n:1 B|end C|end ".repeat(TOGETHER / 2);
    let far = through(CARRIERS).replace("C|r(C.mid@2)", &format!("{nothing}C|r(C.mid@2)"));
    assert_eq!(with_steps(&far), with_steps(&through(CARRIERS)));
    // A block that begins and later has an event counts.
    let inside = through(CARRIERS).replace("A|w(C.in@1)", &format!("{nothing}A|w(C.in@1)"));
    assert_eq!(with_steps(&inside), with_steps(&through(CARRIERS)));
}
