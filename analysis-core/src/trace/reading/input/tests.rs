//! Files, pipes, and gzip with all kinds of damage.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;
use crate::trace::{Mode, TraceReader};

const TEXT: &[u8] = b"A|begin(m)|1\nA|r(x)|2\nB|w(x)|3\nA|w(x)|4\nA|end|5\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn spool(bytes: &[u8]) -> Input {
    Input::spool("t.std.gz", bytes).unwrap()
}

/// Returns the number of events that can be read, and the error at the end if there is one.
fn read(input: &Input, mode: Mode) -> (u64, Option<String>) {
    let mut trace = match TraceReader::open(input, mode) {
        Ok(trace) => trace,
        Err(error) => return (0, Some(error.to_string())),
    };
    let mut batch = Vec::new();
    loop {
        match trace.read_batch(&mut batch, 1) {
            Ok(0) => return (trace.events(), None),
            Ok(_) => {}
            Err(error) => return (trace.events(), Some(error.to_string())),
        }
    }
}

#[test]
fn plain_and_compressed_data_are_told_apart_by_their_first_bytes() {
    let members = [gzip(&TEXT[..20]), gzip(b""), gzip(&TEXT[20..])].concat();
    for bytes in [TEXT, &gzip(TEXT), &members, &[&gzip(TEXT)[..], &[0; 700]].concat()] {
        assert_eq!(read(&spool(bytes), Mode::Strict), (5, None));
    }
    assert_eq!(read(&spool(b""), Mode::Strict), (0, None));
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let marked = [b"\xef\xbb\xbf", TEXT].concat();
    assert_eq!(read(&spool(&marked), Mode::Strict), (5, None));
    // Elsewhere it is a character like others, and half of one is none.
    assert!(read(&spool(&[b"\xef\xbb\xbf", &marked[..]].concat()), Mode::Strict).1.is_some());
    assert_eq!(
        read(&spool(&[b"\xef\xbb", TEXT].concat()), Mode::Strict).1.unwrap(),
        "t.std.gz:1: not UTF-8; expected a trace in UTF-8"
    );
}

#[test]
fn truncated_gzip_is_an_error_wherever_it_is_cut_and_to_a_lenient_reading_incomplete() {
    let first = gzip(&TEXT[..20]);
    let bytes = [&first[..], &gzip(&TEXT[20..])].concat();
    // Less than the two bytes that tell gzip is text, and after the first member the data is whole.
    for cut in (2..bytes.len()).filter(|&cut| cut != first.len()) {
        let (events, error) = read(&spool(&bytes[..cut]), Mode::Strict);
        let said = "truncated gzip; expected the rest of the compressed data";
        assert_eq!(error, Some(format!("t.std.gz: after line {events}: {said}")), "cut at {cut}");
        let mut lenient = TraceReader::open(&spool(&bytes[..cut]), Mode::Lenient).unwrap();
        let mut batch = Vec::new();
        while lenient.read_batch(&mut batch, 2).unwrap() > 0 {}
        let plural = if events == 1 { "" } else { "s" };
        let said = format!("after line {events}: {said} ({events} event{plural} read)");
        assert_eq!(lenient.diagnostics().warnings(), [said], "cut at {cut}");
        assert!(lenient.diagnostics().is_incomplete(), "cut at {cut}");
    }
    assert!(read(&spool(&bytes[..1]), Mode::Strict).1.unwrap().starts_with("t.std.gz:1: 1 field in"));
}

#[test]
fn corrupt_gzip_never_panics_and_a_wrong_checksum_is_an_error() {
    let bytes = gzip(TEXT);
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut broken = bytes.clone();
            broken[at] ^= 1 << bit;
            let (events, error) = read(&spool(&broken), Mode::Strict);
            // Some bits mean nothing, such as the time of the file.
            assert!(error.is_some() || events == 5, "byte {at}, bit {bit}");
        }
    }
    let mut broken = bytes.clone();
    broken[bytes.len() - 8] ^= 1;
    let said = read(&spool(&broken), Mode::Strict).1.unwrap();
    assert!(said.starts_with("t.std.gz: after line 5: corrupt gzip ("), "{said}");
}

#[test]
fn data_after_the_end_of_gzip_data_is_an_error() {
    for garbage in [&b"x"[..], b"\n", b"A|r(x)|1\n", b"\0\0\0x", b"\0\x1f\x8b"] {
        let (events, error) = read(&spool(&[&gzip(TEXT)[..], garbage].concat()), Mode::Strict);
        let said = "data that is not gzip after the end of the gzip data; expected the end of the file";
        assert_eq!((events, error), (5, Some(format!("t.std.gz: after line 5: {said}"))));
    }
}

#[test]
fn files_and_spooled_streams_can_be_read_by_many_at_a_time() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), gzip(TEXT)).unwrap();
    for input in [Input::open(file.path()).unwrap(), spool(TEXT), spool(&gzip(TEXT))] {
        let mut readers = [input.reopen().unwrap(), input.reopen().unwrap()];
        let mut texts = [Vec::new(), Vec::new()];
        for _ in 0..TEXT.len() + 1 {
            for (reader, text) in readers.iter_mut().zip(&mut texts) {
                reader.by_ref().take(1).read_to_end(text).unwrap();
            }
        }
        assert_eq!(texts, [TEXT, TEXT]);
    }
}

#[test]
fn what_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let said = |path: &Path| Input::open(path).unwrap_err().to_string();
    let missing = folder.path().join("missing.std");
    let expected = "no such file; expected a trace, or - for standard input";
    assert_eq!(said(&missing), format!("{}: {expected}", missing.display()));
    let expected = "is a folder; expected a file with a trace";
    assert_eq!(said(folder.path()), format!("{}: {expected}", folder.path().display()));
}

#[test]
fn a_file_that_may_not_be_read_is_an_error() {
    let kind = ErrorKind::from_io(io::ErrorKind::PermissionDenied.into());
    let said = TraceError { file: "t.std".into(), place: Place::File, kind }.to_string();
    assert_eq!(said, "t.std: permission denied; expected a file that this user may read");
}

#[cfg(unix)]
#[test]
fn what_can_be_read_only_once_is_spooled() {
    let (reader, mut writer) = io::pipe().unwrap();
    writer.write_all(TEXT).unwrap();
    drop(writer);
    let number = std::os::fd::AsRawFd::as_raw_fd(&reader);
    let input = Input::open(format!("/dev/fd/{number}").as_ref()).unwrap();
    assert_eq!(read(&input, Mode::Strict), (5, None));
    assert_eq!(read(&input, Mode::Strict), (5, None));
}
