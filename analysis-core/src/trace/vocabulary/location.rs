//! The place of an event in the program, as a location states it: `com.acme.Cache.get:17` is a line of the source. A
//! class file may lack line numbers; then the location is an instruction of the method's bytecode, by its index:
//! `com.acme.Cache.get(java.lang.Object):@17`, with the parameter types, because methods with the same name have the
//! same indices.
//!
//! An index refers to the class file as the program's class loader has it, before the agent adds its hooks, and is the
//! one that `javap -c` shows.

use std::fmt;

/// The prefix of an index, which stands in place of a line.
const INDEX: char = '@';

/// The position of an event in its file or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// A line of a source, from 1.
    Line(u32),
    /// An instruction of a method, by its index in bytes, from 0.
    Index(u32),
}

impl Position {
    /// Parses a position; `None` for anything else, including numbers with leading zeros.
    pub fn read(written: &str) -> Option<Position> {
        let (digits, position): (_, fn(u32) -> Position) = match written.strip_prefix(INDEX) {
            Some(digits) => (digits, Position::Index),
            None => (written, Position::Line),
        };
        let number: u32 = digits.parse().ok().filter(|number: &u32| number.to_string() == digits)?;
        Some(position(number)).filter(|position| *position != Position::Line(0))
    }

    /// Returns the file or the method of a location, and the position in it; `None` if the location has no position.
    pub fn split(location: &str) -> Option<(&str, Position)> {
        let (name, position) = location.rsplit_once(':')?;
        Some((name, Position::read(position)?))
    }

    /// Returns the method of a location that has an index, with its parameters, and the index.
    pub fn split_index(location: &str) -> Option<(&str, u32)> {
        match Position::split(location)? {
            (method, Position::Index(index)) => Some((method, index)),
            (_, Position::Line(_)) => None,
        }
    }
}

/// Writes the position as in a location: `17`, `@17`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line(line) => write!(f, "{line}"),
            Position::Index(index) => write!(f, "{INDEX}{index}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_has_a_line_or_an_index() {
        assert_eq!(Position::split("a.B.c:17"), Some(("a.B.c", Position::Line(17))));
        assert_eq!(Position::split("a.B.c(int,a.D):@0"), Some(("a.B.c(int,a.D)", Position::Index(0))));
        assert_eq!(Position::split_index("B.java:3"), None);
        assert_eq!(Position::split_index("a.B.c():@65534"), Some(("a.B.c()", 65534)));
        for written in ["17", "@0", "@17"] {
            assert_eq!(Position::read(written).expect("a position").to_string(), written);
        }
    }

    #[test]
    fn nothing_else_is_a_position() {
        for location in [
            "",
            "a.B.c",
            "a.B.c:",
            "a.B.c:0",
            "a.B.c:07",
            "a.B.c:@",
            "a.B.c:@01",
            "a.B.c:@-1",
            "a.B.c:@+1",
            "a.B.c:+1",
            "a.B@17",
        ] {
            assert_eq!(Position::split(location), None, "{location}");
        }
    }
}
