//! Shrinks a trace that shows a fault to a small one that still does.
//!
//! Delta debugging: each round tries to leave out runs of events (halves first, single events last), whole threads, and
//! pairs that only make sense together (a begin and its end, an acquire and its release, a fork and its joins), and
//! then to merge variables, locks and labels. Rounds repeat until none helps. A well-formed trace stays well-formed.
//! Nothing is random: the same trace and fault give the same small trace.

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

use crate::world;

/// Returns the smallest trace found by these rules for which `is_faulty` still holds. It must hold for `trace`.
pub fn shrink(trace: &[Event], is_faulty: impl FnMut(&[Event]) -> bool) -> Vec<Event> {
    let mut shrinker = Shrinker { best: trace.to_vec(), must_be_well_formed: world::is_well_formed(trace), is_faulty };
    loop {
        let size = shrinker.best.len();
        shrinker.drop_runs();
        shrinker.drop_threads();
        shrinker.drop_pairs();
        let has_merged = shrinker.merge_names();
        if shrinker.best.len() == size && !has_merged {
            break;
        }
    }
    let tidy = renumbered(&shrinker.best);
    shrinker.try_instead(tidy);
    shrinker.best
}

struct Shrinker<F> {
    best: Vec<Event>,
    must_be_well_formed: bool,
    is_faulty: F,
}

impl<F: FnMut(&[Event]) -> bool> Shrinker<F> {
    fn try_instead(&mut self, candidate: Vec<Event>) -> bool {
        let is_better =
            (!self.must_be_well_formed || world::is_well_formed(&candidate)) && (self.is_faulty)(&candidate);
        if is_better {
            self.best = candidate;
        }
        is_better
    }

    fn try_without(&mut self, is_dropped: impl Fn(usize, Event) -> bool) -> bool {
        let kept = self.best.iter().enumerate().filter(|&(index, event)| !is_dropped(index, *event));
        let candidate: Vec<Event> = kept.map(|(_, event)| *event).collect();
        candidate.len() < self.best.len() && self.try_instead(candidate)
    }

    /// Starts from the end, so that what follows the fault goes first and the indices of the remaining events stay valid.
    fn drop_runs(&mut self) {
        let mut length = self.best.len().div_ceil(2);
        while length > 0 {
            let mut end = self.best.len();
            while end > 0 {
                let start = end.saturating_sub(length);
                self.try_without(|index, _| (start..end).contains(&index));
                end = start;
            }
            length /= 2;
        }
    }

    fn drop_threads(&mut self) {
        let mut threads: Vec<ThreadId> = self.best.iter().map(|event| event.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        for thread in threads {
            self.try_without(|_, event| {
                event.thread == thread || event.op == Op::Fork(thread) || event.op == Op::Join(thread)
            });
        }
    }

    fn drop_pairs(&mut self) {
        let mut index = self.best.len();
        while index > 0 {
            index -= 1;
            if index < self.best.len() {
                let partners = partners(&self.best, index);
                if !partners.is_empty() {
                    self.try_without(|other, _| other == index || partners.contains(&other));
                }
            }
        }
    }

    /// Renames each variable (lock, label) to each smaller one.
    fn merge_names(&mut self) -> bool {
        let mut has_merged = false;
        for name in names(&self.best) {
            for smaller in (0..name.number()).map(|number| name.with_number(number)) {
                let candidate: Vec<Event> = self.best.iter().map(|event| name.replaced(smaller, *event)).collect();
                if candidate != self.best && self.try_instead(candidate) {
                    has_merged = true;
                    break;
                }
            }
        }
        has_merged
    }
}

/// Returns the events that make no sense without the one at `index`: the end of a begin, the release of an acquire, the joins of a fork.
fn partners(trace: &[Event], index: usize) -> Vec<usize> {
    let Event { thread, op } = trace[index];
    let rest = || trace.iter().enumerate().skip(index + 1).filter(move |(_, event)| event.thread == thread);
    match op {
        Op::Begin(_) => {
            let mut open = 1;
            let end = rest().find(|(_, event)| {
                open += i32::from(matches!(event.op, Op::Begin(_))) - i32::from(event.op == Op::End);
                open == 0
            });
            end.into_iter().map(|(index, _)| index).collect()
        }
        Op::Acquire(lock) => {
            rest().find(|(_, event)| event.op == Op::Release(lock)).map(|(i, _)| i).into_iter().collect()
        }
        Op::Fork(child) => {
            trace.iter().enumerate().filter(|(_, event)| event.op == Op::Join(child)).map(|(i, _)| i).collect()
        }
        _ => Vec::new(),
    }
}

/// A name in a trace other than a thread's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Var(VarId),
    Lock(LockId),
    Label(LabelId),
}

impl Name {
    fn of(op: Op) -> Option<Name> {
        match op {
            Op::Read(x) | Op::Write(x) | Op::Commit(x) => Some(Name::Var(x)),
            Op::Acquire(l) | Op::Release(l) => Some(Name::Lock(l)),
            Op::Begin(m) if m != LabelId::NONE => Some(Name::Label(m)),
            _ => None,
        }
    }

    fn number(self) -> u32 {
        match self {
            Name::Var(VarId(n)) | Name::Lock(LockId(n)) | Name::Label(LabelId(n)) => n,
        }
    }

    fn with_number(self, number: u32) -> Name {
        match self {
            Name::Var(_) => Name::Var(VarId(number)),
            Name::Lock(_) => Name::Lock(LockId(number)),
            Name::Label(_) => Name::Label(LabelId(number)),
        }
    }

    /// Returns `event` with this name replaced by `new`.
    fn replaced(self, new: Name, event: Event) -> Event {
        if Name::of(event.op) == Some(self) { Event { op: with_name(event.op, new), ..event } } else { event }
    }
}

fn with_name(op: Op, name: Name) -> Op {
    match (op, name) {
        (Op::Read(_), Name::Var(x)) => Op::Read(x),
        (Op::Write(_), Name::Var(x)) => Op::Write(x),
        (Op::Commit(_), Name::Var(x)) => Op::Commit(x),
        (Op::Acquire(_), Name::Lock(l)) => Op::Acquire(l),
        (Op::Release(_), Name::Lock(l)) => Op::Release(l),
        (Op::Begin(_), Name::Label(m)) => Op::Begin(m),
        (op, _) => op,
    }
}

fn names(trace: &[Event]) -> Vec<Name> {
    let mut names: Vec<Name> = trace.iter().filter_map(|event| Name::of(event.op)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Numbers threads, variables, locks and labels densely, in order of first appearance.
pub fn renumbered(trace: &[Event]) -> Vec<Event> {
    let mut threads: Vec<ThreadId> = Vec::new();
    let mut names: Vec<Name> = Vec::new();
    let mut thread = |id: ThreadId| {
        let known = threads.iter().position(|&other| other == id);
        ThreadId(known.unwrap_or_else(|| {
            threads.push(id);
            threads.len() - 1
        }) as u32)
    };
    let mut name = |old: Name| {
        if !names.contains(&old) {
            names.push(old);
        }
        let same_kind = names.iter().filter(|other| std::mem::discriminant(*other) == std::mem::discriminant(&old));
        old.with_number(same_kind.take_while(|&&other| other != old).count() as u32)
    };
    let renumber = |event: &Event| Event {
        thread: thread(event.thread),
        op: match event.op {
            Op::Fork(child) => Op::Fork(thread(child)),
            Op::Join(child) => Op::Join(thread(child)),
            op => Name::of(op).map_or(op, |old| with_name(op, name(old))),
        },
    };
    trace.iter().map(renumber).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Answer;
    use crate::{generate, text};

    fn non_serializable(trace: &[Event]) -> bool {
        Answer::of_reference(trace).first_event.is_some()
    }

    #[test]
    fn a_non_serializable_trace_shrinks_to_a_cycle_of_a_few_events() {
        for family in generate::FAMILIES {
            let trace =
                (0..).map(|seed| family.trace(seed)).find(|trace| non_serializable(trace)).expect("one of many");
            let small = shrink(&trace, non_serializable);
            assert!(small.len() <= 8, "{}: {} events\n{}", family.name, small.len(), text::to_std(&small));
            assert!(non_serializable(&small) && (world::is_well_formed(&small) || !family.is_well_formed()));
        }
    }

    #[test]
    fn nothing_can_be_left_out_of_what_is_left() {
        let trace = generate::find("dense").expect("a family");
        let trace = (0..).map(|seed| trace.trace(seed)).find(|trace| non_serializable(trace)).expect("one of many");
        let small = shrink(&trace, non_serializable);
        for index in 0..small.len() {
            let mut without = small.clone();
            without.remove(index);
            assert!(!world::is_well_formed(&without) || !non_serializable(&without), "{}", text::to_std(&small));
        }
    }

    #[test]
    fn variables_that_need_not_differ_become_one() {
        let trace = text::read("T0|begin T0|w(x) T1|w(x) T1|w(y) T0|w(y)").expect("readable").events;
        let small = shrink(&trace, non_serializable);
        assert_eq!(text::to_std(&small), "T0|begin|1\nT0|w(V0)|2\nT1|w(V0)|3\nT0|w(V0)|4\n");
    }

    #[test]
    fn numbers_are_dense_and_in_order_of_first_appearance() {
        let events = |text: &str| text::read(text).expect("readable").events;
        let mut sparse = events("T0|begin(a) T1|begin(b) T2|w(x) T2|w(y) T2|acq(k) T2|acq(l)");
        sparse.drain(..1);
        assert_eq!(renumbered(&sparse), events("T1|begin(b) T2|w(x) T2|w(y) T2|acq(k) T2|acq(l)"));
    }
}
