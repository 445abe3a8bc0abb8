//! The rounds of `provoke`: which run comes next, and when to stop.

use std::path::Path;
use std::time::{Duration, Instant};

use analysis_core::provoke::{self, Candidates, State};
use analysis_core::report::saved::Saved;
use anyhow::Result;

use super::result::{ByChance, Confirmed, Ended, Seen};
use crate::candidates::{add, count};
use crate::merge;

/// Learning ends after this many runs in a row that learn nothing.
const ENOUGH_LEARNT: u32 = 2;
/// After this many rounds in a row that reach no candidate's places, a run learns, or the search ends.
const ENOUGH_UNSTEERED: u32 = 2;
/// After this many steered rounds, a run learns again even if candidates are left: another order of the threads shows
/// others.
const STEERED_ROUNDS: u32 = 4;
/// Why the search ends if no round reaches a candidate's places.
const ELSEWHERE: &str = "no JVM of the command has loaded a class with a place of the candidates; if they are those of another program, or of its sources \
                         before an edit, take them out: regiontrack candidates drop FILE --state again new";
/// The assumed number of steps for a round with priorities, if none has counted its steps yet.
const FIRST_STEPS: u64 = 10_000;

/// The runs of a program.
pub(super) trait Runs {
    /// Makes a learning run, which shows candidates.
    fn learn(&mut self) -> Result<(Candidates, Observed)>;

    /// Makes a round of at most `most` runs, steered by the candidates in `file`, to which each JVM adds its results.
    fn steer(&mut self, file: &Path, most: u64) -> Result<Observed>;

    /// Makes a round of at most `most` runs with random thread priorities, which change somewhere within `steps` steps.
    /// The first run has this seed, each further run the next one.
    fn shuffle(&mut self, seed: u64, steps: u64, most: u64) -> Result<Observed>;

    /// The signal that stopped the last run; no further run may begin then.
    fn stopped(&self) -> Option<&'static str> {
        None
    }
}

/// The results of one or more runs.
#[derive(Default)]
pub(super) struct Observed {
    /// The number of runs.
    pub(super) runs: u64,
    /// Their merged report, if there is any.
    pub(super) report: Option<Saved>,
    /// Provoked findings, with the candidates that led to them.
    pub(super) confirmed: Vec<Confirmed>,
    /// Findings for which no thread was held.
    pub(super) seen: Vec<Seen>,
    /// Findings of runs with random priorities.
    pub(super) random: Vec<ByChance>,
    /// The number of steps that the longest run with priorities has counted.
    pub(super) steps: Option<u64>,
    /// How each run ended, in the system's words.
    pub(super) ends: Vec<String>,
    /// Warnings for the user.
    pub(super) warnings: Vec<String>,
    /// Why some runs could not be made.
    pub(super) failed: Option<anyhow::Error>,
    /// Whether some runs took too long and were ended.
    pub(super) is_cut: bool,
    /// Whether a killed JVM left no report.
    pub(super) is_lost: bool,
    /// The number of runs with a cycle and no block to blame.
    pub(super) cycles: u64,
}

/// The limit after which no further run begins.
#[derive(Clone, Copy)]
pub(super) enum Budget {
    /// After this many runs.
    Runs(u64),
    /// At this time.
    Until(Instant),
}

impl Budget {
    /// Whether the budget is spent after this many runs, at this time.
    pub(super) fn is_spent(self, runs: u64, now: Instant) -> bool {
        match self {
            Budget::Runs(_) => self.left(runs) == 0,
            Budget::Until(end) => now >= end,
        }
    }

    /// The same budget, ending no later than `time` if it is a time.
    pub(super) fn at_most(self, time: Instant) -> Budget {
        match self {
            Budget::Until(end) => Budget::Until(end.min(time)),
            runs @ Budget::Runs(_) => runs,
        }
    }

    /// The same budget, ending earlier by `left` if it is a time.
    fn without(self, left: Duration) -> Budget {
        match self {
            Budget::Until(end) => Budget::Until(end.checked_sub(left).unwrap_or(end)),
            runs @ Budget::Runs(_) => runs,
        }
    }

    /// The number of runs that may follow after this many; unlimited if the budget is a time.
    fn left(self, runs: u64) -> u64 {
        match self {
            Budget::Runs(most) => most.saturating_sub(runs),
            Budget::Until(_) => u64::MAX,
        }
    }
}

/// Runs until the budget is spent, or nothing is left to try or to learn. Candidates that were confirmed before are
/// tried again, because the program may have changed. Once there are schedules, the time `left` is reserved for them.
/// `tell` gets a line after each round.
pub(super) fn search(
    runs: &mut impl Runs,
    file: &Path,
    budget: Budget,
    left: Duration,
    tell: impl Fn(&str),
) -> Result<Ended> {
    if provoke::read(file)?.is_some_and(|known| !known.of(State::Confirmed).is_empty()) {
        change(file, |known| _ = known.try_again())?;
    }
    let mut ended = Ended::default();
    let (mut learnt_nothing, mut unsteered, mut rounds, mut has_steered) = (0, 0, 0, false);
    while ended.stopped.is_none() && runs.stopped().is_none() {
        let search = if ended.schedules_by_worth().is_empty() { budget } else { budget.without(left) };
        if search.is_spent(ended.runs, Instant::now()) {
            break;
        }
        let known = provoke::read(file)?.unwrap_or_default();
        let has_learnt_all = learnt_nothing == ENOUGH_LEARNT;
        if known.to_try(1).is_empty() && has_learnt_all {
            break;
        }
        // The file's candidates may be those of a program that has changed since.
        let is_due = rounds >= STEERED_ROUNDS || unsteered == ENOUGH_UNSTEERED;
        if known.to_try(1).is_empty() || is_due && !has_learnt_all {
            if unsteered == ENOUGH_UNSTEERED {
                change(file, |known| known.pass_over(usize::MAX, ENOUGH_UNSTEERED.into()))?;
            }
            (rounds, unsteered) = (0, 0);
            let Some((new, mut observed)) = ended.unless_failed(runs.learn())? else { break };
            for end in std::mem::take(&mut observed.ends) {
                *ended.learnt_ends.entry(end).or_default() += 1;
            }
            let added = add(file, &new)?;
            learnt_nothing = if added == 0 { learnt_nothing + 1 } else { 0 };
            ended.learnt += observed.runs;
            ended.add(observed)?;
            tell(&format!("{}: learnt {}", runs_so_far(&ended), count(added, "candidate")));
        } else {
            rounds += 1;
            let Some(observed) = ended.unless_failed(runs.steer(file, budget.left(ended.runs)))? else { break };
            let (is_whole, is_cut, made) =
                (observed.failed.is_none() && runs.stopped().is_none(), observed.is_cut, observed.runs);
            ended.add(observed)?;
            let mut after = provoke::read(file)?.unwrap_or_default();
            if after.runs > known.runs.saturating_add(made) {
                change(file, |all| {
                    all.count_runs(&known, made);
                    after = all.clone();
                })?;
            }
            tell(&progress(&ended, &after));
            has_steered |= after.runs > known.runs;
            let has_added_nothing = after.runs == known.runs && is_whole;
            // What a killed run has reached is unknown.
            unsteered = if has_added_nothing && !is_cut { unsteered + 1 } else { 0 };
            if has_added_nothing {
                // The next run is to try others, also if these have made it hang.
                change(file, |known| known.pass_over(Candidates::MOST_AT_ONCE, 1))?;
            }
            if unsteered == ENOUGH_UNSTEERED && (ended.learnt > 0 || has_learnt_all) {
                // The remaining candidates belong to sources before an edit, or to code that did not run this time.
                ended.stopped = (!has_steered).then(|| ELSEWHERE.to_owned());
                break;
            }
        }
    }
    ended.candidates = provoke::read(file)?.unwrap_or_default();
    Ok(ended)
}

/// Changes the candidates in an existing file.
fn change(file: &Path, how: impl FnOnce(&mut Candidates)) -> Result<()> {
    provoke::update(file, |known| {
        let mut known = known.unwrap_or_default();
        how(&mut known);
        anyhow::Ok(known)
    })
}

/// Makes runs with random priorities, with seeds from `first` on, until the budget is spent; none if the search was
/// stopped.
pub(super) fn shuffle(
    runs: &mut impl Runs,
    ended: &mut Ended,
    budget: Budget,
    first: u64,
    tell: impl Fn(&str),
) -> Result<()> {
    let mut steps = FIRST_STEPS;
    while ended.stopped.is_none() && runs.stopped().is_none() && !budget.is_spent(ended.runs, Instant::now()) {
        let (seed, before) = (first.wrapping_add(ended.shuffled), ended.runs);
        let round = runs.shuffle(seed, steps, budget.left(ended.runs));
        let Some(observed) = ended.unless_failed(round)? else { break };
        steps = observed.steps.unwrap_or(steps).max(1);
        ended.add(observed)?;
        ended.shuffled += ended.runs - before;
        ended.seeds = seeds(first, ended.shuffled);
        tell(&shuffled(ended, seed, ended.runs - before));
    }
    Ok(())
}

/// `22 runs: random priorities, seed 7, 1 finding so far`.
fn shuffled(ended: &Ended, seed: u64, runs: u64) -> String {
    let (seeds, found) = (seeds(seed, runs), count(ended.random.len(), "finding"));
    format!("{}: random priorities, {seeds}, {found} so far", runs_so_far(ended))
}

/// `seeds 7 to 9`.
fn seeds(first: u64, runs: u64) -> String {
    let last = first.wrapping_add(runs.saturating_sub(1));
    if runs > 1 { format!("seeds {first} to {last}") } else { format!("seed {first}") }
}

fn runs_so_far(ended: &Ended) -> String {
    count(usize::try_from(ended.runs).unwrap_or(usize::MAX), "run")
}

/// `4 runs: 12 candidates left, 2 confirmed`.
fn progress(ended: &Ended, all: &Candidates) -> String {
    let left = count(all.of(State::Again).len() + all.of(State::New).len(), "candidate");
    format!("{}: {left} left, {} confirmed", runs_so_far(ended), all.of(State::Confirmed).len())
}

impl Ended {
    /// Returns the results of runs. If the runs fail after others have succeeded, the earlier results are kept: the
    /// search ends and records why.
    pub(super) fn unless_failed<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(shown) => Ok(Some(shown)),
            Err(error) if self.runs > 0 => {
                self.stopped = Some(format!("{error:#}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn add(&mut self, observed: Observed) -> Result<()> {
        self.runs += observed.runs;
        if let Some(error) = observed.failed {
            self.stopped = Some(format!("{error:#}"));
        }
        self.report = merge::both(self.report.take(), observed.report)?;
        self.is_cut |= observed.is_cut;
        self.is_lost |= observed.is_lost;
        self.cycles += observed.cycles;
        self.confirmed.extend(observed.confirmed);
        self.seen.extend(observed.seen);
        for end in observed.ends {
            *self.ends.entry(end).or_default() += 1;
        }
        for found in observed.random {
            if !self.random.iter().any(|known| known.is_of(&found)) {
                self.random.push(found);
            }
        }
        for warning in observed.warnings {
            match self.warnings.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, times)) => *times += 1,
                None => self.warnings.push((warning, 1)),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::VecDeque;

    use analysis_core::provoke::schedule::{self, Schedule};
    use analysis_core::provoke::{Candidate, Place, Trials};

    use super::*;
    use crate::Outcome;

    fn candidate(line: u32) -> Candidate {
        let place = |line: u32| -> Place { format!("a.B.c:{line} write x").parse().expect("a place") };
        Candidate {
            block: "a.B.c()".to_owned(),
            variable: "B.x".to_owned(),
            first: place(line),
            hold: place(line),
            last: place(line + 1),
            other: place(9),
            enter: None,
            steps: Vec::new(),
        }
    }

    fn candidates(lines: &[u32]) -> Candidates {
        let mut all = Candidates::new();
        lines.iter().for_each(|line| _ = all.add(candidate(*line)));
        all
    }

    /// A program that shows these candidates, run by run; some of them can happen.
    #[derive(Default)]
    struct Program {
        learns: VecDeque<Vec<u32>>,
        happens: Vec<u32>,
        /// It never reaches the places of any candidate, or of those in `gone`.
        is_elsewhere: bool,
        gone: Vec<u32>,
        steered: u64,
        /// The seeds and steps of the runs with priorities.
        shuffled: Vec<(u64, u64)>,
        /// How steered runs end.
        ends: Vec<&'static str>,
        /// The steered run in which it is asked to stop.
        stops: Option<u64>,
        /// The steered run that fails.
        fails: Option<u64>,
        /// The number of JVMs of a steered run besides the first one.
        forks: u64,
        /// Each steered run takes too long.
        is_cut: bool,
    }

    impl Runs for Program {
        fn learn(&mut self) -> Result<(Candidates, Observed)> {
            let lines = self.learns.pop_front().unwrap_or_default();
            let ends = vec!["exit status: 0".to_owned()];
            Ok((candidates(&lines), Observed { runs: 1, ends, ..Observed::default() }))
        }

        fn steer(&mut self, file: &Path, _most: u64) -> Result<Observed> {
            self.steered += 1;
            if self.fails == Some(self.steered) {
                anyhow::bail!("no report");
            }
            let ends = self.ends.pop().into_iter().map(str::to_owned).collect();
            let (warnings, is_cut) = (vec!["slow".to_owned()], self.is_cut);
            let observed = Observed { runs: 1, ends, warnings, is_cut, ..Observed::default() };
            let known = provoke::read(file)?.expect("a file");
            let is_gone = |candidate: &Candidate| self.gone.iter().any(|line| self::candidate(*line) == *candidate);
            if self.is_elsewhere || is_gone(known.to_try(1)[0].0) {
                return Ok(observed);
            }
            let happens: Vec<String> = self.happens.iter().map(|line| candidate(*line).id()).collect();
            provoke::update(file, |all| {
                let mut all = all.expect("a file");
                let ids: Vec<String> = all.to_try(1).iter().map(|(candidate, _)| candidate.id()).collect();
                let outcome = |id: &String| provoke::Outcome { held: true, met: true, confirmed: happens.contains(id) };
                for _ in 0..=self.forks {
                    all.add_run(ids.iter().map(|id| (id.as_str(), outcome(id))));
                }
                anyhow::Ok(all)
            })?;
            Ok(observed)
        }

        fn shuffle(&mut self, seed: u64, steps: u64, _most: u64) -> Result<Observed> {
            self.shuffled.push((seed, steps));
            let violation =
                serde_json::json!({"id": "f", "method": "a.B.c()", "kind": "k", "provoked": {"seed": seed}});
            let random = ByChance::of(&violation).into_iter().collect();
            Ok(Observed { runs: 1, random, steps: Some(500), ..Observed::default() })
        }

        fn stopped(&self) -> Option<&'static str> {
            self.stops.filter(|run| self.steered >= *run).map(|_| "SIGTERM")
        }
    }

    fn run(program: &mut Program, most: u64) -> (Ended, Vec<String>) {
        run_from(program, most, None)
    }

    fn run_from(program: &mut Program, most: u64, seed: Option<u64>) -> (Ended, Vec<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        run_in(folder.path(), program, most, seed)
    }

    fn run_in(folder: &Path, program: &mut Program, most: u64, seed: Option<u64>) -> (Ended, Vec<String>) {
        let told = RefCell::new(Vec::new());
        let tell = |line: &str| told.borrow_mut().push(line.to_owned());
        let (file, budget) = (folder.join("c"), Budget::Runs(most));
        let mut ended = search(program, &file, budget, Duration::ZERO, tell).expect("no error");
        if let Some(seed) = seed {
            shuffle(program, &mut ended, budget, seed, tell).expect("no error");
        }
        (ended, told.into_inner())
    }

    fn states(ended: &Ended) -> Vec<State> {
        ended.candidates.in_order().iter().map(|(_, trials)| trials.state()).collect()
    }

    #[test]
    fn what_can_happen_is_confirmed_and_the_rest_is_dropped() {
        let mut program = Program { learns: [vec![1, 2]].into(), happens: vec![2], ..Program::default() };
        let (ended, told) = run(&mut program, 100);
        assert_eq!(states(&ended), [State::Confirmed, State::Impossible]);
        // One to learn, one that confirms, five that do not, two that learn nothing new.
        assert_eq!((ended.runs, ended.learnt, program.steered), (9, 3, 6));
        assert_eq!(told[..2], ["1 run: learnt 2 candidates", "2 runs: 2 candidates left, 0 confirmed"]);
        assert_eq!(ended.warnings, [("slow".to_owned(), 6)]);
    }

    #[test]
    fn a_schedule_is_named_though_no_report_describes_its_violation() {
        let mut program = Program { learns: [vec![1, 2]].into(), happens: vec![1, 2], ..Program::default() };
        let (mut ended, _) = run(&mut program, 100);
        let folder = tempfile::tempdir().expect("a folder");
        let file = schedule::file_of(folder.path(), &candidate(1).id(), None);
        let schedule = Schedule {
            candidate: candidate(1),
            finding: Some("171dea185791".to_owned()),
            test: None,
            threads: vec![],
            points: vec![],
        };
        schedule::write(&file, &schedule).expect("a file");
        ended.schedules = Some(folder.path().to_owned());
        let by = "  by another violation of the block than reports describe; finding 171dea185791\n";
        let again = |told: &str| format!("{by}  again: regiontrack replay {} -- COMMAND\n    {told}\n", file.display());
        let text = ended.text(true);
        assert!(text.contains(&again("not tried so far")) && text.matches("again: ").count() == 1, "{text}");
        ended.tried.insert(file.clone(), "it happens".to_owned());
        let text = ended.text(true);
        assert!(text.contains(&again("it happens")), "{text}");
        let json: serde_json::Value = serde_json::from_str(&ended.json(&[]).expect("JSON")).expect("JSON");
        assert_eq!(json["schedules"][file.to_str().expect("UTF-8")], "it happens");
    }

    #[test]
    fn a_cycle_that_no_block_is_to_blame_for_is_told() {
        let mut ended = Ended::default();
        assert!(!ended.text(true).contains("cycle"));
        for cycles in [1, 2] {
            ended.add(Observed { cycles, ..Observed::default() }).expect("nothing to merge");
        }
        let text = ended.text(true);
        assert!(
            text.contains("\na cycle of transactions, and no block to blame, in 3 runs: --report FILE tells of it\n"),
            "{text}"
        );
    }

    #[test]
    fn a_run_that_shows_more_goes_on() {
        let mut program =
            Program { learns: [vec![1], vec![], vec![3]].into(), happens: vec![1, 3], ..Program::default() };
        let (ended, _) = run(&mut program, 100);
        assert_eq!((states(&ended), ended.learnt), (vec![State::Confirmed; 2], 5));
    }

    #[test]
    fn after_some_rounds_a_run_learns_again() {
        let mut program = Program { learns: [vec![1], vec![3], vec![]].into(), happens: vec![3], ..Program::default() };
        let (ended, told) = run(&mut program, 7);
        // One learns, four are steered, one learns, one confirms what it has shown.
        assert_eq!((ended.learnt, program.steered, states(&ended)), (2, 5, vec![State::Confirmed, State::New]));
        assert_eq!(told[5], "6 runs: learnt 1 candidate");
    }

    #[test]
    fn where_no_candidate_is_left_threads_have_priorities_with_a_seed_for_each_run() {
        let (ended, told) = run_from(&mut Program::default(), 5, Some(7));
        assert_eq!((ended.runs, ended.learnt, ended.shuffled), (5, 2, 3));
        let told = &told[2..];
        let of = |runs, seed| format!("{runs} runs: random priorities, seed {seed}, 1 finding so far");
        assert_eq!(told, [of(3, 7), of(4, 8), of(5, 9)]);
        let text = ended.text(true);
        assert!(text.contains("\nby random priorities, seeds 7 to 9\n  k in a.B.c(); finding f; seed 7\n"), "{text}");
    }

    #[test]
    fn the_number_of_steps_is_that_of_the_run_before() {
        let mut program = Program::default();
        run_from(&mut program, 4, Some(7));
        assert_eq!(program.shuffled, [(7, FIRST_STEPS), (8, 500)]);
    }

    #[test]
    fn the_budget_is_the_last_word() {
        let mut program = Program { learns: [vec![1, 2]].into(), happens: vec![1], ..Program::default() };
        let (ended, told) = run(&mut program, 2);
        assert_eq!((ended.runs, program.steered, told.len()), (2, 1, 2));
        assert_eq!(ended.outcome(), Outcome::Violated);
    }

    #[test]
    fn who_stops_it_gets_what_there_is_as_if_the_time_were_over() {
        let stops = Some(2);
        let mut program = Program { learns: [vec![1, 2]].into(), happens: vec![1], stops, ..Program::default() };
        let (ended, _) = run_from(&mut program, 100, Some(7));
        assert_eq!((ended.runs, program.steered, ended.shuffled), (3, 2, 0));
        assert_eq!((ended.outcome(), ended.stopped), (Outcome::Violated, None));
        // The same if no place was reached.
        let learns = [vec![1]].into();
        let mut program = Program { learns, is_elsewhere: true, stops, ..Program::default() };
        let (ended, _) = run_from(&mut program, 100, Some(7));
        assert_eq!((ended.outcome(), ended.stopped), (Outcome::Clean, None));
    }

    #[test]
    fn steered_runs_that_end_as_no_run_that_learns_are_counted() {
        let ends = vec!["exit status: 1", "exit status: 0", "signal: 9 (SIGKILL)", "exit status: 1"];
        let mut program = Program { learns: [vec![1]].into(), ends, ..Program::default() };
        let (ended, _) = run(&mut program, 100);
        let expected = "3 of 4 runs that were steered ended otherwise than those that learn (exit status: 0): exit status: 1 (2 times), \
                        signal: 9 (SIGKILL)";
        let text = ended.text(true);
        assert!(text.contains(&format!("\nwarning: {expected}\n")), "{text}");
        let json: serde_json::Value = serde_json::from_str(&ended.json(&[]).expect("JSON")).expect("JSON");
        let warnings = json["warnings"].as_array().expect("warnings");
        assert!(json["ended_otherwise"] == 3 && warnings.iter().any(|line| line == expected), "{json}");
        // Without a learning run, nothing is compared.
        let ended = Ended { learnt_ends: Default::default(), ..ended };
        assert!(!ended.text(true).contains("otherwise"));
    }

    #[test]
    fn a_program_that_never_gets_to_the_places_ends_with_a_reason() {
        let mut program = Program { learns: [vec![1]].into(), is_elsewhere: true, ..Program::default() };
        let (ended, _) = run(&mut program, 100);
        assert_eq!((ended.runs, ended.outcome()), (3, Outcome::Failed));
        let text = ended.text(false);
        let told = "no JVM of the command has loaded a class with a place of the candidates; if they are";
        assert!(text.contains(told) && text.contains("take them out: regiontrack candidates drop FILE"), "{text}");
    }

    #[test]
    fn candidates_of_a_program_before_an_edit_do_not_keep_the_others_from_their_turn() {
        let folder = tempfile::tempdir().expect("a folder");
        let before: Vec<u32> = (1..=40).collect();
        let mut all = candidates(&before);
        let confirmed = provoke::Outcome { held: true, met: true, confirmed: true };
        before[..8].iter().for_each(|line| all.add_run([(&candidate(*line).id()[..], confirmed)]));
        provoke::write(&folder.path().join("c"), || anyhow::Ok(all)).expect("written");
        let mut program = Program { learns: [vec![50]].into(), happens: vec![50], gone: before, ..Program::default() };
        let (ended, told) = run_in(folder.path(), &mut program, 100, None);
        assert_eq!(told[..3].last().map(String::as_str), Some("3 runs: learnt 1 candidate"));
        assert_eq!((ended.of(State::Confirmed).len(), ended.learnt), (1, 1));
        // The others are never reached, which is no reason to fail.
        assert_eq!((ended.runs, ended.outcome(), ended.stopped), (6, Outcome::Violated, None));
    }

    #[test]
    fn a_run_of_several_jvms_counts_once() {
        let mut program = Program { learns: [vec![1]].into(), forks: 7, ..Program::default() };
        let (ended, _) = run(&mut program, 100);
        let trials = ended.candidates.trials(&candidate(1)).copied().expect("it is known");
        assert_eq!((trials.state(), trials.tries, trials.met), (State::Impossible, 5, 5));
        assert_eq!((program.steered, ended.candidates.runs), (5, 5));
    }

    #[test]
    fn candidates_that_make_each_run_hang_do_not_take_all_of_them() {
        let all: Vec<u32> = (1..=12).collect();
        let mut program =
            Program { learns: [all.clone()].into(), is_elsewhere: true, is_cut: true, ..Program::default() };
        let (ended, _) = run(&mut program, 8);
        let tries = |line: &u32| ended.candidates.trials(&candidate(*line)).map_or(0, |trials| trials.tries);
        assert!(all.iter().all(|line| tries(line) > 0), "{:?}", all.iter().map(tries).collect::<Vec<_>>());
        assert_eq!(ended.stopped, None);
    }

    #[test]
    fn what_was_confirmed_before_is_tried_again_first() {
        let folder = tempfile::tempdir().expect("a folder");
        for (happens, outcome, state) in
            [(vec![2], Outcome::Violated, State::Confirmed), (vec![], Outcome::Clean, State::Impossible)]
        {
            let mut all = candidates(&[1, 2]);
            let confirmed = provoke::Outcome { held: true, met: true, confirmed: true };
            all.add_run([(&candidate(2).id()[..], confirmed)]);
            provoke::write(&folder.path().join("c"), || anyhow::Ok(all)).expect("written");
            let (ended, _) = run_in(folder.path(), &mut Program { happens, ..Program::default() }, 20, None);
            assert_eq!(
                (ended.outcome(), ended.candidates.trials(&candidate(2)).map(Trials::state)),
                (outcome, Some(state))
            );
        }
        // One run is not enough for both.
        let mut all = candidates(&[1, 2]);
        all.add_run([(&candidate(2).id()[..], provoke::Outcome { held: true, met: true, confirmed: true })]);
        provoke::write(&folder.path().join("c"), || anyhow::Ok(all)).expect("written");
        let (ended, told) = run_in(folder.path(), &mut Program::default(), 1, None);
        assert_eq!(
            (states(&ended), told),
            (vec![State::Again, State::New], vec!["1 run: 2 candidates left, 0 confirmed".to_owned()])
        );
        let text = ended.text(true);
        assert!(
            text.contains("0 confirmed, 0 impossible so far, 0 not reached, 2 left\n")
                && text.contains("\nconfirmed before, and"),
            "{text}"
        );
    }

    #[test]
    fn what_runs_have_shown_is_not_lost_by_one_that_fails() {
        let learns = [vec![1, 2]].into();
        let mut program = Program { learns, happens: vec![1], fails: Some(2), ..Program::default() };
        let (ended, _) = run_from(&mut program, 100, Some(7));
        assert_eq!((ended.runs, ended.outcome(), ended.shuffled), (2, Outcome::Failed, 0));
        assert_eq!((ended.stopped.as_deref(), ended.of(State::Confirmed).len()), (Some("no report"), 1));
        // If the very first run fails, that is an error, because nothing is known yet.
        let folder = tempfile::tempdir().expect("a folder");
        provoke::write(&folder.path().join("c"), || anyhow::Ok(candidates(&[1]))).expect("written");
        let mut program = Program { fails: Some(1), ..Program::default() };
        assert!(search(&mut program, &folder.path().join("c"), Budget::Runs(5), Duration::ZERO, |_| ()).is_err());
    }

    #[test]
    fn the_time_is_over_at_its_end_and_the_runs_after_so_many() {
        let now = Instant::now();
        let later = now + Duration::from_secs(60);
        assert!(Budget::Until(later).without(Duration::from_secs(60)).is_spent(0, now));
        assert_eq!([now, later].map(|time| Budget::Until(later).at_most(time).is_spent(0, now)), [true, false]);
        assert_eq!([now, later].map(|time| Budget::Until(later).is_spent(1000, time)), [false, true]);
        assert_eq!([2, 3, 4].map(|runs| Budget::Runs(3).is_spent(runs, now)), [false, true, true]);
        assert_eq!([1, 3, 4].map(|runs| Budget::Runs(3).left(runs)), [2, 0, 0]);
    }

    #[test]
    fn without_a_candidate_two_runs_learn_and_nothing_is_found() {
        let (ended, told) = run(&mut Program::default(), 100);
        assert_eq!((ended.runs, ended.learnt, ended.outcome()), (2, 2, Outcome::Clean));
        assert_eq!(told.len(), 2);
    }
}
