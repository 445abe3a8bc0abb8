//! Argument types, from descriptors of the class file and from Java source.
//!
//! Descriptors: The Java Virtual Machine Specification, section 4.3.

use std::fmt;

use super::type_pattern::{TypeError, split_dimensions};

/// A primitive type. `void` is not included: no argument has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
}

impl Primitive {
    /// Each type with its name in source and its letter in descriptors.
    const ALL: [(Primitive, &str, u8); 8] = [
        (Primitive::Boolean, "boolean", b'Z'),
        (Primitive::Byte, "byte", b'B'),
        (Primitive::Char, "char", b'C'),
        (Primitive::Short, "short", b'S'),
        (Primitive::Int, "int", b'I'),
        (Primitive::Long, "long", b'J'),
        (Primitive::Float, "float", b'F'),
        (Primitive::Double, "double", b'D'),
    ];

    /// Returns the primitive type with this name in source.
    pub fn named(name: &str) -> Option<Primitive> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(primitive, ..)| *primitive)
    }

    /// Returns the name in source.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    fn of_letter(letter: u8) -> Option<Primitive> {
        Self::ALL.iter().find(|(.., known)| *known == letter).map(|(primitive, ..)| *primitive)
    }
}

/// The type of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JavaType {
    pub(super) base: Base,
    /// The number of bracket pairs after it.
    pub(super) dimensions: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Base {
    Primitive(Primitive),
    /// A class or an interface, dotted.
    Class(Box<str>),
}

impl JavaType {
    /// Reads a type as source writes it, erased and with its package: `int`, `java.lang.Object[]`.
    ///
    /// # Errors
    /// What is wrong with the text, and the fix.
    pub fn parse(text: &str) -> Result<JavaType, TypeError> {
        let (name, dimensions) = split_dimensions(text.trim())?;
        if name == "..." || name.contains(['*', '?', '%']) {
            return Err(TypeError::Wildcard(name.to_owned()));
        }
        TypeError::check_name(name)?;
        let base = Primitive::named(name).map_or_else(|| Base::Class(name.into()), Base::Primitive);
        Ok(JavaType { base, dimensions })
    }

    /// Takes one field type from the start of `rest`: `[[I` or `Ljava/lang/Object;`.
    fn take(rest: &mut &str) -> Option<JavaType> {
        let dimensions = rest.bytes().take_while(|byte| *byte == b'[').count();
        let text = &rest[dimensions..];
        let (base, length) = match text.strip_prefix('L') {
            Some(class) => {
                let length = class.find(';').filter(|length| *length > 0)?;
                (Base::Class(class[..length].replace('/', ".").into()), length + 2)
            }
            None => (Base::Primitive(Primitive::of_letter(*text.as_bytes().first()?)?), 1),
        };
        *rest = &text[length..];
        Some(JavaType { base, dimensions })
    }

    /// Parses a whole field descriptor.
    pub(super) fn from_descriptor(descriptor: &str) -> Option<JavaType> {
        let mut rest = descriptor;
        JavaType::take(&mut rest).filter(|_| rest.is_empty())
    }
}

impl fmt::Display for JavaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.base {
            Base::Primitive(primitive) => primitive.name(),
            Base::Class(name) => name,
        })?;
        (0..self.dimensions).try_for_each(|_| f.write_str("[]"))
    }
}

/// A method descriptor that the class file format does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad descriptor '{descriptor}' at character {at}: expected {expected}, as in (ILjava/lang/Object;)V")]
pub struct DescriptorError {
    /// The descriptor.
    pub descriptor: String,
    /// The position, in characters from 1, where the text stops being a descriptor.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

/// Returns the list of a pattern or a label `name(list)` in source form, if it was written as in a descriptor.
pub(super) fn source_of_descriptor_list(list: &str) -> Option<String> {
    let types = list.contains([';', '[', '/']).then(|| argument_types(&format!("({list})V")).ok())?;
    types.map(|types| source_list(&types))
}

/// Returns the types separated by commas.
pub(super) fn source_list(types: &[JavaType]) -> String {
    types.iter().map(JavaType::to_string).collect::<Vec<_>>().join(",")
}

/// Returns the argument types of a method descriptor such as `(ILjava/lang/Object;)V`. The return type is checked and
/// dropped.
pub(super) fn argument_types(descriptor: &str) -> Result<Vec<JavaType>, DescriptorError> {
    let error = |rest: &str, expected| {
        let at = descriptor[..descriptor.len() - rest.len()].chars().count() + 1;
        DescriptorError { descriptor: descriptor.to_owned(), at, expected }
    };
    let mut rest = descriptor.strip_prefix('(').ok_or_else(|| error(descriptor, "'('"))?;
    let mut types = Vec::new();
    while !rest.starts_with(')') {
        types.push(JavaType::take(&mut rest).ok_or_else(|| error(rest, "an argument type or ')'"))?);
    }
    rest = &rest[1..];
    match rest == "V" || JavaType::from_descriptor(rest).is_some() {
        true => Ok(types),
        false => Err(error(rest, "one return type and the end")),
    }
}
