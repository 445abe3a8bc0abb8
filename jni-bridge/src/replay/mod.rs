//! `replay=`: threads pass the switch points of a schedule in their order, as far as they can be made to.
//!
//! The Java side knows the points (`Replaying::plan`) and tells of each that was passed, in its turn or before it, and of each hold that
//! has ended before the other thread came (`Replaying::told`). From this follows where the run went another way
//! (`Replaying::finish`). A schedule without points is a plan with one candidate, whichever threads come.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use analysis_core::event::ThreadId;
use analysis_core::provoke::Place;
use analysis_core::provoke::schedule::{self, Point, Role, Schedule};
use analysis_core::report::{Provoked, Replayed};

use crate::provoke::steps;
use crate::shared::lock;

/// How much of the run's time, in per cent, may be spent in holds where a schedule has no points, unless the user says.
pub(crate) const SHARE: u8 = 60;

/// How long a thread is held for a switch point, in seconds, unless the user says.
pub(crate) const PATIENCE: u64 = 10;

/// How long one is held at a time where the schedule has no points, in milliseconds.
const BOUND: u64 = 640;

/// Which of the runs of a test follows its schedule.
const OF_TEST: u8 = 2;

/// The schedule, and what has become of it so far.
#[derive(Debug)]
pub(crate) struct Replaying {
    path: PathBuf,
    schedule: Schedule,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    /// By point: whether it was passed in its turn; none if it was not passed.
    passed: Vec<Option<bool>>,
    /// Where a thread was held in vain: the point, whether it was behind it, and why that ended.
    vain: Vec<(usize, bool, String)>,
    /// The last hold of each thread, by number.
    holds: HashMap<ThreadId, Hold>,
    /// A hold was met; if the run has gone another way, one since then.
    is_met: bool,
    /// The run has gone another way, so any thread is held; and whether that is because the block began anew, before it came to its last
    /// place.
    is_open: bool,
    is_again: bool,
    /// A block of the candidate was violated, or one around it in which a thread was held.
    has_happened: bool,
    /// How many tests have begun that have the name of the one of the schedule, and whether the last one of all has.
    tests: u64,
    is_test: bool,
    /// How many runs the test of the schedule has begun.
    runs: u8,
    /// The places of which there is an instruction.
    found: BTreeSet<String>,
}

/// A thread was held in the block.
#[derive(Clone, Copy, Debug)]
struct Hold {
    micros: u64,
    is_met: bool,
    /// That of the thread's last event before.
    position: u64,
}

/// What the end of a run says.
pub struct Ended {
    /// How far it came.
    pub replayed: Replayed,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl Replaying {
    /// Reads the file.
    ///
    /// # Errors
    /// There is no such file, or it is broken; one line.
    pub(crate) fn new(path: &Path) -> Result<Replaying, String> {
        let schedule = schedule::read(path).map_err(|error| error.to_string())?.ok_or_else(|| {
            format!("replay={}: there is no such file; regiontrack provoke writes schedules", path.display())
        })?;
        let passed = vec![None; schedule.points.len()];
        Ok(Replaying { path: path.to_owned(), schedule, seen: Mutex::new(Seen { passed, ..Seen::default() }) })
    }

    /// The plan, as `Plan.java` reads it: a line for each point, and one for the candidate. Empty if it has happened: nothing is left to be done.
    pub(crate) fn plan(&self) -> String {
        if lock(&self.seen).has_happened {
            return String::new();
        }
        let Schedule { candidate, threads, points, .. } = &self.schedule;
        // Nobody waits before the other place: where both threads pass it first, both would.
        let [first, hold, last, other] = [&candidate.first, &candidate.hold, &candidate.last, &candidate.other];
        let steps = steps(candidate, None);
        let test = self.schedule.test.iter().map(|_| "test\n".to_owned());
        let any = format!("0\t{}\t{first}\t{hold}\t{last}\t{other}\t{steps}\t{BOUND}\t0\t0\n", candidate.block);
        let line = |point: &Point| {
            let (place, before) = (point.role.of(candidate), self.schedule.waits_before(point));
            format!("point\t{}\t{place}\t{}\t{before}\n", threads[point.thread].start, point.times)
        };
        test.chain(points.iter().map(line)).chain([any]).collect()
    }

    /// The test that is to be repeated next has this name.
    pub(crate) fn begins(&self, name: &str) {
        let seen = &mut *lock(&self.seen);
        seen.is_test = self.schedule.test.as_ref().is_some_and(|test| test.name == name);
        seen.tests += u64::from(seen.is_test);
    }

    /// Why that runs once; `None` if it is the test of the schedule.
    pub(crate) fn refuses(&self) -> Option<String> {
        let seen = lock(&self.seen);
        let is_it = self.schedule.test.as_ref().is_some_and(|test| seen.is_test && seen.tests == test.nth);
        (!is_it).then(|| format!("the run replays {}, which is not of this test", self.path.display()))
    }

    /// What the next run of the test of the schedule does, as in the run in which it has happened: at first what it does by itself, so that what is done once
    /// is done, and then it follows the schedule.
    pub(crate) fn next(&self) -> &'static str {
        let seen = &mut *lock(&self.seen);
        seen.runs = seen.runs.saturating_add(1);
        // What has happened before, as in another test, is not what is to happen.
        seen.has_happened &= seen.runs != OF_TEST;
        ["plain", "replay"].get(usize::from(seen.runs) - 1).unwrap_or(&"end")
    }

    /// The thread with this number was held in the block. `text` is that of [`crate::provoke::Provoking::held`].
    pub(crate) fn held(&self, thread: u32, text: &str) {
        let fields: Option<Vec<u64>> = text.split('\t').map(|field| field.parse().ok()).collect();
        let Some([_, micros, met, position]) = fields.as_deref() else { return };
        let (micros, met, position) = (*micros, *met, *position);
        let mut seen = lock(&self.seen);
        seen.is_met |= met != 0;
        seen.holds.insert(ThreadId(thread), Hold { micros, is_met: met != 0, position });
    }

    /// A point was passed, or a thread was held in vain. `text` is what `Replay.java` says of it.
    pub(crate) fn told(&self, text: &str) {
        let fields: Vec<&str> = text.split('\t').collect();
        let mut seen = lock(&self.seen);
        let index = |field: &str| field.parse::<usize>().ok().filter(|index| *index < self.schedule.points.len());
        match fields[..] {
            ["reached", point, in_turn] => {
                if let Some(point) = index(point) {
                    seen.passed[point].get_or_insert(in_turn == "1");
                }
            }
            ["gave-up", point, behind, why] => {
                if let Some(point) = index(point) {
                    seen.vain.push((point, behind == "1", why.to_owned()));
                }
            }
            // All points were passed in their order, and nothing had happened; that any thread is held from then on changes nothing of that.
            ["open", "through"] => {}
            ["open", why] => {
                (seen.is_open, seen.is_again, seen.is_met) = (true, why == "again", false);
            }
            _ => {}
        }
    }

    /// An instruction is this place.
    pub(crate) fn found(&self, place: &str) {
        lock(&self.seen).found.insert(place.to_owned());
    }

    /// A block of `method` is violated, which has begun at position `begin` of its thread, and the event at `event` shows it: the hold in
    /// between, if there was one.
    pub(crate) fn provoked(&self, thread: ThreadId, begin: u64, event: u64, method: &str) -> Option<Provoked> {
        let candidate = &self.schedule.candidate;
        let mut seen = lock(&self.seen);
        let hold = seen.holds.get(&thread).filter(|hold| (begin..event).contains(&hold.position)).copied();
        seen.has_happened |= hold.is_some() || candidate.block == method;
        let hold = hold?;
        Some(Provoked::Held {
            candidate: candidate.id(),
            held_ms: hold.micros.div_ceil(1000).max(1),
            at: candidate.hold.brief(),
            until: hold.is_met.then(|| candidate.other.brief()),
            confirms: None,
            schedule: Some(self.path.display().to_string()),
        })
    }

    /// The end of the run.
    pub(crate) fn finish(&self) -> Ended {
        let seen = lock(&self.seen);
        let Schedule { candidate, points, .. } = &self.schedule;
        let mut ways: Vec<String> = Vec::new();
        let lacking = self.schedule.test.as_ref().filter(|_| seen.runs < OF_TEST);
        if let Some(test) = lacking {
            ways.push(match seen.runs {
                0 => format!("{} with @Provoke was not run by regiontrack-junit", test.told()),
                _ => format!("{} ended in its first run, before the one by the schedule", test.told()),
            });
        }
        let (mut all, mut passed) = (points.len(), seen.passed.iter().filter(|passed| **passed == Some(true)).count());
        for (point, passed) in points.iter().zip(&seen.passed) {
            let told = self.schedule.told(point);
            match passed {
                Some(true) => {}
                Some(false) => ways.push(format!("{told} before its turn")),
                None => ways.push(told.replacen(" passes ", " never passed ", 1)),
            }
        }
        for (point, is_behind, why) in &seen.vain {
            let point = &points[*point];
            let (thread, place) = (&self.schedule.threads[point.thread].start, point.role.of(candidate).brief());
            let side = if *is_behind { "behind" } else { "before" };
            let why = match &**why {
                "time" => "longer than replay-patience=",
                "nobody" => "until nobody else could go on",
                "interrupted" => "until it was interrupted",
                _ => "not at all, because others may wait for it there (a class is loaded or initialised)",
            };
            ways.push(format!("{} was held {side} {place} {why}", thread.told()));
        }
        if points.is_empty() {
            (all, passed) = (1, usize::from(seen.is_met));
            if !seen.is_met {
                let (hold, other) = (candidate.hold.brief(), candidate.other.brief());
                ways.push(format!("no thread was held at {hold} until another one passed {other}"));
            }
        }
        let [first, hold, other, last] = Role::ALL.map(|role| role.of(candidate).brief());
        if seen.is_again {
            ways.push(format!("the block came to {first} again, and not to {last}"));
        }
        if seen.is_open && seen.is_met {
            ways.push(format!("after that, another thread was held at {hold} until {other} was passed"));
        }
        let replayed = Replayed {
            file: self.path.display().to_string(),
            runs: 1,
            points: all as u64,
            passed: passed as u64,
            lacks_test: lacking.is_some(),
            ways,
        };
        Ended { replayed, warnings: self.missing(&seen.found).into_iter().collect() }
    }

    /// The places that no instruction is.
    fn missing(&self, found: &BTreeSet<String>) -> Option<String> {
        let Schedule { candidate, points, .. } = &self.schedule;
        let of_points = points.iter().flat_map(|point| [point.role.of(candidate), self.schedule.waits_before(point)]);
        let steps = (0..candidate.steps.len()).map(Role::Step);
        let of_candidate =
            Role::ALL.into_iter().chain(steps).filter(|_| points.is_empty()).map(|role| role.of(candidate));
        let places: BTreeSet<String> = of_points.chain(of_candidate).map(Place::to_string).collect();
        let missing: Vec<&str> = places.difference(found).map(String::as_str).collect();
        let path = self.path.display();
        (!missing.is_empty())
            .then(|| format!("replay={path}: no class that was loaded has these places: {}", missing.join(", ")))
    }
}
