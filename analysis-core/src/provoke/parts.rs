//! The lines of a candidate, as files of candidates and schedules both have them, on the way to a candidate.

use super::error::Fault;
use super::model::{Candidate, NO_OBJECT, Step};
use super::place::Place;
use crate::kept::lines::{decimal, first_word};
use crate::kept::names;

/// The first words of the possible lines, in their order.
const WORDS: [&str; 9] = ["block", "variable", "first", "hold", "last", "other", "enter", "step", "gate"];
const STEP: &str = "step THREAD OBJECT PLACE";
const GATE: &str = "gate THREAD PLACE";

/// What the lines so far have said.
#[derive(Default)]
pub(super) struct Parts {
    block: Option<String>,
    variable: Option<String>,
    first: Option<Place>,
    hold: Option<Place>,
    last: Option<Place>,
    other: Option<Place>,
    enter: Option<Place>,
    steps: Vec<Step>,
}

impl Parts {
    /// The word of a line of a candidate; `None` if there is no such line.
    pub(super) fn word(word: &str) -> Option<&'static str> {
        WORDS.into_iter().find(|known| *known == word)
    }

    /// Takes a line that begins with this word, one of [`Parts::word`].
    pub(super) fn take(&mut self, word: &'static str, rest: &str) -> Result<(), Fault> {
        let place = match word {
            "block" => return set(&mut self.block, word, name(rest)?),
            "variable" => return set(&mut self.variable, word, name(rest)?),
            "step" => return self.step(rest),
            "gate" => return self.gate(rest),
            "first" => &mut self.first,
            "hold" => &mut self.hold,
            "last" => &mut self.last,
            "other" => &mut self.other,
            _ => &mut self.enter,
        };
        set(place, word, rest.parse()?)
    }

    fn step(&mut self, rest: &str) -> Result<(), Fault> {
        let (thread, rest) = of_thread(rest).ok_or(Fault::Form(STEP))?;
        let (object, place) = first_word(rest);
        let object = match object {
            NO_OBJECT => None,
            number => Some(decimal(number).and_then(|number| number.try_into().ok()).ok_or(Fault::Form(STEP))?),
        };
        let place = place.ok_or(Fault::Form(STEP))?;
        // The first thread is that of the block, and each other one follows those before it.
        let next = self.steps.iter().map(|step| step.thread + 1).max().unwrap_or(1);
        if !(1..=next).contains(&thread) {
            return Err(Fault::Thread(Step::letter(next)));
        }
        // So that one candidate has one text.
        let most = self.steps.iter().filter_map(|step| step.object).max().unwrap_or(0);
        if object.is_some_and(|object: u8| object > most.saturating_add(1)) {
            return Err(Fault::Object(most.saturating_add(1)));
        }
        self.steps.push(Step { thread, object, place: place.parse()?, gate: None });
        Ok(())
    }

    fn gate(&mut self, rest: &str) -> Result<(), Fault> {
        let (thread, place) = of_thread(rest).ok_or(Fault::Form(GATE))?;
        let step = self.steps.iter_mut().find(|step| step.thread == thread).ok_or(Fault::Gate)?;
        set(&mut step.gate, "gate", place.parse()?)
    }

    /// Returns the candidate that the lines describe.
    ///
    /// # Errors
    /// If a line is missing, or the steps do not end at `other`.
    pub(super) fn whole(self) -> Result<Candidate, Fault> {
        let candidate = Candidate {
            block: self.block.ok_or(Fault::Part("block"))?,
            variable: self.variable.ok_or(Fault::Part("variable"))?,
            first: self.first.ok_or(Fault::Part("first"))?,
            hold: self.hold.ok_or(Fault::Part("hold"))?,
            last: self.last.ok_or(Fault::Part("last"))?,
            other: self.other.ok_or(Fault::Part("other"))?,
            enter: self.enter,
            steps: self.steps,
        };
        let is_whole = match &candidate.steps[..] {
            [] => true,
            [_] => false,
            [.., last] => last.place == candidate.other && candidate.enter.is_none(),
        };
        if is_whole { Ok(candidate) } else { Err(Fault::Steps) }
    }
}

/// The number of the thread with a letter, and the rest of the line.
fn of_thread(rest: &str) -> Option<(u8, &str)> {
    let (letter, place) = first_word(rest);
    match letter.as_bytes() {
        [letter @ b'b'..=b'z'] => Some((letter - b'a', place?)),
        _ => None,
    }
}

fn set<T>(part: &mut Option<T>, word: &'static str, value: T) -> Result<(), Fault> {
    match part.replace(value) {
        None => Ok(()),
        Some(_) => Err(Fault::Twice(word)),
    }
}

/// A name, which is not empty.
fn name(written: &str) -> Result<String, Fault> {
    names::read_words(written).filter(|name| !name.is_empty()).ok_or_else(|| Fault::Name(written.to_owned()))
}
