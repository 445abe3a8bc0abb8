//! Reading of records, malformed ones included, and the numbers given to names.

use super::*;
use crate::trace::input::Input;
use crate::trace::{Mode, TraceReader, lookup};

fn bytes(records: &[Record]) -> Vec<u8> {
    records.iter().flatten().flat_map(|word| word.to_be_bytes()).collect()
}

fn input(bytes: &[u8]) -> Input {
    Input::spool("t.rtr", bytes).unwrap()
}

/// Returns all events, as lookup shows them.
fn read(bytes: &[u8], mode: Mode) -> Result<(Vec<String>, TraceReader), TraceError> {
    let mut reader = TraceReader::open(&input(bytes), mode)?;
    let (mut batch, mut numbers) = (Vec::new(), 0..0);
    while reader.read_batch(&mut batch, 3)? > 0 {
        numbers = 0..reader.events();
    }
    let numbers: Vec<u64> = numbers.map(|number| number + 1).collect();
    let line = |it: crate::trace::Detail| format!("{:?} {} {}", it.place.unit().1, it.thread, it.operation);
    Ok((lookup(&input(bytes), &numbers)?.into_iter().map(line).collect(), reader))
}

const ALL: [Record; 7] = [[3, 20, 7], [3, 22, 5], [4, 24, 5], [4, 23, -9], [4, 25, 5], [3, 21, 7], [3, 20, -1]];

#[test]
fn every_code_is_read() {
    let data = bytes(&ALL);
    assert_eq!(input(&data).format().unwrap(), &FORMAT);
    let (events, reader) = read(&data, Mode::Strict).unwrap();
    let expected = ["1 3 begin(7)", "2 3 r(5)", "3 4 acq(5)", "4 4 w(-9)", "5 4 rel(5)", "6 3 end", "7 3 begin"];
    assert_eq!(events, expected);
    assert_eq!((reader.symbols().vars.len(), reader.symbols().locks.len(), reader.symbols().labels.len()), (2, 1, 1));
}

#[test]
fn an_unknown_code_is_an_error_with_its_record_and_is_skipped_by_a_lenient_reading() {
    let data = bytes(&[[1, 22, 5], [1, 19, 5], [2, 26, 5], [2, 23, 5]]);
    let said = "t.rtr: record 2: unknown code 19; expected 20 to 25";
    assert_eq!(read(&data, Mode::Strict).err().unwrap().to_string(), said);
    let (events, reader) = read(&data, Mode::Lenient).unwrap();
    assert_eq!(events, ["1 1 r(5)", "4 2 w(5)"]);
    assert_eq!(reader.diagnostics().warnings(), ["2 records skipped: unknown code 19 (records 2, 3)"]);
}

#[test]
fn a_trace_cut_inside_a_record_is_an_error_there_and_incomplete_to_a_lenient_reading() {
    let data = bytes(&ALL);
    for cut in 12..data.len() {
        let (whole, rest) = (cut / 12, cut % 12);
        let strict = read(&data[..cut], Mode::Strict);
        let (events, reader) = read(&data[..cut], Mode::Lenient).unwrap();
        assert_eq!((events.len(), reader.diagnostics().is_incomplete()), (whole, rest > 0), "cut at {cut}");
        if rest > 0 {
            let said = format!("t.rtr: record {}: {rest} of 12 bytes; expected the rest of the record", whole + 1);
            assert_eq!(strict.err().unwrap().to_string(), said);
        }
    }
}

#[test]
fn an_ill_formed_event_is_named_with_its_record() {
    let data = bytes(&[[1, 22, 5], [1, 25, 3]]);
    let said = "t.rtr: record 2: release of 3 by 1, which does not hold it (held by nobody); \
                expected an acquire of 3 by 1 before it";
    assert_eq!(read(&data, Mode::Strict).err().unwrap().to_string(), said);
}

/// Yields a record and a half, then fails.
struct Failing(bool);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if std::mem::replace(&mut self.0, true) {
            return Err(io::Error::other("disk on fire"));
        }
        let half = &bytes(&ALL)[..18];
        buffer[..18].copy_from_slice(half);
        Ok(18)
    }
}

#[test]
fn a_failed_read_is_an_error_after_the_last_whole_record() {
    let mut reader = Reader::new("t.rtr".into(), Failing(false));
    let mut events = Vec::new();
    let said = reader.read_batch(&mut events, 9).unwrap_err().to_string();
    assert_eq!((events.len(), &*said), (1, "t.rtr: after byte 12: cannot be read: disk on fire"));
    assert_eq!(reader.read_batch(&mut events, 9).unwrap(), 0);
}

#[test]
fn names_that_are_numbers_keep_them_and_the_others_get_the_least_that_is_free() {
    let mut names = Interner::default();
    let mut numbers = Numbers::default();
    let words = ["x", "7", "1", "07", "-1", "0", "-2", "99999999999", "y"];
    let given: Vec<i32> = words.iter().map(|word| numbers.of(names.intern(word.as_bytes()), &names)).collect();
    assert_eq!(given, [0, 7, 1, 2, -1, 3, -2, 4, 5]);
    assert_eq!(numbers.of(1, &names), 7);
}
