//! The parser of specifications: turns lines into rules and reports every bad line.

use std::fmt;

use super::DEFAULT_TEXT;
use super::list::parse_list;
use super::pattern::{ClassPattern, Pattern, PatternError};
use super::rule::{Flag, Origin, Rule, Selector};
use super::warning::Warning;

/// The words allowed before a colon.
const KINDS: [&str; 3] = ["call", "flag", "label"];

/// The result of parsing a text.
#[derive(Default)]
pub(super) struct Parsed {
    /// In order.
    pub(super) rules: Vec<Rule>,
    /// Lines that were accepted despite their form.
    pub(super) warnings: Vec<Warning>,
}

/// Returns the rules of `text`, a specification or an exclusion list, or all its bad lines.
pub(super) fn parse(text: &str, source_name: &str) -> Result<Parsed, SpecErrors> {
    parse_list(text, source_name).unwrap_or_else(|| parse_rules(text, source_name))
}

/// Returns the lines of `text`, with their numbers.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines())
}

fn parse_rules(text: &str, source_name: &str) -> Result<Parsed, SpecErrors> {
    let (mut rules, mut errors) = (Vec::new(), Vec::new());
    for (number, line) in lines(text) {
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        if line == DEFAULT {
            rules.extend(default_rules().into_iter().map(|rule| rule.on_line(number)));
            continue;
        }
        match parse_rule(line) {
            Ok((atomic, selector)) => rules.push(Rule::new(number, line, atomic, selector)),
            Err(reason) => errors.push(SpecError { source_name: source_name.to_owned(), line: number, reason }),
        }
    }
    if errors.is_empty() { Ok(Parsed { rules, warnings: Vec::new() }) } else { Err(SpecErrors::new(errors)) }
}

/// Returns the line up to a `#` that opens it or follows white space.
pub(super) fn without_comment(line: &str) -> &str {
    let opens = |(at, _): &(usize, &str)| line[..*at].chars().next_back().is_none_or(char::is_whitespace);
    line.match_indices('#').find(opens).map_or(line, |(at, _)| &line[..at])
}

/// The line that includes the whole default specification.
const DEFAULT: &str = "default";

/// The rules of the default specification.
pub(super) fn default_rules() -> Vec<Rule> {
    let rule = |(number, line)| {
        let line = without_comment(line).trim();
        (!line.is_empty()).then(|| {
            let (atomic, selector) = parse_rule(line).expect("the built-in specification is well-formed");
            Rule::new(number, line, atomic, selector).of(Origin::Default(number))
        })
    };
    lines(DEFAULT_TEXT).filter_map(rule).collect()
}

/// Parses one rule, without comment and surrounding white space: whether it makes methods atomic, and which methods.
pub(super) fn parse_rule(line: &str) -> Result<(bool, Selector), RuleError> {
    let atomic = line.starts_with('+');
    let Some(selector) = line.strip_prefix(['+', '-']) else {
        return Err(RuleError::Sign(line.to_owned()));
    };
    let selector = selector.trim_start();
    let selector = match selector.strip_prefix('@') {
        Some(annotation) => Selector::Annotation(annotation.parse::<ClassPattern>()?),
        None => parse_selector(selector)?,
    };
    Ok((atomic, selector))
}

fn parse_selector(text: &str) -> Result<Selector, RuleError> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic());
    match text.split_once(':') {
        Some(("call", pattern)) => Ok(Selector::Calls(pattern.parse::<Pattern>()?)),
        Some(("label", label)) if label.trim().is_empty() => Err(RuleError::NoLabel),
        Some(("label", label)) => Ok(Selector::Label(label.trim().into())),
        Some(("flag", name)) => Ok(Selector::Flag(parse_flag(name.trim())?)),
        // `Cache::get` is a name with the wrong separator: the pattern's own error says so.
        Some((word, rest)) if is_word(word) && !rest.starts_with(':') => Err(RuleError::Kind { word: word.to_owned() }),
        _ => Ok(Selector::Method(text.parse::<Pattern>()?)),
    }
}

fn parse_flag(name: &str) -> Result<Flag, RuleError> {
    Flag::ALL.into_iter().find(|flag| flag.name() == name).ok_or_else(|| RuleError::Flag { name: name.to_owned() })
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// A line that does not start with a sign.
    #[error("expected '+' or '-' before '{0}': write + for atomic, - for not atomic{guess}", guess = guess(.0))]
    Sign(String),
    /// A malformed line of an exclusion list.
    #[error(
        "'{0}' is no entry of an exclusion list: write Lpkg/C;.method (descriptor)return:line(index) or pkg/C.method(descriptor)return"
    )]
    Entry(String),
    /// `calls:PATTERN`.
    #[error("unknown kind of rule '{word}:'{}", nearest(word, &KINDS, ":"))]
    Kind {
        /// The text before the colon.
        word: String,
    },
    /// `label:`.
    #[error("the label is missing: write it after label:, or flag:unlabelled for blocks without one")]
    NoLabel,
    /// `flag:static`.
    #[error("unknown flag '{name}'{}", nearest(name, &Flag::ALL.map(Flag::name), ""))]
    Flag {
        /// The text after the colon.
        name: String,
    },
    /// A malformed pattern.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

/// Returns a hint for a word that is nearly `default`.
fn guess(line: &str) -> &'static str {
    let is_near = strsim::damerau_levenshtein(&line.to_ascii_lowercase(), DEFAULT) <= 2;
    if is_near { "; did you mean default?" } else { "" }
}

/// Returns the known words, the most likely one first.
fn nearest(found: &str, known: &[&str], mark: &str) -> String {
    let found = found.to_ascii_lowercase();
    let likeness = |word: &&&str| strsim::normalized_damerau_levenshtein(&found, word);
    let best = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).filter(|word| likeness(word) >= 0.6);
    let guess = best.map_or(String::new(), |word| format!("; did you mean {word}{mark}?"));
    let known: Vec<String> = known.iter().map(|word| format!("{word}{mark}")).collect();
    format!("{guess}; known are {}", known.join(", "))
}

/// A bad line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{source_name}:{line}: {reason}")]
pub struct SpecError {
    /// The name of the text.
    pub source_name: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it, and the fix.
    pub reason: RuleError,
}

/// All bad lines of a specification, in order; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecErrors(Vec<SpecError>);

impl SpecErrors {
    /// Creates the errors of at least one line.
    pub(super) fn new(errors: Vec<SpecError>) -> SpecErrors {
        debug_assert!(!errors.is_empty(), "no bad line");
        SpecErrors(errors)
    }

    /// The bad lines, in order.
    pub fn lines(&self) -> &[SpecError] {
        &self.0
    }
}

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if index == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecErrors {}
