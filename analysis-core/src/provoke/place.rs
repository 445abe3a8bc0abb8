//! Places in a program at which threads access something: `com.acme.Account.withdraw:12 read balance`.
//!
//! A place is known by class, method and line, without the descriptor, as in recorded traces. If several instructions of a line do the
//! same to something of the same name, all of them are the place. In a method without line numbers a place is a single instruction:
//! `com.acme.Account.withdraw(int):@7 read balance`.

use std::fmt;
use std::str::FromStr;

use super::error::Fault;
use crate::kept::names;
use crate::report::{instruction, short_signature};
use crate::trace::Position;

/// What a thread does at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// It reads a variable.
    Read,
    /// It writes a variable.
    Write,
    /// It takes a lock.
    Acquire,
    /// It gives up a lock.
    Release,
}

impl Action {
    /// All, in their order.
    pub const ALL: [Action; 4] = [Action::Read, Action::Write, Action::Acquire, Action::Release];

    /// The word for the action.
    pub fn name(self) -> &'static str {
        match self {
            Action::Read => "read",
            Action::Write => "write",
            Action::Acquire => "acquire",
            Action::Release => "release",
        }
    }

    /// The action with this word.
    pub fn named(name: &str) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.name() == name)
    }

    /// True if the action is about a lock.
    pub fn is_of_lock(self) -> bool {
        matches!(self, Action::Acquire | Action::Release)
    }

    /// True if the order of the two actions has an effect.
    pub(super) fn conflicts_with(self, other: Action) -> bool {
        match (self.is_of_lock(), other.is_of_lock()) {
            (true, true) => true,
            (false, false) => self == Action::Write || other == Action::Write,
            _ => false,
        }
    }
}

/// A place. It is displayed as it is written: `LOCATION ACTION NAME`, or `LOCATION ACTION` where there is no name, with `\uXXXX`
/// for white space, control characters and backslashes in either, so that it can be split at its spaces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    location: String,
    /// What is done there.
    pub action: Action,
    /// The simple name of a field (`balance`), `[]` for an element of an array, the method with `()` for a call of the library
    /// (`put()`, `lock()`), and nothing for a monitor.
    pub name: String,
}

impl Place {
    /// A place at `com.acme.Account.withdraw:12`, or at `com.acme.Account.withdraw(int):@7` if the method has no line numbers; `None` if
    /// the location lacks a class, method or position.
    pub fn new(location: impl Into<String>, action: Action, name: impl Into<String>) -> Option<Place> {
        let (location, name) = (location.into(), name.into());
        Parts::of(&location)?;
        Some(Place { location, action, name })
    }

    /// Class, method and line: `com.acme.Account.withdraw:12`; or the method with its parameters, and the index of an instruction.
    pub fn location(&self) -> &str {
        &self.location
    }

    /// The class in full: `com.acme.Account`.
    pub fn class(&self) -> &str {
        self.parts().class
    }

    /// The method, without its parameters: `withdraw`.
    pub fn method(&self) -> &str {
        self.parts().method
    }

    /// The line, or the index of the instruction.
    pub fn position(&self) -> Position {
        self.parts().position
    }

    /// The place in the form of a report: `Account.java:12` if the class has a file of its name, as nearly all have;
    /// `bytecode 7 of Account.withdraw(int)` where there is no line.
    pub fn brief(&self) -> String {
        match Position::split_index(&self.location) {
            Some((method, index)) => instruction(&short_signature(method), index),
            None => self.in_table(),
        }
    }

    /// The place in the form of a table: `Account.java:12`, `Account.withdraw(int):@7`.
    pub fn in_table(&self) -> String {
        let Parts { class, position, .. } = self.parts();
        if let Some((method, _)) = Position::split_index(&self.location) {
            return format!("{}:{position}", short_signature(method));
        }
        let simple = class.rsplit('.').next().unwrap_or(class);
        let outer = simple.split('$').next().filter(|name| !name.is_empty()).unwrap_or(simple);
        format!("{outer}.java:{position}")
    }

    fn parts(&self) -> Parts<'_> {
        Parts::of(&self.location).expect("a place has a class, a method and a position")
    }
}

/// The parts of a location.
struct Parts<'a> {
    class: &'a str,
    method: &'a str,
    position: Position,
}

impl Parts<'_> {
    /// Splits a location; `None` if a part is missing. With an index there are parameters, and with a line there are
    /// none.
    fn of(location: &str) -> Option<Parts<'_>> {
        let (method, position) = Position::split(location)?;
        let method = match position {
            Position::Line(_) => method,
            Position::Index(_) => method.strip_suffix(')')?.rsplit_once('(')?.0,
        };
        let (class, method) = method.rsplit_once('.')?;
        (!class.is_empty() && !method.is_empty()).then_some(Parts { class, method, position })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        names::write(&mut text, &self.location);
        text.push(' ');
        text += self.action.name();
        if !self.name.is_empty() {
            text.push(' ');
            names::write(&mut text, &self.name);
        }
        f.write_str(&text)
    }
}

impl FromStr for Place {
    type Err = Fault;

    fn from_str(written: &str) -> Result<Place, Fault> {
        let words: Vec<&str> = written.split(' ').collect();
        let place = match words[..] {
            [location, action] => read(location, action, None),
            [location, action, name] => read(location, action, Some(name)),
            _ => None,
        };
        place.ok_or_else(|| Fault::Place(written.to_owned()))
    }
}

fn read(location: &str, action: &str, name: Option<&str>) -> Option<Place> {
    let name = match name {
        Some(name) => names::read(name).filter(|name| !name.is_empty())?,
        None => String::new(),
    };
    Place::new(names::read(location)?, Action::named(action)?, name)
}
