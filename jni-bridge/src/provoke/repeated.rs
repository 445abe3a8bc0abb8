//! `provoke=tests`: tests that are repeated within the run. The first repetition of a test *learns* its candidates, others are steered to them.
//!
//! The Java side repeats one test at a time. It asks what the next repetition is to do ([`Repeating::next`]), and reports when that is
//! over, with what it has learnt ([`Repeating::learnt`]) or without ([`Repeating::over`]). As with `regiontrack provoke`, a repetition
//! learns again after some that are steered, until two such in a row have learnt nothing new.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use analysis_core::provoke::Candidates;
use analysis_core::provoke::schedule::Test;
use analysis_core::report::Steered;

use super::seen::Scheduled;
use super::{Ended, Provoking, chosen, found};
use crate::shared::lock;

/// What a report names as the source of the candidates.
const SOURCE: &str = "@Provoke";
/// How many repetitions are steered between two that learn.
const ROUNDS: u32 = 4;
/// How many in a row that learn nothing new are enough; and how many if none has learnt anything: a pool can have let one thread do all of
/// it.
const ENOUGH: u32 = 2;
const ENOUGH_OF_NOTHING: u32 = 5;

/// The tests of a run that are repeated.
#[derive(Debug, Default)]
pub(crate) struct Repeating {
    /// Where schedules are to be written.
    schedules: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The candidates of the test that is repeated.
    candidates: Candidates,
    /// What the repetition is steered to.
    steered: Option<Arc<Provoking>>,
    /// How many repetitions were steered since the test last learnt; `None` if it has not learnt.
    rounds: Option<u32>,
    /// How many repetitions in a row have learnt nothing new.
    in_vain: u32,
    /// The test, if the Java side has named it.
    test: Option<Test>,
    /// What is known of all tests.
    all: All,
}

#[derive(Debug, Default)]
struct All {
    /// The number of the next candidate, as the Java side calls it.
    next: usize,
    /// How many tests of each name there were.
    tests: HashMap<String, u64>,
    /// What the tests that are over have shown.
    total: Steered,
    /// The schedules of what was provoked in them.
    schedules: Vec<Scheduled>,
}

/// What a repetition is to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Learn what could be violated in it.
    Learn,
    /// Be steered by this plan, as `Plan.java` reads it.
    Steer(String),
    /// Nothing: nothing is left to try.
    End,
}

impl Repeating {
    /// Schedules are written into this folder, if there is one.
    pub(crate) fn new(schedules: Option<&Path>) -> Repeating {
        Repeating { schedules: schedules.map(Path::to_owned), ..Repeating::default() }
    }

    /// Sets the name of the test to be repeated next; empty if an older `regiontrack-junit` does not report it.
    pub(crate) fn name(&self, name: &str) {
        let state = &mut *lock(&self.state);
        state.test = None;
        if name.is_empty() {
            return;
        }
        let nth = state.all.tests.entry(name.to_owned()).or_default();
        *nth += 1;
        state.test = Some(Test { name: name.to_owned(), nth: *nth });
    }

    /// Begins to repeat a test.
    pub(crate) fn begin(&self) {
        let state = &mut *lock(&self.state);
        let State { test, all, .. } = std::mem::take(state);
        (state.test, state.all) = (test, all);
    }

    /// What the next repetition of the test is to do.
    pub(crate) fn next(&self) -> Next {
        let state = &mut *lock(&self.state);
        let is_left = !state.candidates.to_try(1).is_empty();
        let enough = if state.candidates.is_empty() { ENOUGH_OF_NOTHING } else { ENOUGH };
        let is_learnt = state.in_vain >= enough;
        match state.rounds {
            Some(rounds) if is_left && (rounds < ROUNDS || is_learnt) => {
                // A test without a name could not be found again.
                let (schedules, test) = (self.schedules.clone().filter(|_| state.test.is_some()), state.test.clone());
                let run = Provoking { schedules, test, ..Provoking::of(chosen(&state.candidates, 0), state.all.next) };
                state.all.next += Candidates::MOST_AT_ONCE;
                state.rounds = Some(rounds + 1);
                let plan = run.plan();
                state.steered = Some(Arc::new(run));
                Next::Steer(plan)
            }
            Some(_) if is_learnt => Next::End,
            _ => Next::Learn,
        }
    }

    /// Ends a repetition that learns: takes its candidates.
    pub(crate) fn learnt(&self, found: &Candidates) {
        let state = &mut *lock(&self.state);
        let is_new = state.candidates.add_new(found) > 0;
        state.in_vain = if is_new { 0 } else { state.in_vain + 1 };
        state.rounds = Some(0);
    }

    /// Ends a steered repetition, once all that it has led to is known. Blocks of `waiting` were violated so far only where they wait for
    /// other threads.
    pub(crate) fn over(&self, waiting: &BTreeSet<String>) {
        let state = &mut *lock(&self.state);
        let Some(run) = state.steered.take() else { return };
        let outcomes = run.outcomes(waiting);
        state.candidates.add_run(outcomes.iter().map(|(id, outcome)| (id.as_str(), *outcome)));
        state.all.total.runs += 1;
        state.all.total.held_ms += run.held_ms();
        for next in run.scheduled() {
            let is_it = |known: &&mut Scheduled| {
                known.schedule.candidate == next.schedule.candidate && known.schedule.test == next.schedule.test
            };
            match state.all.schedules.iter_mut().find(is_it) {
                Some(known) if known.worth() < next.worth() => *known = next,
                Some(_) => {}
                None => state.all.schedules.push(next),
            }
        }
    }

    /// Ends the test.
    pub(crate) fn end(&self, waiting: &BTreeSet<String>) {
        self.over(waiting);
        let State { candidates, test, all: All { total, .. }, .. } = &mut *lock(&self.state);
        for (_, trials) in candidates.in_order() {
            total.candidates += u64::from(trials.tries > 0);
            total.held += u64::from(trials.held > 0);
            total.met += u64::from(trials.met > 0);
            total.confirmed += u64::from(trials.is_confirmed);
        }
        *candidates = Candidates::new();
        *test = None;
    }

    /// What the running repetition is steered to, if it is steered.
    pub(crate) fn steered(&self) -> Option<Arc<Provoking>> {
        lock(&self.state).steered.clone()
    }

    /// What all tests have shown; `None` if none was steered.
    pub(crate) fn finish(&self, waiting: &BTreeSet<String>) -> Option<Ended> {
        self.end(waiting);
        let All { total, schedules, .. } = &lock(&self.state).all;
        (total.runs > 0).then(|| Ended {
            steered: Steered { file: SOURCE.to_owned(), ..total.clone() },
            schedules: found(schedules.clone(), waiting),
            warnings: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use analysis_core::provoke::Candidate;
    use analysis_core::provoke::schedule::file_of;
    use analysis_core::report::Provoked;

    use super::*;
    use crate::provoke::tests::{event, shown};

    /// A candidate whose places are at these lines.
    fn candidate(line: u32) -> Candidate {
        let place = |line: u32, what: &str| format!("app.A.f:{line} {what}").parse().expect("a place");
        Candidate {
            block: "app.A.f()".to_owned(),
            variable: "A.x".to_owned(),
            first: place(line, "read x"),
            hold: place(line, "read x"),
            last: place(line + 1, "write x"),
            other: place(line + 2, "write x"),
            enter: None,
            steps: Vec::new(),
        }
    }

    fn candidates(lines: impl IntoIterator<Item = u32>) -> Candidates {
        let mut all = Candidates::new();
        lines.into_iter().for_each(|line| _ = all.add(candidate(line)));
        all
    }

    /// What each of the next repetitions does: `l` learns these candidates, `s` is steered, and `.` is the end.
    fn rounds(repeating: &Repeating, learns: &[&[u32]]) -> String {
        let (mut done, mut learns) = (String::new(), learns.iter());
        loop {
            match repeating.next() {
                Next::Learn => {
                    done.push('l');
                    let found = learns.next().copied().unwrap_or_default();
                    repeating.learnt(&candidates(found.iter().copied()));
                }
                Next::Steer(_) => {
                    done.push('s');
                    repeating.over(&BTreeSet::new());
                }
                Next::End => return done + ".",
            }
        }
    }

    #[test]
    fn a_test_without_candidates_learns_five_times_and_one_with_some_until_nothing_is_new_and_nothing_left() {
        let repeating = Repeating::default();
        repeating.begin();
        assert_eq!(rounds(&repeating, &[]), "lllll.");
        // Nobody comes to the place: eight tries are enough. Learnt again after four, and after eight.
        repeating.begin();
        assert_eq!(rounds(&repeating, &[&[10]]), "lssssl".to_owned() + "ssssl.");
        // Two repetitions that learn nothing new, one after the other, are the last ones.
        repeating.begin();
        assert_eq!(rounds(&repeating, &[&[10], &[10], &[10, 20]]), "lsssslsssslsssslssssl.");
        // What one test has shown is not tried in another one.
        repeating.begin();
        repeating.learnt(&candidates([30]));
        repeating.begin();
        assert_eq!(rounds(&repeating, &[]), "lllll.");
    }

    /// The next repetition is steered, and a block of this method is violated in it, at a place that its thread has passed so often. The file of its schedule, if it has one.
    fn provoke(repeating: &Repeating, times: u64, method: &str) -> Option<String> {
        let Next::Steer(plan) = repeating.next() else { panic!("there is something to try") };
        let index = plan.split('\t').next().expect("a number");
        let run = repeating.steered().expect("it is steered");
        run.held(3, &format!("{index}\t2000\t1\t7"));
        run.met(3, &format!("met\t{index}\t7\ttest\t{times}\t{times}\ttest app.A.run:7 1\t1"));
        let path = [event("app.A.f()", "A.java:10", "A.x")];
        let provoked = run.provoked(shown(3, 7, 9, method, &path));
        let Some(Provoked::Held { schedule, .. }) = provoked else { panic!("it was held") };
        schedule
    }

    /// The same, and the repetition is over.
    fn happens(repeating: &Repeating, times: u64, method: &str) -> Option<String> {
        let schedule = provoke(repeating, times, method);
        repeating.over(&BTreeSet::new());
        schedule
    }

    #[test]
    fn what_happens_in_a_test_leaves_a_schedule_of_it() {
        let folder = Path::new("schedules");
        let run = |repeating: &Repeating, name: Option<&str>, times: u64, confirms: bool| {
            name.into_iter().for_each(|name| repeating.name(name));
            repeating.begin();
            repeating.learnt(&candidates([10]));
            let method = if confirms { "app.A.f()" } else { "app.A.caller()" };
            let schedule = happens(repeating, times, method);
            repeating.end(&BTreeSet::new());
            schedule
        };
        let repeating = Repeating::new(Some(folder));
        // A parameterized test: each one has a file.
        let files = [1, 2].map(|nth| {
            let test = Test { name: "app.ATest.two()".to_owned(), nth };
            file_of(folder, &candidate(10).id(), Some(&test)).display().to_string()
        });
        assert_eq!(run(&repeating, Some("app.ATest.two()"), 1, false).as_ref(), Some(&files[0]));
        assert_eq!(run(&repeating, Some("app.ATest.two()"), 2, true).as_ref(), Some(&files[1]));
        assert_ne!(files[0], files[1]);
        // An older regiontrack-junit does not say which test it is.
        assert_eq!(run(&repeating, None, 4, true), None);
        assert_eq!(run(&repeating, Some(""), 4, true), None);
        let schedules = repeating.finish(&BTreeSet::new()).expect("some").schedules;
        let [_, second] = &schedules[..] else { panic!("{schedules:?}") };
        let expected = "test app.ATest.two() 2\nthread a test\nthread b test app.A.run:7 1\npoint a hold 2\npoint b other 1\nend\n";
        assert!(second.schedule.to_text().ends_with(expected), "{second:?}");
        assert_eq!(schedules.iter().map(|one| &one.method[..]).collect::<Vec<_>>(), ["app.A.caller()", "app.A.f()"]);
        assert_eq!(run(&Repeating::default(), Some("app.ATest.two()"), 1, true), None);
    }

    #[test]
    fn what_was_violated_only_where_it_waits_is_tried_again() {
        let (waiting, none) = (BTreeSet::from(["app.A.f()".to_owned()]), BTreeSet::new());
        let confirmed = |waits: &[bool]| {
            let repeating = Repeating::new(Some(Path::new("schedules")));
            repeating.name("app.ATest.two()");
            repeating.begin();
            repeating.learnt(&candidates([10]));
            for waits in waits {
                provoke(&repeating, 1, "app.A.f()");
                repeating.over(if *waits { &waiting } else { &none });
            }
            let is_left = !lock(&repeating.state).candidates.to_try(1).is_empty();
            (repeating.finish(&BTreeSet::new()).expect("it was steered").steered.confirmed, is_left)
        };
        assert_eq!(confirmed(&[true]), (0, true));
        assert_eq!(confirmed(&[false]), (1, false));
        assert_eq!(confirmed(&[true, false]), (1, false));
    }

    #[test]
    fn of_several_runs_of_a_test_the_schedule_is_kept_that_is_worth_most() {
        let repeating = Repeating::new(Some(Path::new("schedules")));
        repeating.name("app.ATest.two()");
        repeating.begin();
        repeating.learnt(&candidates([10]));
        for (times, method) in [(1, "app.A.caller()"), (2, "app.A.caller()"), (3, "app.A.f()")] {
            happens(&repeating, times, method);
            let kept = if times < 3 { 1 } else { 3 };
            let schedules = &lock(&repeating.state).all.schedules;
            assert!(schedules.len() == 1 && schedules[0].schedule.points[0].times == kept, "{schedules:?}");
        }
    }

    #[test]
    fn a_hold_that_is_told_late_counts_for_no_other_repetition() {
        let repeating = Repeating::default();
        repeating.begin();
        assert!(repeating.steered().is_none());
        repeating.learnt(&candidates([10, 20]));
        let Next::Steer(plan) = repeating.next() else { panic!("there is something to try") };
        let numbers =
            |plan: &str| plan.lines().map(|line| line.split('\t').next().map(str::to_owned)).collect::<Vec<_>>();
        assert_eq!(numbers(&plan), [Some("0".to_owned()), Some("1".to_owned())]);
        let run = repeating.steered().expect("it is steered");
        run.held(3, "1\t2000\t1\t7");
        let path = [event("app.A.f()", "A.java:20", "A.x")];
        assert!(run.provoked(shown(3, 7, 9, "app.A.f()", &path)).is_some());
        repeating.over(&BTreeSet::new());
        assert!(repeating.steered().is_none());
        let Next::Steer(plan) = repeating.next() else { panic!("the other one is left") };
        assert_eq!(numbers(&plan), [Some(Candidates::MOST_AT_ONCE.to_string())]);
        // Of the run before.
        let run = repeating.steered().expect("it is steered");
        run.held(3, "1\t9000\t1\t7");
        assert!(run.provoked(shown(3, 7, 9, "app.A.f()", &path)).is_none());
        run.held(3, &format!("{}\t3000\t0\t7", Candidates::MOST_AT_ONCE));
        let total = repeating.finish(&BTreeSet::new()).expect("there were some");
        let Steered { file, runs, candidates, held, met, confirmed, held_ms, .. } = total.steered;
        assert_eq!((&*file, runs, candidates, held, met, confirmed, held_ms), ("@Provoke", 2, 2, 2, 1, 1, 5));
    }
}
