//! Round trips, cuts at every byte, and damage to every bit.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::layout::{FILE_HEADER, FRAME_HEADER, FrameHeader, MAGIC, Part};
use super::*;
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::trace::error::{ErrorKind, Place, TraceError};
use crate::trace::formats::ahead::Pace;
use crate::trace::formats::format::Source;
use crate::trace::input::Input;
use crate::trace::symbols::{Interner, Symbols};
use crate::trace::{Mode, TraceReader, lookup};

/// A trace with everything that a file contains about it.
struct Trace {
    symbols: Symbols,
    events: Vec<(Event, String)>,
}

/// The result of a reader, and the error at the end if there is one.
struct Reading {
    events: Vec<Event>,
    symbols: [Vec<String>; 4],
    error: Option<TraceError>,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn below(dice: &mut Pcg32, bound: u32) -> u32 {
    dice.next_u32() % bound
}

/// Names that share long prefixes, and some that do not.
fn name(what: &str, number: u32) -> Vec<u8> {
    match number % 7 {
        0 => format!("{what}[{number}]|(é)\n").into_bytes(),
        1 => [&number.to_le_bytes()[..], what.as_bytes(), &[0xff]].concat(),
        _ => format!("{what}[{number}]").into_bytes(),
    }
}

fn fill(table: &mut Interner, what: &str, count: u32) {
    for number in 0..count {
        table.intern(&name(what, number));
    }
}

impl Trace {
    /// Events of all kinds, in runs, over tables of up to `names` names.
    fn random(seed: u64, events: u32, names: u32) -> Trace {
        let mut dice = Pcg32::seed_from_u64(seed);
        let dice = &mut dice;
        let [vars, locks, threads, labels] = [0; 4].map(|_| 1 + below(dice, names));
        let mut symbols = Symbols::default();
        fill(&mut symbols.vars, "x", vars);
        fill(&mut symbols.locks, "l", locks);
        fill(&mut symbols.threads, "T", threads);
        fill(&mut symbols.labels, "m", labels);
        let mut thread = 0;
        let events = (0..events).map(|index| {
            if below(dice, 4) == 0 {
                thread = below(dice, threads);
            }
            let var = VarId(if below(dice, 2) == 0 { index.min(vars - 1) } else { below(dice, vars) });
            let op = match below(dice, 18) {
                0 => Op::Acquire(LockId(below(dice, locks))),
                1 => Op::Release(LockId(below(dice, locks))),
                2 => Op::Fork(ThreadId(below(dice, threads))),
                3 => Op::Join(ThreadId(below(dice, threads))),
                4 => Op::Begin(LabelId(below(dice, labels))),
                5 => Op::Begin(LabelId::NONE),
                6 => Op::End,
                7 => Op::Fence,
                8 => Op::Commit(var),
                9 => Op::Nop,
                16 => Op::Together,
                17 => Op::Update,
                10..13 => Op::Write(var),
                _ => Op::Read(var),
            };
            let place = below(dice, names.saturating_mul(2));
            let location = if place < names { format!("C.m:{place}") } else { String::new() };
            (Event::new(ThreadId(thread), op), location)
        });
        let events = events.collect();
        Trace { symbols, events }
    }

    /// Returns the file, with a frame after each `frame` events, without its end if it is not `finished`.
    fn write(&self, frame: usize, finished: bool) -> Vec<u8> {
        let sink = Shared::default();
        let mut writer = Writer::new("t.rtb", sink.clone());
        for (index, (event, location)) in self.events.iter().enumerate() {
            writer.write(*event, &self.symbols, location).unwrap();
            if (index + 1) % frame == 0 {
                writer.flush().unwrap();
            }
        }
        if finished {
            writer.finish().unwrap();
        }
        std::mem::take(&mut *sink.0.lock().unwrap())
    }

    fn plain(&self) -> Vec<Event> {
        self.events.iter().map(|(event, _)| *event).collect()
    }

    /// Returns whether these are the names of this trace up to the last that an event uses, and each number has a name.
    fn has_names(&self, read: &[Vec<String>; 4]) -> bool {
        let tables = names_of(&self.symbols);
        tables.iter().zip(read).all(|(ours, theirs)| ours.starts_with(theirs))
    }
}

fn names_of(symbols: &Symbols) -> [Vec<String>; 4] {
    [&symbols.vars, &symbols.locks, &symbols.threads, &symbols.labels]
        .map(|table| (0..table.len() as u32).map(|id| table.name(id).into_owned()).collect())
}

fn read_to_end(mut reader: Reader, most: usize) -> Reading {
    let mut events = Vec::new();
    let error = loop {
        let before = events.len();
        match reader.read_batch(&mut events, most) {
            Ok(0) => break None,
            Ok(read) => assert_eq!(events.len(), before + read),
            Err(error) => {
                assert_eq!(events.len(), before);
                break Some(error);
            }
        }
        assert!(events.len() - before <= most);
        assert_named(&events[before..], reader.symbols());
    };
    if error.is_some() {
        assert_eq!(reader.read_batch(&mut Vec::new(), 1).unwrap(), 0, "after an error the trace is at its end");
    }
    Reading { events, symbols: names_of(reader.symbols()), error }
}

/// Checks that the names of every event that was read can be looked up.
fn assert_named(events: &[Event], symbols: &Symbols) {
    for event in events {
        assert!(event.thread.index() < symbols.threads.len());
        let (number, table) = match event.op {
            Op::Read(x) | Op::Write(x) | Op::Commit(x) => (x.0, &symbols.vars),
            Op::Acquire(l) | Op::Release(l) => (l.0, &symbols.locks),
            Op::Fork(u) | Op::Join(u) => (u.0, &symbols.threads),
            Op::Begin(m) if m != LabelId::NONE => (m.0, &symbols.labels),
            Op::Begin(_) | Op::End | Op::Fence | Op::Nop | Op::Together | Op::Update => continue,
        };
        assert!((number as usize) < table.len(), "{event:?}");
    }
}

fn read(bytes: &[u8], most: usize, pace: Pace) -> Reading {
    read_to_end(Reader::new("t.rtb", io::Cursor::new(bytes.to_vec()), pace), most)
}

fn damage(error: &Option<TraceError>) -> Option<&Damage> {
    match &error.as_ref()?.kind {
        ErrorKind::Damaged { damage, .. } => Some(damage),
        other => panic!("{other}"),
    }
}

/// Returns where each frame starts, and where the file ends.
fn frames(bytes: &[u8]) -> Vec<usize> {
    let mut at = FILE_HEADER;
    let mut starts = vec![at];
    while at < bytes.len() {
        at += FRAME_HEADER + FrameHeader::parse(&bytes[at..at + FRAME_HEADER]).unwrap().stored() as usize;
        starts.push(at);
    }
    starts
}

#[test]
fn random_traces_are_read_as_they_were_written() {
    for seed in 0..300 {
        let trace = Trace::random(seed, 1 + seed as u32 * 3, 1 + seed as u32 % 40);
        let bytes = trace.write(1 + seed as usize % 97, true);
        for (most, pace) in [(1, Pace::Along), (7, Pace::Ahead), (usize::MAX, Pace::Along), (1 << 14, Pace::Ahead)] {
            let reading = read(&bytes, most, pace);
            assert_eq!(reading.error.map(|error| error.to_string()), None, "seed {seed}");
            assert_eq!(reading.events, trace.plain(), "seed {seed}");
            assert!(trace.has_names(&reading.symbols), "seed {seed}");
        }
    }
}

#[test]
fn locations_are_read_as_they_were_written() {
    for seed in 0..50 {
        let trace = Trace::random(seed, 500, 1 + seed as u32);
        let mut reader = Reader::new("t.rtb", io::Cursor::new(trace.write(61, true)), Pace::Located);
        let mut one = Vec::new();
        for (index, (event, location)) in trace.events.iter().enumerate() {
            one.clear();
            assert_eq!(reader.read_batch(&mut one, 1).unwrap(), 1);
            assert_eq!(one, [*event]);
            assert_eq!(reader.written().location, *location, "seed {seed}");
            assert_eq!(reader.place(0), Place::Record(index as u64 + 1));
        }
        assert_eq!(reader.read_batch(&mut one, 1).unwrap(), 0);
    }
}

#[test]
fn a_frame_is_full_by_its_events_and_full_frames_are_many() {
    let trace = Trace::random(1, 3 * MOST_EVENTS + 5, 3000);
    let bytes = trace.write(usize::MAX, true);
    assert_eq!(frames(&bytes).len(), 6);
    for (most, pace) in [(1000, Pace::Along), (1000, Pace::Ahead), (usize::MAX, Pace::Ahead)] {
        assert!(read(&bytes, most, pace).events == trace.plain());
    }
}

#[test]
fn a_trace_of_no_events_is_a_whole_trace() {
    let trace = Trace { symbols: Symbols::default(), events: Vec::new() };
    let bytes = trace.write(1, true);
    assert_eq!(bytes.len(), FILE_HEADER + FRAME_HEADER + 8);
    let reading = read(&bytes, 1, Pace::Along);
    assert!(reading.events.is_empty() && reading.error.is_none());
}

#[test]
fn names_may_be_huge() {
    let mut symbols = Symbols::default();
    let huge = "n".repeat(5 << 20);
    symbols.threads.intern(huge.as_bytes());
    symbols.vars.intern(format!("{huge}1").as_bytes());
    symbols.vars.intern(format!("{huge}2").as_bytes());
    let event = |var| (Event::new(ThreadId(0), Op::Read(VarId(var))), huge.clone());
    let trace = Trace { symbols, events: (0..2).map(event).collect() };
    let bytes = trace.write(usize::MAX, true);
    let reading = read(&bytes, 10, Pace::Along);
    assert!(reading.error.is_none() && reading.events == trace.plain());
    assert!(reading.symbols == names_of(&trace.symbols));
    let mut reader = Reader::new("t.rtb", io::Cursor::new(bytes), Pace::Located);
    assert_eq!(reader.read_batch(&mut Vec::new(), 1).unwrap(), 1);
    assert!(reader.written().location == huge);
}

#[test]
fn a_name_that_is_too_long_is_refused() {
    let mut symbols = Symbols::default();
    symbols.threads.intern(&vec![b'n'; LONGEST_NAME + 1]);
    let mut writer = Writer::new("t.rtb", io::sink());
    let said = writer.write(Event::new(ThreadId(0), Op::End), &symbols, "").unwrap_err().to_string();
    assert!(said.contains("it has more than 2^28 bytes"), "{said}");
}

#[test]
fn variables_may_be_millions() {
    let mut symbols = Symbols::default();
    symbols.threads.intern(b"T");
    let count = (1 << 20) + 1000;
    fill(&mut symbols.vars, "x", count);
    let mut dice = Pcg32::seed_from_u64(1);
    let numbers = (0..count).chain((0..10_000).map(|_| below(&mut dice, count))).collect::<Vec<_>>();
    let event = |var| (Event::new(ThreadId(0), Op::Write(VarId(var))), String::new());
    let trace = Trace { symbols, events: numbers.into_iter().map(event).collect() };
    let reading = read(&trace.write(usize::MAX, true), 1 << 14, Pace::Ahead);
    assert!(reading.error.is_none() && reading.events == trace.plain());
    assert!(reading.symbols == names_of(&trace.symbols));
}

#[test]
fn a_file_cut_at_any_byte_is_read_up_to_the_last_whole_frame() {
    let trace = Trace::random(3, 60, 12);
    let bytes = trace.write(13, true);
    let starts = frames(&bytes);
    for cut in 0..bytes.len() {
        let whole = starts.iter().filter(|&&start| start <= cut).count().saturating_sub(1);
        let events = (whole * 13).min(60);
        for pace in [Pace::Along, Pace::Ahead] {
            let reading = read(&bytes[..cut], 5, pace);
            assert_eq!(reading.events, trace.plain()[..events], "cut at {cut}");
            let expected = Damage::Cut { events: events as u64 };
            assert_eq!(damage(&reading.error), Some(&expected), "cut at {cut}");
        }
    }
    let said = read(&bytes[..starts[2] + 3], 5, Pace::Along).error.unwrap().to_string();
    let place = format!("t.rtb: frame 3 at byte {}", starts[2]);
    assert_eq!(
        said,
        format!("{place}: the trace stops here, after 26 events, without its end; expected the whole file")
    );
}

#[test]
fn damage_to_any_bit_is_found_in_its_frame() {
    let trace = Trace::random(4, 60, 12);
    let bytes = trace.write(13, true);
    let starts = frames(&bytes);
    for at in 0..bytes.len() {
        let frame = starts.iter().filter(|&&start| start <= at).count();
        let expected = &trace.plain()[..(frame.saturating_sub(1) * 13).min(60)];
        for bit in 0..8 {
            let mut broken = bytes.clone();
            broken[at] ^= 1 << bit;
            let reading = read(&broken, 1000, Pace::Along);
            assert_eq!(reading.events, expected, "byte {at}, bit {bit}");
            let found = damage(&reading.error).expect("damage");
            let is_header = frame == 0 || at < starts[frame - 1] + FRAME_HEADER;
            let kind = match frame {
                0 => Damage::FileHeader,
                _ if is_header => Damage::FrameHeader,
                _ => Damage::Contents,
            };
            assert_eq!(found, &kind, "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn frames_that_are_missing_twice_or_after_the_end_are_damage() {
    let trace = Trace::random(5, 30, 5);
    let bytes = trace.write(10, true);
    let starts = frames(&bytes);
    let part = |frame: usize| &bytes[starts[frame]..starts[frame + 1]];
    let header = &bytes[..FILE_HEADER];
    let [one, two, three, end] = [0, 1, 2, 3].map(part);
    for (file, kind) in [
        (vec![header, one, three, end], Damage::Order { found: 3 }),
        (vec![header, one, one, two], Damage::Order { found: 1 }),
        (vec![header, one, two, three, end, b"x"], Damage::Trailing),
        (vec![header, one, two, three, end, end], Damage::Trailing),
    ] {
        assert_eq!(damage(&read(&file.concat(), 100, Pace::Ahead).error), Some(&kind));
    }
    let counted = end_of(4, 31);
    let file = [header, one, two, three, &counted].concat();
    assert_eq!(damage(&read(&file, 100, Pace::Along).error), Some(&Damage::Count { counted: 31, events: 30 }));
}

/// Returns an end frame that counts `events`.
fn end_of(number: u32, events: u64) -> Vec<u8> {
    let check = crc32fast::hash(&events.to_le_bytes());
    let part = Part { stored: 8, raw: 8, is_compressed: false };
    let header = FrameHeader {
        kind: layout::FrameKind::End,
        number,
        events: 0,
        events_part: part,
        sites_part: Part::default(),
        check,
    };
    [&header.to_bytes()[..], &events.to_le_bytes()].concat()
}

#[test]
fn another_version_is_refused() {
    let mut header = [0; FILE_HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8] = 4;
    let check = crc32fast::hash(&header[..12]);
    header[12..].copy_from_slice(&check.to_le_bytes());
    let said = read(&header, 1, Pace::Along).error.unwrap().to_string();
    assert_eq!(said, "t.rtb: version 4 of the format; expected version 3");
}

/// Returns an uncompressed frame with these contents and correct check sums.
fn sealed(number: u32, events: u32, contents: &[u8], sites: &[u8]) -> Vec<u8> {
    let stored = [contents, sites].concat();
    let part = |bytes: &[u8]| Part { stored: bytes.len() as u32, raw: bytes.len() as u32, is_compressed: false };
    let header = FrameHeader {
        kind: layout::FrameKind::Events,
        number,
        events,
        events_part: part(contents),
        sites_part: part(sites),
        check: crc32fast::hash(&stored),
    };
    [&layout::file_header()[..], &header.to_bytes(), &stored].concat()
}

#[test]
fn contents_that_no_writer_makes_are_refused_and_never_panic() {
    let trace = Trace::random(6, 40, 6);
    let bytes = trace.write(usize::MAX, true);
    let header = FrameHeader::parse(&bytes[FILE_HEADER..][..FRAME_HEADER]).unwrap();
    let unpack = |part: Part, bytes: &[u8]| match part.is_compressed {
        true => lz4_flex::block::decompress(bytes, part.raw as usize).unwrap(),
        false => bytes.to_vec(),
    };
    let stored = &bytes[FILE_HEADER + FRAME_HEADER..];
    let (first, rest) = stored.split_at(header.events_part.stored as usize);
    let contents = unpack(header.events_part, first);
    let sites = unpack(header.sites_part, &rest[..header.sites_part.stored as usize]);
    let said = |contents: &[u8], sites: &[u8]| {
        let file = sealed(1, header.events, contents, sites);
        read(&file, 1, Pace::Located);
        damage(&read(&file, 1000, Pace::Along).error).cloned()
    };
    assert_eq!(said(&contents, &sites), Some(Damage::Cut { events: 40 }));
    let mut refused = 0;
    for at in 0..contents.len() {
        for byte in [0, 1, 0x7f, 0x80, 0xff, contents[at] ^ 1, contents[at] ^ 0x10, contents[at] ^ 0x80] {
            let mut broken = contents.clone();
            broken[at] = byte;
            refused += u32::from(said(&broken, &sites) == Some(Damage::Inconsistent));
        }
        assert_eq!(said(&contents[..at], &sites), Some(Damage::Inconsistent), "cut at {at}");
    }
    assert!(refused > 100, "{refused}");
    for at in 0..sites.len() {
        for byte in [0, 0x7f, 0x80, 0xff, sites[at] ^ 1] {
            let mut broken = sites.clone();
            broken[at] = byte;
            said(&contents, &broken);
        }
    }
    let longer = [&contents[..], b"x"].concat();
    assert_eq!(said(&longer, &sites), Some(Damage::Inconsistent));
    let error = read(&sealed(1, header.events, &longer, &sites), 7, Pace::Along).error.unwrap();
    assert_eq!(error.place, Place::Frame { number: 1, byte: FILE_HEADER as u64 });
}

#[test]
fn a_file_can_be_read_while_it_grows() {
    let trace = Trace::random(7, 1000, 50);
    let sink = Shared::default();
    let mut writer = Writer::new("t.rtb", sink.clone());
    for (index, (event, location)) in trace.events.iter().enumerate() {
        writer.write(*event, &trace.symbols, location).unwrap();
        if index % 100 == 50 {
            writer.flush().unwrap();
            let reading = read(&sink.0.lock().unwrap(), 64, Pace::Ahead);
            assert_eq!(reading.events, trace.plain()[..=index]);
            assert!(damage(&reading.error).is_some_and(Damage::is_cut));
        }
    }
    writer.finish().unwrap();
    let reading = read(&sink.0.lock().unwrap(), 64, Pace::Ahead);
    assert!(reading.error.is_none() && reading.events == trace.plain());
}

#[test]
fn a_reader_that_is_dropped_leaves_no_thread() {
    struct Watched(Vec<u8>, usize, #[allow(dead_code, reason = "what is counted")] Arc<()>);
    impl io::Read for Watched {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.0.len() - self.1);
            buffer[..count].copy_from_slice(&self.0[self.1..self.1 + count]);
            self.1 += count;
            Ok(count)
        }
    }
    let bytes = Trace::random(8, 20_000, 20).write(100, true);
    for read_before in 0..5 {
        let alive = Arc::new(());
        let mut reader = Reader::new("t.rtb", Watched(bytes.clone(), 0, Arc::clone(&alive)), Pace::Ahead);
        for _ in 0..read_before {
            assert!(reader.read_batch(&mut Vec::new(), 100).unwrap() > 0);
        }
        drop(reader);
        assert_eq!(Arc::strong_count(&alive), 1, "the thread has let go of what it read");
    }
}

/// Returns what the reader of all formats makes of a file: the events, the warnings, whether it is incomplete.
fn checked(input: &Input, mode: Mode) -> Result<(Vec<Event>, Vec<String>, bool), TraceError> {
    let mut reader = TraceReader::open(input, mode)?;
    let (mut events, mut batch) = (Vec::new(), Vec::new());
    while reader.read_batch(&mut batch, 1000)? > 0 {
        events.extend_from_slice(&batch);
    }
    assert_eq!(reader.events(), events.len() as u64);
    let diagnostics = reader.diagnostics();
    let warnings = diagnostics.warnings().into_iter().filter(|said| said.contains("frame")).collect();
    Ok((events, warnings, diagnostics.is_incomplete()))
}

#[test]
fn files_pipes_and_compressed_files_are_known_by_their_first_bytes() {
    let trace = Trace::random(9, 3000, 30);
    let bytes = trace.write(1000, true);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.trace");
    std::fs::write(&path, &bytes).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&bytes).unwrap();
    let gzip = gzip.finish().unwrap();
    let inputs = [Input::open(&path), Input::spool("<stdin>", &bytes[..]), Input::spool("<stdin>", &gzip[..])];
    for input in inputs.map(Result::unwrap) {
        let (events, warnings, is_incomplete) = checked(&input, Mode::Lenient).unwrap();
        assert!(events == trace.plain() && warnings.is_empty() && !is_incomplete);
        for detail in lookup(&input, &[1, 1000, 1001, 3000]).unwrap() {
            let (event, location) = &trace.events[detail.event as usize - 1];
            assert_eq!(&detail.location, location);
            assert_eq!(detail.thread, trace.symbols.thread(event.thread));
            assert_eq!(detail.place, Place::Record(detail.event));
        }
    }
}

#[test]
fn a_cut_is_a_warning_and_damage_an_error_unless_lenient() {
    let mut trace = Trace::random(10, 100, 5);
    trace.events.iter_mut().for_each(|(event, _)| event.op = Op::Nop);
    let bytes = trace.write(30, true);
    let starts = frames(&bytes);
    for cut in 0..bytes.len() {
        // An empty file is a trace of any format: only its name shows one.
        let input = Input::spool("t.rtb", &bytes[..cut]).unwrap();
        let (events, warnings, is_incomplete) = checked(&input, Mode::Strict).unwrap();
        assert!(is_incomplete && warnings.len() <= 1 && events.len() <= 100, "cut at {cut}");
    }
    let mut broken = bytes.clone();
    broken[starts[2] - 1] ^= 1;
    let input = Input::spool("t.rtb", &broken[..]).unwrap();
    let place = format!("frame 2 at byte {}", starts[1]);
    let said = format!("{place}: the contents of the frame are damaged; expected an undamaged copy of the file");
    assert_eq!(checked(&input, Mode::Strict).unwrap_err().to_string(), format!("t.rtb: {said}"));
    let said = format!("{said} (70 events lost)");
    assert_eq!(checked(&input, Mode::Lenient).unwrap(), (trace.plain()[..30].to_vec(), vec![said], true));
}

/// Returns the warning of a lenient reading, without what was expected.
fn lost(bytes: &[u8]) -> Option<String> {
    let (_, warnings, _) = checked(&Input::spool("t.rtb", bytes).unwrap(), Mode::Lenient).unwrap();
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    warning.split_once(" (").map(|(_, lost)| lost.trim_end_matches(')').to_owned())
}

#[test]
fn the_events_after_damage_are_counted_by_the_headers_of_their_frames() {
    let mut trace = Trace::random(11, 100, 5);
    trace.events.iter_mut().for_each(|(event, _)| event.op = Op::Nop);
    let bytes = trace.write(30, true);
    let starts = frames(&bytes);
    let with = |at: usize| {
        let mut broken = bytes.clone();
        broken[at] ^= 1;
        broken
    };
    let mut broken = with(starts[2] - 1);
    assert_eq!(lost(&broken).as_deref(), Some("70 events lost"));
    assert_eq!(lost(&broken[..starts[4]]).as_deref(), Some("at least 70 events lost"));
    assert_eq!(lost(&broken[..starts[3] + 40]).as_deref(), Some("at least 70 events lost"));
    assert_eq!(lost(&broken[..starts[3] + 35]).as_deref(), Some("at least 60 events lost"));
    broken[starts[3]] ^= 1;
    assert_eq!(lost(&broken).as_deref(), Some("at least 60 events lost"));
    assert_eq!(lost(&with(starts[1])).as_deref(), Some("how many events are lost cannot be told"));
    assert_eq!(lost(&with(starts[4] - 1)).as_deref(), Some("10 events lost"));
    assert_eq!(lost(&[&bytes[..starts[1]], &bytes[starts[2]..]].concat()).as_deref(), Some("70 events lost"));
    assert_eq!(lost(&[&bytes[..], b"x"].concat()), None);
    assert_eq!(lost(&[&bytes[..starts[3]], &end_of(4, 91)].concat()).as_deref(), Some("1 event lost"));
}
