//! What is kept of a steered run: the holds, the schedules of what they have led to, and what became of the candidates.
//!
//! Candidates are known here only by their index in the run. The run knows what they are about, and so what confirms one
//! ([`super::Provoking`]). Everything that grows in a long run has a limit.

use std::collections::{BTreeSet, HashMap, VecDeque};

use analysis_core::event::ThreadId;
use analysis_core::provoke::schedule::{Point, Role, Schedule, Start, Thread};
use analysis_core::provoke::{Candidate, Outcome, Step};

use super::Shown;

/// How many holds of one thread are remembered. A block with more holds is attributed to one of the last.
const MOST_HOLDS: usize = 64;

/// How many schedules of holds that were met are remembered.
const MOST_MET: usize = 256;

/// The most calls that are remembered for a candidate because they confirm it, and the most schedules.
const MOST_CONFIRMING: usize = 64;
const MOST_SCHEDULED: usize = 8;

/// How often a thread passes a place at most in a program in which something happens once: a block can call itself.
const FEW_TIMES: u64 = 4;

/// What has happened so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Holds in blocks, by the thread's number, the oldest first.
    holds: HashMap<ThreadId, VecDeque<Hold>>,
    /// Likewise the holds of threads before another place, until one was held in a block.
    waits: HashMap<ThreadId, VecDeque<Hold>>,
    /// By the candidate's index. Whether it is confirmed follows from `confirming`.
    outcomes: Vec<Outcome>,
    /// By the candidate's index, the calls whose violation confirms it.
    confirming: Vec<BTreeSet<Call>>,
    /// The schedules of holds that were met.
    met: VecDeque<(Met, Schedule)>,
    /// By the candidate's index, the best schedule of each violated call.
    schedules: Vec<Vec<Scheduled>>,
    /// The candidates whose thread is held before its last place, and whose first place was passed again after that.
    again: BTreeSet<usize>,
    /// How long threads were held, in microseconds.
    pub(super) micros: u64,
    /// The places for which an instruction was found.
    pub(super) found: BTreeSet<String>,
}

/// A hold that was met: its thread, position and candidate.
type Met = (ThreadId, u64, usize);

/// A call of a block: its thread, and where in that it has begun.
pub(super) type Call = (ThreadId, u64);

impl Seen {
    /// Nothing has happened yet to this many candidates.
    pub(super) fn of(candidates: usize) -> Seen {
        let outcomes = vec![Outcome::default(); candidates];
        let (confirming, schedules) = (vec![BTreeSet::new(); candidates], vec![Vec::new(); candidates]);
        Seen { outcomes, confirming, schedules, ..Seen::default() }
    }

    /// Keeps a hold of a thread: in the candidate's block, or before another place.
    pub(super) fn keep_hold(&mut self, thread: ThreadId, hold: Hold, is_inside: bool) {
        let all = if is_inside {
            let outcome = &mut self.outcomes[hold.index];
            outcome.held = true;
            outcome.met |= hold.is_met;
            &mut self.holds
        } else {
            &mut self.waits
        };
        let holds = all.entry(thread).or_default();
        if holds.len() == MOST_HOLDS {
            holds.pop_front();
        }
        holds.push_back(hold);
    }

    /// Keeps the schedule of a hold that was met.
    pub(super) fn keep_met(&mut self, hold: Met, schedule: Schedule) {
        if self.met.len() == MOST_MET {
            self.met.pop_front();
        }
        self.met.push_back((hold, schedule));
    }

    /// Keeps the schedule of what a hold for the candidate with this index has led to, if it is worth more than what is known of the call.
    pub(super) fn keep_schedule(&mut self, index: usize, next: Scheduled) {
        let calls = &mut self.schedules[index];
        let is_full = calls.len() == MOST_SCHEDULED;
        let same = calls.iter().position(|known| known.call == next.call);
        let least = || (0..calls.len()).rev().min_by_key(|index| calls[*index].worth());
        match same.or_else(|| least().filter(|_| is_full)) {
            Some(index) if calls[index].worth() < next.worth() => calls[index] = next,
            Some(_) => {}
            None => calls.push(next),
        }
    }

    /// Notes that the violation of this call confirms the candidate with this index: others came.
    pub(super) fn confirm(&mut self, index: usize, call: Call) {
        self.outcomes[index].met = true;
        let known = &mut self.confirming[index];
        // One call is enough, but each can turn out to wait for other threads.
        if known.len() < MOST_CONFIRMING {
            known.insert(call);
        }
    }

    /// Forgets what the violation of this call has confirmed, and its schedules.
    pub(super) fn forget(&mut self, call: Call) {
        self.confirming.iter_mut().for_each(|calls| _ = calls.remove(&call));
        self.schedules.iter_mut().for_each(|calls| calls.retain(|scheduled| scheduled.call != call));
    }

    /// What became of the candidate with this index.
    pub(super) fn outcome(&self, index: usize) -> Outcome {
        Outcome { confirmed: self.is_confirmed(index), ..self.outcomes[index] }
    }

    fn is_confirmed(&self, index: usize) -> bool {
        !self.confirming[index].is_empty()
    }

    /// True if some candidate is not confirmed though a hold for it was met.
    pub(super) fn is_open(&self) -> bool {
        let is_met = |hold: &Hold| hold.is_met && !self.is_confirmed(hold.index);
        self.holds.values().chain(self.waits.values()).flatten().any(is_met)
    }

    /// True if a thread was held anywhere.
    pub(super) fn has_held(&self) -> bool {
        !self.holds.is_empty() || !self.waits.is_empty()
    }

    /// True if the thread was held in a block between these positions.
    pub(super) fn was_held(&self, thread: ThreadId, begin: u64, event: u64) -> bool {
        !between(&self.holds, thread, begin, event).is_empty()
    }

    /// The schedule of this hold of the thread, if it was met.
    pub(super) fn met(&self, thread: ThreadId, hold: &Hold) -> Option<Schedule> {
        let key = (thread, hold.position, hold.index);
        self.met.iter().find(|(met, _)| *met == key).map(|(_, schedule)| schedule.clone())
    }

    /// The thread and the position of the last hold for the candidate with this index that was met.
    pub(super) fn last_met(&self, index: usize) -> Option<(ThreadId, u64)> {
        let mut all = self.met.iter().rev().map(|(met, _)| *met);
        all.find(|(_, _, of)| *of == index).map(|(thread, position, _)| (thread, position))
    }

    /// Notes that the first place of a candidate was passed again after a thread was held before the last one.
    pub(super) fn again(&mut self, index: usize) {
        self.again.insert(index);
    }

    /// For each candidate its best schedule: preferably one that confirms it, then one with switch points, then the first.
    pub(super) fn scheduled(&self) -> Vec<Scheduled> {
        let best = |calls: &Vec<Scheduled>| calls.iter().rev().max_by_key(|scheduled| scheduled.worth()).cloned();
        let of_candidate = |(index, calls)| {
            let mut scheduled: Scheduled = best(calls)?;
            // Which thread comes first differs from run to run, so the order of the first time is that of no other run.
            if self.again.contains(&index) {
                scheduled.schedule = scheduled.schedule.of_any_thread();
            }
            Some(scheduled)
        };
        self.schedules.iter().enumerate().filter_map(of_candidate).collect()
    }

    /// The holds of the thread in the violated block, the oldest first.
    pub(super) fn inside(&self, Shown { thread, begin, event, .. }: Shown<'_>) -> Vec<Attributed> {
        let holds = between(&self.holds, thread, begin, event).into_iter();
        holds.map(|hold| Attributed { thread, hold, is_inside: true }).collect()
    }

    /// The holds that can have led to the violation of a block in which its thread was not held: holds of other threads on
    /// the path, in the blocks of their events; and holds before another place, of these threads and of the block's own.
    pub(super) fn besides(&self, Shown { thread, begin, event, path, .. }: Shown<'_>) -> Vec<Attributed> {
        let mut found = Vec::new();
        for passed in path.iter().filter(|passed| passed.thread != thread) {
            let Some(begin) = passed.transaction else { continue };
            for (holds, is_inside) in [(&self.holds, true), (&self.waits, false)] {
                let held = between(holds, passed.thread, begin, passed.stamp.position());
                found.extend(held.into_iter().map(|hold| Attributed { thread: passed.thread, hold, is_inside }));
            }
        }
        let waits = between(&self.waits, thread, begin, event);
        found.extend(waits.into_iter().map(|hold| Attributed { thread, hold, is_inside: false }));
        found
    }
}

/// The holds of a thread between these positions, the oldest first.
fn between(holds: &HashMap<ThreadId, VecDeque<Hold>>, thread: ThreadId, begin: u64, event: u64) -> Vec<Hold> {
    let holds = holds.get(&thread).into_iter().flatten();
    holds.filter(|hold| (begin..event).contains(&hold.position)).copied().collect()
}

/// A hold of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// The candidate's index.
    pub(super) index: usize,
    pub(super) micros: u64,
    pub(super) is_met: bool,
    /// The position of the thread's last event before the hold.
    pub(super) position: u64,
}

/// A hold that can have led to a violation: of its thread's block, or of another one's.
pub(super) struct Attributed {
    pub(super) thread: ThreadId,
    pub(super) hold: Hold,
    /// Whether it was in the candidate's block.
    pub(super) is_inside: bool,
}

/// The schedule of what has happened while a thread was held.
#[derive(Clone, Debug)]
pub(crate) struct Scheduled {
    pub(crate) schedule: Schedule,
    /// The violated block.
    pub(crate) method: String,
    /// Whether it confirms the candidate.
    pub(crate) confirms: bool,
    /// The violated call.
    call: Call,
}

impl Scheduled {
    /// The schedule of what has led to this violation.
    pub(super) fn of(schedule: Schedule, confirms: bool, shown: Shown<'_>) -> Scheduled {
        Scheduled { schedule, method: shown.method.to_owned(), confirms, call: shown.call() }
    }

    /// The value of a schedule: greater is better.
    pub(super) fn worth(&self) -> (bool, bool) {
        (self.confirms, !self.schedule.points.is_empty())
    }
}

/// The schedule of the held thread and of those that came meanwhile: how often the held one had passed `first` and `hold`, and what the
/// others pass, in the order of the candidate. The last one then goes on: it can have a lock that the first one needs. `None` if two of
/// them were started alike; and if the thread was held before its last place, and it or others had passed the places often.
pub(super) fn scheduled(
    candidate: Candidate,
    held: Start,
    times: [u64; 2],
    others: Vec<(Start, u64)>,
) -> Option<Schedule> {
    let roles: Vec<(u8, Role)> = match candidate.steps.is_empty() {
        true => vec![(1, Role::Other)],
        false => (0..).zip(&candidate.steps).map(|(index, step)| (step.thread, Role::Step(index))).collect(),
    };
    if roles.len() != others.len() {
        return None;
    }
    let point = |thread, role, times| Point { thread, role, times };
    let [first, hold] = times;
    let is_late = candidate.is_held_before();
    let mut points = Vec::new();
    if candidate.first != candidate.hold {
        points.push(point(0, Role::First, first));
    }
    if !is_late {
        points.push(point(0, Role::Hold, hold));
    }
    let mut starts = vec![held];
    for ((thread, role), (start, times)) in roles.into_iter().zip(others) {
        let thread = usize::from(thread);
        if thread == starts.len() {
            starts.push(start);
        }
        points.push(point(thread, role, times));
    }
    if is_late {
        points.push(point(0, Role::Last, hold));
    }
    // The object of the last place distinguishes the instances of the block, and how often others come before differs from run to run: counts
    // are of use only if there is one instance. A line can have several instructions that are one place.
    let is_once = points.iter().all(|point| point.times <= FEW_TIMES);
    let are_different = (1..starts.len()).all(|index| !starts[..index].contains(&starts[index]));
    let is_known = are_different && points.iter().all(|point| point.times > 0);
    let name = |thread: u8| Step::letter(thread).to_string();
    let threads = (0..).zip(starts).map(|(thread, start)| Thread { name: name(thread), start }).collect();
    (is_known && (is_once || !is_late)).then_some(Schedule { candidate, finding: None, test: None, threads, points })
}
