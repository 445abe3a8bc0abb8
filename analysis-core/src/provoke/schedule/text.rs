//! A schedule as text: lines in UTF-8.
//!
//! ```text
//! regiontrack schedule 1
//! candidate 070d994f4c00
//!   block com.acme.Account.withdraw(int)
//!   variable Account.balance
//!   first com.acme.Account.balance:30 read balance
//!   hold com.acme.Account.balance:30 release
//!   last com.acme.Account.withdraw:14 write balance
//!   other com.acme.Account.withdraw:14 write balance
//!   enter com.acme.Account.withdraw:13 acquire
//! finding 5f0c8a1e22b7
//! thread a main
//! thread b main com.acme.Bank.open:7 1
//! point a hold 1
//! point b other 1
//! end
//! ```
//!
//! A schedule of a test that was repeated within a run has a line `test NAME N` after the finding; `N` is how many tests of that name had
//! begun by then. Threads started by the test's own thread begin with `test` in place of `main`, or with `first` if they were started in
//! its first run, in which nobody is held.
//!
//! The points are listed in the order in which they are passed. Reading is strict, except for blanks before a line, empty lines, lines that
//! begin with `#`, and line ends as on Windows. An id must be that of the places. The line `end` and its end of line are necessary, so that
//! no part of a file is a whole one.

use super::super::error::Fault as OfCandidate;
use super::super::parts;
use super::error::{Error, Fault};
use super::model::{Point, Role, Schedule, Test, Thread};
use crate::kept::lines::{self, NotWhole, decimal, first_word, is_conflict};
use crate::kept::names;

const HEADER: &str = "regiontrack schedule ";
const TEST: &str = "test NAME N";
const THREAD: &str = "thread NAME main CLASS.METHOD:LINE N ..";
const POINT: &str = "point THREAD PLACE TIMES";

impl Schedule {
    /// The text of its file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}1\ncandidate {}\n", self.candidate.id());
        self.candidate.lines().lines().for_each(|line| text += &format!("  {line}\n"));
        text.extend(self.finding.iter().map(|finding| format!("finding {finding}\n")));
        if let Some(Test { name, nth }) = &self.test {
            text += "test ";
            names::write(&mut text, name);
            text += &format!(" {nth}\n");
        }
        text.extend(self.threads.iter().map(|thread| format!("thread {} {}\n", thread.name, thread.start)));
        for Point { thread, role, times } in &self.points {
            text += &format!("point {} {role} {times}\n", self.threads[*thread].name);
        }
        text + "end\n"
    }

    /// Reads the text of a schedule; `file` is its name for errors.
    ///
    /// # Errors
    /// If it is no schedule, or not a whole one.
    pub fn parse(text: &[u8], file: &str) -> Result<Schedule, Error> {
        let whole = |fault| Error::of_file(file, fault);
        let text = lines::whole(text, HEADER).map_err(|wrong| match wrong {
            NotWhole::Empty => whole(Fault::Empty),
            NotWhole::Other => whole(Fault::NoSchedule),
            NotWhole::Cut => whole(Fault::Cut),
            NotWhole::NotUtf8(line) => Error::in_line(file, line, Fault::NotUtf8),
        })?;
        let mut parts = Parts::default();
        for (number, line) in (1..).zip(text.lines()) {
            parts.take(number, line).map_err(|fault| Error::in_line(file, number, fault))?;
        }
        parts.whole().map_err(|(line, fault)| Error { file: file.to_owned(), line, fault })
    }
}

/// What the lines so far have said.
#[derive(Default)]
struct Parts {
    has_ended: bool,
    /// With its line.
    id: Option<(usize, String)>,
    candidate: parts::Parts,
    finding: Option<String>,
    test: Option<Test>,
    threads: Vec<Thread>,
    points: Vec<Point>,
}

impl Parts {
    fn take(&mut self, number: usize, line: &str) -> Result<(), Fault> {
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if self.has_ended {
            return Err(Fault::AfterEnd);
        }
        if is_conflict(line) {
            return Err(Fault::Conflict);
        }
        if let Some(version) = line.strip_prefix(HEADER) {
            return if version == "1" { Ok(()) } else { Err(Fault::Version(version.to_owned())) };
        }
        let (word, rest) = first_word(line.trim_start_matches([' ', '\t']));
        let is_bare = rest.is_none();
        let rest = rest.unwrap_or("");
        match word {
            "candidate" => set(&mut self.id, word, (number, id(rest, "candidate ID")?)),
            "finding" => set(&mut self.finding, word, id(rest, "finding ID")?),
            "test" => set(&mut self.test, word, test(rest).ok_or(Fault::Form(TEST))?),
            "thread" => self.thread(rest),
            "point" => self.point(rest),
            "end" if is_bare => {
                self.has_ended = true;
                Ok(())
            }
            "end" => Err(Fault::Form("end")),
            _ => {
                let word = parts::Parts::word(word).ok_or_else(|| Fault::Word(word.to_owned()))?;
                Ok(self.candidate.take(word, rest)?)
            }
        }
    }

    fn thread(&mut self, rest: &str) -> Result<(), Fault> {
        let (name, start) = first_word(rest);
        let start = start.and_then(|start| start.parse().ok()).ok_or(Fault::Form(THREAD))?;
        if name.is_empty() || names::read(name).as_deref() != Some(name) {
            return Err(Fault::Form(THREAD));
        }
        if self.threads.iter().any(|known| known.name == name || known.start == start) {
            return Err(Fault::Twice(format!("thread {rest}")));
        }
        self.threads.push(Thread { name: name.to_owned(), start });
        Ok(())
    }

    fn point(&mut self, rest: &str) -> Result<(), Fault> {
        let words: Vec<&str> = rest.split(' ').collect();
        let [name, role, times] = words[..] else { return Err(Fault::Form(POINT)) };
        let thread = self.threads.iter().position(|thread| thread.name == name);
        let thread = thread.ok_or_else(|| Fault::Thread(name.to_owned()))?;
        let role = Role::named(role).ok_or_else(|| Fault::Role(role.to_owned()))?;
        let times = decimal(times).filter(|times| *times > 0).ok_or(Fault::Form(POINT))?;
        let point = Point { thread, role, times };
        if self.points.contains(&point) {
            return Err(Fault::Again(name.to_owned(), role.to_string(), times));
        }
        self.points.push(point);
        Ok(())
    }

    fn whole(self) -> Result<Schedule, (Option<usize>, Fault)> {
        let missing = |word| (None, Fault::Missing(word));
        let (line, id) = self.id.ok_or_else(|| missing("candidate"))?;
        let candidate = self.candidate.whole().map_err(|fault| match fault {
            OfCandidate::Part(word) => missing(word),
            fault => (None, fault.into()),
        })?;
        if candidate.id() != id {
            return Err((Some(line), Fault::Id(candidate.id())));
        }
        if let Some(point) = self.points.iter().find(|point| !point.role.is_in(&candidate)) {
            return Err((None, Fault::Role(point.role.to_string())));
        }
        if self.points.len() == 1 {
            return Err((None, Fault::Alone));
        }
        let Parts { finding, test, threads, points, .. } = self;
        if test.is_none() && threads.iter().any(|thread| thread.start.is_of_test()) {
            return Err(missing("test"));
        }
        Ok(Schedule { candidate, finding, test, threads, points })
    }
}

fn set<T>(part: &mut Option<T>, word: &str, value: T) -> Result<(), Fault> {
    match part.replace(value) {
        None => Ok(()),
        Some(_) => Err(Fault::Twice(word.to_owned())),
    }
}

/// A name, and a number.
fn test(written: &str) -> Option<Test> {
    let (name, nth) = first_word(written);
    let name = names::read(name).filter(|name| !name.is_empty())?;
    Some(Test { name, nth: nth.and_then(decimal).filter(|nth| *nth > 0)? })
}

/// 12 hexadecimal digits.
fn id(written: &str, form: &'static str) -> Result<String, Fault> {
    let is_id = written.len() == 12 && written.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_id.then(|| written.to_owned()).ok_or(Fault::Form(form))
}
