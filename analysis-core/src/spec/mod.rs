//! Atomicity specifications: which methods are meant to be atomic.
//!
//! A specification is an ordered list of rules; **the last rule that matches a method decides**, and a method that no
//! rule matches is not atomic. The same matcher serves all callers: the agent queries it for each method of each loaded
//! class, the command for the labels of a recorded trace.
//!
//! # Grammar
//! One rule per line; UTF-8; blank lines and comments are skipped. A comment starts at a `#` that opens the line or
//! follows white space.
//! ```text
//! rule      = ("+" | "-") selector              + is atomic, - is not
//!           | "default"                         the rules of the default specification; those before it decide nothing
//! selector  = pattern                           methods that match
//!           | "call:" pattern                   methods that call a method that matches
//!           | "flag:" ("synthetic" | "bridge")  methods with that flag in the class file
//!           | "label:" text                     blocks of a recorded trace with this label, if it is no method's name
//!           | "flag:unlabelled"                 blocks of a recorded trace without a label
//!           | "@" class                         methods with that annotation, and all of classes with it
//! pattern   = name [ "(" arguments ")" ]        without parentheses: every overload
//! arguments = nothing                           no arguments
//!           | type { "," type } [ "," "..." ]   these types, then any further ones after "..."
//!           | "..."                             any arguments
//! ```
//! The class of an annotation is a name with the wildcards below: `+@ com.example.Atomic`. Annotations of any retention
//! except `SOURCE` are seen.
//!
//! A file without signs is read as an exclusion list, the format of other tools: the methods that are not atomic
//! ([`list`]).
//!
//! Patterns are ProGuard's. A **name** is matched against the dotted `package.Class.method`; a nested class is
//! `Outer$Inner`, a constructor `<init>`, a static initializer `<clinit>`:
//!
//! | in a name | stands for |
//! |---|---|
//! | `?` | one character, not a dot |
//! | `*` | any run of characters without a dot |
//! | `**` | any run of characters |
//!
//! A **type** is written as in Java source, erased and with its package: `int`, `java.lang.Object`, `long[][]`:
//!
//! | in an argument list | stands for |
//! |---|---|
//! | `?`, `*`, `**` | the same within the name of a class: neither a primitive type nor an array |
//! | `%` | any primitive type |
//! | `***` | any type: primitive or not, array or not |
//! | `...` | any further arguments; last item only |
//!
//! `[]` after any of them matches an array of it.
//!
//! # What a rule cannot see
//! The return type: only `flag:bridge` distinguishes methods that differ in nothing else. A `call:` rule sees the calls
//! in the method's own bytecode, with the class that the call site names: `wait` and `notify` are always called on
//! `java.lang.Object`, but `worker.join()` on the declared type of `worker`, so write `call:**.join(...)`. The body of
//! a lambda is a synthetic method of its own. The labels of a recorded trace are only names: rules on calls, flags and
//! annotations match none of them.
//!
//! # To add a kind of rule
//! Add a variant to [`Selector`] with its line in `Selector::matches` and in `Display` (`rule.rs`), and its word to the
//! list in `parse.rs`.

mod class_patterns;
mod glob;
mod index;
pub mod list;
mod method;
mod name_pattern;
mod parse;
mod pattern;
pub mod refine;
mod rule;
pub mod tools;
mod trace_filter;
mod type_pattern;
mod types;
mod warning;

#[cfg(test)]
mod tests;

pub use class_patterns::ClassPatterns;
pub use method::{Method, MethodError, Signature};
pub use name_pattern::NamePattern;
pub use parse::{RuleError, SpecError, SpecErrors};
pub use pattern::{ClassPattern, Pattern, PatternError};
pub use rule::{Flag, Origin, Rule, Selector};
pub use trace_filter::TraceFilter;
pub use type_pattern::TypeError;
pub use types::{DescriptorError, JavaType, Primitive};
pub use warning::Warning;

use index::Index;

/// The specification used if none is given, as `regiontrack spec --default` prints it.
pub const DEFAULT_TEXT: &str = include_str!("default.txt");

/// The annotations for methods that are meant to be atomic, and for methods that are not.
pub const ANNOTATIONS: [&str; 2] = ["dev.regiontrack.annotations.Atomic", "dev.regiontrack.annotations.NotAtomic"];

/// An ordered list of rules, ready for queries.
#[derive(Clone, Debug)]
pub struct Specification {
    source_name: String,
    rules: Vec<Rule>,
    index: Index,
    /// Lines that were accepted despite their form.
    notes: Vec<Warning>,
}

/// The decision of a specification about one method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<'a> {
    /// Whether the method is meant to be atomic.
    pub atomic: bool,
    /// The rule that decides; `None` if no rule matches, and then the method is not atomic.
    pub rule: Option<&'a Rule>,
}

impl Decision<'_> {
    /// Returns whether the method is atomic by a rule of the default specification.
    pub fn is_by_default(&self) -> bool {
        self.atomic && self.rule.is_some_and(Rule::is_default)
    }

    /// Returns which line decides and what it says; `file` is the file with the specification's own rules.
    pub fn reason(&self, file: &str) -> String {
        let Some(rule) = self.rule else { return "no rule matches it".to_owned() };
        match rule.origin() {
            Origin::Own => format!("{file}:{}: {}", rule.line(), rule.text()),
            Origin::Default(line) => format!("{file}:{}: default, line {line}: {}", rule.line(), rule.text()),
            Origin::Annotation => format!("annotation: {}", rule.text()),
            Origin::Option => format!("exclude-method: {}", rule.text()),
        }
    }
}

impl Specification {
    /// Reads a specification, or an exclusion list ([`list`]). Errors and warnings call the text `source_name`: a file
    /// name.
    ///
    /// # Errors
    /// All bad lines at once, each with its reason and the fix.
    pub fn parse(text: &str, source_name: &str) -> Result<Specification, SpecErrors> {
        let parse::Parsed { rules, warnings: notes } = parse::parse(text, source_name)?;
        let index = Index::of(&rules);
        Ok(Specification { source_name: source_name.to_owned(), rules, index, notes })
    }

    /// Returns the specification used if none is given: [`DEFAULT_TEXT`].
    pub fn default_rules() -> Specification {
        Specification::of("default.txt", parse::default_rules())
    }

    /// Returns the specification by which every method is atomic, for users that only exclude some.
    pub fn everything() -> Specification {
        Specification::parse("+ **", "everything").expect("a rule")
    }

    fn of(source_name: &str, rules: Vec<Rule>) -> Specification {
        let index = Index::of(&rules);
        Specification { source_name: source_name.to_owned(), rules, index, notes: Vec::new() }
    }

    /// Adds the rules for RegionTrack's own annotations, [`ANNOTATIONS`], after those of the default specification and
    /// before all rules written by the author of this specification.
    pub fn with_annotations(mut self) -> Specification {
        let after_default = self.rules.iter().rposition(Rule::is_default).map_or(0, |last| last + 1);
        let rules = ["+", "-"].into_iter().zip(ANNOTATIONS).map(|(sign, annotation)| {
            let text = format!("{sign}@ {annotation}");
            let (atomic, selector) = parse::parse_rule(&text).expect("the built-in rules are well-formed");
            Rule::new(0, &text, atomic, selector).of(Origin::Annotation)
        });
        self.rules.splice(after_default..after_default, rules);
        self.index = Index::of(&self.rules);
        self
    }

    /// Excludes the methods that match this selector, whatever the rules so far say about them.
    ///
    /// # Errors
    /// What is wrong with the selector.
    pub fn exclude(&mut self, selector: &str) -> Result<(), RuleError> {
        let text = format!("- {}", selector.trim());
        let (atomic, selector) = parse::parse_rule(&text)?;
        self.rules.push(Rule::new(0, &text, atomic, selector).of(Origin::Option));
        self.index = Index::of(&self.rules);
        Ok(())
    }

    /// Returns whether `method` is meant to be atomic, and which rule decides.
    pub fn decide(&self, method: &Method) -> Decision<'_> {
        let rule = self.index.last_match(&self.rules, method);
        Decision { atomic: rule.is_some_and(Rule::is_atomic), rule }
    }

    /// Returns the indices in [`Specification::rules`] of the rules that match `method`, in no order.
    pub fn matching<'a>(&'a self, method: &'a Method) -> impl Iterator<Item = usize> + 'a {
        self.index.matches(&self.rules, method)
    }

    /// Returns whether the blocks of a recorded trace with this label are atomic. Rules on methods do not apply to a
    /// label that names no method, or to a missing one: such blocks are atomic, unless a `label:` or `flag:unlabelled`
    /// rule says otherwise.
    pub fn keeps_block(&self, label: Option<&str>) -> bool {
        let last = |asks: &dyn Fn(&Selector) -> bool| self.rules.iter().rev().find(|rule| asks(rule.selector()));
        let rule = match label {
            None => last(&|selector| matches!(selector, Selector::Flag(Flag::Unlabelled))),
            Some(label) => match Method::parse(label) {
                Ok(method) => return self.decide(&method).atomic,
                Err(_) => last(&|selector| matches!(selector, Selector::Label(known) if **known == *label.trim())),
            },
        };
        rule.is_none_or(Rule::is_atomic)
    }

    /// Returns whether blocks with this label are atomic only because the default specification says so about methods
    /// in general, and no rule names them: running a program without a specification means none of its methods in
    /// particular.
    pub fn keeps_by_default(&self, label: Option<&str>) -> bool {
        match label.map(Method::parse) {
            Some(Ok(method)) => self.decide(&method).is_by_default(),
            Some(Err(_)) | None => self.rules.iter().any(Rule::is_default),
        }
    }

    /// Returns whether some rule asks what a method calls. If none does, callers need not collect the calls.
    pub fn needs_calls(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule.selector(), Selector::Calls(_)))
    }

    /// Returns the rules, in their order in the specification.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the name of the text in errors and warnings.
    pub fn source_name(&self) -> &str {
        &self.source_name
    }

    /// Returns warnings about lines that are allowed but probably not intended: rules that can never decide, misread
    /// names.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = warning::warnings(&self.rules, &self.source_name);
        warnings.extend(self.notes.iter().cloned());
        warnings.sort_by_key(|warning| warning.line);
        warnings
    }
}
