//! Which variables and locks of a trace several threads access: nothing can come between two accesses of what only one thread
//! accesses, and most are such. So is what a thread makes, then leaves to a thread that it starts, and perhaps finds again after
//! it has joined that one: their accesses come one after the other, whatever the scheduler does.

use rustc_hash::FxHashMap;

use super::sites::without_number;
use crate::event::{Event, LockId, Op, ThreadId, VarId};
use crate::graph::accesses::at;
use crate::report::{Hand, section};
use crate::trace::input::Input;
use crate::trace::symbols::Symbols;
use crate::trace::{Mode, TraceError, TraceReader};

/// What the threads of a trace share.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    variables: Vec<Users>,
    locks: Vec<Users>,
    threads: Vec<Thread>,
}

/// A point in the execution of a thread: how many starts and joins it has come after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    thread: ThreadId,
    after: u32,
}

/// What is known of a thread. The periods of [`crate::predict`] know all orders, by a clock for each thread; a trace can have very
/// many threads, and mostly what is left to a thread is left by the one that starts it.
#[derive(Clone, Copy, Debug, Default)]
struct Thread {
    runs: bool,
    /// How many starts and joins it has done.
    done: u32,
    /// What comes before all that it does: where it was started.
    started: Option<Point>,
    /// What comes after all that it does: where another thread has joined it first.
    joined: Option<Point>,
}

/// How many starts and joins are followed from one access to the next. With more between them, the threads count as concurrent.
const MOST_HOPS: u32 = 8;

/// The threads that access something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Users {
    /// No thread.
    #[default]
    Nobody,
    /// One thread, or several one after the other, up to this point.
    One(Point),
    /// Threads that can come at the same time.
    Several,
}

impl Users {
    fn add(&mut self, now: Point, threads: &[Thread]) {
        match *self {
            Users::One(last) if last.thread != now.thread && !precedes(last, now, threads, MOST_HOPS) => {
                *self = Users::Several
            }
            Users::Several => {}
            _ => *self = Users::One(now),
        }
    }

    /// The users of two things that are one.
    fn and(self, other: Users) -> Users {
        match (self, other) {
            (Users::Nobody, users) | (users, Users::Nobody) => users,
            (Users::One(one), Users::One(another)) if one.thread == another.thread => {
                Users::One(Point { after: one.after.max(another.after), ..one })
            }
            _ => Users::Several,
        }
    }
}

/// True if starts and joins order these points, as far as `hops` of them show it.
fn precedes(one: Point, other: Point, threads: &[Thread], hops: u32) -> bool {
    if one.thread == other.thread {
        return one.after <= other.after;
    }
    let next = |point: ThreadId| threads.get(point.index()).copied().unwrap_or_default();
    hops > 0
        && (next(other.thread).started.is_some_and(|start| precedes(one, start, threads, hops - 1))
            || next(one.thread).joined.is_some_and(|join| precedes(join, other, threads, hops - 1)))
}

impl Sharing {
    /// Reads a trace for what its threads share. `progress` is called periodically with the number of events.
    ///
    /// # Errors
    /// If the trace cannot be read.
    pub(super) fn read(
        input: &Input,
        mode: Mode,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Sharing, TraceError> {
        let mut reader = TraceReader::open(input, mode)?;
        let (mut sharing, mut batch) = (Sharing::default(), Vec::new());
        while reader.read_batch(&mut batch, 1 << 14)? > 0 {
            batch.iter().for_each(|event| sharing.note(*event));
            if !progress(reader.events()) {
                break;
            }
        }
        sharing.join(reader.symbols());
        Ok(sharing)
    }

    pub(super) fn note(&mut self, event: Event) {
        let me = at(&mut self.threads, event.thread.index());
        me.runs = true;
        // A join that is not its end, as where a number is used again.
        me.joined = None;
        let now = Point { thread: event.thread, after: me.done };
        match event.op {
            Op::Read(var) | Op::Write(var) => at(&mut self.variables, var.index()).add(now, &self.threads),
            Op::Acquire(lock) | Op::Release(lock) => at(&mut self.locks, lock.index()).add(now, &self.threads),
            Op::Fork(child) if child != event.thread => {
                me.done += 1;
                let child = at(&mut self.threads, child.index());
                // A thread that already runs was not started here.
                if !child.runs && child.started.is_none() {
                    child.started = Some(now);
                }
            }
            Op::Join(child) if child != event.thread => {
                me.done += 1;
                let join = Point { after: now.after + 1, ..now };
                at(&mut self.threads, child.index()).joined.get_or_insert(join);
            }
            _ => {}
        }
    }

    /// Joins a lock and the variable of its sections that write nothing, which are one. Permits that a thread gives back are for all, even
    /// if nobody has waited for them.
    pub(super) fn join(&mut self, symbols: &Symbols) {
        let mut sections: FxHashMap<String, VarId> = FxHashMap::default();
        for (index, users) in self.variables.iter_mut().enumerate() {
            let var = VarId(index as u32);
            let name = symbols.var(var);
            if let Some(lock) = section::lock(&name) {
                sections.insert(lock.to_owned(), var);
            } else if Hand::of(without_number(&name)) == Some(Hand::Permits) {
                *users = Users::Several;
            }
        }
        if sections.is_empty() {
            return;
        }
        for lock in (0..self.locks.len()).map(|index| LockId(index as u32)) {
            let Some(var) = sections.get(&*symbols.lock(lock)) else { continue };
            let Sharing { variables, locks, .. } = self;
            let (variable, lock) = (at(variables, var.index()), at(locks, lock.index()));
            let both = variable.and(*lock);
            (*variable, *lock) = (both, both);
        }
    }

    /// True if at most one thread at a time accesses what this event accesses, whatever the scheduler does.
    pub(super) fn is_private(&self, op: Op) -> bool {
        let users = match op {
            Op::Read(var) | Op::Write(var) => self.variables.get(var.index()),
            Op::Acquire(lock) | Op::Release(lock) => self.locks.get(lock.index()),
            _ => return false,
        };
        users.is_none_or(|users| *users != Users::Several)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::predict::periods::{Period, Running};

    /// Whether x is private in a trace of such events: `0f1` for a start, `0j1` for a join, `0` for an access.
    fn is_private(trace: &str) -> bool {
        let mut sharing = Sharing::default();
        events(trace).for_each(|event| sharing.note(event));
        sharing.is_private(Op::Read(VarId(0)))
    }

    fn events(trace: &str) -> impl Iterator<Item = Event> + '_ {
        trace.split(' ').map(|word| {
            let digit = |place: usize| ThreadId(u32::from(word.as_bytes()[place] - b'0'));
            let op = match word.as_bytes().get(1) {
                Some(b'f') => Op::Fork(digit(2)),
                Some(b'j') => Op::Join(digit(2)),
                _ => Op::Write(VarId(0)),
            };
            Event::new(digit(0), op)
        })
    }

    #[test]
    fn what_is_left_to_a_thread_that_is_started_is_private_until_another_one_can_come() {
        for trace in ["0 0f1 1 1", "0 0f1 1 0j1 0", "0 0f1 1f2 2", "0 0f1 1 0j1 0f2 2 0j2 0", "0 0f1 1 1f2 2 1j2 1"] {
            assert!(is_private(trace), "{trace}");
        }
        for trace in ["0 0f1 1 0", "0f1 0 1", "0 1", "0 0f1 1 0f2 2", "0 0f1 0f2 1 2", "1 0f1 0", "0 0f1 1 0j1 0 1"] {
            assert!(!is_private(trace), "{trace}");
        }
    }

    /// By the definition: of each two accesses of different threads, one comes before the other.
    fn are_ordered(trace: &[Event]) -> bool {
        let mut running = Running::default();
        let mut accesses: Vec<Arc<Period>> = Vec::new();
        for event in trace {
            let period = running.step(*event);
            if let Op::Write(_) = event.op {
                accesses.push(period);
            }
        }
        accesses.iter().enumerate().all(|(index, one)| {
            accesses[index + 1..].iter().all(|other| one.thread == other.thread || one.precedes(other))
        })
    }

    #[test]
    fn whatever_is_private_is_never_accessed_at_the_same_time() {
        let each = |thread: u32| {
            let others = (0..3).filter(move |other| *other != thread).map(ThreadId);
            let syncs = others.flat_map(|other| [Op::Fork(other), Op::Join(other)]);
            syncs.chain([Op::Write(VarId(0))]).map(move |op| Event::new(ThreadId(thread), op))
        };
        let all: Vec<Event> = (0..3).flat_map(each).collect();
        let mut found: BTreeMap<(bool, bool), u32> = BTreeMap::new();
        for number in 0..all.len().pow(5) {
            let trace: Vec<Event> = (0..5).map(|place| all[number / all.len().pow(place) % all.len()]).collect();
            let mut sharing = Sharing::default();
            trace.iter().for_each(|event| sharing.note(*event));
            let (is_private, is_ordered) = (sharing.is_private(Op::Write(VarId(0))), are_ordered(&trace));
            assert!(!is_private || is_ordered, "{trace:?}");
            *found.entry((is_private, is_ordered)).or_default() += 1;
        }
        // Only what is joined by several threads is not recognized.
        let missed = found.get(&(false, true)).copied().unwrap_or_default();
        assert!(missed * 100 < found[&(true, true)], "{found:?}");
    }

    #[test]
    fn what_one_thread_accesses_is_private_and_a_lock_is_one_with_its_sections() {
        let text = "a|begin(m)|\na|r(x@1)|\na|w(y@1)|\nb|w(y@1)|\na|acq(L@1)|\na|rel(L@1)|\na|acq(K@2)|\na|rel(K@2)|\n\
                    b|r(K@2.lock)|\nb|r(K@2.lock)|\na|acq(M@3)|\na|r(M@3.lock)|\na|rel(M@3)|\na|end|\n";
        let input = Input::spool("a.std", text.as_bytes()).expect("spooled");
        let sharing = Sharing::read(&input, Mode::Strict, |_| true).expect("a trace");
        let variables = [0, 1, 2, 3].map(|number| sharing.is_private(Op::Read(VarId(number))));
        assert_eq!(variables, [true, false, false, true], "x, y, the sections of K, those of M");
        let locks = [0, 1, 2].map(|number| sharing.is_private(Op::Acquire(LockId(number))));
        assert_eq!(locks, [true, false, true], "L, K, M");
    }
}
