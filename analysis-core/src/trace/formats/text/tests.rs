//! A reader thread yields the same as reading in the calling thread.

use std::collections::HashMap;
use std::fmt::Write;
use std::io::Cursor;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::reader::Reader;
use crate::event::{Op, VarId};
use crate::trace::formats::ahead::Pace;
use crate::trace::formats::format::Source;
use crate::trace::rapid::Std;
use crate::trace::symbols::NameHash;

/// Long enough for many chunks: events, lines that are not events, malformed ones, and lines longer than a chunk.
fn text(random: &mut Pcg64) -> Vec<u8> {
    let mut text = String::new();
    let mut vars = 1;
    while text.len() < 1_500_000 {
        let (thread, var) = (random.random_range(0..5), random.random_range(0..vars));
        vars += u32::from(random.random_bool(0.3));
        let end = if random.random_bool(0.1) { "\r\n" } else { "\n" };
        match random.random_range(0..100_000) {
            0 => write!(text, "{thread}|r({})|{end}", "x".repeat(300_000)),
            1..50 => write!(text, "{thread}|read(v{var})|{end}"),
            50..80 => write!(text, "# {var}{end}{end}"),
            80..90 => write!(text, "{thread}|fork(new{var})|{end}"),
            90..5_000 => write!(text, "{thread}|begin(m{})|{end}{thread}|end|{end}", var % 50),
            5_000..9_000 => write!(text, "{thread}|acq(l{0})|{end}{thread}|rel(l{0})|p|q{end}", var % 20),
            9_000..9_100 => write!(text, "{thread}|commit(v{var})|{end}"),
            9_100..50_000 => write!(text, "{thread}|w(v{var})|C.java:{var}{end}"),
            _ => write!(text, "{thread}|r(v{var})|{end}"),
        }
        .expect("memory");
    }
    let mut text = text.into_bytes();
    // A line that is not text, and a last line without a line end.
    let at = text.len() / 2;
    text[at] = 0xff;
    text.truncate(text.len() - random.random_range(0..10));
    text
}

/// Returns everything that a reader yields: events with names and lines, and errors.
fn read(text: &[u8], pace: Pace, random: &mut Pcg64) -> Vec<String> {
    let mut reader = Reader::<Std, _>::with_pace("t.std".into(), Cursor::new(text.to_vec()), pace);
    let (mut said, mut events) = (Vec::new(), Vec::new());
    loop {
        events.clear();
        let most = if pace == Pace::Located { 1 } else { random.random_range(1..20_000) };
        match Source::read_batch(&mut reader, &mut events, most) {
            Ok(0) => return said,
            Ok(_) => {
                let symbols = reader.symbols();
                let event = |(index, event): (usize, &crate::event::Event)| {
                    let (thread, line) = (symbols.thread(event.thread), reader.line(index));
                    format!("{line}: {thread}|{}", crate::trace::vocabulary::notation::notation(event.op, symbols))
                };
                said.extend(events.iter().enumerate().map(event));
            }
            Err(error) => said.push(error.to_string()),
        }
    }
}

#[test]
fn a_thread_of_its_own_reads_the_same() {
    for seed in 0..4 {
        let mut random = Pcg64::seed_from_u64(seed);
        let text = text(&mut random);
        let along = read(&text, Pace::Along, &mut random);
        assert!(along.len() > 50_000, "seed {seed}");
        for pace in [Pace::Ahead, Pace::Located] {
            let other = read(&text, pace, &mut random);
            let differs = along.iter().zip(&other).find(|(one, other)| one != other);
            assert!(differs.is_none() && along.len() == other.len(), "seed {seed}, {pace:?}: {differs:?}");
        }
    }
}

#[test]
fn a_reader_that_is_dropped_early_ends_its_thread() {
    let text = "0|r(x)|1\n".repeat(1_000_000).into_bytes();
    let mut reader = Reader::<Std, _>::with_pace("t.std".into(), Cursor::new(text), Pace::Ahead);
    // Dropping waits for the thread, so otherwise this test would not end.
    assert_eq!(reader.take(1).unwrap().len(), 1);
    drop(reader);
}

#[test]
fn a_file_that_is_no_trace_is_wrong_in_every_line() {
    let text = "no trace\n".repeat(100_000);
    let mut reader = Reader::<Std, _>::with_pace("t.std".into(), Cursor::new(text.into_bytes()), Pace::Ahead);
    for line in 1..=100_000 {
        let error = reader.take(10).unwrap_err().to_string();
        assert!(error.starts_with(&format!("t.std:{line}: 1 field")), "{error}");
    }
    assert!(reader.take(10).unwrap().is_empty());
}

#[test]
fn two_variables_whose_names_have_one_hash_are_two() {
    let mut seen = HashMap::new();
    let name = |number: u32| format!("v{number}");
    // By the birthday paradox there are some dozens among this many.
    let pair = (0..500_000).find_map(|new| Some((seen.insert(NameHash::of(name(new).as_bytes()), new)?, new)));
    let (one, other) = pair.expect("two names with one hash");
    let line = |number| format!("0|r({})|\n", name(number));
    let text = [line(one), line(other), line(one)].concat() + &"# long enough for two chunks\n".repeat(10_000);
    let text = text + &[line(one), line(other)].concat();
    let mut reader = Reader::<Std, _>::new("t.std", Cursor::new(text));
    let mut events = Vec::new();
    while reader.read_batch(&mut events, 10).unwrap() > 0 {}
    let vars: Vec<Op> = events.iter().map(|event| event.op).collect();
    assert_eq!(vars, [0, 1, 0, 0, 1].map(|x| Op::Read(VarId(x))));
}
