//! ProGuard's patterns: for methods, a dotted name with wildcards and an optional argument list; for classes, a dotted
//! name with wildcards.

use std::fmt;
use std::str::FromStr;

use super::glob::Glob;
use super::method::Signature;
use super::type_pattern::{TypeError, TypePattern, unwritable, writable};
use super::types::{JavaType, argument_types, source_list, source_of_descriptor_list};

/// A pattern for methods: `com.example.**`, `**.main(java.lang.String[])`.
///
/// `Display` writes a pattern that parses to an equal one; `(...)` is omitted, as it means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    name: Glob,
    arguments: Arguments,
}

/// An argument list. Without one, and with `(...)`, there are no types and more may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Arguments {
    types: Vec<TypePattern>,
    /// Whether any further arguments may follow.
    more: bool,
}

impl Pattern {
    /// Returns the pattern that matches this method and no other; every overload if its argument types are unknown.
    ///
    /// Languages other than Java allow characters in names that no pattern can hold: each becomes a `?`.
    pub fn naming(signature: &Signature) -> Pattern {
        let arguments = match signature.arguments() {
            Some(types) => Arguments { types: types.iter().map(TypePattern::exactly).collect(), more: false },
            None => Arguments::ANY,
        };
        Pattern { name: Glob::new(&writable(signature.name())), arguments }
    }

    /// Returns whether the method with this signature matches.
    #[inline]
    pub fn matches(&self, signature: &Signature) -> bool {
        self.name.matches(signature.name()) && self.arguments.matches(signature.arguments())
    }

    /// Returns whether every method matches.
    pub(super) fn matches_everything(&self) -> bool {
        matches!(self.name.text(), "**" | "**.*") && self.arguments == Arguments::ANY
    }

    /// Returns the name that the pattern matches, if it matches exactly one.
    pub(super) fn literal_name(&self) -> Option<&str> {
        self.name.is_literal().then(|| self.name.text())
    }

    /// Returns the name, wildcards included.
    pub(super) fn name(&self) -> &str {
        self.name.text()
    }

    /// Returns whether the pattern matches any arguments.
    pub(super) fn takes_any_arguments(&self) -> bool {
        self.arguments == Arguments::ANY
    }

    /// Returns the classes that the argument list names in full.
    pub(super) fn argument_classes(&self) -> impl Iterator<Item = &str> {
        self.arguments.types.iter().filter_map(TypePattern::class_name)
    }
}

impl Arguments {
    const ANY: Arguments = Arguments { types: Vec::new(), more: true };

    /// Unknown arguments only match a list that matches any arguments.
    fn matches(&self, given: Option<&[JavaType]>) -> bool {
        let Some(given) = given else { return *self == Arguments::ANY };
        let enough = if self.more { given.len() >= self.types.len() } else { given.len() == self.types.len() };
        enough && self.types.iter().zip(given).all(|(pattern, argument)| pattern.matches(argument))
    }

    fn parse(list: &str) -> Result<Arguments, TypeError> {
        if list.trim().is_empty() {
            return Ok(Arguments { types: Vec::new(), more: false });
        }
        let mut items: Vec<&str> = list.split(',').map(str::trim).collect();
        let more = items.pop_if(|last| *last == "...").is_some();
        let types = items.into_iter().map(TypePattern::parse).collect::<Result<_, _>>()?;
        Ok(Arguments { types, more })
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        let text = text.trim();
        let Some((name, rest)) = text.split_once('(') else {
            return match text.contains(')') {
                true => Err(PatternError::Unopened(text.to_owned())),
                false => Ok(Pattern { name: parse_name(text)?, arguments: Arguments::ANY }),
            };
        };
        let name = parse_name(name.trim_end())?;
        let (list, after) = rest.split_once(')').ok_or_else(|| PatternError::Unclosed(text.to_owned()))?;
        refuse_descriptor(list, after)?;
        match after.trim() {
            "" => Ok(Pattern { name, arguments: Arguments::parse(list)? }),
            after => Err(PatternError::AfterList(after.to_owned())),
        }
    }
}

fn parse_name(name: &str) -> Result<Glob, PatternError> {
    if name.is_empty() {
        return Err(PatternError::Missing);
    }
    let glob = parse_dotted(name)?;
    match !name.contains('.') && !name.contains("**") {
        true => Err(PatternError::NoClass(name.to_owned())),
        false => Ok(glob),
    }
}

/// Parses a dotted name, of a method or a class, with wildcards; not empty.
fn parse_dotted(name: &str) -> Result<Glob, PatternError> {
    let owned = || name.to_owned();
    if let Some(separator) = ["/", "::", "#"].into_iter().find(|separator| name.contains(separator)) {
        return Err(PatternError::Separator { separator, name: owned() });
    }
    match unwritable(name) {
        Some(character) if character.is_whitespace() => return Err(PatternError::Space(owned())),
        Some(character) => return Err(PatternError::Character { character, name: owned() }),
        None => {}
    }
    match name {
        _ if name.split('.').any(str::is_empty) => Err(PatternError::EmptySegment(owned())),
        _ if name.contains("***") => Err(PatternError::Stars(owned())),
        _ => Ok(Glob::new(name)),
    }
}

/// Rejects `(list)after` if it is a method descriptor, whole or without its return type.
fn refuse_descriptor(list: &str, after: &str) -> Result<(), PatternError> {
    let given = format!("({list}){}", after.trim());
    let write = match after.trim() {
        "" => source_of_descriptor_list(list),
        _ => argument_types(&given).ok().map(|types| source_list(&types)),
    };
    write.map_or(Ok(()), |write| Err(PatternError::Descriptor { given, write }))
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        if self.takes_any_arguments() {
            return Ok(());
        }
        let mut items: Vec<String> = self.arguments.types.iter().map(TypePattern::to_string).collect();
        items.extend(self.arguments.more.then(|| "...".to_owned()));
        write!(f, "({})", items.join(","))
    }
}

/// A pattern for classes: `com.example.Atomic`, `**.Atomic`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassPattern(Glob);

impl ClassPattern {
    /// Returns whether the class with this dotted name matches.
    pub fn matches(&self, class: &str) -> bool {
        self.0.matches(class)
    }
}

impl FromStr for ClassPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<ClassPattern, PatternError> {
        match text.trim() {
            "" => Err(PatternError::NoAnnotation),
            name if name.contains(['(', ')']) => Err(PatternError::List(name.to_owned())),
            name => Ok(ClassPattern(parse_dotted(name)?)),
        }
    }
}

impl fmt::Display for ClassPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// Nothing where a name should be.
    #[error("the pattern is missing: write package.Class.method, or com.example.** for all methods below a package")]
    Missing,
    /// `+@`.
    #[error("the annotation is missing: write its class, as in +@ com.example.Atomic")]
    NoAnnotation,
    /// `+@ a.B()`.
    #[error("'{0}' is no annotation: write its class alone, as in +@ com.example.Atomic")]
    List(String),
    /// `a.B.c(int`.
    #[error("no ')' in '{0}': close the argument list, or leave it out for every overload")]
    Unclosed(String),
    /// `a.B.c)`.
    #[error("')' without '(' in '{0}': write an argument list, or leave it out for every overload")]
    Unopened(String),
    /// `a.B.c() int`.
    #[error("text after ')': '{0}'; end the pattern there, return types are not matched")]
    AfterList(String),
    /// `a.B.c(I)V`.
    #[error("'{given}' is a descriptor: write ({write})")]
    Descriptor {
        /// The descriptor.
        given: String,
        /// Its argument types, as source writes them.
        write: String,
    },
    /// `a/B.c`, `a.B::c`, `a.B#c`.
    #[error("'{separator}' in '{name}': write dots, {dotted}", dotted = name.replace(separator, "."))]
    Separator {
        /// What should be a dot.
        separator: &'static str,
        /// The name.
        name: String,
    },
    /// `void a.B.c`.
    #[error("white space in '{0}': write the name alone, without modifiers and return type; ? matches a space")]
    Space(String),
    /// `a.B.%`.
    #[error("'{character}' in the name '{name}': write ? for this character")]
    Character {
        /// The character.
        character: char,
        /// The name.
        name: String,
    },
    /// `a..B.c`.
    #[error("empty segment in '{0}': write one dot between names, none at either end")]
    EmptySegment(String),
    /// `a.***`.
    #[error("'***' in the name '{0}': write **")]
    Stars(String),
    /// `run`.
    #[error("'{0}' names a class or a method, not both: write **.{0} for the method, {0}.* for the class")]
    NoClass(String),
    /// Something in the argument list.
    #[error(transparent)]
    Type(#[from] TypeError),
}
