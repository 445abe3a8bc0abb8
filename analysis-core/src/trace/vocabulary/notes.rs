//! Notes: what a trace says about the recorded run in addition to its events, as `key=value`, any number of times.
//!
//! STD holds a note in a comment, so that readers that know nothing about notes skip it; `docs/trace-format.md` has the
//! keys and how the binary format holds them. A note can be anywhere; notes before the first event are known when that
//! event is read.

use super::one_line::one_line;

/// The start of a comment that is a note.
pub(in crate::trace) const COMMENT: &str = "# regiontrack: ";

/// The specification that says what is atomic: the only value is [`DEFAULT`].
pub const SPECIFICATION: &str = "specification";
/// The default specification, possibly with exceptions. Then events without effect mark where a thread waits.
pub const DEFAULT: &str = "default";
/// A method that the user has named as atomic, although the default specification applies.
pub const NAMED: &str = "named";
/// The packages of the application, separated by `:`.
pub const APPLICATION: &str = "application";
/// Why the recorded run was incomplete.
pub const INCOMPLETE: &str = "incomplete";
/// A part of the recorded run that was not seen and can hide a violation.
pub const UNSEEN: &str = "unseen";

/// The notes of a trace, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(Vec<String>);

impl Notes {
    /// Returns a note as a line without line end.
    pub fn line(key: &str, value: &str) -> String {
        format!("{key}={}", one_line(value))
    }

    /// Adds a note.
    pub fn add(&mut self, line: &str) {
        self.0.push(line.trim_end().to_owned());
    }

    /// Moves all notes of `other` to the end.
    pub(in crate::trace) fn append(&mut self, other: &mut Notes) {
        self.0.append(&mut other.0);
    }

    /// Returns whether there are no notes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the lines.
    pub fn lines(&self) -> &[String] {
        &self.0
    }

    /// Returns the values under this key.
    pub fn values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter_map(move |line| line.strip_prefix(key)?.strip_prefix('='))
    }

    /// Returns whether the run had the default specification.
    pub fn has_default_specification(&self) -> bool {
        self.values(SPECIFICATION).any(|value| value == DEFAULT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, Op, ThreadId, VarId};
    use crate::trace::input::Input;
    use crate::trace::symbols::Symbols;
    use crate::trace::{Format, Mode, Pace, TraceReader, TraceWriter};

    #[test]
    fn notes_come_back_from_formats_that_hold_them_and_change_no_event() {
        let mut symbols = Symbols::default();
        symbols.threads.intern(b"main");
        symbols.vars.intern(b"x");
        let event = Event::new(ThreadId(0), Op::Write(VarId(0)));
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.std", "a.std.gz", "a.rtb", "a.rtb.gz"] {
            let path = folder.path().join(name);
            let mut writer = TraceWriter::create(&path, Format::of_path(&path).expect("a format")).expect("made");
            let notes = [(SPECIFICATION, DEFAULT), (NAMED, "a.B.m()"), (INCOMPLETE, "two\nlines")];
            for (key, value) in notes {
                writer.note(&Notes::line(key, value)).expect("written");
                writer.write(event, &symbols, "").expect("written");
            }
            writer.note(&Notes::line(APPLICATION, "a:b.c")).expect("written");
            writer.finish().expect("finished");
            for pace in [Pace::Along, Pace::Ahead, Pace::Located] {
                let input = Input::open(&path).expect("opened");
                let mut reader = TraceReader::open_at(pace, &input, Mode::Strict).expect("opened");
                let (mut batch, mut events) = (Vec::new(), Vec::new());
                assert!(reader.read_batch(&mut batch, 1).expect("read") == 1);
                assert!(reader.symbols().notes.has_default_specification(), "{name}: known with the first event");
                events.append(&mut batch);
                while reader.read_batch(&mut batch, 8).expect("read") > 0 {
                    events.append(&mut batch);
                }
                let notes = &reader.symbols().notes;
                assert_eq!(events, [event; 3], "{name}");
                assert_eq!(notes.values(NAMED).collect::<Vec<_>>(), ["a.B.m()"], "{name}");
                assert_eq!(notes.values(INCOMPLETE).collect::<Vec<_>>(), ["two\\nlines"], "{name}");
                assert_eq!(notes.values(APPLICATION).collect::<Vec<_>>(), ["a:b.c"], "{name}");
            }
        }
    }
}
