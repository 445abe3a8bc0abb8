//! Valid lines, and the messages about malformed ones.

use super::*;
use crate::event::{LabelId, LockId, Op, ThreadId, VarId};
use crate::trace::formats::text::syntax::LONGEST_LINE;

/// Returns the events of a text, each as its line and its parts; errors as they are displayed.
fn read(text: impl AsRef<[u8]>) -> Vec<Result<String, String>> {
    let mut reader = Reader::new("t.std", text.as_ref());
    let mut lines = Vec::new();
    loop {
        match reader.next_located() {
            Ok(None) => return lines,
            Ok(Some(it)) => {
                let Located { event: Event { op, .. }, line, thread, operation, location } = it;
                lines.push(Ok(format!("{line} {thread} {op:?} {operation} {location}")));
            }
            Err(error) => lines.push(Err(error.to_string())),
        }
    }
}

fn error(text: impl AsRef<[u8]>) -> String {
    let lines = read(text);
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines[0].clone().unwrap_err()
}

#[test]
fn every_operation_is_read() {
    let text = "A|begin|1\nA|begin(m)|\nA|begin()|\nA|end|\nA|end(m)|\nA|end()|\nA|acq(l)|\nA|rel(l)|\nA|r(x)|\n\
                A|w(y)|\nA|fork(B)|\nA|join(A)|\nA|fence|\nA|commit(x)|\nA|dummy(z)|\n";
    let mut reader = Reader::new("t.std", text.as_bytes());
    let mut events = Vec::new();
    assert_eq!(reader.read_batch(&mut events, usize::MAX).unwrap(), 15);
    let ops: Vec<Op> = events.iter().map(|event| event.op).collect();
    let none = Op::Begin(LabelId::NONE);
    let (x, y) = (VarId(0), VarId(1));
    let locks = [Op::Acquire(LockId(0)), Op::Release(LockId(0))];
    let threads = [Op::Fork(ThreadId(1)), Op::Join(ThreadId(0))];
    let expected = [&[none, Op::Begin(LabelId(0)), none, Op::End, Op::End, Op::End][..], &locks];
    let expected =
        [&expected.concat()[..], &[Op::Read(x), Op::Write(y)], &threads, &[Op::Fence, Op::Commit(x), Op::Nop]];
    assert_eq!(ops, expected.concat());
    assert_eq!((reader.symbols().vars.len(), reader.symbols().labels.len()), (2, 1));
}

#[test]
fn operands_and_locations_may_be_odd() {
    let text = "a b|r(f(x) y)|p|q|\n(|w())|#\r\nü|r(ß)|☃";
    let expected = ["1 a b Read(VarId(0)) r(f(x) y) p|q|", "2 ( Write(VarId(1)) w()) #", "3 ü Read(VarId(2)) r(ß) ☃"];
    assert_eq!(read(text), expected.map(|line| Ok(line.to_string())));
}

#[test]
fn blank_lines_and_comments_are_counted_as_lines_and_are_no_events() {
    let text = "# A|r(x)|1\n\nA|r(x)|1\r\n\r\n \t\n#\nA|r(x)|2\nB|r(x)|3";
    let lines: Vec<String> = read(text).into_iter().map(|line| line.unwrap()).collect();
    assert!(lines[0].starts_with("3 A") && lines[1].starts_with("7 A") && lines[2].starts_with("8 B"), "{lines:?}");
    let mut reader = Reader::new("t.std", text.as_bytes());
    let mut events = Vec::new();
    let mut lines = Vec::new();
    while let read @ 1.. = reader.read_batch(&mut events, 10).unwrap() {
        lines.extend((0..read).map(|event| reader.line(event)));
    }
    assert_eq!(lines, [3, 7, 8]);
}

const OPERATIONS: &str =
    "r(x), w(x), begin, end, acq(l), rel(l), fork(t), join(t), fence, commit(x), dummy(x), together, update";

#[test]
fn every_malformed_line_is_named_with_its_reason_and_what_was_expected() {
    let unknown =
        |name, nearest| format!("unknown operation '{name}'; expected one of {OPERATIONS}; nearest is {nearest}");
    for (line, said) in [
        ("garbage", "1 field in 'garbage'; expected THREAD|OPERATION|LOCATION".into()),
        ("A|r(x)", "2 fields in 'A|r(x)'; expected THREAD|OPERATION|LOCATION".into()),
        ("|r(x)|1", "no thread before the first '|'; expected THREAD|OPERATION|LOCATION".into()),
        ("A||1", format!("no operation between the first two '|'; expected one of {OPERATIONS}")),
        ("A|red(x)|1", unknown("red", "r(x)")),
        ("A|Rd(x)|1", unknown("Rd", "r(x)")),
        ("A|write(x)|1", unknown("write", "w(x)")),
        ("A|Acquire(x)|1", unknown("Acquire", "acq(l)")),
        ("A|unlock(l)|1", unknown("unlock", "rel(l)")),
        ("A|begn|1", unknown("begn", "begin")),
        ("A| r(x)|1", unknown(" r", "r(x)")),
        ("A|r\u{1b}\u{2028}(|1", unknown("r\\u{1b}\\u{2028}", "r(x)")),
        ("A|r|1", "no operand in 'r'; expected r(NAME)".into()),
        ("A|acq()|1", "empty operand in 'acq()'; expected a name in the parentheses of 'acq()'".into()),
        ("A|w(x|1", "no ')' in 'w(x'; expected a ')' at the end of the operation".into()),
        ("A|begin(m|1", "no ')' in 'begin(m'; expected a ')' at the end of the operation".into()),
        ("A|end(|1", "no ')' in 'end('; expected a ')' at the end of the operation".into()),
        ("A|r(x) |1", "text after the last ')' in 'r(x) '; expected '|' right after the last ')'".into()),
        ("A|fence(x)|1", "an operand in 'fence(x)', which takes none; expected fence".into()),
    ] {
        assert_eq!(error(format!("#\n{line}\n")), format!("t.std:2: {said}"));
        assert_eq!(error(line), format!("t.std:1: {said}"), "without a newline");
    }
}

#[test]
fn long_lines_are_cut_in_messages() {
    let said = error("ü".repeat(1000));
    assert_eq!(said, format!("t.std:1: 1 field in '{}...'; expected THREAD|OPERATION|LOCATION", "ü".repeat(60)));
}

#[test]
fn a_line_that_is_not_utf_8_is_refused_and_no_other() {
    let mut text = b"A|r(x)|\xc3\xa4\nA|r(\xc3)|1\n".to_vec();
    text.extend_from_slice(b"A|r(y)|2\n\xff\nA|r(z)|\xe2\x98\x83");
    let lines = read(&text);
    let refused = |line| Err(format!("t.std:{line}: not UTF-8; expected a trace in UTF-8"));
    assert_eq!((&lines[1], &lines[3]), (&refused(2), &refused(4)));
    assert!(lines[0].is_ok() && lines[2].is_ok() && lines[4].is_ok() && lines.len() == 5, "{lines:?}");
}

/// Yields one byte at a time, the worst case of a stream.
struct Dripping<'a>(&'a [u8]);

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let take = buffer.len().min(1);
        self.0.read(&mut buffer[..take])
    }
}

#[test]
fn what_is_read_does_not_depend_on_how_the_stream_is_cut() {
    let text = "A|r(ä)|1\r\n\nbad\nB|w(☃)|☃\n#\nA|fork(C)|\nB|end|x".as_bytes();
    let mut whole = Reader::new("t.std", text);
    let mut dripping = Reader::new("t.std", Dripping(text));
    loop {
        let (one, other) = (whole.next_located(), dripping.next_located());
        match (one, other) {
            (Ok(None), Ok(None)) => break,
            (Ok(one), Ok(other)) => assert_eq!(one, other),
            (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
            (one, other) => panic!("{one:?} is not {other:?}"),
        }
    }
}

#[test]
fn lines_longer_than_the_buffer_are_read() {
    let name = "x".repeat(1_000_000);
    let lines = read(format!("A|r({name})|1\nA|w({name})|2\nA|r(y)|3\n"));
    assert_eq!(lines[1], Ok(format!("2 A Write(VarId(0)) w({name}) 2")));
    assert_eq!(lines[2], Ok("3 A Read(VarId(1)) r(y) 3".into()));
}

#[test]
fn a_line_longer_than_any_is_refused_and_the_next_is_read() {
    let said = Err("t.std:1: a line of more than 16777216 bytes; expected one event a line".to_string());
    for (length, is_taken) in [(LONGEST_LINE, true), (LONGEST_LINE + 1, false), (2 * LONGEST_LINE, false)] {
        let name = "x".repeat(length - "A|r()|1".len());
        let lines = read(format!("A|r({name})|1\nA|r(y)|2\n"));
        assert!(lines.len() == 2 && lines[1].is_ok(), "{length} bytes");
        assert!(if is_taken { lines[0].is_ok() } else { lines[0] == said }, "{length} bytes");
    }
}

#[test]
fn one_thread_too_many_is_an_error() {
    let most = ThreadId::MAX.0 + 1;
    let mut text: String = (0..most).map(|thread| format!("{thread}|end|\n")).collect();
    text += "x|end|\n0|fork(y)|\n0|end|\n";
    let mut reader = Reader::new("t.std", text.as_bytes());
    let mut events = Vec::new();
    for line in [most + 1, most + 2] {
        let said = format!("t.std:{line}: more than 1048576 threads; expected no more threads than that");
        let error = loop {
            match reader.read_batch(&mut events, usize::MAX) {
                Ok(read) => assert!(read > 0),
                Err(error) => break error,
            }
        };
        assert_eq!(error.to_string(), said);
    }
    assert_eq!(events.len() as u32, most);
    assert_eq!(reader.read_batch(&mut events, usize::MAX).unwrap(), 1);
}

#[test]
fn a_malformed_line_leaves_no_names_behind() {
    let mut reader = Reader::new("t.std", "A|bad(x)|1\nB|r()|\nC|r(x\nD|begin(m|".as_bytes());
    while !matches!(reader.next_located(), Ok(None)) {}
    let symbols = reader.symbols();
    assert!(symbols.threads.is_empty() && symbols.vars.is_empty() && symbols.labels.is_empty());
}

/// Yields half a line and fails.
struct Failing(bool);

impl Read for Failing {
    fn read(&mut self, mut buffer: &mut [u8]) -> std::io::Result<usize> {
        if std::mem::replace(&mut self.0, true) {
            return Err(std::io::Error::other("disk\non fire"));
        }
        std::io::Write::write(&mut buffer, b"A|r(x)|1\nA|r(")
    }
}

#[test]
fn a_failed_read_is_an_error_after_the_last_whole_line() {
    let mut reader = Reader::new("t.std", Failing(false));
    assert!(reader.next_located().unwrap().is_some());
    let said = reader.next_located().unwrap_err().to_string();
    assert_eq!(said, "t.std: after line 1: cannot be read: disk\\non fire");
    assert!(reader.next_located().unwrap().is_none());
}
