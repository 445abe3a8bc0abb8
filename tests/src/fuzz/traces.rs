//! Any bytes as a trace.

use std::io::Write as _;

use analysis_core::event::{Event, Op};
use analysis_core::trace::binary::Writer;
use analysis_core::trace::input::Input;
use analysis_core::trace::symbols::Symbols;
use analysis_core::trace::{
    ErrorKind, FORMATS, Format, Mode, Place, TraceError, TraceReader, TraceWriter, WriteError, lookup,
};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::executions::decode;
use crate::text;

/// Longer inputs are slow and show nothing that shorter ones do not.
const MOST_BYTES: usize = 1 << 14;

/// A trace as read. Events hold names, because numbers differ from reader to reader.
#[derive(Debug, Default, PartialEq, Eq)]
struct Read {
    events: Vec<Named>,
    warnings: Vec<String>,
    is_incomplete: bool,
}

/// An event in names, with its location if that was requested.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    thread: String,
    kind: usize,
    operand: Option<String>,
    location: String,
}

/// Reads `bytes` as `format`, strictly and leniently, in large batches and event by event. Writes what was read in every
/// format and reads it back.
pub fn format(format: &str, bytes: &[u8]) {
    let format = Format::named(format).expect("a format of the list");
    let bytes = &bytes[..bytes.len().min(MOST_BYTES)];
    let input = spool(bytes).with_format(Some(format));
    let lenient = read(&input, Mode::Lenient, 1 << 10);
    let located = read_located(&input, Mode::Lenient);
    match (&lenient, &located) {
        // Contradictory locations are damage only for a reader of locations. Of a frame whose events are contradictory
        // too, that reader keeps more or fewer.
        (Ok(lenient), Ok(located)) if format.name == "rtb" && lenient.warnings != located.warnings => {
            assert!(located.is_incomplete, "{located:?}");
            let names = |event: &Named| (event.thread.clone(), event.kind, event.operand.clone());
            let same = lenient.events.iter().zip(&located.events).all(|(one, other)| names(one) == names(other));
            assert!(same, "{lenient:?}, with locations {located:?}");
        }
        (Ok(lenient), Ok(located)) => {
            assert_eq!(lenient.warnings, located.warnings);
            let without = located.events.iter().map(|event| Named { location: String::new(), ..event.clone() });
            assert_eq!(lenient.events, without.collect::<Vec<_>>());
            let last = lenient.events.len() as u64;
            if last > 0 {
                assert_eq!(
                    lookup(&input, &[1, last]).map(|details| details.len()).ok(),
                    Some(2),
                    "events 1 and {last}"
                );
            }
        }
        (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
        _ => panic!("at once {lenient:?}, one by one {located:?}"),
    }
    match read(&input, Mode::Strict, 1 << 10) {
        Err(error) => names_a_place(&error),
        Ok(strict) => {
            assert_eq!(lenient.expect("what a strict reading takes a lenient one takes"), strict);
            let located = match read_located(&input, Mode::Strict) {
                Err(error) if matches!(error.kind, ErrorKind::Damaged { .. }) => return names_a_place(&error),
                located => located.expect("read before"),
            };
            FORMATS.iter().for_each(|target| written_and_read(&input, &located, format, target));
        }
    }
}

/// The first byte selects the rest: a binary trace, or an execution that is written as one and then changed in a few
/// places. It also says whether the check sums are corrected before reading; otherwise only they would ever be tested.
pub fn binary(bytes: &[u8]) {
    let Some((&head, rest)) = bytes.split_first() else { return };
    let mut file = if head & 2 == 0 { rest[..rest.len().min(MOST_BYTES)].to_vec() } else { changed(rest) };
    if head & 1 == 1 {
        correct_check_sums(&mut file);
    }
    format("rtb", &file);
}

/// Returns a binary trace as the writer writes it, with a frame for every few events, changed as the first bytes say:
/// four times a place and what is added to the byte there.
fn changed(bytes: &[u8]) -> Vec<u8> {
    const EVENTS_PER_FRAME: usize = 8;
    let Some((changes, execution)) = bytes.split_at_checked(12) else { return Vec::new() };
    let trace = text::read(&text::to_std(&decode(execution))).expect("just written");
    let mut file = Vec::new();
    let mut writer = Writer::new("trace", &mut file);
    for (index, event) in trace.events.iter().enumerate() {
        let location = format!("C.java:{}", index % 5);
        writer.write(*event, &trace.symbols, &location).expect("memory takes all");
        if index % EVENTS_PER_FRAME == EVENTS_PER_FRAME - 1 {
            writer.flush().expect("memory takes all");
        }
    }
    writer.finish().expect("memory takes all");
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % file.len();
        file[place] = file[place].wrapping_add(change[2]);
    }
    file
}

/// Makes the check sums of a binary trace match its contents, frame by frame (`docs/trace-format.md`).
fn correct_check_sums(file: &mut [u8]) {
    const FILE_HEADER: usize = 16;
    const FRAME_HEADER: usize = 36;
    let put = |bytes: &mut [u8], at: usize, word: u32| bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let Some((header, mut rest)) = file.split_at_mut_checked(FILE_HEADER) else { return };
    put(header, 12, crc32fast::hash(&header[..12]));
    while let Some((header, after)) = rest.split_at_mut_checked(FRAME_HEADER) {
        let stored = u64::from(word(header, 12)) + u64::from(word(header, 20));
        let length = usize::try_from(stored).unwrap_or(usize::MAX).min(after.len());
        let (contents, next) = after.split_at_mut(length);
        put(header, 28, crc32fast::hash(contents));
        put(header, 32, crc32fast::hash(&header[..32]));
        rest = next;
    }
}

/// Detects the format of any bytes and reads them: as they are, compressed, and compressed and cut.
pub fn input(bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(MOST_BYTES)];
    let plain = spool(bytes);
    let seen = plain.format().map_err(|error| error.to_string());
    let read_plain = read(&plain, Mode::Strict, 1 << 10).map_err(|error| {
        names_a_place(&error);
        error.to_string()
    });
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return;
    }
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).expect("memory takes all");
    let gzip = gzip.finish().expect("memory takes all");
    let compressed = spool(&gzip);
    assert_eq!(compressed.format().map_err(|error| error.to_string()), seen);
    assert_eq!(read(&compressed, Mode::Strict, 1 << 10).map_err(|error| error.to_string()), read_plain);
    if !bytes.is_empty() {
        let cut = 2 + bytes[0] as usize % (gzip.len() - 2);
        assert!(read(&spool(&gzip[..cut]), Mode::Strict, 1 << 10).is_err(), "cut after {cut} bytes");
    }
}

fn spool(bytes: &[u8]) -> Input {
    Input::spool("trace", bytes).expect("a temporary file can be written")
}

fn read(input: &Input, mode: Mode, most: usize) -> Result<Read, TraceError> {
    collect(TraceReader::open(input, mode)?, most, |_| String::new())
}

fn read_located(input: &Input, mode: Mode) -> Result<Read, TraceError> {
    collect(TraceReader::open_located(input, mode)?, 1, |reader| reader.written().location.into_owned())
}

fn collect(mut reader: TraceReader, most: usize, location: fn(&TraceReader) -> String) -> Result<Read, TraceError> {
    let mut read = Read::default();
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch, most)? > 0 {
        let location = location(&reader);
        read.events.extend(batch.iter().map(|event| named(*event, reader.symbols(), location.clone())));
    }
    assert_eq!(reader.events(), read.events.len() as u64);
    read.warnings = reader.diagnostics().warnings();
    read.is_incomplete = reader.diagnostics().is_incomplete();
    Ok(read)
}

fn named(event: Event, symbols: &Symbols, location: String) -> Named {
    let operand = match event.op {
        Op::Read(x) | Op::Write(x) | Op::Commit(x) => Some(symbols.var(x)),
        Op::Acquire(l) | Op::Release(l) => Some(symbols.lock(l)),
        Op::Fork(u) | Op::Join(u) => Some(symbols.thread(u)),
        Op::Begin(m) => symbols.label(m),
        Op::End | Op::Fence | Op::Nop | Op::Together | Op::Update => None,
    };
    let thread = symbols.thread(event.thread).into_owned();
    Named { thread, kind: event.op.kind(), operand: operand.map(Into::into), location }
}

/// Asserts that an error is one line that begins with the file and names the place of malformed contents.
fn names_a_place(error: &TraceError) {
    let told = error.to_string();
    assert!(told.starts_with("trace") && told.lines().count() == 1, "{told}");
    let needs_place =
        matches!(error.kind, ErrorKind::Malformed(_) | ErrorKind::Damaged { .. } | ErrorKind::IllFormed { .. });
    assert!(!needs_place || error.place != Place::File, "{told}");
}

/// Writes what was read as `source` in the format `target`, if that can express its names and events. Read back, the
/// trace must be the same.
fn written_and_read(input: &Input, original: &Read, source: &Format, target: &'static Format) {
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    let mut reader = TraceReader::open_located(input, Mode::Strict).expect("read before");
    let mut writer = TraceWriter::create(file.path(), target).expect("a temporary file can be written");
    // The reader of RoadRunner's output accepts more than its writer writes.
    let is_own = source == target && source.name != "roadrunner";
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch, 1).expect("read before") > 0 {
        let written = writer.write(batch[0], reader.symbols(), &reader.written().location);
        match written {
            Ok(()) => {}
            Err(WriteError::Name { .. } | WriteError::Lacks { .. }) if !is_own => return,
            Err(error) => panic!("{source} to {target}: {error}"),
        }
    }
    writer.finish().expect("a temporary file can be written");
    let copy = Input::open(file.path()).expect("just written").with_format(Some(target));
    let copied = read_located(&copy, Mode::Strict).unwrap_or_else(|error| panic!("{source} to {target}: {error}"));
    if target.name == "records" && source != target {
        // The records format replaces other names by numbers.
        assert_eq!(copied.events.len(), original.events.len());
    } else {
        let bare = |read: &Read| -> Vec<Named> {
            let keeps = source == target;
            let location = |event: &Named| if keeps { event.location.clone() } else { String::new() };
            read.events.iter().map(|event| Named { location: location(event), ..event.clone() }).collect()
        };
        assert_eq!(bare(&copied), bare(original), "{source} to {target}");
    }
}
