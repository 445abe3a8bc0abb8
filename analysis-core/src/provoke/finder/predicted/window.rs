//! A window of events: from a schedule in which a block is violated to the places at which the path of the violation goes from one thread to
//! the next.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Action, Opened, Passed, Passing, Predicted, Site, Taken};
use crate::engine::Violation;
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::predict::Execution;
use crate::predict::ids::At;
use crate::predict::schedule::Schedule;

/// The most other threads of a violation that can be made to happen.
const MOST_THREADS: usize = 4;
/// And the most places.
const MOST_STEPS: usize = 8;

/// The events of a window, including those that it begins with.
pub(super) struct Window {
    events: Vec<Taken>,
    pub(super) execution: Execution,
}

impl Window {
    pub(super) fn new(opened: &[Opened], events: &[Taken]) -> Window {
        let mut all = Vec::with_capacity(events.len());
        for (thread, opened) in (0..).map(ThreadId).zip(opened) {
            let labels = opened.labels.iter().map(|label| Op::Begin(*label));
            let locks = opened.locks.iter().map(|lock| Op::Acquire(LockId(*lock)));
            all.extend(labels.chain(locks).map(|op| {
                let event = Event::new(thread, op);
                Taken { event, site: None, declaration: 0, object: None, period: None }
            }));
        }
        all.extend_from_slice(events);
        // What the algorithms keep is as long as the greatest number, so numbers are made dense.
        let [mut vars, mut locks, mut threads] = [(); 3].map(|()| FxHashMap::default());
        fn dense(numbers: &mut FxHashMap<u32, u32>, number: u32) -> u32 {
            let next = numbers.len() as u32;
            *numbers.entry(number).or_insert(next)
        }
        for taken in &mut all {
            taken.event.thread = ThreadId(dense(&mut threads, taken.event.thread.0));
            taken.event.op = match taken.event.op {
                Op::Fork(child) => Op::Fork(ThreadId(dense(&mut threads, child.0))),
                Op::Join(child) => Op::Join(ThreadId(dense(&mut threads, child.0))),
                Op::Read(var) => Op::Read(VarId(dense(&mut vars, var.0))),
                Op::Write(var) => Op::Write(VarId(dense(&mut vars, var.0))),
                Op::Acquire(lock) => Op::Acquire(LockId(dense(&mut locks, lock.0))),
                Op::Release(lock) => Op::Release(LockId(dense(&mut locks, lock.0))),
                op => op,
            };
        }
        let execution = Execution::new(all.iter().map(|taken| taken.event).collect());
        Window { events: all, execution }
    }

    pub(super) fn passings(&self, events: &[At]) -> Vec<Option<Passing>> {
        events.iter().map(|at| self.passing(at.index())).collect()
    }

    /// The place of an event; `None` if no thread can be held there.
    fn passing(&self, index: usize) -> Option<Passing> {
        let Taken { event, site, .. } = &self.events[index];
        let action = match event.op {
            Op::Read(_) => Action::Read,
            Op::Write(_) => Action::Write,
            Op::Acquire(_) => Action::Acquire,
            Op::Release(_) => Action::Release,
            _ => return None,
        };
        Some(((*site)?, action))
    }

    /// The number of an event's object among `objects`, to which it is added.
    fn object(&self, index: usize, objects: &mut Vec<Option<u32>>) -> Option<u8> {
        let object = self.events[index].object;
        object?;
        let known = objects.iter().position(|known| *known == object).unwrap_or_else(|| {
            objects.push(object);
            objects.len() - 1
        });
        u8::try_from(known).ok()
    }

    fn thread(&self, index: usize) -> ThreadId {
        self.events[index].event.thread
    }

    /// The candidates that a schedule shows, if threads can be held at their places: one that holds the thread as early as possible, and
    /// one that holds it before its last place. There it is known which object it will access, and all that it has published is there.
    pub(super) fn candidates(&self, schedule: &Schedule) -> Vec<Predicted> {
        self.routed(schedule).unwrap_or_default()
    }

    fn routed(&self, schedule: &Schedule) -> Option<Vec<Predicted>> {
        let violation = schedule.violation.as_ref()?;
        let route = Route::of(violation)?;
        if self.is_of_one_access(&route) || self.is_forced(&route) || self.wait_for_themselves(&route.steps) {
            return None;
        }
        let Route { me, first, last, steps } = &route;
        // If the path leaves the block by the end of a section, the thread is held there; what it passes first is the section's begin, if
        // that is in the block.
        let section = self.section(*first).filter(|begin| self.block(*me, *begin, *last).is_some());
        let first = section.unwrap_or(*first);
        let theirs = self.locks_of_others(&route);
        let is_possible = |hold: &usize| !steps.iter().any(|(_, step)| self.precedes(*hold, *step));
        let early = self.hold(*me, first, *last, &theirs).filter(is_possible);
        let block = self.block(*me, first, *last)?;
        let mine: Vec<LockId> = self.held_between(*me, first, *last);
        let mut declarations = vec![self.events[first].declaration];
        let mut passed = Vec::with_capacity(steps.len());
        // Other objects are numbered from 1, also if the first place has none.
        let mut objects = vec![self.events[first].object];
        for (index, (letter, step)) in steps.iter().enumerate() {
            let is_first = !steps[..index].iter().any(|(before, _)| before == letter);
            let others = self.held_in(steps.iter().filter(|(other, _)| other != letter).map(|(_, step)| *step));
            let gate = is_first.then(|| self.gate(*step, |lock| mine.contains(&lock) || others.contains(&lock)));
            passed.push(Passed {
                thread: *letter,
                object: self.object(*step, &mut objects),
                passing: self.passing(*step)?,
                gate: gate.flatten(),
            });
            declarations.push(self.events[*step].declaration);
        }
        declarations.push(self.events[*last].declaration);
        let mut known = FxHashSet::default();
        declarations.retain(|declaration| known.insert(*declaration));
        let late =
            self.can_wait_before(*last) && self.is_of_its_object(*last, &route) && self.is_outermost(*me, *last, block);
        let (first, last) = (self.passing(first)?, self.passing(*last)?);
        let early = early.and_then(|hold| self.passing(hold));
        let late = Some(last).filter(|last| late && *last != first && early != Some(*last));
        let held =
            |hold| Predicted { block, declarations: declarations.clone(), first, hold, last, steps: passed.clone() };
        Some(early.into_iter().chain(late).map(held).collect())
    }

    /// True if the thread accesses something at its last event. It then holds no lock that the others need after its first one: with
    /// such a lock, the path would have returned where the thread took it.
    fn can_wait_before(&self, last: usize) -> bool {
        matches!(self.events[last].event.op, Op::Read(_) | Op::Write(_))
    }

    /// True if the last event is about the object of the last step, which is known.
    fn is_of_its_object(&self, last: usize, route: &Route) -> bool {
        let object = |index: usize| self.events[index].object;
        route.steps.last().is_some_and(|(_, step)| object(last).is_some() && object(last) == object(*step))
    }

    /// True if one access of another thread violates the block: the path returns by the variable or lock by which it has left. The finder
    /// then has the candidate, if it is possible.
    fn is_of_one_access(&self, route: &Route) -> bool {
        let subject = |index: usize| match self.events[index].event.op {
            Op::Read(var) | Op::Write(var) => (false, var.0),
            Op::Acquire(lock) | Op::Release(lock) => (true, lock.0),
            _ => (false, u32::MAX),
        };
        let (first, last) = (route.steps.first(), route.steps.last());
        first.zip(last).is_none_or(|((one, first), (other, last))| one == other && subject(*first) == subject(*last))
    }

    /// True if starts, joins or what was handed over force another order of two of its events.
    fn is_forced(&self, route: &Route) -> bool {
        let steps = route.steps.iter().map(|(_, step)| *step);
        let order: Vec<usize> = std::iter::once(route.first).chain(steps).chain([route.last]).collect();
        (0..order.len()).any(|later| order[..later].iter().any(|earlier| self.precedes(order[later], *earlier)))
    }

    /// True if something that a thread does only after it goes on precedes what others are to do while it is held after a step, before
    /// another one of its own.
    fn wait_for_themselves(&self, steps: &[(u8, usize)]) -> bool {
        steps.iter().enumerate().any(|(index, (thread, step))| {
            let next = steps[index + 1..].iter().position(|(other, _)| other == thread).unwrap_or(0);
            steps[index + 1..index + 1 + next].iter().any(|(_, meanwhile)| self.precedes(*step, *meanwhile))
        })
    }

    /// True if the period of an event is over before that of another one begins.
    fn precedes(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|index| self.events[index].period.as_ref());
        one.zip(other).is_some_and(|(one, other)| one.precedes(other))
    }

    /// The begin of the section of a lock that an event ends; `None` if it ends none.
    fn section(&self, index: usize) -> Option<usize> {
        let Taken { event, .. } = &self.events[index];
        let Op::Release(lock) = event.op else { return None };
        let begin = Event::new(event.thread, Op::Acquire(lock));
        let begin = self.events[..index].iter().rposition(|taken| taken.event == begin)?;
        self.passing(begin).map(|_| begin)
    }

    /// The locks that a thread holds after an event.
    fn held(&self, thread: ThreadId, index: usize) -> Vec<(LockId, usize)> {
        let mut held: Vec<(LockId, usize)> = Vec::new();
        for (at, taken) in self.events[..=index].iter().enumerate().filter(|(_, taken)| taken.event.thread == thread) {
            match taken.event.op {
                Op::Acquire(lock) => held.push((lock, at)),
                Op::Release(lock) => held.retain(|(open, _)| *open != lock),
                _ => {}
            }
        }
        held
    }

    /// The locks that a thread holds at some time from one event to the other.
    fn held_between(&self, thread: ThreadId, from: usize, to: usize) -> Vec<LockId> {
        let mut locks: Vec<LockId> = self.held(thread, from).into_iter().map(|(lock, _)| lock).collect();
        for taken in self.events[from..=to].iter().filter(|taken| taken.event.thread == thread) {
            if let Op::Acquire(lock) | Op::Release(lock) = taken.event.op {
                locks.push(lock);
            }
        }
        locks
    }

    /// The locks that threads hold at these events of theirs.
    fn held_in(&self, events: impl Iterator<Item = usize>) -> Vec<LockId> {
        events.flat_map(|event| self.held_between(self.thread(event), event, event)).collect()
    }

    /// The locks that other threads need while the thread of the block is held.
    fn locks_of_others(&self, route: &Route) -> Vec<LockId> {
        let mut locks = Vec::new();
        for (letter, _) in &route.steps {
            let of_thread = || route.steps.iter().filter(|(other, _)| other == letter).map(|(_, step)| *step);
            let (Some(from), Some(to)) = (of_thread().min(), of_thread().max()) else { continue };
            locks.extend(self.held_between(self.thread(from), from, to));
        }
        locks
    }

    /// The first point after `first` at which the thread holds none of these locks: `first` itself, or a release before `last`.
    fn hold(&self, me: ThreadId, first: usize, last: usize, theirs: &[LockId]) -> Option<usize> {
        let mut held: Vec<LockId> = self.held(me, first).into_iter().map(|(lock, _)| lock).collect();
        let is_free = |held: &[LockId]| !held.iter().any(|lock| theirs.contains(lock));
        if is_free(&held) {
            return Some(first);
        }
        for index in (first + 1..last).filter(|index| self.thread(*index) == me) {
            match self.events[index].event.op {
                Op::Acquire(lock) => held.push(lock),
                Op::Release(lock) => {
                    held.retain(|open| *open != lock);
                    if is_free(&held) && self.events[index].site.is_some() {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// True if only one block with this label is open at an event of the thread.
    fn is_outermost(&self, me: ThreadId, index: usize, label: LabelId) -> bool {
        self.open(me, index).iter().filter(|open| **open == label).count() == 1
    }

    /// The labels of the blocks that are open at an event of the thread, the outermost first.
    fn open(&self, me: ThreadId, index: usize) -> Vec<LabelId> {
        let mut open: Vec<LabelId> = Vec::new();
        for taken in self.events[..=index].iter().filter(|taken| taken.event.thread == me) {
            nest(&mut open, taken.event.op);
        }
        open
    }

    /// The label of the innermost block that is open from one event to the other.
    fn block(&self, me: ThreadId, first: usize, last: usize) -> Option<LabelId> {
        let mut open: Vec<LabelId> = Vec::new();
        let mut least = usize::MAX;
        for (index, taken) in self.events[..=last].iter().enumerate().filter(|(_, taken)| taken.event.thread == me) {
            nest(&mut open, taken.event.op);
            if index >= first {
                least = least.min(open.len());
            }
        }
        open.get(least.checked_sub(1)?).copied()
    }

    /// Where the thread of an event took the outermost of its locks that stands against it.
    fn gate(&self, step: usize, is_against: impl Fn(LockId) -> bool) -> Option<Site> {
        let thread = self.thread(step);
        let held = self.held(thread, step);
        let outermost = held.iter().find(|(lock, _)| is_against(*lock))?;
        self.events[outermost.1].site.filter(|_| outermost.1 < step)
    }
}

/// What an event does to the blocks that are open.
fn nest(open: &mut Vec<LabelId>, op: Op) {
    match op {
        Op::Begin(label) => open.push(label),
        Op::End => _ = open.pop(),
        _ => {}
    }
}

/// The events through which the path of a violation goes, by their indices in the window.
struct Route {
    /// The thread of the block.
    me: ThreadId,
    first: usize,
    last: usize,
    /// The events of other threads, with the numbers of these threads among them.
    steps: Vec<(u8, usize)>,
}

impl Route {
    /// `None` if the path takes too many threads or events, or returns to the thread of the block in between.
    fn of(violation: &Violation) -> Option<Route> {
        let index = |position: u64| usize::try_from(position - 1).ok();
        let edges = &violation.edges;
        let (begin, end) = (edges.first()?, edges.last()?);
        let mut threads: Vec<ThreadId> = Vec::new();
        let mut steps: Vec<(u8, usize)> = Vec::new();
        for edge in edges.windows(2) {
            for stamp in [edge[0].to, edge[1].from] {
                let thread = stamp.thread();
                if thread == violation.thread {
                    return None;
                }
                let known = threads.iter().position(|known| *known == thread).unwrap_or_else(|| {
                    threads.push(thread);
                    threads.len() - 1
                });
                let step = (u8::try_from(known + 1).ok()?, index(stamp.position())?);
                if steps.last() != Some(&step) {
                    steps.push(step);
                }
            }
        }
        let is_small = threads.len() <= MOST_THREADS && (1..=MOST_STEPS).contains(&steps.len());
        let (first, last) = (index(begin.from.position())?, index(end.to.position())?);
        is_small.then_some(Route { me: violation.thread, first, last, steps })
    }
}
