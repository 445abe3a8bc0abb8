//! Candidates as text: lines in UTF-8, by state, then by rank.
//!
//! ```text
//! regiontrack candidates 1
//! runs 3
//! own com.acme
//! candidate 070d994f4c00 new tries=3 held=2 met=1
//!   block com.acme.Account.withdraw(int)
//!   variable Account.balance
//!   first com.acme.Account.balance:30 read balance
//!   hold com.acme.Account.balance:30 release
//!   last com.acme.Account.withdraw:14 write balance
//!   other com.acme.Account.withdraw:14 write balance
//!   enter com.acme.Account.withdraw:13 acquire
//! end
//! ```
//!
//! Each package known to be the user's has a line `own PACKAGE`, or `own` for the package without a name.
//!
//! If other threads pass more than one place, each place has a line `step THREAD OBJECT PLACE` (OBJECT is 0 for that of the first place,
//! another number for another object, `-` for none). A thread that must not come too early has a line `gate THREAD PLACE` after its first
//! step. The threads are called `b`, `c` and so on.
//!
//! Reading is strict, except for what people do to files: the order of candidates and of their lines, blanks before a line, empty lines,
//! lines that begin with `#`, and line ends as on Windows. Of several `runs` the greatest counts. An id must be that of the places, so that
//! an edit cannot attribute runs to another candidate. Of the states only `confirmed` and `again` count: the others follow from the counts,
//! and are written for readers. The line `end` and its end of line are necessary, so that no part of a file is a whole one.

use super::error::{Error, Fault};
use super::model::{Candidates, State, Trials};
use super::parts;
use crate::kept::lines::{self, NotWhole, decimal, first_word, is_conflict};
use crate::kept::names;
use crate::report::Application;

const HEADER: &str = "regiontrack candidates ";
const CANDIDATE: &str = "candidate ID STATE tries=N held=N met=N";

impl Candidates {
    /// The text of their file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}1\nruns {}\n", self.runs);
        for package in self.own.packages() {
            text += "own";
            if !package.is_empty() {
                text.push(' ');
                names::write(&mut text, package);
            }
            text.push('\n');
        }
        for (candidate, trials) in self.in_order() {
            let Trials { tries, held, met, .. } = trials;
            let (id, state) = (candidate.id(), trials.state().name());
            text += &format!("candidate {id} {state} tries={tries} held={held} met={met}\n");
            candidate.lines().lines().for_each(|line| text += &format!("  {line}\n"));
        }
        text + "end\n"
    }

    /// Reads the text of candidates; `file` is its name for errors.
    ///
    /// # Errors
    /// If it is no list of candidates, or not a whole one.
    pub fn parse(text: &[u8], file: &str) -> Result<Candidates, Error> {
        let whole = |fault| Error::of_file(file, fault);
        let text = lines::whole(text, HEADER).map_err(|wrong| match wrong {
            NotWhole::Empty => whole(Fault::Empty),
            NotWhole::Other => whole(Fault::NoCandidates),
            NotWhole::Cut => whole(Fault::Cut),
            NotWhole::NotUtf8(line) => Error::in_line(file, line, Fault::NotUtf8),
        })?;
        let mut parts = Parts::default();
        for (number, line) in (1..).zip(text.lines()) {
            parts.take(number, line).map_err(|(number, fault)| Error::in_line(file, number, fault))?;
        }
        let runs = parts.runs.ok_or_else(|| whole(Fault::Missing("runs")))?;
        Ok(Candidates { runs, ..parts.whole })
    }
}

/// What is wrong in which line.
type Wrong = (usize, Fault);

/// What the lines so far have said.
#[derive(Default)]
struct Parts {
    has_ended: bool,
    runs: Option<u64>,
    open: Option<Open>,
    whole: Candidates,
}

/// A candidate some of whose lines have been read.
struct Open {
    /// The number of its first line.
    line: usize,
    id: String,
    trials: Trials,
    parts: parts::Parts,
}

impl Parts {
    fn take(&mut self, number: usize, line: &str) -> Result<(), Wrong> {
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let here = |fault| (number, fault);
        if self.has_ended {
            return Err(here(Fault::AfterEnd));
        }
        if is_conflict(line) {
            return Err(here(Fault::Conflict));
        }
        if let Some(version) = line.strip_prefix(HEADER) {
            return if version == "1" { Ok(()) } else { Err(here(Fault::Version(version.to_owned()))) };
        }
        let (word, rest) = first_word(line.trim_start_matches([' ', '\t']));
        match word {
            "runs" => {
                let runs = rest.and_then(decimal).ok_or(here(Fault::Form("runs N")))?;
                self.runs = self.runs.max(Some(runs));
            }
            "own" => {
                let package = rest.map_or(Some(String::new()), names::read);
                let package = package.ok_or_else(|| here(Fault::Name(rest.unwrap_or("").to_owned())))?;
                self.whole.own.merge(&Application::of([package]));
            }
            "candidate" => {
                self.close()?;
                self.open = Some(Open::begin(number, rest.unwrap_or("")).map_err(here)?);
            }
            "end" if rest.is_none() => {
                self.close()?;
                self.has_ended = true;
            }
            "end" => return Err(here(Fault::Form("end"))),
            _ => self.part(word, rest.unwrap_or("")).map_err(here)?,
        }
        Ok(())
    }

    fn part(&mut self, word: &str, rest: &str) -> Result<(), Fault> {
        let word = parts::Parts::word(word).ok_or_else(|| Fault::Word(word.to_owned()))?;
        let open = self.open.as_mut().ok_or(Fault::Outside(word))?;
        open.parts.take(word, rest)
    }

    /// Ends the open candidate.
    fn close(&mut self) -> Result<(), Wrong> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let line = open.line;
        self.add(open).map_err(|fault| (line, fault))
    }

    fn add(&mut self, open: Open) -> Result<(), Fault> {
        let candidate = open.parts.whole()?;
        let id = candidate.id();
        if id != open.id {
            return Err(Fault::Id(id));
        }
        if self.whole.trials(&candidate).is_some() {
            return Err(Fault::Again(id));
        }
        self.whole.add_trials(candidate, open.trials);
        Ok(())
    }
}

impl Open {
    fn begin(line: usize, rest: &str) -> Result<Open, Fault> {
        let words: Vec<&str> = rest.split(' ').collect();
        let [id, state, tries, held, met] = words[..] else { return Err(Fault::Form(CANDIDATE)) };
        let count = |word: &str, key: &str| {
            let number = word.strip_prefix(key).and_then(|word| word.strip_prefix('=')).and_then(decimal);
            number.ok_or(Fault::Form(CANDIDATE))
        };
        let state = State::named(state).ok_or_else(|| Fault::State(state.to_owned()))?;
        let (tries, held, met) = (count(tries, "tries")?, count(held, "held")?, count(met, "met")?);
        if met > held || held > tries {
            return Err(Fault::Counts);
        }
        let (is_confirmed, was_confirmed) = (state == State::Confirmed, state == State::Again);
        let trials = Trials { tries, held, met, is_confirmed, was_confirmed };
        Ok(Open { line, id: id.to_owned(), trials, parts: parts::Parts::default() })
    }
}
