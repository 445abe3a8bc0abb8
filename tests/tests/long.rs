//! Every engine on long traces: what an engine keeps, reuses and discards on the way does not change its answers.
//!
//! A long trace is a sequence of random ones, each with its blocks closed at its end. Nothing that happens before a
//! block begins or after it ends affects it, so the right answer is that of the pieces, shifted, and the reference
//! never has to judge more than a piece. All pieces share variables and locks. Threads are shared, or belong to one piece.

use analysis_core::event::{Event, Op, ThreadId};
use regiontrack_tests::compare::{self, Answer, Blame};
use regiontrack_tests::generate::{self, Family};
use regiontrack_tests::world;

const PIECES: u64 = 1_500;

/// A trace and its right answer.
#[derive(Default)]
struct Long {
    trace: Vec<Event>,
    right: Answer,
}

impl Long {
    /// Appends a trace whose blocks are closed. `right` is the reference's answer about it.
    fn push(&mut self, piece: &[Event], right: &Answer) {
        let shift = self.trace.len() as u64;
        self.trace.extend(piece);
        self.right.first_event = self.right.first_event.or(right.first_event.map(|event| event + shift));
        let shifted = |blame: &Blame| Blame { begin: blame.begin + shift, event: blame.event + shift, ..*blame };
        self.right.violated.extend(right.violated.iter().map(shifted));
    }
}

/// Returns the trace of a seed with its blocks closed and its threads numbered from `threads` on.
fn piece(family: &Family, seed: u64, threads: u32) -> Vec<Event> {
    let mut piece = family.trace(seed);
    piece.extend(world::after(&piece).missing_ends().collect::<Vec<_>>());
    let renamed = |ThreadId(number)| ThreadId(number + threads);
    for Event { thread, op } in &mut piece {
        *thread = renamed(*thread);
        match op {
            Op::Fork(child) | Op::Join(child) => *child = renamed(*child),
            _ => {}
        }
    }
    piece
}

/// Joins the pieces that are `wanted`, in order. With `threads_go` each piece has its own threads.
fn long(family: &Family, threads_go: bool, wanted: impl Fn(&Answer) -> bool) -> Long {
    const MOST_THREADS: u32 = 16;
    let mut long = Long::default();
    for seed in 0..PIECES {
        let first_thread = if threads_go { seed as u32 * MOST_THREADS } else { 0 };
        let piece = piece(family, seed, first_thread);
        let right = Answer::of_reference(&piece);
        if wanted(&right) {
            long.push(&piece, &right);
        }
    }
    long
}

fn check(name: &str, long: &Long) {
    for spec in compare::engines_on_trial().filter(|spec| spec.most_events.is_none()) {
        let mut engine = (spec.build)();
        engine.feed(&long.trace);
        let mut got = Answer::default();
        got.copy_from(engine.findings());
        let faults = compare::broken_promises(spec.claim, got.whole(), long.right.whole(), true);
        let events = long.trace.len();
        assert!(faults.is_empty(), "`{}` on {events} events, {name}: {:#?}", spec.name, &faults[..faults.len().min(5)]);
    }
}

#[test]
fn each_piece_of_a_long_trace_is_judged_as_if_it_were_alone() {
    for family in generate::FAMILIES {
        for threads_go in [false, true] {
            check(family.name, &long(family, threads_go, |_| true));
        }
    }
}

#[test]
fn a_cycle_is_found_where_it_is_after_a_long_serializable_past() {
    for family in generate::FAMILIES {
        for threads_go in [false, true] {
            let mut past = long(family, threads_go, |right| right.first_event.is_none());
            let cyclic =
                (PIECES..).map(|seed| piece(family, seed, 0)).map(|piece| (Answer::of_reference(&piece), piece));
            let (right, last) = cyclic.into_iter().find(|(right, _)| right.first_event.is_some()).expect("one of many");
            past.push(&last, &right);
            check(family.name, &past);
        }
    }
}
