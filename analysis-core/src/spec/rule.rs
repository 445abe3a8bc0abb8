//! Rules: which methods, and whether they are atomic.

use std::fmt;

use super::method::Method;
use super::pattern::{ClassPattern, Pattern};

/// One line of a specification.
///
/// `Display` writes the line in its normal form: no comment, one space, no `(...)`. [`Rule::text`] is the line as
/// written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    line: usize,
    text: String,
    atomic: bool,
    selector: Selector,
    origin: Origin,
}

/// The origin of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The author of the specification.
    Own,
    /// The default specification, which has the rule on this line. [`Rule::line`] is the line that says `default`, if
    /// any.
    Default(usize),
    /// RegionTrack's own annotations, which the program's author wrote in the source.
    Annotation,
    /// An option given in addition to the specification: `exclude-method`.
    Option,
}

/// The methods to which a rule applies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selector {
    /// `PATTERN`: methods that match.
    Method(Pattern),
    /// `call:PATTERN`: methods that call a method that matches.
    Calls(Pattern),
    /// `flag:FLAG`: methods with this flag.
    Flag(Flag),
    /// `label:TEXT`: blocks of recorded traces with this label, if it names no method.
    Label(Box<str>),
    /// `@ ANNOTATION`: methods that carry an annotation that matches, and all methods of classes that do.
    Annotation(ClassPattern),
}

/// The flag in a `flag:` rule: a flag of a method in the class file, or one that only blocks of recorded traces have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Flag {
    /// Made by the compiler: bodies of lambdas, accessors.
    Synthetic,
    /// Made by the compiler to forward to a method with other types.
    Bridge,
    /// Not a method: a block of a recorded trace without a label.
    Unlabelled,
}

impl Rule {
    pub(super) fn new(line: usize, text: &str, atomic: bool, selector: Selector) -> Rule {
        Rule { line, text: text.to_owned(), atomic, selector, origin: Origin::Own }
    }

    /// Returns the same rule with another origin.
    pub(super) fn of(self, origin: Origin) -> Rule {
        Rule { origin, ..self }
    }

    /// Returns the same rule on another line.
    pub(super) fn on_line(self, line: usize) -> Rule {
        Rule { line, ..self }
    }

    /// Returns where the rule comes from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns whether it is a rule of the default specification: then it was not written for these particular methods.
    pub fn is_default(&self) -> bool {
        matches!(self.origin, Origin::Default(_))
    }

    /// Returns the number of its line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the line as written, without comment and surrounding white space.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true for `+`, false for `-`.
    pub fn is_atomic(&self) -> bool {
        self.atomic
    }

    /// Returns the selector of the methods to which the rule applies.
    pub fn selector(&self) -> &Selector {
        &self.selector
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if matches!(self.selector, Selector::Annotation(_)) { "" } else { " " };
        write!(f, "{}{space}{}", if self.atomic { '+' } else { '-' }, self.selector)
    }
}

impl Selector {
    /// Returns the selector that names the blocks of a recorded trace with this label, or without one, and no others.
    pub fn naming_block(label: Option<&str>) -> Selector {
        match label.map(|label| (Method::parse(label), label)) {
            None => Selector::Flag(Flag::Unlabelled),
            Some((Ok(method), _)) => Selector::Method(Pattern::naming(method.signature())),
            Some((Err(_), label)) => Selector::Label(label.trim().into()),
        }
    }

    /// Returns whether a rule with this selector applies to `method`.
    #[inline]
    pub fn matches(&self, method: &Method) -> bool {
        match self {
            Selector::Method(pattern) => pattern.matches(method.signature()),
            Selector::Calls(pattern) => method.calls().iter().any(|called| pattern.matches(called)),
            Selector::Flag(flag) => method.has(*flag),
            Selector::Label(_) => false,
            Selector::Annotation(pattern) => method.annotations().iter().any(|class| pattern.matches(class)),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Method(pattern) => pattern.fmt(f),
            Selector::Calls(pattern) => write!(f, "call:{pattern}"),
            Selector::Flag(flag) => write!(f, "flag:{}", flag.name()),
            Selector::Label(label) => write!(f, "label:{label}"),
            Selector::Annotation(pattern) => write!(f, "@ {pattern}"),
        }
    }
}

impl Flag {
    /// Every flag.
    pub const ALL: [Flag; 3] = [Flag::Synthetic, Flag::Bridge, Flag::Unlabelled];
    /// The bits of the flags among the access flags of the class file.
    pub(super) const MASK: u32 = Flag::Synthetic.bit() | Flag::Bridge.bit();

    /// Returns the name of the flag in a specification.
    pub fn name(self) -> &'static str {
        match self {
            Flag::Synthetic => "synthetic",
            Flag::Bridge => "bridge",
            Flag::Unlabelled => "unlabelled",
        }
    }

    /// Returns the bit among the access flags of the class file (The Java Virtual Machine Specification, table 4.6-A).
    pub(super) const fn bit(self) -> u32 {
        match self {
            Flag::Synthetic => 0x1000,
            Flag::Bridge => 0x0040,
            // No class file has this bit, and the mask lets none through.
            Flag::Unlabelled => 1 << 31,
        }
    }
}
