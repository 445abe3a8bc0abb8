//! Operations that take time: no order is invented. The promises and their checks are in `src/operations.rs`.
//!
//! `REGIONTRACK_RANDOM=N` runs 10 N random executions. A failure prints the seed, what is wrong, and the smallest
//! execution that still shows it.

use analysis_core::event::{LabelId, Op, ThreadId, VarId};
use analysis_core::protocol::operations::{Action, Moment, record};
use rayon::prelude::*;
use regiontrack_tests::asked;
use regiontrack_tests::operations::{self, Seen};

const DEFAULT_TRACES: u64 = 2_500;
/// A violation takes seven moments.
const MOMENTS: usize = 8;

const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);
const X: VarId = VarId(0);
const Y: VarId = VarId(1);

/// The numbers of executions of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    executions: usize,
    violated: usize,
    non_serializable: usize,
    overlapping: usize,
    violated_and_overlapping: usize,
    with_dropped: usize,
}

impl Counts {
    fn of(seen: Seen) -> Counts {
        Counts {
            executions: 1,
            violated: usize::from(seen.is_violated),
            non_serializable: usize::from(seen.is_non_serializable),
            overlapping: usize::from(seen.is_overlapping),
            violated_and_overlapping: usize::from(seen.is_violated && seen.is_overlapping),
            with_dropped: usize::from(seen.dropped > 0),
        }
    }

    fn plus(self, other: Counts) -> Counts {
        Counts {
            executions: self.executions + other.executions,
            violated: self.violated + other.violated,
            non_serializable: self.non_serializable + other.non_serializable,
            overlapping: self.overlapping + other.overlapping,
            violated_and_overlapping: self.violated_and_overlapping + other.violated_and_overlapping,
            with_dropped: self.with_dropped + other.with_dropped,
        }
    }
}

#[test]
fn what_is_violated_is_so_whenever_operations_took_effect() {
    let checked = (0..10 * asked("REGIONTRACK_RANDOM", DEFAULT_TRACES)).into_par_iter().map(|seed| {
        let moments = operations::random(seed);
        operations::check(&moments).map_err(|_| format!("seed {seed}: {}", operations::explain(&moments)))
    });
    let counts = checked.map(|seen| seen.map(Counts::of)).try_reduce(Counts::default, |a, b| Ok(a.plus(b)));
    let counts = counts.unwrap_or_else(|failure| panic!("{failure}"));
    println!("{counts:?}");
    assert!(counts.violated * 20 > counts.executions, "{counts:?}");
    assert!(counts.violated_and_overlapping * 50 > counts.executions, "{counts:?}");
    assert!(counts.with_dropped * 5 > counts.executions, "{counts:?}");
    assert!((counts.executions - counts.overlapping) * 10 > counts.executions, "{counts:?}");
}

#[test]
fn what_is_violated_is_so_in_every_small_execution() {
    let mut counts = Counts::default();
    for length in 1..=MOMENTS {
        operations::for_all(length, &mut |moments| {
            let seen = operations::check(moments).unwrap_or_else(|_| panic!("{}", operations::explain(moments)));
            counts = counts.plus(Counts::of(seen));
        });
    }
    println!("{counts:?}");
    assert!(counts.violated > 0 && counts.with_dropped > 0);
}

#[test]
fn an_operation_whose_call_depends_on_another_thread_is_dropped() {
    // A's write of X may have come before the read of Y that it calls. Then B's block fits between the two.
    let (read, write) = (Action::Lock(Op::Read(Y)), Action::Lock(Op::Write(Y)));
    let moments = |write: Action| {
        [
            (B, Action::Event(Op::Begin(LabelId::NONE))),
            (B, write),
            (B, Action::Return),
            (A, Action::Start(Op::Write(X))),
            (A, read),
            (A, Action::Return),
            (A, Action::Return),
            (B, Action::Start(Op::Read(X))),
            (B, Action::Return),
        ]
    };
    assert_eq!(recorded(&moments(write)), (vec![0, 1, 4, 7], vec![3]));
    assert_eq!(recorded(&moments(Action::Lock(Op::Read(Y)))), (vec![0, 1, 4, 3, 7], vec![]));
}

/// Returns the starts of the recorded and of the dropped operations.
fn recorded(moments: &[(ThreadId, Action)]) -> (Vec<usize>, Vec<usize>) {
    let moments: Vec<Moment> = moments.iter().map(|&(thread, action)| Moment { thread, action }).collect();
    let recording = record(&moments);
    (recording.events.iter().map(|entry| entry.start).collect(), recording.dropped)
}

#[test]
fn of_two_operations_that_overlap_the_first_to_end_is_recorded() {
    let (read, write) = (Action::Start(Op::Read(X)), Action::Start(Op::Write(X)));
    for (first, second) in [(read, write), (write, read), (write, write)] {
        let moments = [(A, first), (B, second), (B, Action::Return), (A, Action::Return)];
        assert_eq!(recorded(&moments), (vec![1], vec![0]), "{moments:?}");
    }
    assert_eq!(recorded(&[(A, read), (B, read), (B, Action::Return), (A, Action::Return)]), (vec![1, 0], vec![]));
}

#[test]
fn each_access_of_an_operation_is_dropped_or_recorded_by_itself() {
    // A reads X and Y, which B has written. Then C writes Z while A reads Z and X.
    const C: ThreadId = ThreadId(2);
    const Z: VarId = VarId(2);
    let moments = [
        (B, Action::Lock(Op::Write(X))),
        (B, Action::Return),
        (C, Action::Lock(Op::Write(Y))),
        (C, Action::Return),
        (A, Action::Start(Op::Read(X))),
        (A, Action::Also(Op::Read(Y))),
        (A, Action::Return),
        (A, Action::Start(Op::Write(X))),
        (A, Action::Also(Op::Read(Z))),
        (C, Action::Lock(Op::Write(Z))),
        (C, Action::Return),
        (A, Action::Return),
    ];
    // What precedes the operation's read of Y also precedes its read of X, so the read of X is recorded again.
    assert_eq!(recorded(&moments), (vec![0, 2, 4, 4, 4, 9, 7], vec![7]));
}

#[test]
fn what_comes_before_one_access_of_an_operation_comes_before_what_follows_another() {
    // X is a key and Y the number of keys: A asks for the number, B adds the key, A asks for the key.
    let access = |thread, op| [(thread, Action::Start(op)), (thread, Action::Return)];
    let put = [(B, Action::Start(Op::Write(X))), (B, Action::Also(Op::Write(Y))), (B, Action::Return)];
    let moments =
        [&[(A, Action::Event(Op::Begin(LabelId::NONE)))][..], &access(A, Op::Read(Y)), &put, &access(A, Op::Read(X))]
            .concat();
    let moments: Vec<Moment> = moments.iter().map(|&(thread, action)| Moment { thread, action }).collect();
    assert!(operations::check(&moments).expect("it is exact").is_violated);
}

#[test]
fn an_operation_that_starts_during_a_locked_access_overlaps_it() {
    let (read, write) = (Op::Read(X), Op::Write(X));
    for (locked, started) in [(read, write), (write, read), (write, write)] {
        let moments =
            [(A, Action::Lock(locked)), (B, Action::Start(started)), (A, Action::Return), (B, Action::Return)];
        assert_eq!(recorded(&moments), (vec![0], vec![1]), "{moments:?}");
    }
}
