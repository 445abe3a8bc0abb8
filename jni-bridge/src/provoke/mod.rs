//! `provoke=`: holds threads where a file of candidates says that others could come between, so that they do.
//!
//! The run is steered to a few candidates of the file, whose places the Java side gets (`Provoking::plan`). The Java side reports each
//! hold when it is over (`Provoking::held`), by the thread's number and position, which show in which instances of blocks the thread was
//! held. If one of these is violated, that was provoked (`Provoking::provoked`). It confirms the candidate if another thread came
//! meanwhile and the violation's path goes through what the candidate is about (`path.rs`). When the run ends, the file gets what became
//! of its candidates (`Provoking::finish`). For a hold that was met, the Java side also reports which thread came to which place as the
//! how-many-th time (`Provoking::met`): the schedule of what the hold led to.
//!
//! `seen.rs` keeps what has happened. `places.rs` finds candidates in dependency mode (`candidates=`). `repeated.rs` steers tests that are
//! repeated within the run, which learn their candidates themselves. `priorities.rs` works without candidates.

pub(crate) mod path;
pub(crate) mod places;
pub(crate) mod priorities;
pub(crate) mod repeated;
pub(crate) mod seen;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use analysis_core::event::ThreadId;
use analysis_core::provoke::schedule::{Schedule, Start, Test, file_of};
use analysis_core::provoke::{self, Candidate, Candidates, Outcome, Place, Step, Trials};
use analysis_core::report::{EventDetail, Provoked, Steered};

use crate::shared::lock;
use seen::{Attributed, Call, Hold, Scheduled, Seen, scheduled};

/// The default percentage of the run's time that may be spent in holds.
pub(crate) const SHARE: u8 = 20;

/// Precedes what does not apply to this plan, and may apply to another one of the same candidates.
const NOT_NOW: &str = "?";

/// A run has none, one or two holds in vain after which it passes over no chance.
const KINDS_OF_FREE: u32 = 3;

/// How many places without an instruction a warning names.
const MOST_PLACES: usize = 5;

/// What a run is steered to.
#[derive(Debug)]
pub(crate) struct Provoking {
    /// The file of the candidates, if they come from a file.
    path: Option<PathBuf>,
    /// The Java side's number of the first candidate: a hold may be reported when others are already planned.
    base: usize,
    /// Where schedules are to be written.
    schedules: Option<PathBuf>,
    /// The repeated test that is steered, if there is one.
    test: Option<Test>,
    planned: Vec<Planned>,
    seen: Mutex<Seen>,
}

/// A candidate of this run.
#[derive(Debug)]
struct Planned {
    candidate: Candidate,
    /// In how many runs it was steered before, including those that are side by side with this one.
    tries: u64,
    /// How long a thread is held for it.
    bound: Duration,
    /// In how many earlier runs others came, and no block was violated by that.
    met: u64,
}

/// A violation of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'a> {
    /// The block's thread, and the position at which the block began.
    pub(crate) thread: ThreadId,
    pub(crate) begin: u64,
    /// The position of the event that shows it.
    pub(crate) event: u64,
    pub(crate) method: &'a str,
    /// The events of the path at which one thread follows another.
    pub(crate) path: &'a [EventDetail],
}

impl Shown<'_> {
    fn call(self) -> Call {
        (self.thread, self.begin)
    }
}

/// The results of a steered run.
pub struct Ended {
    /// What the run was steered to.
    pub steered: Steered,
    /// The schedules of what was provoked.
    pub(crate) schedules: Vec<Scheduled>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl Provoking {
    /// Reads the file, and chooses candidates. Schedules are written into the folder `schedules`, if given. `turn` is the number of this
    /// run, from 0, among the runs side by side.
    ///
    /// # Errors
    /// There is no such file, or it is broken; one line.
    pub(crate) fn new(path: &Path, schedules: Option<&Path>, turn: u32) -> Result<Provoking, String> {
        let candidates = provoke::read(path).map_err(|error| error.to_string())?.ok_or_else(|| {
            format!(
                "provoke={}: there is no such file; regiontrack candidates TRACE -o FILE makes one of a recorded run",
                path.display()
            )
        })?;
        let (path, schedules) = (Some(path.to_owned()), schedules.map(Path::to_owned));
        Ok(Provoking { path, schedules, ..Provoking::of(chosen(&candidates, turn), 0) })
    }

    /// A run that is steered to these candidates, which are in no file. The Java side numbers them from `base` on.
    fn of(planned: Vec<Planned>, base: usize) -> Provoking {
        let seen = Mutex::new(Seen::of(planned.len()));
        Provoking { path: None, base, schedules: None, test: None, planned, seen }
    }

    /// What became of the candidates so far, by id. Blocks of `waiting` were violated only where they wait for other threads: that is no
    /// finding, so it confirms nothing.
    fn outcomes(&self, waiting: &BTreeSet<String>) -> Vec<(String, Outcome)> {
        let seen = lock(&self.seen);
        let outcome = |(index, planned): (usize, &Planned)| {
            let outcome = seen.outcome(index);
            let confirmed = outcome.confirmed && !waiting.contains(&planned.candidate.block);
            (planned.candidate.id(), Outcome { confirmed, ..outcome })
        };
        self.planned.iter().enumerate().map(outcome).collect()
    }

    /// The schedules of what has happened so far, if they are to be written.
    fn scheduled(&self) -> Vec<Scheduled> {
        if self.schedules.is_some() { lock(&self.seen).scheduled() } else { Vec::new() }
    }

    /// How long threads were held so far, in milliseconds.
    fn held_ms(&self) -> u64 {
        lock(&self.seen).micros.div_ceil(1000)
    }

    /// True if the run is steered to something.
    pub(crate) fn is_steered(&self) -> bool {
        !self.planned.is_empty()
    }

    /// The plan, as `Plan.java` reads it: a line for each candidate.
    pub(crate) fn plan(&self) -> String {
        let lines = (self.base..).zip(&self.planned).map(|(index, planned)| {
            let Candidate { block, first, hold, last, other, .. } = &planned.candidate;
            let awaits = match (planned.is_awaited(), &self.path) {
                (true, _) => Some(""),
                (false, None) => Some(NOT_NOW),
                (false, Some(_)) => None,
            };
            let steps = steps(&planned.candidate, awaits);
            let enter = match (planned.enter(), &self.path) {
                (Some(enter), _) => enter.to_string(),
                // The plan of another repetition can have it: it is worth a call now.
                (None, None) => format!("{NOT_NOW}{}", planned.before()),
                (None, Some(_)) => String::new(),
            };
            let (skipped, free) = if planned.candidate.is_held_before() {
                (0, many(planned.tries))
            } else {
                (planned.skipped(), planned.free().to_string())
            };
            let bound = planned.bound.as_millis();
            format!("{index}\t{block}\t{first}\t{hold}\t{last}\t{other}\t{enter}{steps}\t{bound}\t{skipped}\t{free}\n")
        });
        lines.collect()
    }

    /// Notes that the thread with this number was held. `text` has the candidate's index, microseconds, whether another thread came, and
    /// the position, separated by tabs. A `b` follows if it was the other thread, held before its place, and a `w` if a thread was held
    /// between two steps.
    pub(crate) fn held(&self, thread: u32, text: &str) {
        let mut fields = text.split('\t').map(|field| field.parse::<u64>().ok());
        let mut next = || fields.next().flatten();
        let (Some(index), Some(micros), Some(met), Some(position)) = (next(), next(), next(), next()) else { return };
        let of_this = |index: u64| usize::try_from(index).ok()?.checked_sub(self.base);
        let Some(index) = of_this(index).filter(|index| *index < self.planned.len()) else { return };
        let mut seen = lock(&self.seen);
        seen.micros += micros;
        let is_inside = match text.rsplit_once('\t') {
            Some((_, "w")) => return,
            Some((_, "b")) => false,
            _ => true,
        };
        seen.keep_hold(ThreadId(thread), Hold { index, micros, is_met: met != 0, position }, is_inside);
    }

    /// Notes that another thread came while the thread with this number was held, or that a thread has come to the first place after that. `text`
    /// is what `Passed.java` reports.
    pub(crate) fn met(&self, thread: u32, text: &str) {
        let fields: Vec<&str> = text.split('\t').collect();
        if let ["again", index] = fields[..] {
            let index = index.parse::<usize>().ok().and_then(|index| index.checked_sub(self.base));
            index.into_iter().for_each(|index| lock(&self.seen).again(index));
            return;
        }
        let ["met", index, position, held, first, hold, others @ ..] = &fields[..] else { return };
        let number = |field: &str| field.parse::<u64>().ok();
        let read = || {
            let index = usize::try_from(number(index)?).ok()?.checked_sub(self.base)?;
            let candidate = self.planned.get(index)?.candidate.clone();
            let passed = |fields: &[&str]| match fields {
                [start, times] => Some((start.parse().ok()?, number(times)?)),
                _ => None,
            };
            let others: Vec<(Start, u64)> = others.chunks(2).map(passed).collect::<Option<_>>()?;
            let times = [number(first)?, number(hold)?];
            let schedule = scheduled(candidate, held.parse().ok()?, times, others);
            Some(((ThreadId(thread), number(position)?, index), schedule))
        };
        let Some((key, Some(schedule))) = read() else { return };
        lock(&self.seen).keep_met(key, schedule);
    }

    /// Notes that an instruction was found for this place.
    pub(crate) fn found(&self, place: &str) {
        lock(&self.seen).found.insert(place.to_owned());
    }

    /// True if a thread was held between these positions.
    pub(crate) fn was_held(&self, thread: ThreadId, begin: u64, event: u64) -> bool {
        lock(&self.seen).was_held(thread, begin, event)
    }

    /// The hold that provoked a violation, if its thread was held in the block; preferably one for a candidate that the violation
    /// confirms, or one that was met.
    pub(crate) fn provoked(&self, shown: Shown<'_>) -> Option<Provoked> {
        let mut seen = lock(&self.seen);
        let all = seen.inside(shown);
        let confirming = self.confirm(&mut seen, &all, shown);
        let confirms = |hold: &Hold| confirming.contains(&hold.index);
        let of_block = |hold: &Hold| self.planned[hold.index].candidate.block == shown.method;
        let holds = all.iter().map(|it| &it.hold);
        let hold = holds.max_by_key(|hold| (confirms(hold), of_block(hold), hold.is_met, hold.position))?;
        let candidate = &self.planned[hold.index].candidate;
        // Also if only a caller of the block is violated: that is to be replayed too.
        self.schedule(&mut seen, shown.thread, hold, confirms(hold), shown);
        Some(self.told(hold, [&candidate.hold, &candidate.other], confirms(hold)))
    }

    /// True if a thread was held anywhere.
    pub(crate) fn has_held(&self) -> bool {
        lock(&self.seen).has_held()
    }

    /// Like [`Provoking::provoked`], for a block in which its thread was not held. Another thread of the path was held instead, in a block
    /// of its own whose later events came into this one; or one of the two threads was held before its place, so that both came together.
    pub(crate) fn provoked_besides(&self, shown: Shown<'_>) -> Option<Provoked> {
        let mut seen = lock(&self.seen);
        let all = seen.besides(shown);
        let confirming = self.confirm(&mut seen, &all, shown);
        let confirms = |besides: &Attributed| confirming.contains(&besides.hold.index);
        let besides = all.iter().max_by_key(|it| (confirms(it), it.hold.is_met, it.is_inside, it.hold.position))?;
        let (confirms, Attributed { hold, is_inside, .. }) = (confirms(besides), besides);
        let planned = &self.planned[hold.index];
        self.schedule_besides(&mut seen, besides, confirms, shown);
        let Candidate { first, hold: inside, other, .. } = &planned.candidate;
        // A thread that is held before a place has not passed it.
        let passed = if planned.candidate.is_held_before() { first } else { inside };
        let (at, until) = if *is_inside { (inside, other) } else { (planned.before(), passed) };
        Some(self.told(hold, [at, until], confirms))
    }

    /// Returns which candidates a violation confirms, of those for which a thread was held.
    fn confirm(&self, seen: &mut Seen, all: &[Attributed], shown: Shown<'_>) -> BTreeSet<usize> {
        let mut confirmed = BTreeSet::new();
        for besides in all.iter().filter(|it| self.planned[it.hold.index].is_confirmed(&it.hold, shown)) {
            seen.confirm(besides.hold.index, shown.call());
            self.schedule_besides(seen, besides, true, shown);
            confirmed.insert(besides.hold.index);
        }
        confirmed
    }

    /// Keeps the schedule of a hold; for a wait, that of the hold that the thread waited for.
    fn schedule_besides(&self, seen: &mut Seen, besides: &Attributed, confirms: bool, shown: Shown<'_>) {
        let Attributed { thread, hold, is_inside } = *besides;
        let waited = if is_inside { None } else { seen.last_met(hold.index) };
        let (thread, position) = waited.unwrap_or((thread, hold.position));
        self.schedule(seen, thread, &Hold { position, ..hold }, confirms, shown);
    }

    /// Withdraws what the violation of this call has confirmed, and its schedules: its thread has waited for other threads in it, so the
    /// violation is no finding.
    pub(crate) fn waited(&self, call: Call) {
        lock(&self.seen).forget(call);
    }

    /// True if some candidate is not confirmed though a hold for it was met.
    pub(crate) fn is_open(&self) -> bool {
        lock(&self.seen).is_open()
    }

    /// A hold as a report describes it: at the first place, until the second one was passed.
    fn told(&self, hold: &Hold, [at, until]: [&Place; 2], confirms: bool) -> Provoked {
        let candidate = &self.planned[hold.index].candidate;
        Provoked::Held {
            candidate: candidate.id(),
            held_ms: hold.micros.div_ceil(1000).max(1),
            at: if *at == candidate.hold { candidate.reported_hold() } else { at.brief() },
            until: hold.is_met.then(|| until.brief()),
            confirms: Some(confirms),
            schedule: self.schedules.as_ref().map(|folder| self.file_of(folder, candidate).display().to_string()),
        }
    }

    fn file_of(&self, folder: &Path, candidate: &Candidate) -> PathBuf {
        file_of(folder, &candidate.id(), self.test.as_ref())
    }

    /// Notes that more events of the path of a provoked violation are known, those under its lock: they can confirm candidates.
    pub(crate) fn explain(&self, provoked: &mut Provoked, shown: Shown<'_>) {
        let Provoked::Held { candidate: id, confirms: Some(confirms), .. } = provoked else { return };
        let mut seen = lock(&self.seen);
        let inside = seen.inside(shown);
        let all = if inside.is_empty() { seen.besides(shown) } else { inside };
        let confirming = self.confirm(&mut seen, &all, shown);
        *confirms |= confirming.iter().any(|index| self.planned[*index].candidate.id() == *id);
    }

    /// Keeps the schedule of what a hold has led to, if it is worth more than what is known of the call.
    fn schedule(&self, seen: &mut Seen, thread: ThreadId, hold: &Hold, confirms: bool, shown: Shown<'_>) {
        // If no thread came to that place in time, or it is not known which, any thread may.
        let candidate = || self.planned[hold.index].candidate.clone();
        let any =
            || Schedule { candidate: candidate(), finding: None, test: None, threads: Vec::new(), points: Vec::new() };
        let schedule = Schedule { test: self.test.clone(), ..seen.met(thread, hold).unwrap_or_else(any) };
        seen.keep_schedule(hold.index, Scheduled::of(schedule, confirms, shown));
    }

    /// Ends the run: adds what became of the candidates to the file, unless none of their places are in this program. Blocks of `waiting`
    /// were violated only where they wait for other threads, which needs no replay.
    pub(crate) fn finish(&self, waiting: &BTreeSet<String>) -> Ended {
        let outcomes = self.outcomes(waiting);
        let seen = lock(&self.seen);
        let count = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|(_, outcome)| is(outcome)).count() as u64;
        let steered = Steered {
            file: self.path.as_ref().map_or_else(String::new, |path| path.display().to_string()),
            runs: 1,
            candidates: self.planned.len() as u64,
            held: count(|outcome| outcome.held),
            met: count(|outcome| outcome.met),
            confirmed: count(|outcome| outcome.confirmed),
            held_ms: seen.micros.div_ceil(1000),
            random: Vec::new(),
        };
        let mut warnings: Vec<String> = self.missing(&seen.found).into_iter().collect();
        if let Some(path) = self.path.as_ref().filter(|_| !seen.found.is_empty()) {
            let written: Result<(), provoke::Error> = provoke::update(path, |file| {
                let mut candidates = file.unwrap_or_default();
                candidates.add_run(outcomes.iter().map(|(id, outcome)| (id.as_str(), *outcome)));
                Ok(candidates)
            });
            warnings.extend(written.err().map(|error| format!("nothing is added to the candidates: {error}")));
        }
        Ended { steered, schedules: found(seen.scheduled(), waiting), warnings }
    }

    /// A warning about the places for which no instruction was found.
    fn missing(&self, found: &BTreeSet<String>) -> Option<String> {
        let places: BTreeSet<String> =
            self.planned.iter().flat_map(|planned| planned.places()).map(Place::to_string).collect();
        let missing: Vec<&str> = places.difference(found).map(String::as_str).collect();
        let others = missing.len().saturating_sub(MOST_PLACES);
        let others = if others > 0 { format!(" and {others} more") } else { String::new() };
        let named = missing[..missing.len().min(MOST_PLACES)].join(", ");
        let path = self.path.as_ref().filter(|_| !missing.is_empty())?.display();
        Some(format!("provoke={path}: no class that was loaded has these places: {named}{others}"))
    }
}

/// Keeps only the schedules of findings.
fn found(mut schedules: Vec<Scheduled>, waiting: &BTreeSet<String>) -> Vec<Scheduled> {
    schedules.retain(|scheduled| !waiting.contains(&scheduled.method));
    schedules
}

/// Stands for a number of holds in vain where most chances are to be used: the thread is held before its last place, where a hold in vain says
/// little about the next one. Which of them are not used differs from run to run.
pub(crate) fn many(run: u64) -> String {
    format!("-{}", run + 1)
}

impl Planned {
    /// True if a violation confirms the candidate, for which a thread was held.
    fn is_confirmed(&self, hold: &Hold, shown: Shown<'_>) -> bool {
        let candidate = &self.candidate;
        hold.is_met && candidate.block == shown.method && path::goes_through(candidate, shown.path)
    }

    /// How many chances are passed over at first. Where others came and nothing went wrong, a later call of the block may go wrong: two of
    /// four runs begin with that. The others do not, because there may be only one call.
    fn skipped(&self) -> u64 {
        let is_later = self.met > 0 && self.tries / 2 % 2 == 1;
        if is_later { 1 + self.tries / 4 % 2 } else { 0 }
    }

    /// After how many holds in vain the next chance is used all the same, before some are passed over. Runs differ in this: a program does
    /// much the same in each, and the one chance that matters may come right after one that does not. The bound has doubled with each run
    /// in which no thread came.
    fn free(&self) -> u32 {
        let doublings = (self.bound.as_millis() / Trials::FIRST_BOUND.as_millis()).checked_ilog2().unwrap_or(0);
        doublings % KINDS_OF_FREE
    }

    /// The place where another thread that comes too early is held: in every second run only, because the thread may otherwise
    /// come too late. If it takes no lock, it is held before its place itself.
    fn enter(&self) -> Option<&Place> {
        self.is_awaited().then(|| self.before())
    }

    fn is_awaited(&self) -> bool {
        self.tries % 2 == 1
    }

    /// The place where another thread that comes too early would be held.
    fn before(&self) -> &Place {
        let Candidate { enter, steps, other, .. } = &self.candidate;
        enter.as_ref().unwrap_or_else(|| steps.first().map_or(other, Step::waits_before))
    }

    /// The places at which the run is steered, some of them repeatedly.
    fn places(&self) -> impl Iterator<Item = &Place> {
        let Candidate { first, hold, last, other, steps, .. } = &self.candidate;
        let of_steps = steps
            .iter()
            .flat_map(|step| std::iter::once(&step.place).chain(step.gate.iter().filter(|_| self.is_awaited())));
        [first, hold, last, other].into_iter().chain(of_steps).chain(self.enter())
    }
}

/// The steps of a candidate in the form of a plan: for each step the numbers of its thread and its object, its place, and the place before
/// which it waits, if it does, with `awaits` before it.
pub(crate) fn steps(candidate: &Candidate, awaits: Option<&str>) -> String {
    let object = |step: &Step| step.object.map_or(-1, i32::from);
    let gate = |step: &Step| awaits.map_or_else(String::new, |before| format!("{before}{}", step.waits_before()));
    let step = |step: &Step| format!("\t{}\t{}\t{}\t{}", step.thread, object(step), step.place, gate(step));
    candidate.steps.iter().map(step).collect()
}

/// Chooses the candidates that a run is steered to: the best ones without a common place, because threads held for one of them would keep
/// the other from happening. A run side by side with others takes the next ones after theirs. If these have taken every candidate, it takes
/// the same ones as one of them, as if it came after that run.
fn chosen(candidates: &Candidates, turn: u32) -> Vec<Planned> {
    let open = candidates.to_try(usize::MAX);
    let (mut before, mut again) = (turn, 0);
    while !open.is_empty() {
        let mut left = open.clone();
        while !left.is_empty() {
            let (planned, others) = together(candidates, left, again);
            if before == 0 {
                return planned;
            }
            (before, left) = (before - 1, others);
        }
        again += 1;
    }
    Vec::new()
}

/// Splits these candidates: those that one run is steered to, as if it came after `again` others of the same, and the rest.
fn together<'a>(
    all: &Candidates,
    open: Vec<(&'a Candidate, &'a Trials)>,
    again: u64,
) -> (Vec<Planned>, Vec<(&'a Candidate, &'a Trials)>) {
    let (mut chosen, mut others): (Vec<Planned>, Vec<_>) = (Vec::new(), Vec::new());
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (candidate, trials) in open {
        if chosen.len() == Candidates::MOST_AT_ONCE {
            others.push((candidate, trials));
            continue;
        }
        let bound = Duration::ZERO;
        let planned = Planned { candidate: candidate.clone(), tries: trials.tries + again, bound, met: trials.met };
        let places: BTreeSet<String> = planned.places().map(Place::to_string).collect();
        if taken.is_disjoint(&places) {
            taken.extend(places);
            // To compute this takes time, for each of the candidates.
            chosen.push(Planned { bound: all.bound(candidate, again), ..planned });
        } else {
            others.push((candidate, trials));
        }
    }
    (chosen, others)
}
