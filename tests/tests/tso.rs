//! The analyses under TSO, checked against an enumeration of all executions by the definitions.
//!
//! `REGIONTRACK_TSO=N` runs N random traces instead of the default; `cargo xtask test --full` runs 100 000. A failure
//! prints the seed and the smallest trace that still shows it.

use analysis_core::event::{Event, LabelId, Op, VarId};
use analysis_core::tso::program::Memory;
use analysis_core::tso::{self, Answer, WORK};
use rayon::prelude::*;
use regiontrack_tests::tso::definition::{Execution, Program, is_feasible};
use regiontrack_tests::tso::programs::Fences;
use regiontrack_tests::tso::{orientations, placements, programs, random};
use regiontrack_tests::{compare as engines, shrink, text};

const DEFAULT: u64 = 2_000;

fn traces() -> u64 {
    let Ok(asked) = std::env::var("REGIONTRACK_TSO") else { return DEFAULT };
    asked.parse().unwrap_or_else(|_| panic!("REGIONTRACK_TSO is {asked}; give it a number of traces"))
}

/// Asserts `check` for every random trace.
fn for_random_traces(check: impl Fn(&[Event], u64) -> Result<(), String> + Sync) {
    let failure = (0..traces()).into_par_iter().find_map_first(|seed| {
        let trace = random::trace(seed);
        check(&trace, seed).err()?;
        let small = shrink::shrink(&trace, |trace| check(trace, seed).is_err());
        let why = check(&small, seed).expect_err("it still fails");
        Some(format!("seed {seed}: {why}\n{}", text::to_std(&small)))
    });
    if let Some(failure) = failure {
        panic!("{failure}");
    }
}

fn answer<'a>(name: &str, events: &'a [Event]) -> Answer<'a> {
    tso::find(name).expect("an algorithm of that name").check(events, WORK)
}

/// Compares a verdict with the right one, and checks the witness.
fn compare(name: &str, events: &[Event], is_right: bool) -> Result<(), String> {
    match answer(name, events) {
        Answer::Clean if is_right => Ok(()),
        Answer::Violation(found) if !is_right => {
            let execution = &found.witness().execution.events;
            if !is_feasible(execution) {
                return Err(format!("{name}: its witness is not an execution:\n{}", text::to_std(execution)));
            }
            let reference = Execution::new(execution);
            let is_fine = if name == "robustness" { reference.is_robust() } else { reference.is_serializable() };
            if is_fine {
                return Err(format!("{name}: its witness has no cycle:\n{}", text::to_std(execution)));
            }
            Ok(())
        }
        Answer::Clean => Err(format!("{name} finds nothing, and there is a cycle")),
        Answer::Violation(found) => {
            let execution = &found.witness().execution.events;
            Err(format!("{name} finds a cycle, and there is none:\n{}", text::to_std(execution)))
        }
        Answer::Undecided(why) | Answer::Unsuitable(why) => Err(format!("{name}: {why}")),
    }
}

#[test]
fn the_reference_that_shares_beginnings_says_the_same_as_the_literal_one() {
    for_random_traces(|trace, _| {
        let literal = (placements::is_serializable(trace), placements::is_robust(trace));
        let shared = placements::verdicts(trace);
        if shared == literal { Ok(()) } else { Err(format!("{shared:?}, and by the definition {literal:?}")) }
    });
}

#[test]
fn executions_are_judged_as_by_the_definition() {
    for_random_traces(|trace, seed| {
        for execution in (0..4).map(|more| random::execution(trace, seed * 4 + more)) {
            if tso::has_commits(&execution) {
                let reference = Execution::new(&execution);
                compare("tso-execution", &execution, reference.is_serializable())?;
                compare("robustness", &execution, reference.is_robust())?;
            }
        }
        Ok(())
    });
}

#[test]
fn traces_are_judged_as_by_all_placements_of_commits() {
    for_random_traces(|trace, _| compare("tso-trace", trace, placements::is_serializable(trace)));
}

#[test]
fn robustness_of_traces_is_judged_as_by_all_placements_of_commits() {
    for_random_traces(|trace, _| compare("robustness", trace, placements::is_robust(trace)));
}

#[test]
fn the_monitor_of_fenced_traces_reports_only_what_is_there() {
    for_random_traces(|trace, _| match answer("tso-fenced", trace) {
        Answer::Violation(_) => compare("tso-fenced", trace, placements::is_serializable(trace)),
        _ => Ok(()),
    });
}

/// Removes blocks, so that events may be reordered: blocks begin and end where their accesses are.
fn without_blocks(events: &[Event]) -> Vec<Event> {
    events.iter().copied().filter(|event| !matches!(event.op, Op::Begin(_) | Op::End)).collect()
}

#[test]
fn proposition_1_a_conflict_preserving_permutation_is_an_execution_in_which_reads_get_the_same_values() {
    for_random_traces(|trace, seed| {
        let events = without_blocks(&random::execution(trace, seed));
        let execution = Execution::new(&events);
        let sources = execution.sources();
        let mut order: Vec<usize> = (0..events.len()).collect();
        for step in 0..60 {
            // Walks through the permutations by swapping two neighbours at a time.
            let places = order.len().saturating_sub(1);
            let at = (seed as usize).wrapping_mul(31).wrapping_add(step * 7) % places.max(1);
            if places == 0
                || execution.conflict(order[at].min(order[at + 1]), order[at].max(order[at + 1]), Program::Tso)
            {
                continue;
            }
            order.swap(at, at + 1);
            let permuted: Vec<Event> = order.iter().map(|place| events[*place]).collect();
            if !is_feasible(&permuted) {
                return Err(format!("not an execution:\n{}", text::to_std(&permuted)));
            }
            let original = |place: usize| order[place];
            let mut found: Vec<(usize, Option<usize>)> = Execution::new(&permuted)
                .sources()
                .into_iter()
                .map(|(read, write)| (original(read), write.map(original)))
                .collect();
            found.sort_unstable();
            if found != sources {
                return Err(format!("reads get other values in\n{}", text::to_std(&permuted)));
            }
        }
        Ok(())
    });
}

#[test]
fn proposition_2_what_is_not_serializable_as_an_execution_is_not_as_a_trace() {
    for_random_traces(|trace, seed| {
        let execution = random::execution(trace, seed);
        let is_violating = |name| answer(name, &execution).is_violation();
        if tso::has_commits(&execution) && is_violating("tso-execution") && !is_violating("tso-trace") {
            return Err(format!("the trace is serializable:\n{}", text::to_std(&execution)));
        }
        Ok(())
    });
}

/// Facts about a program, from all its interleavings.
struct Facts {
    /// Every execution through store buffers is serializable.
    is_tso_serializable: bool,
    /// Every execution through store buffers is equivalent to one without.
    is_robust: bool,
    /// Every execution without store buffers is serializable.
    is_sc_serializable: bool,
    /// The monitor of fenced programs finds nothing in any run without delays.
    is_clean_for_the_monitor: bool,
}

impl Facts {
    fn of(program: &programs::Program, is_fenced: bool, fences: Fences) -> Facts {
        let always =
            |holds: &dyn Fn(&[Event]) -> bool| !programs::any_interleaving(program, fences, &mut |trace| !holds(trace));
        Facts {
            is_tso_serializable: always(&|trace| !answer("tso-trace", trace).is_violation()),
            is_robust: always(&|trace| !answer("robustness", trace).is_violation()),
            is_sc_serializable: always(&is_serializable_without_delays),
            is_clean_for_the_monitor: !is_fenced
                || always(&|trace| match answer("tso-fenced", trace) {
                    Answer::Clean => true,
                    Answer::Violation(_) => false,
                    Answer::Undecided(why) | Answer::Unsuitable(why) => panic!("{why}\n{}", text::to_std(trace)),
                }),
        }
    }
}

fn is_serializable_without_delays(trace: &[Event]) -> bool {
    let mut engine = (engines::reference().build)();
    engine.feed(trace);
    !engine.findings().is_non_serializable()
}

/// Asserts `check` for random programs, a tenth as many as traces, because each has many interleavings. For those beyond
/// the default number only the interleavings are taken whose executions include those of the others.
fn for_random_programs(is_fenced: bool, check: impl Fn(&Facts) -> Result<(), &'static str> + Sync) {
    let failure = (0..traces() / 10).into_par_iter().find_map_first(|seed| {
        let program = programs::random(seed, is_fenced);
        let fences = if seed < DEFAULT / 10 { Fences::Anywhere } else { Fences::Late };
        let why = check(&Facts::of(&program, is_fenced, fences)).err()?;
        Some(format!("seed {seed}: {why}: {program:?}"))
    });
    if let Some(failure) = failure {
        panic!("{failure}");
    }
}

#[test]
fn theorem_2_a_robust_program_that_is_serializable_without_delays_is_serializable_under_tso() {
    for_random_programs(false, |facts| {
        let is_expected = facts.is_robust && facts.is_sc_serializable;
        if is_expected && !facts.is_tso_serializable { Err("not serializable under TSO") } else { Ok(()) }
    });
}

#[test]
fn theorem_3_a_fenced_program_is_serializable_under_tso_iff_robust_and_serializable_without_delays() {
    for_random_programs(true, |facts| {
        if facts.is_tso_serializable != (facts.is_robust && facts.is_sc_serializable) {
            return Err("the theorem does not hold");
        }
        if facts.is_tso_serializable != facts.is_clean_for_the_monitor {
            return Err("the monitor says something else");
        }
        Ok(())
    });
}

#[test]
fn theorem_3_the_monitor_follows_reads_that_come_before_writes_of_other_threads() {
    // Only if a's write waits while b writes y and then reads x, a comes both before and after b.
    let (x, y) = (VarId(0), VarId(1));
    let begin = Op::Begin(LabelId::NONE);
    let program = vec![
        vec![begin, Op::Write(x), Op::Read(y), Op::Fence, Op::End],
        vec![begin, Op::Write(y), Op::Fence, Op::End, begin, Op::Read(x), Op::Fence, Op::End],
    ];
    let facts = Facts::of(&program, true, Fences::Anywhere);
    assert!(facts.is_sc_serializable && !facts.is_robust && !facts.is_tso_serializable);
    assert!(!facts.is_clean_for_the_monitor);
}

#[test]
fn theorem_3_the_monitor_keeps_each_write_that_a_read_follows() {
    // Only the first write of x waits long enough that a comes before b, by y, and after it.
    let trace = "a|begin a|w(x) a|r(y) a|w(x) b|begin b|w(y) b|r(x) b|fence b|end a|fence a|end";
    let trace = text::read(trace).expect("a trace").events;
    assert!(!placements::is_serializable(&trace));
    assert!(answer("tso-fenced", &trace).is_violation());
}

#[test]
fn theorem_3_the_monitor_follows_nothing_that_came_before_the_path() {
    // c follows what b did before b came after a, so a's write may wait past c's read of x.
    let trace =
        "b|begin b|w(z) b|fence b|end a|begin a|w(x) a|r(y) b|begin b|w(y) b|fence b|end c|r(z) c|r(x) a|fence a|end";
    let trace = text::read(trace).expect("a trace").events;
    assert!(placements::is_serializable(&trace));
    assert!(matches!(answer("tso-fenced", &trace), Answer::Clean));
}

#[test]
fn theorem_3_the_monitor_searches_a_window_of_many_writes_like_one_of_few() {
    let writes = |of: &str| -> String { (0..100).map(|number| format!("a|w({of}{number}) ")).collect() };
    let (others, more) = (writes("o"), writes("p"));
    let is_found = |trace: &str| match answer("tso-fenced", &text::read(trace).expect("a trace").events) {
        Answer::Violation(found) => found.witness().delays.len() == 1,
        answer => !matches!(answer, Answer::Clean),
    };
    // What else a writes makes no difference.
    let b = "b|begin b|w(y) b|r(x) b|fence b|end";
    assert!(is_found(&format!("a|begin {others} a|w(x) {more} a|r(y) {b} a|end a|fence")));
    assert!(is_found(&format!("a|begin a|w(x) a|r(y) {others} {b} a|end a|fence")));
    assert!(!is_found(&format!("a|begin {others} a|r(y) {more} a|w(x) {b} a|end a|fence")));
    assert!(!is_found(&format!("a|begin a|w(x) {others} a|r(y) a|fence {more} {b} a|end a|fence")));
    // What is known of one window is not used for the next.
    let looked = format!("a|begin a|w(x) {others} a|r(y) b|w(y) b|fence b|r(q) a|end a|fence");
    assert!(!is_found(&looked));
    assert!(is_found(&format!(
        "{looked} a|begin a|w(o1) {more} a|r(z) b|begin b|w(z) b|r(p7) b|fence b|end a|end a|fence"
    )));
    assert!(!is_found(&format!(
        "{looked} a|begin a|w(o1) {more} a|r(z) b|begin b|w(z) b|r(o7) b|fence b|end a|end a|fence"
    )));
}

#[test]
fn a_cycle_of_which_each_part_spans_two_threads_is_found() {
    // a comes before c, and b before d, by what they read; c before b, and d before a, if the writes of q and y wait. The
    // last reads of a and b make the chains of the certain order follow these threads instead of c and d.
    let trace = "a|begin a|r(s) a|w(q) a|end a|r(n) b|begin b|r(p) b|w(y) b|end b|r(n) \
                 c|begin c|w(s) c|r(y) c|end d|begin d|w(p) d|r(q) d|end";
    let trace = text::read(trace).expect("a trace").events;
    assert!(!placements::is_serializable(&trace));
    compare("tso-trace", &trace, false).expect("a right witness");
}

#[test]
fn theorem_5_a_trace_that_is_not_serializable_has_an_acyclic_orientation_with_a_cycle_of_transactions() {
    for_random_traces(|trace, _| {
        let is_violating = answer("tso-trace", trace).is_violation();
        match orientations::has_cycle_of_transactions(trace) {
            Some(false) if is_violating => Err("no orientation has a cycle".to_owned()),
            _ => Ok(()),
        }
    });
}

/// A trace for which the printed theorem claims too much: all its executions are serializable, but an acyclic
/// orientation has a cycle of transactions.
fn assert_orientations_say_too_much(trace: &str) {
    let trace = text::read(trace).expect("a trace").events;
    assert!(placements::is_serializable(&trace));
    assert!(!answer("tso-trace", &trace).is_violation());
    assert_eq!(orientations::has_cycle_of_transactions(&trace), Some(true));
}

#[test]
fn theorem_5_as_printed_lets_a_write_come_between_a_buffered_read_and_its_write() {
    // If b's write comes after a's, it also comes after the read that a's write serves or follows.
    assert_orientations_say_too_much("a|begin a|w(x) a|r(x) a|end b|w(x)");
}

#[test]
fn theorem_5_as_printed_lets_reads_of_two_threads_change_places() {
    // b reads y after a's second write; then c reads x before a's first write. This order is impossible.
    assert_orientations_say_too_much(
        "a|begin a|w(x) a|w(y) a|end b|begin b|r(z) b|r(y) b|end c|begin c|r(x) c|w(z) c|end",
    );
}

#[test]
fn a_block_in_which_nothing_happens_comes_neither_after_a_fork_nor_before_a_join() {
    let trace = "a|begin a|fork(b) b|begin a|join(b) a|end";
    let trace = text::read(trace).expect("a trace").events;
    assert!(placements::is_serializable(&trace));
    for name in ["tso-trace", "robustness", "tso-fenced"] {
        compare(name, &trace, true).expect("nothing is there");
    }
}

#[test]
fn a_thread_in_which_nothing_happens_orders_nobody() {
    let trace = "c|begin c|w(y) a|begin a|fork(b) c|join(b) c|end a|r(y) a|end";
    let trace = text::read(trace).expect("a trace").events;
    assert!(placements::is_serializable(&trace));
    for name in ["tso-trace", "robustness", "tso-fenced"] {
        compare(name, &trace, true).expect("nothing is there");
    }
}

#[test]
fn every_join_of_a_thread_comes_after_what_it_did() {
    let trace = "a|begin a|w(x) b|r(x) c|join(b) a|join(b) a|end";
    let trace = text::read(trace).expect("a trace").events;
    assert!(!placements::is_serializable(&trace));
    for name in ["tso-trace", "tso-fenced"] {
        compare(name, &trace, false).expect("a right witness");
    }
}

/// Every program of [`programs::threads`], by default one of `part` of them.
#[test]
fn small_programs_are_judged_as_by_all_placements_of_commits() {
    let threads = programs::threads();
    let part = if traces() >= 100_000 { 1 } else { 199 };
    let pairs: Vec<(usize, usize)> = (0..threads.len()).flat_map(|a| (a..threads.len()).map(move |b| (a, b))).collect();
    let failure = pairs.par_iter().step_by(part).find_map_first(|&(a, b)| {
        let program = vec![threads[a].clone(), threads[b].clone()];
        let mut failure = None;
        programs::any_interleaving(&program, Fences::Anywhere, &mut |trace| {
            let (is_serializable, is_robust) = placements::verdicts(trace);
            let judged =
                compare("tso-trace", trace, is_serializable).and_then(|()| compare("robustness", trace, is_robust));
            failure = judged.err().map(|why| format!("{why}\n{}", text::to_std(trace)));
            failure.is_some()
        });
        failure
    });
    if let Some(failure) = failure {
        panic!("{failure}");
    }
    println!("{} programs", pairs.len().div_ceil(part));
}

/// The task pool of the paper's Figure 1: one task is left, one thread takes from the head and one from the tail.
const TASK_POOL: &str = "
    shared head = 0, tail = 1, pool = 7
    thread front {
        h = head
        head = h + 1
        t = tail
        if h + 1 <= t { atomic take { task = pool  pool = 0 } } else { head = h }
    }
    thread back {
        t = tail
        tail = t - 1
        h = head
        if h <= t - 1 { atomic take { task = pool  pool = 0 } } else { tail = t }
    }";

#[test]
fn figure_1_the_task_pool_violates_under_tso_and_not_under_sequential_consistency() {
    let program = analysis_core::tso::program::Program::parse(TASK_POOL).expect("a program");
    let (mut executions, mut violating, mut both) = (0, 0, 0);
    program.executions(Memory::Buffered, &mut |events| {
        executions += 1;
        let reference = Execution::new(events).is_serializable();
        assert_eq!(answer("tso-execution", events).is_violation(), !reference, "{}", text::to_std(events));
        let taken = events.iter().filter(|event| matches!(event.op, Op::Begin(_))).count();
        both += usize::from(taken == 2);
        violating += usize::from(!reference);
        false
    });
    println!("{executions} executions, {both} in which both threads take the task, {violating} not serializable");
    assert!(both > 0 && violating > 0);
    program.executions(Memory::Immediate, &mut |events| {
        assert!(is_serializable_without_delays(events), "{}", text::to_std(events));
        false
    });
}

#[test]
fn figure_1_with_fences_violates_nowhere() {
    let fenced = TASK_POOL.replace("h + 1\n", "h + 1 fence\n").replace("t - 1\n", "t - 1 fence\n");
    let program = analysis_core::tso::program::Program::parse(&fenced).expect("a program");
    program.executions(Memory::Buffered, &mut |events| {
        assert!(!answer("tso-execution", events).is_violation(), "{}", text::to_std(events));
        false
    });
}
