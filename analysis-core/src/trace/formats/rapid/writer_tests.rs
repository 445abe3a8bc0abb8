//! Everything written is read back unchanged, or rejected.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::event::{LabelId, LockId, ThreadId, VarId};

/// Pieces from which names are built, including all that have a meaning in the format.
const PIECES: [&str; 14] = ["(", ")", "#", "\r", "|", "\n", " ", "x", "end", "ß", "☃", "\0", "\u{2028}", "r(y)"];

fn odd_name(random: &mut Pcg64) -> String {
    (0..random.random_range(0..4)).map(|_| PIECES[random.random_range(0..PIECES.len())]).collect()
}

/// Returns a random event, whose names are numbered as a reader would number them.
fn odd_event(random: &mut Pcg64, symbols: &mut Symbols) -> Event {
    let thread = ThreadId(symbols.threads.intern(odd_name(random).as_bytes()));
    let name = odd_name(random);
    let name = name.as_bytes();
    let op = match random.random_range(0..12) {
        0 => Op::Read(VarId(symbols.vars.intern(name))),
        1 => Op::Write(VarId(symbols.vars.intern(name))),
        2 => Op::Acquire(LockId(symbols.locks.intern(name))),
        3 => Op::Release(LockId(symbols.locks.intern(name))),
        4 => Op::Fork(ThreadId(symbols.threads.intern(name))),
        5 => Op::Join(ThreadId(symbols.threads.intern(name))),
        6 => Op::Begin(LabelId(symbols.labels.intern(name))),
        7 => Op::Begin(LabelId::NONE),
        8 => Op::End,
        9 => Op::Fence,
        10 => Op::Commit(VarId(symbols.vars.intern(name))),
        _ => Op::Nop,
    };
    Event { thread, op }
}

/// Returns an event with names instead of numbers: rejected events may use up some numbers.
fn named(event: Event, symbols: &Symbols) -> String {
    let op = match event.op {
        Op::Read(x) => format!("read {}", symbols.var(x)),
        Op::Write(x) => format!("write {}", symbols.var(x)),
        Op::Acquire(l) => format!("acquire {}", symbols.lock(l)),
        Op::Release(l) => format!("release {}", symbols.lock(l)),
        Op::Fork(u) => format!("fork {}", symbols.thread(u)),
        Op::Join(u) => format!("join {}", symbols.thread(u)),
        Op::Begin(m) => format!("begin {:?}", symbols.label(m)),
        Op::Commit(x) => format!("commit {}", symbols.var(x)),
        op => format!("{op:?}"),
    };
    format!("{}: {op}", symbols.thread(event.thread))
}

#[test]
fn what_is_written_is_read_back_as_it_was() {
    for seed in 0..300 {
        let mut random = Pcg64::seed_from_u64(seed);
        let (mut symbols, mut bytes, mut expected) = (Symbols::default(), Vec::new(), Vec::new());
        let mut writer = Writer::new("t.std", &mut bytes);
        for _ in 0..200 {
            let event = odd_event(&mut random, &mut symbols);
            let location = odd_name(&mut random);
            if writer.write(event, &symbols, &location).is_ok() {
                expected.push((named(event, &symbols), location));
            }
        }
        writer.finish().unwrap();
        assert!(expected.len() > 20, "most names are written");
        let mut reader = Reader::new("t.std", bytes.as_slice());
        for (number, (event, location)) in expected.iter().enumerate() {
            let read = reader.next_located().unwrap().map(|it| (it.event, it.line, it.location.to_string()));
            let (read, line, read_location) = read.expect("as many events as were written");
            assert_eq!((&named(read, reader.symbols()), line), (event, number as u64 + 1), "seed {seed}");
            assert_eq!(&read_location, location);
        }
        assert!(reader.next_located().unwrap().is_none());
    }
}

#[test]
fn a_second_writing_gives_the_same_bytes() {
    let text = "T0|begin(a.B.c(int))|B.java:1\nT0|r(x|y)|1\n".replace("x|y", "x") + "T1|end|\nT1|dummy(-)|a|b\n";
    let mut reader = Reader::new("t.std", text.as_bytes());
    let mut bytes = Vec::new();
    let mut writer = Writer::new("t.std", &mut bytes);
    while let Some(it) = reader.next_located().unwrap() {
        let (event, location) = (it.event, it.location.to_string());
        writer.write(event, reader.symbols(), &location).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), text);
}

#[test]
fn names_that_std_cannot_write_are_refused_by_name() {
    let mut symbols = Symbols::default();
    let mut said = |thread: &str, var: &str, location: &str| {
        let thread = ThreadId(symbols.threads.intern(thread.as_bytes()));
        let event = Event { thread, op: Op::Write(VarId(symbols.vars.intern(var.as_bytes()))) };
        let mut bytes = Vec::new();
        let mut writer = Writer::new("t.std", &mut bytes);
        let error = writer.write(event, &symbols, location).unwrap_err().to_string();
        writer.finish().unwrap();
        assert!(bytes.is_empty(), "nothing of it is written");
        error
    };
    let refused = |what| format!("t.std: the {what}; expected another name");
    assert_eq!(said("", "x", ""), refused("thread '' cannot be written in STD: it is empty"));
    assert_eq!(said("A|B", "x", ""), refused("thread 'A|B' cannot be written in STD: it contains '|'"));
    assert_eq!(said("#1", "x", ""), refused("thread '#1' cannot be written in STD: the line would be a comment"));
    assert_eq!(said("A", "", ""), refused("variable '' cannot be written in STD: it is empty"));
    assert_eq!(said("A", "x|y", ""), refused("variable 'x|y' cannot be written in STD: it contains '|'"));
    assert_eq!(said("A", "x\ny", ""), refused("variable 'x\\ny' cannot be written in STD: it contains a newline"));
    assert_eq!(said("A", "x", "1\n"), refused("location '1\\n' cannot be written in STD: it contains a newline"));
    assert_eq!(said("A", "x", "\r"), refused("location '\\r' cannot be written in STD: it ends in a carriage return"));
}

#[test]
fn a_file_whose_name_ends_in_gz_is_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let mut symbols = Symbols::default();
    let event = Event { thread: ThreadId(symbols.threads.intern(b"A")), op: Op::End };
    for (name, magic) in [("t.std", b"A|"), ("t.std.gz", b"\x1f\x8b")] {
        let path = folder.path().join(name);
        let mut writer = Writer::create(&path).unwrap();
        writer.write(event, &symbols, "here").unwrap();
        writer.finish().unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(magic));
        let input = crate::trace::input::Input::open(&path).unwrap();
        let mut text = String::new();
        std::io::Read::read_to_string(&mut input.reopen().unwrap(), &mut text).unwrap();
        assert_eq!(text, "A|end|here\n");
    }
    let said = Writer::create(folder.path()).err().unwrap().to_string();
    assert!(said.contains(": cannot be written: "), "{said}");
}
