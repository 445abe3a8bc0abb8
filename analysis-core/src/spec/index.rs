//! The index over the rules of a specification.
//!
//! Refinement writes hundreds of rules that name one method each: a table finds the rules for a name at once, and only
//! the rules with wildcards, flags, annotations and calls are tried one by one, from the last to the first.

use rustc_hash::FxHashMap;

use super::method::Method;
use super::rule::{Rule, Selector};

/// Numbers of rules: by the name of the one method that they match, and the rest. Each list is ascending.
#[derive(Clone, Debug)]
pub(super) struct Index {
    by_name: FxHashMap<Box<str>, Vec<usize>>,
    others: Vec<usize>,
}

impl Index {
    pub(super) fn of(rules: &[Rule]) -> Index {
        let mut index = Index { by_name: FxHashMap::default(), others: Vec::new() };
        for (number, rule) in rules.iter().enumerate() {
            let name = match rule.selector() {
                Selector::Method(pattern) => pattern.literal_name(),
                _ => None,
            };
            match name {
                Some(name) => index.by_name.entry(name.into()).or_default().push(number),
                None => index.others.push(number),
            }
        }
        index
    }

    /// Returns the last of `rules` that matches `method`. `rules` must be those from which the index was made.
    pub(super) fn last_match<'a>(&self, rules: &'a [Rule], method: &Method) -> Option<&'a Rule> {
        let matches = |number: &usize| rules[*number].selector().matches(method);
        let named = self.by_name.get(method.signature().name());
        let named = named.and_then(|numbers| numbers.iter().rev().copied().find(matches));
        let later = self.others.iter().rev().copied().take_while(|number| named.is_none_or(|named| *number > named));
        later.into_iter().find(matches).or(named).map(|number| &rules[number])
    }

    /// Returns the numbers of all `rules` that match `method`, in no order. `rules` must be those from which the index
    /// was made.
    pub(super) fn matches<'a>(&'a self, rules: &'a [Rule], method: &'a Method) -> impl Iterator<Item = usize> + 'a {
        let named = self.by_name.get(method.signature().name()).into_iter().flatten();
        named.chain(&self.others).copied().filter(|number| rules[*number].selector().matches(method))
    }
}
