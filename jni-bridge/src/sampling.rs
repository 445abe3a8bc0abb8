//! `sample=`: when the program's threads are watched, and what they count when they are not.
//!
//! The program is watched in bursts. Two things are measured, because watching costs in three ways.
//! - *Time*: all processor time that a burst takes is charged, the program's own included. So is all that the JIT compilers take from
//!   the first burst on: they compile each watched method again, with both of its bodies, and nobody knows which part of that work
//!   they would have had in any case. Together this may be a given percentage of all other processor time ([`Budget`]).
//! - *Pace*: what was compiled with both bodies stays slower. So classes are added gradually, as long as the program enters
//!   about as many blocks in its processor time as before ([`Pace`]).

use std::ffi::c_long;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::shared::{lock, zeros};

/// A burst that has taken this much ends.
const SLICE: Duration = Duration::from_millis(20);
/// How often to check whether a burst is to begin, and whether it is to end.
const PAUSE: Duration = Duration::from_millis(20);
const GLANCE: Duration = Duration::from_millis(1);
/// A burst also ends after this many glances: a program that waits does not need it.
const MOST_GLANCES: u32 = 100;
/// The most unused time that is saved, in microseconds.
const MOST_SAVED: i64 = 200_000;

/// The number of shares that the classes are divided into, and how many of them the first burst watches.
const SHARES: u32 = 16;
const FEWEST_SHARES: u32 = 2;
/// A pace is measured over at least this much processor time.
const LONG_ENOUGH: Duration = Duration::from_millis(40);
/// The factor by which the best pace fades each time, because a program that does something else by now has another
/// pace.
const FORGETTING: f64 = 0.98;

/// The schedule, and the counters.
pub(crate) struct Sampling {
    schedule: Mutex<Schedule>,
    unwatched: Mutex<Unwatched>,
}

/// Calls that were not watched, by stripe and block.
#[derive(Default)]
struct Unwatched {
    blocks: usize,
    counters: Box<[AtomicU64]>,
}

struct Schedule {
    percent: u8,
    compilers: Compilers,
    /// Set from the first burst on.
    measures: Option<(Budget, Pace)>,
}

/// Processor time that the process has taken.
#[derive(Clone, Copy, Default)]
struct Taken {
    /// In all its threads.
    all: Duration,
    /// In those of the JIT compilers, where that is known.
    compilers: Duration,
}

/// How much processor time bursts may take.
struct Budget {
    percent: i64,
    /// The time that is already counted.
    seen: Taken,
    /// What may be spent, in microseconds; negative for a debt.
    saved: i64,
}

impl Budget {
    fn new(percent: u8, now: Taken) -> Budget {
        Budget { percent: percent.into(), seen: now, saved: 0 }
    }

    /// True if a burst may begin now.
    fn may_begin(&mut self, now: Taken) -> bool {
        let all = micros(now.all, self.seen.all);
        let compilers = micros(now.compilers, self.seen.compilers).min(all);
        self.seen = now;
        self.saved = (self.saved + (all - compilers) * self.percent / 100 - compilers).min(MOST_SAVED);
        self.saved >= micros(SLICE, Duration::ZERO)
    }

    /// The time taken by a burst that began when it was allowed to.
    fn taken(&self, now: Duration) -> Duration {
        now.saturating_sub(self.seen.all)
    }

    /// Charges a burst that has ended.
    fn end(&mut self, now: Taken) {
        self.saved -= micros(now.all, self.seen.all);
        self.seen = now;
    }
}

fn micros(to: Duration, from: Duration) -> i64 {
    i64::try_from(to.saturating_sub(from).as_micros()).unwrap_or(i64::MAX / 200)
}

/// How many classes bursts watch.
struct Pace {
    /// The fastest pace may be this much faster than the current one.
    slack: f64,
    shares: u32,
    /// The best pace: blocks per second of processor time while nothing is watched.
    best: f64,
    /// When the current pace began, and how many blocks had begun by then.
    since: Duration,
    blocks: u64,
}

impl Pace {
    fn new(percent: u8, now: Duration, blocks: u64) -> Pace {
        Pace { slack: 1.0 + f64::from(percent) / 100.0, shares: FEWEST_SHARES / 2, best: 0.0, since: now, blocks }
    }

    /// Begins a burst and returns how many shares of the classes it watches. So far, `blocks` unwatched blocks have
    /// begun.
    fn begin(&mut self, now: Duration, blocks: u64) -> u32 {
        let passed = now.saturating_sub(self.since);
        if passed >= LONG_ENOUGH {
            let pace = blocks.saturating_sub(self.blocks) as f64 / passed.as_secs_f64();
            self.best *= FORGETTING;
            if pace * self.slack >= self.best {
                self.shares = (2 * self.shares).min(SHARES);
            }
            self.best = self.best.max(pace);
        }
        self.shares = self.shares.max(FEWEST_SHARES);
        self.shares
    }

    /// Begins a new pace after a burst.
    fn end(&mut self, now: Duration, blocks: u64) {
        self.since = now;
        self.blocks = blocks;
    }
}

impl Sampling {
    /// Bursts may take `percent` of the time that is taken outside them.
    pub(crate) fn new(percent: u8) -> Sampling {
        let schedule = Schedule { percent, compilers: Compilers::default(), measures: None };
        Sampling { schedule: Mutex::new(schedule), unwatched: Mutex::default() }
    }

    /// Waits until a burst is to begin or, if `is_burst`, to end. Returns how many shares of the classes are watched from
    /// then on; `None` once the run no longer `is_running`. There are `known` blocks.
    pub(crate) fn wait(&self, is_burst: bool, known: usize, is_running: impl Fn() -> bool) -> Option<u32> {
        let Schedule { percent, compilers, measures } = &mut *lock(&self.schedule);
        let begun = || self.unwatched(known).iter().sum();
        let mut taken = || Taken { all: processor_time(), compilers: compilers.taken() };
        let (budget, pace) = measures.get_or_insert_with(|| {
            let now = taken();
            (Budget::new(*percent, now), Pace::new(*percent, now.all, begun()))
        });
        let shares = if is_burst {
            for _ in 0..MOST_GLANCES {
                std::thread::sleep(GLANCE);
                if budget.taken(processor_time()) >= SLICE {
                    break;
                }
            }
            budget.end(taken());
            pace.end(processor_time(), begun());
            0
        } else {
            while is_running() && !budget.may_begin(taken()) {
                std::thread::sleep(PAUSE);
            }
            pace.begin(processor_time(), begun())
        };
        is_running().then_some(shares)
    }

    /// The address of counters for `blocks` blocks in each of `stripes` stripes.
    pub(crate) fn counters(&self, stripes: usize, blocks: usize) -> usize {
        let mut unwatched = lock(&self.unwatched);
        unwatched.counters = zeros(stripes * blocks);
        unwatched.blocks = blocks;
        unwatched.counters.as_ptr() as usize
    }

    /// The number of unwatched calls of each of the first `known` blocks.
    pub(crate) fn unwatched(&self, known: usize) -> Vec<u64> {
        let unwatched = lock(&self.unwatched);
        let mut counts = vec![0; known.min(unwatched.blocks)];
        for stripe in unwatched.counters.chunks(unwatched.blocks.max(1)) {
            counts.iter_mut().zip(stripe).for_each(|(all, one)| *all += one.load(Ordering::Relaxed));
        }
        counts
    }
}

unsafe extern "C" {
    fn clock() -> c_long;
}

/// The processor time that the process has taken, in all its threads.
fn processor_time() -> Duration {
    // SAFETY: a function of the C library without arguments. POSIX fixes its unit.
    let ticks = u64::try_from(unsafe { clock() }).unwrap_or(0);
    if cfg!(windows) { Duration::from_millis(ticks) } else { Duration::from_micros(ticks) }
}

/// The threads of the JIT compilers.
#[derive(Default)]
struct Compilers {
    /// By number of the thread: what it has taken, in hundredths of a second; `None` for all other threads.
    threads: FxHashMap<u32, Option<u64>>,
}

impl Compilers {
    /// The time that the compilers have taken so far. Only Linux reports it; elsewhere it is zero.
    fn taken(&mut self) -> Duration {
        for entry in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
            let Some(number) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let read = |file: &str| std::fs::read_to_string(entry.path().join(file)).unwrap_or_default();
            let is_compiler = || read("comm").contains("Compiler");
            let known = self.threads.entry(number).or_insert_with(|| is_compiler().then_some(0));
            if let Some(taken) = known {
                *taken = ticks(&read("stat")).unwrap_or(*taken);
            }
        }
        Duration::from_millis(10 * self.threads.values().flatten().sum::<u64>())
    }
}

/// User and system time, from the line of a thread: the 14th and 15th word, if its name, in brackets, is the second.
fn ticks(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut words = after_name.split_whitespace().skip(11);
    let mut next = || words.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// Bursts that take `cost` each, while the compilers take so many per cent of the other time, until the process has taken `total`: what
    /// they and the compilers have taken.
    fn spent(percent: u8, cost: Duration, compilers: u32, total: Duration) -> Duration {
        let mut now = Taken::default();
        let (mut budget, mut bursts) = (Budget::new(percent, now), Duration::ZERO);
        while now.all < total {
            if budget.may_begin(now) {
                now.all += cost;
                bursts += cost;
                budget.end(now);
            } else {
                now.all += PAUSE;
                now.compilers += PAUSE * compilers / 100;
            }
        }
        bursts + now.compilers
    }

    #[test]
    fn bursts_and_compilers_take_the_share_that_was_asked_for() {
        for (percent, cost, compilers) in [(1, 20, 0), (10, 20, 0), (30, 23, 5), (30, 400, 20), (100, 20, 0)] {
            let (cost, total) = (ms(cost), ms(200_000));
            let spent = spent(percent, cost, compilers, total);
            let allowed = (total - spent) * percent.into() / 100;
            assert!(spent <= allowed + cost, "{percent} %: {spent:?} of {allowed:?}");
            assert!(spent + cost >= allowed * 9 / 10, "{percent} %: {spent:?} of {allowed:?}");
        }
    }

    #[test]
    fn compilers_that_take_more_than_the_share_leave_no_time_for_bursts() {
        let spent = spent(30, ms(20), 40, ms(100_000));
        assert!(spent <= ms(100_000) * 40 / 100, "{spent:?}");
    }

    #[test]
    fn the_time_of_a_thread_is_read_although_its_name_has_spaces() {
        let stat = "77 (C2 CompilerThre) S 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20";
        assert_eq!(ticks(stat), Some(281));
        assert_eq!(ticks("77"), None);
    }

    #[test]
    fn what_was_not_used_for_long_is_not_used_at_once() {
        let mut budget = Budget::new(50, Taken::default());
        assert!(budget.may_begin(Taken { all: ms(60_000), compilers: ms(0) }));
        assert_eq!(budget.saved, MOST_SAVED);
    }

    /// Bursts with these paces before them, in blocks for 100 ms: how many shares each watches.
    fn shares(percent: u8, paces: &[u64]) -> Vec<u32> {
        let (mut pace, mut now, mut blocks) = (Pace::new(percent, ms(0), 0), ms(0), 0);
        let begin = |more: &u64| {
            now += ms(100);
            blocks += more;
            let shares = pace.begin(now, blocks);
            pace.end(now, blocks);
            shares
        };
        paces.iter().map(begin).collect()
    }

    #[test]
    fn classes_are_taken_in_as_long_as_the_program_keeps_its_pace() {
        assert_eq!(shares(30, &[1000, 1000, 1000, 1000, 1000]), [2, 4, 8, 16, 16]);
        assert_eq!(shares(30, &[1000, 700, 700, 900]), [2, 2, 2, 4]);
        assert_eq!(shares(30, &[0, 0, 0]), [2, 4, 8]);
    }

    #[test]
    fn a_program_that_comes_to_do_something_else_is_watched_again() {
        let paces: Vec<u64> = std::iter::once(1000).chain([300; 80]).collect();
        assert_eq!(shares(30, &paces).last(), Some(&16));
    }

    #[test]
    fn calls_are_counted_in_stripes() {
        let sampling = Sampling::new(10);
        let address = sampling.counters(2, 4);
        let counters = std::ptr::with_exposed_provenance::<AtomicU64>(address);
        for (index, count) in [(1, 5), (3, 1), (5, 7)] {
            // SAFETY: the counters are alive, eight of them.
            unsafe { &*counters.add(index) }.store(count, Ordering::Relaxed);
        }
        assert_eq!(sampling.unwatched(3), [0, 12, 0]);
        assert_eq!(sampling.unwatched(9), [0, 12, 0, 1]);
    }
}
