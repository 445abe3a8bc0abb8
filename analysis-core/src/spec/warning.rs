//! Warnings about lines of a specification that are allowed but probably not intended.

use std::fmt;

use rustc_hash::FxHashMap;

use super::pattern::Pattern;
use super::rule::{Rule, Selector};

/// Classes of `java.lang` that are often written without their package.
const OFTEN_UNQUALIFIED: &[&str] = &[
    "Boolean",
    "Byte",
    "CharSequence",
    "Character",
    "Class",
    "Comparable",
    "Double",
    "Enum",
    "Exception",
    "Float",
    "Integer",
    "Iterable",
    "Long",
    "Number",
    "Object",
    "Runnable",
    "Short",
    "String",
    "StringBuilder",
    "Thread",
    "Throwable",
];

/// A line that is allowed but probably not intended, and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The name of the text.
    pub source_name: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// What is odd about it, and the fix.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.source_name, self.line, self.message)
    }
}

/// Returns the warnings about `rules`, by line.
pub(super) fn warnings(rules: &[Rule], source_name: &str) -> Vec<Warning> {
    let warn = |rule: &Rule, message| Warning { source_name: source_name.to_owned(), line: rule.line(), message };
    let mut found: Vec<Warning> = Vec::new();
    let mut later: FxHashMap<String, &Rule> = FxHashMap::default();
    let mut catch_all: Option<&Rule> = None;
    for rule in rules.iter().rev() {
        let same = later.insert(rule.selector().to_string(), rule);
        // The default specification is meant to be overridden.
        if rule.is_default() {
            catch_all = catch_all.or_else(|| is_catch_all(rule).then_some(rule));
            continue;
        }
        let same = same.filter(|same| !same.is_default());
        found.extend(misread(rule).map(|message| warn(rule, message)));
        found.extend(overridden(rule, same, catch_all).map(|message| warn(rule, message)));
        catch_all = catch_all.or_else(|| is_catch_all(rule).then_some(rule));
    }
    found.reverse();
    found
}

/// Returns why `rule` can never decide: a later rule on the same methods, or a later one on all methods.
fn overridden(rule: &Rule, same: Option<&Rule>, catch_all: Option<&Rule>) -> Option<String> {
    if let Some(same) = same {
        let line = same.line();
        return Some(match same.is_atomic() == rule.is_atomic() {
            true => format!("'{}' stands again on line {line}: remove one of the two", rule.text()),
            false => {
                format!("'{}' never decides: '{}' on line {line} overrides it; remove one", rule.text(), same.text())
            }
        });
    }
    catch_all.map(|all| {
        let (text, all_text, line) = (rule.text(), if all.is_default() { "default" } else { all.text() }, all.line());
        format!(
            "'{text}' never decides: '{all_text}' on line {line} matches every method and the last match wins; \
            move it below line {line}"
        )
    })
}

fn is_catch_all(rule: &Rule) -> bool {
    matches!(rule.selector(), Selector::Method(pattern) if pattern.matches_everything())
}

/// Returns what is probably misread in a pattern.
fn misread(rule: &Rule) -> Option<String> {
    let (Selector::Method(pattern) | Selector::Calls(pattern)) = rule.selector() else { return None };
    if let Some(class) = pattern.argument_classes().find(|class| OFTEN_UNQUALIFIED.contains(class)) {
        return Some(format!("'{class}' is a class without a package here: write java.lang.{class}"));
    }
    ends_in_class(pattern).then(|| {
        let name = pattern.name();
        format!("'{name}' reads as a method, and no method is likely to be called so: write {name}.* for a class")
    })
}

/// Returns true for `com.example.Cache`: a literal last segment spelled like a class, where a method is expected.
fn ends_in_class(pattern: &Pattern) -> bool {
    let last = pattern.name().rsplit('.').next().unwrap_or("");
    pattern.takes_any_arguments() && last.starts_with(|c: char| c.is_uppercase()) && !last.contains(['*', '?'])
}
