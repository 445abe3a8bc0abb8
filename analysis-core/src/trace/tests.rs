//! Whole traces: strict, lenient, looked up, and damaged at random.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::diagnostics::EXAMPLES;
use super::input::Input;
use super::wellformed::IllFormed;
use super::{Detail, ErrorKind, Mode, Place, TraceError, TraceReader, lookup};
use crate::event::{Event, LockId, ThreadId};

fn input(text: impl AsRef<[u8]>) -> Input {
    Input::spool("trace.std", text.as_ref()).unwrap()
}

/// Returns all events, read in batches of `most`.
fn read(input: &Input, mode: Mode, most: usize) -> Result<(TraceReader, Vec<Event>), TraceError> {
    let mut trace = TraceReader::open(input, mode)?;
    let (mut batch, mut events) = (Vec::new(), Vec::new());
    while trace.read_batch(&mut batch, most)? > 0 {
        events.extend_from_slice(&batch);
    }
    assert_eq!(trace.events(), events.len() as u64);
    Ok((trace, events))
}

/// Line 4 is ill-formed, 5 malformed, 7 ill-formed.
const FAULTY: &str = "# a comment\nT1|acq(L3)|1\n\nT2|rel(L3)|2\nT2|what|3\nT1|rel(L3)|4\nT1|end|5\nT1|r(x)|6\n";

#[test]
fn a_strict_reading_stops_at_the_first_problem() {
    for most in [1, 2, 100] {
        let error = read(&input(FAULTY), Mode::Strict, most).err().unwrap();
        let said = "trace.std:4: release of L3 by T2, which does not hold it (held by T1); \
                    expected an acquire of L3 by T2 before it";
        assert_eq!(error.to_string(), said);
        let expected =
            IllFormed::ReleaseOfLockNotHeld { thread: ThreadId(1), lock: LockId(0), holder: Some(ThreadId(0)) };
        assert!(matches!(error.kind, ErrorKind::IllFormed { problem, .. } if problem == expected));
        assert_eq!(error.place, Place::Line(4));
    }
    let error = read(&input("T1|r(x)|1\nT1|what|2\nT1|end|3\n"), Mode::Strict, 100).err().unwrap();
    assert_eq!(error.place, Place::Line(2));
    assert!(error.malformed().is_some());
}

#[test]
fn a_lenient_reading_skips_malformed_lines_and_keeps_ill_formed_events() {
    for most in [1, 2, 100] {
        let (trace, events) = read(&input(FAULTY), Mode::Lenient, most).unwrap();
        let found = trace.diagnostics();
        assert_eq!((events.len(), found.skipped(), found.ill_formed_events()), (5, 1, 2));
        assert!(found.is_incomplete());
        let warnings = [
            "1 line skipped: unknown operation 'what' (line 5)",
            "1 ill-formed event kept: release of L3 by T2, which does not hold it (held by T1) (line 4)",
            "1 ill-formed event kept: end by T1, which has no open block (line 7)",
        ];
        assert_eq!(found.warnings(), warnings);
    }
}

#[test]
fn ill_formed_events_alone_do_not_make_a_trace_incomplete() {
    let (trace, _) = read(&input("1|acq(@03)|1\n2|acq(@03)|2\n1|acq(@03)|3\n"), Mode::Lenient, 100).unwrap();
    assert!(!trace.diagnostics().is_incomplete());
    let warnings = ["2 ill-formed events kept: acquire of @03 by 2, held by 1 (lines 2, 3)"];
    assert_eq!(trace.diagnostics().warnings(), warnings);
}

#[test]
fn the_first_examples_of_each_kind_are_kept() {
    let (trace, events) = read(&input("A|end|\nbad\n".repeat(50)), Mode::Lenient, 7).unwrap();
    let found = trace.diagnostics();
    assert_eq!((events.len(), found.skipped(), found.ill_formed_events()), (50, 50, 50));
    assert_eq!((found.skipped_examples().count(), found.ill_formed_examples().count()), (EXAMPLES, EXAMPLES));
    let last = found.skipped_examples().last().unwrap();
    assert_eq!((last.place, last.reason.as_str()), (Place::Line(40), "1 field in 'bad'"));
    assert!(found.warnings()[0].starts_with("50 lines skipped: 1 field in 'bad' (lines 2, 4, "));
    assert!(found.warnings()[0].ends_with("38, 40, ...)"));
}

#[test]
fn details_are_looked_up_by_event_number() {
    let input = input(FAULTY);
    let detail = |event, line: u64, thread: &str, operation: &str, location: &str| Detail {
        event,
        place: Place::Line(line),
        thread: thread.into(),
        operation: operation.into(),
        location: location.into(),
    };
    let all = [
        detail(1, 2, "T1", "acq(L3)", "1"),
        detail(2, 4, "T2", "rel(L3)", "2"),
        detail(3, 6, "T1", "rel(L3)", "4"),
        detail(4, 7, "T1", "end", "5"),
        detail(5, 8, "T1", "r(x)", "6"),
    ];
    assert_eq!(lookup(&input, &[1, 2, 3, 4, 5]).unwrap(), all);
    assert_eq!(lookup(&input, &[2, 2, 5]).unwrap(), [all[1].clone(), all[1].clone(), all[4].clone()]);
    assert_eq!(lookup(&input, &[]).unwrap(), []);
}

#[test]
fn an_event_that_the_trace_does_not_have_is_an_error() {
    for (numbers, wanted, events) in [(&[6][..], 6, 5), (&[1, 1000], 1000, 5)] {
        let said = format!(
            "trace.std: no event {wanted}, the trace ends after {events}; \
             expected the same trace as at the first reading"
        );
        assert_eq!(lookup(&input(FAULTY), numbers).unwrap_err().to_string(), said);
    }
}

/// A well-formed trace of every operation.
fn valid() -> Vec<u8> {
    let operations = "A|begin(m) A|acq(l) A|r(x) B|w(x) A|rel(l) A|fork(C) C|r(y) A|join(C) B|fence B|commit(y) A|end";
    operations.split(' ').map(|operation| format!("{operation}|F.java:1\n")).collect::<String>().into_bytes()
}

/// Reads damaged data in both modes. Reading must end, and its messages must be one line each.
fn survives(bytes: &[u8]) {
    let input = input(bytes);
    if let Err(error) = read(&input, Mode::Strict, 3) {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    let Ok((trace, events)) = read(&input, Mode::Lenient, 3) else { return };
    assert!(trace.diagnostics().warnings().iter().all(|warning| !warning.contains('\n')));
    let numbers: Vec<u64> = (1..=events.len() as u64).collect();
    assert_eq!(lookup(&input, &numbers).unwrap().len(), events.len());
}

#[test]
fn random_bytes_never_panic() {
    let mut random = Pcg64::seed_from_u64(1);
    let alphabet = b"AB|()rw#\n\r end acq\xff\xc3\xa4\x1f\x8b\0";
    for _ in 0..3000 {
        let length = random.random_range(0..200);
        let anything: Vec<u8> = (0..length).map(|_| random.random()).collect();
        survives(&anything);
        let likely: Vec<u8> = (0..length).map(|_| alphabet[random.random_range(0..alphabet.len())]).collect();
        survives(&likely);
    }
}

#[test]
fn random_damage_to_a_trace_never_panics() {
    let mut random = Pcg64::seed_from_u64(2);
    for _ in 0..2000 {
        let mut bytes = valid();
        for _ in 0..random.random_range(1..8) {
            let at = random.random_range(0..bytes.len());
            match random.random_range(0..4) {
                0 => bytes[at] = random.random(),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"|()\n#\r"[random.random_range(0..6)]),
                _ => bytes.swap(at, 0),
            }
        }
        survives(&bytes);
    }
    assert!(read(&input(valid()), Mode::Strict, 3).is_ok());
}
