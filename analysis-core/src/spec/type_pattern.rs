//! Patterns for the types in an argument list, and the errors in them.

use std::fmt;

use super::glob::Glob;
use super::types::{Base, JavaType, Primitive};

/// One item of an argument list: `int`, `java.util.**`, `%[]`, `***`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypePattern {
    base: BasePattern,
    dimensions: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum BasePattern {
    /// `***`
    Any,
    /// `%`
    AnyPrimitive,
    Primitive(Primitive),
    Class(Glob),
}

impl TypePattern {
    pub(super) fn parse(text: &str) -> Result<TypePattern, TypeError> {
        let (name, dimensions) = split_dimensions(text.trim())?;
        let base = match name {
            "***" => BasePattern::Any,
            "%" => BasePattern::AnyPrimitive,
            _ => {
                TypeError::check_name(name)?;
                Primitive::named(name).map_or_else(|| BasePattern::Class(Glob::new(name)), BasePattern::Primitive)
            }
        };
        Ok(TypePattern { base, dimensions })
    }

    /// Returns the pattern that matches this type and no other.
    pub(super) fn exactly(of: &JavaType) -> TypePattern {
        let base = match &of.base {
            Base::Primitive(primitive) => BasePattern::Primitive(*primitive),
            Base::Class(name) => BasePattern::Class(Glob::new(&writable(name))),
        };
        TypePattern { base, dimensions: of.dimensions }
    }

    pub(super) fn matches(&self, argument: &JavaType) -> bool {
        match (&self.base, &argument.base) {
            (BasePattern::Any, _) => return argument.dimensions >= self.dimensions,
            (BasePattern::AnyPrimitive, Base::Primitive(_)) => {}
            (BasePattern::Primitive(wanted), Base::Primitive(given)) if wanted == given => {}
            (BasePattern::Class(wanted), Base::Class(given)) if wanted.matches(given) => {}
            _ => return false,
        }
        argument.dimensions == self.dimensions
    }

    /// Returns the name of the class that the pattern matches, if it matches exactly one.
    pub(super) fn class_name(&self) -> Option<&str> {
        match &self.base {
            BasePattern::Class(glob) if glob.is_literal() => Some(glob.text()),
            _ => None,
        }
    }
}

impl fmt::Display for TypePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            BasePattern::Any => f.write_str("***"),
            BasePattern::AnyPrimitive => f.write_str("%"),
            BasePattern::Primitive(primitive) => f.write_str(primitive.name()),
            BasePattern::Class(glob) => glob.fmt(f),
        }?;
        (0..self.dimensions).try_for_each(|_| f.write_str("[]"))
    }
}

/// Characters that cannot be written in a pattern: those of the grammar, and those that no name in a class file has.
const UNWRITABLE: &[char] = &['(', ')', '[', ']', ',', ';', ':', '%', '#', '/', '\\', '"', '@', '=', '{', '}'];

/// Returns the first character of `name` that cannot be written in a pattern.
pub(super) fn unwritable(name: &str) -> Option<char> {
    name.chars().find(|c| is_unwritable(*c))
}

fn is_unwritable(c: char) -> bool {
    c.is_whitespace() || c.is_control() || UNWRITABLE.contains(&c)
}

/// Returns `name` with a `?` for each character that cannot be written in a pattern or would not stand for itself.
pub(super) fn writable(name: &str) -> String {
    name.replace(|c: char| c == '*' || is_unwritable(c), "?")
}

/// Strips the brackets from the end of a type and counts them.
pub(super) fn split_dimensions(text: &str) -> Result<(&str, usize), TypeError> {
    let (mut name, mut dimensions) = (text, 0);
    while let Some(open) = name.strip_suffix(']') {
        let before = open.trim_end().strip_suffix('[').ok_or_else(|| TypeError::Brackets(text.to_owned()))?;
        (name, dimensions) = (before.trim_end(), dimensions + 1);
    }
    match name.contains('[') {
        true => Err(TypeError::Brackets(text.to_owned())),
        false => Ok((name, dimensions)),
    }
}

/// Converts the internal name or descriptor of a class, `java/lang/Object` or `Ljava/lang/Object;`, to its dotted name.
fn dotted(name: &str) -> String {
    let internal = name.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or(name);
    internal.replace('/', ".")
}

/// What is wrong with an argument type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypeError {
    /// Nothing between two commas, or before brackets.
    #[error("an argument type is missing: write one between commas, or () for no arguments")]
    Missing,
    /// `void`.
    #[error("'void' is no argument type: write () for no arguments")]
    Void,
    /// `String...`.
    #[error("'{0}...' is an array in the class file: write {0}[]")]
    Varargs(String),
    /// `(..., int)`.
    #[error("'...' stands for all further arguments: put it last")]
    MoreNotLast,
    /// `int[`.
    #[error("unbalanced brackets in '{0}': write [] once for each dimension, after the type")]
    Brackets(String),
    /// `java/lang/Object`.
    #[error("'/' in '{0}': write dots, {dotted}", dotted = dotted(.0))]
    Slash(String),
    /// `java..Object`.
    #[error("empty segment in '{0}': write one dot between names, none at either end")]
    EmptySegment(String),
    /// `java.***`.
    #[error("'***' within '{0}': write **, or *** alone for any type")]
    Stars(String),
    /// `java.util.List<String>`.
    #[error("type arguments in '{0}': write the erased type, {erased}", erased = .0.split('<').next().unwrap_or(""))]
    TypeArguments(String),
    /// `final int x`.
    #[error("'{character}' in the argument type '{name}': write the type alone, as in java.lang.Object[]")]
    Character {
        /// The character.
        character: char,
        /// The type that contains it.
        name: String,
    },
    /// A wildcard where one method is named.
    #[error("wildcard '{0}' among the argument types of a method: write the type, or leave the list out")]
    Wildcard(String),
}

impl TypeError {
    /// Finds the error in the name of a type without brackets. Wildcards are allowed.
    pub(super) fn check_name(name: &str) -> Result<(), TypeError> {
        let owned = || name.to_owned();
        if let Some(element) = name.strip_suffix("...") {
            return Err(match element {
                "" => TypeError::MoreNotLast,
                _ => TypeError::Varargs(element.to_owned()),
            });
        }
        match name {
            "" => Err(TypeError::Missing),
            "void" => Err(TypeError::Void),
            _ if name.contains('<') => Err(TypeError::TypeArguments(owned())),
            _ if name.contains('/') => Err(TypeError::Slash(owned())),
            _ if name.split('.').any(str::is_empty) => Err(TypeError::EmptySegment(owned())),
            _ if name.contains("***") => Err(TypeError::Stars(owned())),
            _ => match unwritable(name) {
                Some(character) => Err(TypeError::Character { character, name: owned() }),
                None => Ok(()),
            },
        }
    }
}
