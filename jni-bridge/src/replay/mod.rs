//! `replay=`: threads pass the switch points of a schedule in their order, as far as they can be made to.
//!
//! The Java side gets the points (`Replaying::plan`) and reports each one that was passed, in its turn or before it, and each hold that
//! ended before the other thread came (`Replaying::told`). This shows where the run went another way (`Replaying::finish`). A schedule
//! without points is a plan with one candidate, whichever threads come.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use analysis_core::event::ThreadId;
use analysis_core::provoke::schedule::{self, Point, Role, Schedule};
use analysis_core::provoke::{Place, Trials};
use analysis_core::report::{Provoked, Replayed};

use crate::provoke::{many, steps};
use crate::shared::lock;

/// The default percentage of the run's time that may be spent in holds if a schedule has no points.
pub(crate) const SHARE: u8 = 60;

/// How long a thread is held for a switch point by default, in seconds.
pub(crate) const PATIENCE: u64 = 10;

/// How long any thread is held at a time, in milliseconds, if there are not many chances.
const BOUND: u128 = 640;

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
    /// By point: whether it was passed in its turn; `None` if it was not passed.
    passed: Vec<Option<bool>>,
    /// Holds in vain: the point, whether the thread was behind it, and why the hold ended.
    vain: Vec<(usize, bool, String)>,
    /// The last hold of each thread, by number.
    holds: HashMap<ThreadId, Hold>,
    /// Whether a hold was met; if the run has gone another way, whether one was since then.
    is_met: bool,
    /// Whether the run has gone another way, so that any thread is held; and whether that is because the block began anew, before it
    /// came to its last place.
    is_open: bool,
    is_again: bool,
    /// Whether a block of the candidate was violated, or one around it in which a thread was held.
    has_happened: bool,
    /// How many tests with the name of the schedule's test have begun, and whether the last of all tests was one.
    tests: u64,
    is_test: bool,
    /// How many runs the test of the schedule has begun.
    runs: u8,
    /// The places for which an instruction was found.
    found: BTreeSet<String>,
}

/// A hold of a thread in the block.
#[derive(Clone, Copy, Debug)]
struct Hold {
    micros: u64,
    is_met: bool,
    /// The position of the thread's last event before the hold.
    position: u64,
}

/// The results of a replay.
pub struct Ended {
    /// How far the replay came.
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

    /// The plan, as `Plan.java` reads it: a line for each point, and one for the candidate. Empty if the violation has happened: nothing is
    /// left to do.
    pub(crate) fn plan(&self) -> String {
        if lock(&self.seen).has_happened {
            return String::new();
        }
        let Schedule { candidate, threads, points, .. } = &self.schedule;
        // No thread waits before the other place: where both threads pass it first, both would.
        let [first, hold, last, other] = [&candidate.first, &candidate.hold, &candidate.last, &candidate.other];
        let steps = steps(candidate, None);
        let test = self.schedule.test.iter().map(|_| "test\n".to_owned());
        // If threads pass the places often, many short holds are better than a long one, during which others pass theirs.
        let is_often = points.iter().any(|point| point.times > 1);
        let (bound, free) = if candidate.is_held_before() || is_often {
            (Trials::FIRST_BOUND.as_millis(), many(0))
        } else {
            (BOUND, "0".to_owned())
        };
        let any = format!("0\t{}\t{first}\t{hold}\t{last}\t{other}\t{steps}\t{bound}\t0\t{free}\n", candidate.block);
        let line = |point: &Point| {
            let (place, before) = (point.role.of(candidate), self.schedule.waits_before(point));
            // The first thread is the one in the block.
            let is_in_block = u8::from(point.thread == 0);
            format!("point\t{}\t{place}\t{}\t{before}\t{is_in_block}\n", threads[point.thread].start, point.times)
        };
        test.chain(points.iter().map(line)).chain([any]).collect()
    }

    /// Notes that the test to be repeated next has this name.
    pub(crate) fn begins(&self, name: &str) {
        let seen = &mut *lock(&self.seen);
        seen.is_test = self.schedule.test.as_ref().is_some_and(|test| test.name == name);
        seen.tests += u64::from(seen.is_test);
    }

    /// Why that test runs once; `None` if it is the test of the schedule.
    pub(crate) fn refuses(&self) -> Option<String> {
        let seen = lock(&self.seen);
        let is_it = self.schedule.test.as_ref().is_some_and(|test| seen.is_test && seen.tests == test.nth);
        (!is_it).then(|| format!("the run replays {}, which is not of this test", self.path.display()))
    }

    /// What the next run of the schedule's test does, as in the run in which the violation happened: at first what the test does by itself,
    /// so that what is done once is done, and then it follows the schedule.
    pub(crate) fn next(&self) -> &'static str {
        let seen = &mut *lock(&self.seen);
        seen.runs = seen.runs.saturating_add(1);
        // A violation that happened before, as in another test, is not the one that is to happen.
        seen.has_happened &= seen.runs != OF_TEST;
        ["plain", "replay"].get(usize::from(seen.runs) - 1).unwrap_or(&"end")
    }

    /// Notes that the thread with this number was held in the block. `text` is that of
    /// [`crate::provoke::Provoking::held`].
    pub(crate) fn held(&self, thread: u32, text: &str) {
        let fields: Option<Vec<u64>> = text.split('\t').map(|field| field.parse().ok()).collect();
        let Some([_, micros, met, position]) = fields.as_deref() else { return };
        let (micros, met, position) = (*micros, *met, *position);
        let mut seen = lock(&self.seen);
        seen.is_met |= met != 0;
        seen.holds.insert(ThreadId(thread), Hold { micros, is_met: met != 0, position });
    }

    /// Notes that a point was passed, or a thread was held in vain. `text` is what `Replay.java` reports.
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
            // All points were passed in their order, and nothing had happened; holding any thread from then on does not change that.
            ["open", "through"] => {}
            ["open", why] => {
                (seen.is_open, seen.is_again, seen.is_met) = (true, why == "again", false);
            }
            _ => {}
        }
    }

    /// Notes that an instruction was found for this place.
    pub(crate) fn found(&self, place: &str) {
        lock(&self.seen).found.insert(place.to_owned());
    }

    /// Returns the hold in a violated block of `method`, if there was one. The block began at position `begin` of its thread, and the
    /// event at `event` shows the violation.
    pub(crate) fn provoked(&self, thread: ThreadId, begin: u64, event: u64, method: &str) -> Option<Provoked> {
        let candidate = &self.schedule.candidate;
        let mut seen = lock(&self.seen);
        let hold = seen.holds.get(&thread).filter(|hold| (begin..event).contains(&hold.position)).copied();
        seen.has_happened |= hold.is_some() || candidate.block == method;
        let hold = hold?;
        Some(Provoked::Held {
            candidate: candidate.id(),
            held_ms: hold.micros.div_ceil(1000).max(1),
            at: candidate.reported_hold(),
            until: hold.is_met.then(|| candidate.other.brief()),
            confirms: None,
            schedule: Some(self.path.display().to_string()),
        })
    }

    /// Returns the results at the end of the run.
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
                let (held, other) = (candidate.told_hold(), candidate.other.brief());
                ways.push(format!("no thread was held {held} until another one passed {other}"));
            }
        }
        let [first, _, other, last] = Role::ALL.map(|role| role.of(candidate).brief());
        if seen.is_again {
            ways.push(format!("the block came to {first} again, and not to {last}"));
        }
        if seen.is_open && seen.is_met {
            ways.push(format!(
                "after that, another thread was held {} until {other} was passed",
                candidate.told_hold()
            ));
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

    /// A warning about the places for which no instruction was found.
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
