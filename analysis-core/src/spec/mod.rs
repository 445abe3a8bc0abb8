//! Atomicity specifications: which methods are meant to be atomic.
//!
//! A specification is an ordered list of rules; **the last rule that matches a method decides**, and a method that no
//! rule matches is not atomic. One matcher serves everybody: the agent asks it for each method of each class that is
//! loaded, the command asks it for the labels of a recorded trace.
//!
//! # Grammar
//! One rule a line; UTF-8; blank lines and comments are skipped. A comment starts at a `#` that opens the line or follows
//! white space.
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
//! The class of an annotation is a name with the wildcards below: `+@ com.example.Atomic`. Any retention but `SOURCE`
//! is seen.
//!
//! A file without signs is read as what the peers have: a list of the methods that are not atomic ([`list`]).
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
//! `[]` after any of them asks for an array of it.
//!
//! # What a rule cannot see
//! The return type: methods that differ in nothing else are distinguished by `flag:bridge` alone. A `call:` rule sees the
//! calls in the method's own bytecode, with the class that the call site names: `wait` and `notify` are
//! always called on `java.lang.Object`, but `worker.join()` on the declared type of `worker`, so write
//! `call:**.join(...)`. The body of a lambda is a synthetic method of its own. The labels of a recorded trace are names
//! alone: rules on calls, flags and annotations match none of them.
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

/// The specification that holds where none is given, as `regiontrack spec --default` prints it.
pub const DEFAULT_TEXT: &str = include_str!("default.txt");

/// The annotations that say of methods that they are meant to be atomic, and that they are not.
pub const ANNOTATIONS: [&str; 2] = ["dev.regiontrack.annotations.Atomic", "dev.regiontrack.annotations.NotAtomic"];

/// An ordered list of rules, ready to be asked.
#[derive(Clone, Debug)]
pub struct Specification {
    source_name: String,
    rules: Vec<Rule>,
    index: Index,
    /// What was read in spite of its form.
    notes: Vec<Warning>,
}

/// What a specification says of one method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<'a> {
    /// Whether the method is meant to be atomic.
    pub atomic: bool,
    /// The rule that says so; `None` if no rule matches, and then the method is not atomic.
    pub rule: Option<&'a Rule>,
}

impl Decision<'_> {
    /// True if the method is atomic by a rule of the default specification.
    pub fn is_by_default(&self) -> bool {
        self.atomic && self.rule.is_some_and(Rule::is_default)
    }

    /// Which line decides and what it says, where rules of the specification are in `file`.
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
    /// Reads a specification, or a list of exclusions ([`list`]). `source_name` is what errors and warnings call the text: a file name.
    ///
    /// # Errors
    /// All bad lines at once, each with its reason and the fix.
    pub fn parse(text: &str, source_name: &str) -> Result<Specification, SpecErrors> {
        let parse::Parsed { rules, warnings: notes } = parse::parse(text, source_name)?;
        let index = Index::of(&rules);
        Ok(Specification { source_name: source_name.to_owned(), rules, index, notes })
    }

    /// The specification that holds where none is given: [`DEFAULT_TEXT`].
    pub fn default_rules() -> Specification {
        Specification::of("default.txt", parse::default_rules())
    }

    /// The specification by which every method is atomic, for those that only exclude some.
    pub fn everything() -> Specification {
        Specification::parse("+ **", "everything").expect("a rule")
    }

    fn of(source_name: &str, rules: Vec<Rule>) -> Specification {
        let index = Index::of(&rules);
        Specification { source_name: source_name.to_owned(), rules, index, notes: Vec::new() }
    }

    /// Adds the rules for RegionTrack's own annotations, [`ANNOTATIONS`]: after those of the default specification, and before all that the author of this one
    /// has written.
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

    /// Takes the methods out that this selector names, whatever the rules so far say of them.
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

    /// Whether `method` is meant to be atomic, and which rule says so.
    pub fn decide(&self, method: &Method) -> Decision<'_> {
        let rule = self.index.last_match(&self.rules, method);
        Decision { atomic: rule.is_some_and(Rule::is_atomic), rule }
    }

    /// The rules that match `method`, by their places among [`Specification::rules`], in no order.
    pub fn matching<'a>(&'a self, method: &'a Method) -> impl Iterator<Item = usize> + 'a {
        self.index.matches(&self.rules, method)
    }

    /// Whether the blocks of a recorded trace with this label are atomic. A label that names no method, and the lack of
    /// one, are outside the reach of rules on methods: such blocks are atomic, unless a `label:` or `flag:unlabelled` rule
    /// says otherwise.
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

    /// True if blocks with this label are atomic because the default specification says so of methods at large, and
    /// nobody has named them: running a program without a specification means none of its methods in particular.
    pub fn keeps_by_default(&self, label: Option<&str>) -> bool {
        match label.map(Method::parse) {
            Some(Ok(method)) => self.decide(&method).is_by_default(),
            Some(Err(_)) | None => self.rules.iter().any(Rule::is_default),
        }
    }

    /// True if some rule asks what a method calls. Where none does, nobody has to collect it.
    pub fn needs_calls(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule.selector(), Selector::Calls(_)))
    }

    /// The rules, in their order in the specification.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// What errors and warnings call the text.
    pub fn source_name(&self) -> &str {
        &self.source_name
    }

    /// What is allowed but hardly meant: rules that can never decide anything, names that look misread.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = warning::warnings(&self.rules, &self.source_name);
        warnings.extend(self.notes.iter().cloned());
        warnings.sort_by_key(|warning| warning.line);
        warnings
    }
}
