//! Methods, as they are passed to a specification: from class files, or from the labels of a trace.

use std::fmt;
use std::str::FromStr;

use super::rule::Flag;
use super::type_pattern::TypeError;
use super::types::{DescriptorError, JavaType, argument_types, source_list, source_of_descriptor_list};

/// What distinguishes a method from others: its class, its name, its argument types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// `package.Class.method`.
    name: String,
    /// `None` if a label has no argument list.
    arguments: Option<Vec<JavaType>>,
}

impl Signature {
    /// Creates the signature of a method as a class file names it: internal name of the class (`com/example/Cache`;
    /// `[I` at calls on arrays), name, descriptor (`(Ljava/lang/Object;I)V`).
    ///
    /// # Errors
    /// The descriptor is malformed.
    pub fn from_class_file(class: &str, name: &str, descriptor: &str) -> Result<Signature, DescriptorError> {
        let arguments = Some(argument_types(descriptor)?);
        let name = match JavaType::from_descriptor(class).filter(|_| class.starts_with('[')) {
            Some(array) => format!("{array}.{name}"),
            None => dotted(class, name),
        };
        Ok(Signature { name, arguments })
    }

    /// The dotted `package.Class.method`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The dotted `package.Class`.
    pub fn class(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(class, _)| class)
    }

    /// Returns the argument types, if they are known.
    pub fn arguments(&self) -> Option<&[JavaType]> {
        self.arguments.as_deref()
    }
}

fn dotted(class: &str, method: &str) -> String {
    let mut name = String::with_capacity(class.len() + 1 + method.len());
    name.extend(class.chars().map(|c| if c == '/' { '.' } else { c }));
    name.push('.');
    name.push_str(method);
    name
}

impl FromStr for Signature {
    type Err = MethodError;

    /// Reads `com.example.Cache.get(java.lang.Object)`, `com.example.Cache.get`, or RoadRunner's form
    /// `com/example/Cache.get(Ljava/lang/Object;)V`.
    fn from_str(text: &str) -> Result<Signature, MethodError> {
        let text = text.trim();
        let error = |reason| MethodError { method: text.to_owned(), reason };
        // The last parenthesis: languages other than Java allow parentheses in names.
        let Some((name, rest)) = text.rsplit_once('(') else {
            return Ok(Signature { name: parse_name(text).map_err(error)?, arguments: None });
        };
        let name = parse_name(name).map_err(error)?;
        let Some((list, after)) = rest.rsplit_once(')') else { return Err(error(Reason::Unclosed)) };
        let arguments = match after {
            "" => parse_list(list),
            _ => argument_types(&text[text.len() - rest.len() - 1..]).map_err(Reason::from),
        };
        Ok(Signature { name, arguments: Some(arguments.map_err(error)?) })
    }
}

fn parse_name(name: &str) -> Result<String, Reason> {
    if name.is_empty() {
        return Err(Reason::Empty);
    }
    let (class, method) = name.rsplit_once('.').ok_or(Reason::NoClass)?;
    let name = match (class.contains('/'), class.contains('.'), method.contains('/')) {
        (false, _, false) => name.to_owned(),
        (true, false, false) => dotted(class, method),
        _ => return Err(Reason::MixedSeparators),
    };
    match name.split('.').any(str::is_empty) {
        true => Err(Reason::EmptySegment),
        false => Ok(name),
    }
}

fn parse_list(list: &str) -> Result<Vec<JavaType>, Reason> {
    if list.trim().is_empty() {
        return Ok(Vec::new());
    }
    match source_of_descriptor_list(list) {
        Some(write) => Err(Reason::NoReturnType { given: list.to_owned(), write }),
        None => Ok(list.split(',').map(JavaType::parse).collect::<Result<_, _>>()?),
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let Some(arguments) = &self.arguments else { return Ok(()) };
        write!(f, "({})", source_list(arguments))
    }
}

/// A method about which a specification decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    signature: Signature,
    /// The access flags of the class file; only those of [`Flag`] are kept.
    access: u32,
    calls: Vec<Signature>,
    /// Classes, dotted.
    annotations: Vec<String>,
}

impl Method {
    /// Creates a method without flags and annotations that calls nothing.
    pub fn new(signature: Signature) -> Method {
        Method { signature, access: 0, calls: Vec::new(), annotations: Vec::new() }
    }

    /// Creates a method as a class file declares it: internal name of its class, its name, its descriptor, its access
    /// flags (The Java Virtual Machine Specification, table 4.6-A; unknown bits are ignored).
    ///
    /// # Errors
    /// The descriptor is malformed.
    pub fn from_class_file(class: &str, name: &str, descriptor: &str, access: u32) -> Result<Method, DescriptorError> {
        let signature = Signature::from_class_file(class, name, descriptor)?;
        Ok(Method { access: access & Flag::MASK, ..Method::new(signature) })
    }

    /// Parses a method from a label or from user input: `com.example.Cache.get(java.lang.Object)`,
    /// `com.example.Cache.get`, `com/example/Cache.get(Ljava/lang/Object;)V`.
    ///
    /// # Errors
    /// What is wrong with the text, and the fix.
    pub fn parse(text: &str) -> Result<Method, MethodError> {
        text.parse().map(Method::new)
    }

    /// The same method with this flag.
    pub fn with_flag(mut self, flag: Flag) -> Method {
        self.access |= flag.bit();
        self
    }

    /// Adds a method that this one calls, as the call site names it. Order and repetitions do not matter.
    pub fn add_call(&mut self, called: Signature) {
        self.calls.push(called);
    }

    /// Adds an annotation that the method or its class carries: the internal or dotted name of the annotation's class.
    pub fn add_annotation(&mut self, class: &str) {
        self.annotations.push(class.replace('/', "."));
    }

    /// Returns the signature: class, name and argument types.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Returns the annotations added so far, of the method and of its class: dotted names of their classes.
    pub fn annotations(&self) -> &[String] {
        &self.annotations
    }

    /// Returns whether the class file gives the method this flag.
    pub fn has(&self, flag: Flag) -> bool {
        self.access & flag.bit() != 0
    }

    /// Returns the called methods added so far.
    pub fn calls(&self) -> &[Signature] {
        &self.calls
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.signature.fmt(f)
    }
}

/// A text that does not name a method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{method}' is no method: {reason}")]
pub struct MethodError {
    /// The text.
    pub method: String,
    reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Reason {
    #[error("write package.Class.method")]
    Empty,
    #[error("no dot between class and method; write package.Class.method")]
    NoClass,
    #[error("both '/' and '.' in the class, or '/' in the method; write package.Class.method or package/Class.method")]
    MixedSeparators,
    #[error("empty segment; write one dot between names, none at either end")]
    EmptySegment,
    #[error("no ')'; close the argument list, or leave it out")]
    Unclosed,
    #[error("({given}) is a descriptor without its return type; write ({write})")]
    NoReturnType { given: String, write: String },
    #[error(transparent)]
    Type(#[from] TypeError),
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
}
