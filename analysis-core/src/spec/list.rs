//! The exclusion lists of other tools: one method that is not atomic per line; all other methods are atomic.
//!
//! DoubleChecker writes `Lpkg/C;.method (descriptor)return:line(bytecode index)`, RAPID and RoadRunner
//! `pkg/C.method(descriptor)return`. Both have `#` comments. A file is such a list if no line has a sign and some line
//! is an entry; [`Specification::parse`](super::Specification::parse) reads it as it is, and [`import`] converts it to
//! a specification. The place and the return type mean nothing in a specification and are dropped.

use super::method::Signature;
use super::parse::{Parsed, RuleError, SpecError, SpecErrors, lines, parse_rule, without_comment};
use super::pattern::Pattern;
use super::rule::{Rule, Selector};
use super::warning::Warning;

/// The rule that a list implies.
const ALL_OTHERS: &str = "+ **";

/// An exclusion list as a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The specification, with the list's comments.
    pub text: String,
    /// Entries of the list that were accepted despite their form.
    pub warnings: Vec<Warning>,
}

/// Converts an exclusion list to a specification. Messages call the list `source_name`. Returns `None` if `text` is not
/// such a list.
///
/// # Errors
/// All bad lines at once, each with its reason and the fix.
pub fn import(text: &str, source_name: &str) -> Option<Result<Imported, SpecErrors>> {
    let parsed = match parse_list(text, source_name)? {
        Ok(parsed) => parsed,
        Err(errors) => return Some(Err(errors)),
    };
    let mut written = format!("{ALL_OTHERS}\n");
    let mut rules = parsed.rules.iter().skip(1).peekable();
    for (number, line) in lines(text) {
        match rules.next_if(|rule| rule.line() == number) {
            Some(rule) => written.push_str(&format!("{rule}{}", comment(line))),
            None => written.push_str(line.trim_end()),
        }
        written.push('\n');
    }
    Some(Ok(Imported { text: written, warnings: parsed.warnings }))
}

/// Returns the rules of an exclusion list; `None` if `text` is not one.
pub(super) fn parse_list(text: &str, source_name: &str) -> Option<Result<Parsed, SpecErrors>> {
    let entries =
        || lines(text).map(|(number, line)| (number, without_comment(line).trim())).filter(|e| !e.1.is_empty());
    let is_list =
        entries().all(|(_, line)| !line.starts_with(['+', '-'])) && entries().any(|(_, line)| entry(line).is_some());
    is_list.then(|| {
        let mut parsed = Parsed::default();
        let mut errors = Vec::new();
        parsed.rules.push(Rule::new(
            1,
            &format!("{ALL_OTHERS} (in a list of exclusions, all others)"),
            true,
            everything(),
        ));
        for (line, text) in entries() {
            let Some(Entry { method, rest }) = entry(text) else {
                let reason = RuleError::Entry(text.to_owned());
                errors.push(SpecError { source_name: source_name.to_owned(), line, reason });
                continue;
            };
            if !rest.is_empty() {
                let message = format!("'{rest}' after the entry is ignored; remove it");
                parsed.warnings.push(Warning { source_name: source_name.to_owned(), line, message });
            }
            parsed.rules.push(Rule::new(line, text, false, Selector::Method(Pattern::naming(&method))));
        }
        if errors.is_empty() { Ok(parsed) } else { Err(SpecErrors::new(errors)) }
    })
}

fn everything() -> Selector {
    Selector::Method("**".parse().expect("a pattern"))
}

/// Returns the comment after the entry on its line, with a space before it.
fn comment(line: &str) -> String {
    match line[without_comment(line).len()..].trim_end() {
        "" => String::new(),
        comment => format!("  {comment}"),
    }
}

/// One line of a list.
struct Entry<'a> {
    method: Signature,
    /// The text after the method, which means nothing.
    rest: &'a str,
}

fn entry(text: &str) -> Option<Entry<'_>> {
    doublechecker(text).or_else(|| roadrunner(text)).filter(|entry| is_rule(&entry.method))
}

/// Returns whether a specification can name the method: `pkg//C.m()` has the form of an entry, but no class has that
/// name.
fn is_rule(method: &Signature) -> bool {
    let pattern = Pattern::naming(method);
    parse_rule(&format!("- {pattern}")) == Ok((false, Selector::Method(pattern)))
}

/// `Lpkg/C;.method (descriptor)return:line(bytecode index)`.
fn doublechecker(text: &str) -> Option<Entry<'_>> {
    let (class, text) = text.strip_prefix('L')?.split_once(";.")?;
    let (name, text) = text.split_once([' ', '\t'])?;
    let text = text.trim_start();
    let (descriptor, place) = text.split_once(':').unwrap_or((text, ""));
    let method = Signature::from_class_file(class, name, descriptor.trim_end()).ok()?;
    Some(Entry { method, rest: after_place(place)? })
}

/// Returns the text after `line(bytecode index)`; `None` if `place` does not start like that.
fn after_place(place: &str) -> Option<&str> {
    if place.is_empty() {
        return Some("");
    }
    let (line, rest) = place.split_once('(')?;
    let (index, rest) = rest.split_once(')')?;
    (line.parse::<i64>().is_ok() && index.parse::<i64>().is_ok()).then(|| rest.trim())
}

/// `pkg/C.method(descriptor)return`; the return type may be missing only if the class is written with slashes, so that
/// a line of a specification that lacks its sign is not an entry.
fn roadrunner(text: &str) -> Option<Entry<'_>> {
    let (name, descriptor) = text.split_at(text.find('(')?);
    let (class, method) = name.rsplit_once('.')?;
    let is_internal =
        !class.is_empty() && !method.is_empty() && !class.contains(['.', ';', ' ']) && !method.contains('/');
    let descriptor = match descriptor.strip_suffix(')') {
        Some(open) if class.contains('/') => format!("{open})V"),
        _ => descriptor.to_owned(),
    };
    let method = Signature::from_class_file(class, method, &descriptor).ok().filter(|_| is_internal)?;
    Some(Entry { method, rest: "" })
}
