//! Recognition of formats; and a trace written in any format is read back with every event, and with names and
//! locations if the format has them.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::trace::input::Input;
use crate::trace::symbols::{Interner, Symbols};
use crate::trace::vocabulary::notation::notation;
use crate::trace::{Mode, TraceReader, TraceWriter};

/// An event with names and its location.
fn named(event: Event, symbols: &Symbols, location: &str) -> String {
    format!("{}|{}|{location}", symbols.thread(event.thread), notation(event.op, symbols))
}

/// Returns a random trace with names that all text formats can write; numeric names are the same in all formats.
fn random(seed: u64, is_numeric: bool, has_more: bool) -> (Symbols, Vec<(Event, String)>) {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut symbols = Symbols::default();
    let names = ["1", "2", "@02.pkg/C.f_I", "@05[3]", "pkg/C.m(I)V", "a.B.c(int,long)", "ü", "()", "V7)"];
    let one = |names_of: &mut Interner, random: &mut Pcg64, is_thread: bool| {
        let few = if is_numeric { 2 } else { names.len() };
        let name = names[random.random_range(0..few)];
        names_of.intern(if is_thread { name.replace([')', ','], "_") } else { name.to_string() }.as_bytes())
    };
    let events = (0..random.random_range(0..60)).map(|_| {
        let thread = ThreadId(one(&mut symbols.threads, &mut random, true));
        let op = match random.random_range(0..if has_more { 11 } else { 7 }) {
            0 => Op::Read(VarId(one(&mut symbols.vars, &mut random, false))),
            1 => Op::Write(VarId(one(&mut symbols.vars, &mut random, false))),
            2 => Op::Acquire(LockId(one(&mut symbols.locks, &mut random, false))),
            3 => Op::Release(LockId(one(&mut symbols.locks, &mut random, false))),
            4 => Op::Begin(LabelId(one(&mut symbols.labels, &mut random, false))),
            5 => Op::Begin(LabelId::NONE),
            6 => Op::End,
            7 | 8 => Op::Fork(ThreadId(one(&mut symbols.threads, &mut random, true))),
            _ => Op::Join(ThreadId(one(&mut symbols.threads, &mut random, true))),
        };
        let location = ["", "12", "C.java:3", "a b  c"][random.random_range(0..4)];
        (Event::new(thread, op), location.to_string())
    });
    let events = events.collect();
    (symbols, events)
}

/// Writes the events to a file and reads it back, with names.
fn round(format: &Format, name: &str, symbols: &Symbols, events: &[(Event, String)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let mut writer = TraceWriter::create(&path, format).unwrap();
    for (event, location) in events {
        writer.write(*event, symbols, location).unwrap();
    }
    writer.finish().unwrap();
    let input = Input::open(&path).unwrap();
    assert_eq!(input.format().unwrap(), format, "{name}");
    let mut reader = TraceReader::open_located(&input, Mode::Lenient).unwrap();
    let (mut batch, mut read) = (Vec::new(), Vec::new());
    while reader.read_batch(&mut batch, 1).unwrap() > 0 {
        read.push(named(batch[0], reader.symbols(), &reader.written().location));
    }
    assert_eq!(reader.diagnostics().skipped(), 0);
    read
}

#[test]
fn a_trace_is_read_back_as_it_was_written() {
    for seed in 0..200 {
        for (format, name, is_numeric) in [
            (&rapid::FORMAT, "t.std", false),
            (&roadrunner::FORMAT, "t.rr", false),
            (&roadrunner::FORMAT, "t.txt.gz", false),
            (&records::FORMAT, "t.rtr", true),
            (&records::FORMAT, "t.rtr.gz", true),
        ] {
            let has_locations = format != &records::FORMAT;
            let (symbols, events) = random(seed, is_numeric, has_locations);
            let location = |location: &str| if has_locations { location.to_string() } else { String::new() };
            let expected: Vec<String> = events.iter().map(|(e, l)| named(*e, &symbols, &location(l))).collect();
            assert_eq!(round(format, name, &symbols, &events), expected, "seed {seed}, {name}");
        }
    }
}

#[test]
fn records_keep_which_names_are_the_same() {
    for seed in 0..200 {
        let (symbols, events) = random(seed, false, false);
        let read = round(&records::FORMAT, "t.rtr", &symbols, &events);
        let expected: Vec<String> = events.iter().map(|(event, _)| named(*event, &symbols, "")).collect();
        let kinds = |lines: &[String]| -> Vec<String> {
            let operations = lines.iter().map(|line| line.split('|').nth(1).expect("an operation"));
            operations.map(|operation| operation.split('(').next().expect("a kind").to_string()).collect()
        };
        assert_eq!(kinds(&read), kinds(&expected), "seed {seed}");
        for (one, other) in (0..read.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
            assert_eq!(read[one] == read[other], expected[one] == expected[other], "seed {seed}: {one}, {other}");
        }
    }
}

#[test]
fn events_that_a_format_lacks_are_refused_or_left_out_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut symbols = Symbols::default();
    let [t, u] = ["T1", "T2"].map(|name| ThreadId(symbols.threads.intern(name.as_bytes())));
    let x = VarId(symbols.vars.intern(b"x"));
    for (format, name, op, said) in [
        (&records::FORMAT, "fork(T2)", Op::Fork(u), "RegionTrack's records"),
        (&records::FORMAT, "join(T2)", Op::Join(u), "RegionTrack's records"),
        (&records::FORMAT, "fence", Op::Fence, "RegionTrack's records"),
        (&roadrunner::FORMAT, "commit(x)", Op::Commit(x), "RoadRunner's print"),
        (&roadrunner::FORMAT, "dummy(-)", Op::Nop, "RoadRunner's print"),
    ] {
        let path = folder.path().join("t");
        let mut writer = TraceWriter::create(&path, format).unwrap();
        let error = writer.write(Event::new(t, op), &symbols, "").unwrap_err().to_string();
        let expected = format!(
            "{}: the event {name} of T1 cannot be written in {said}, which has no such events; \
             expected another format, or --lossy to leave such events out",
            path.display()
        );
        assert_eq!(error, expected);
        let mut writer = TraceWriter::create(&path, format).unwrap().lossy();
        for op in [op, Op::Write(x), op] {
            writer.write(Event::new(t, op), &symbols, "").unwrap();
        }
        assert_eq!(writer.left_out(), 2);
        writer.finish().unwrap();
        let mut reader = TraceReader::open(&Input::open(&path).unwrap(), Mode::Strict).unwrap();
        assert_eq!(reader.read_batch(&mut Vec::new(), 9).unwrap(), 1);
    }
}

#[test]
fn a_format_is_recognised_by_the_first_bytes_and_only_then_by_the_name() {
    let format = |name: &str, bytes: &[u8]| Input::spool(name, bytes).unwrap().format().ok();
    let records = [0, 0, 0, 3, 0, 0, 0, 20, 0, 0, 0, 1];
    for (bytes, expected) in [
        (&b"T0|r(x)|1\n"[..], &rapid::FORMAT),
        (b"# comment\nwhat\n", &rapid::FORMAT),
        (b"T0|what|1", &rapid::FORMAT),
        (b"[main: a | b | c]\n\n@  Rd(0,x)  null  null\n", &roadrunner::FORMAT),
        (b"@Enter(0,m)", &roadrunner::FORMAT),
        (&records, &records::FORMAT),
    ] {
        for name in ["t.std", "t.rr", "t.rtr", "t"] {
            assert_eq!(format(name, bytes), Some(expected), "{name}");
        }
    }
    for (name, expected) in [
        ("a/t.std", Some(&rapid::FORMAT)),
        ("t.STD.gz", Some(&rapid::FORMAT)),
        ("t.rr", Some(&roadrunner::FORMAT)),
        ("t.txt.gz", Some(&roadrunner::FORMAT)),
        ("t.rtr", Some(&records::FORMAT)),
        ("t.std.bz2", None),
        ("t", None),
    ] {
        assert_eq!(format(name, b"what\nis this"), expected, "{name}");
        assert_eq!(format(name, b" \n\n"), expected.or(Some(&rapid::FORMAT)), "{name}");
    }
    let said = Input::spool("t", &b"\x7fELF"[..]).unwrap().format().unwrap_err().to_string();
    let expected = "t: is in no known format; expected a trace in one of std, roadrunner, records, rtb, \
                    or the format named with --from";
    assert_eq!(said, expected);
}

#[test]
fn a_format_that_is_named_is_taken_whatever_the_bytes_are() {
    let input = Input::spool("t.std", &b"T0|r(x)|1\n"[..]).unwrap().with_format(Some(&roadrunner::FORMAT));
    let mut reader = TraceReader::open(&input, Mode::Strict).unwrap();
    assert_eq!(reader.read_batch(&mut Vec::new(), 9).unwrap(), 0);
}

#[test]
fn every_format_is_found_by_its_name_and_its_extensions() {
    for format in &FORMATS {
        assert_eq!(Format::named(format.name), Some(format));
        for extension in format.extensions {
            assert_eq!(Format::of_path(format!("a.b.{extension}.gz").as_ref()), Some(format));
        }
    }
    assert_eq!(Format::named("RapId"), None);
}
