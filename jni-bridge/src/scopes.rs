//! Scopes: parts of a run, such as a test, that ask which violations are theirs ([`crate::told`]).
//!
//! A thread works for one scope at a time, and announces it by a record before its next event ([`crate::codes::SCOPE`]). A violation
//! belongs to the scope that the thread of the violated block works for at that time or, if that scope has ended, to the nearest
//! enclosing one that has not.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::shared::lock;

/// All scopes of a run, by number, from 1.
#[derive(Default)]
pub(crate) struct Scopes {
    known: Mutex<FxHashMap<u32, Scope>>,
}

#[derive(Clone, Copy)]
struct Scope {
    /// The enclosing scope; 0 if there is none.
    parent: u32,
    has_ended: bool,
}

impl Scopes {
    /// Begins a scope inside `parent`, or outside all scopes if `parent` is 0. Returns its number.
    pub(crate) fn begin(&self, parent: u32) -> u32 {
        let mut known = lock(&self.known);
        let number = u32::try_from(known.len() + 1).unwrap_or(u32::MAX);
        known.insert(number, Scope { parent, has_ended: false });
        number
    }

    /// Ends a scope.
    pub(crate) fn end(&self, scope: u32) {
        if let Some(scope) = lock(&self.known).get_mut(&scope) {
            scope.has_ended = true;
        }
    }

    /// Returns this scope, or the nearest enclosing one, that has not ended; 0 if there is none.
    pub(crate) fn open(&self, mut scope: u32) -> u32 {
        let known = lock(&self.known);
        while let Some(Scope { parent, has_ended: true }) = known.get(&scope) {
            scope = *parent;
        }
        if known.contains_key(&scope) { scope } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_after_the_end_of_a_scope_belongs_to_the_one_around_it() {
        let scopes = Scopes::default();
        let class = scopes.begin(0);
        let [one, two] = [scopes.begin(class), scopes.begin(class)];
        assert_eq!([scopes.open(one), scopes.open(two), scopes.open(class)], [one, two, class]);
        scopes.end(one);
        assert_eq!([scopes.open(one), scopes.open(two)], [class, two]);
        scopes.end(class);
        assert_eq!([scopes.open(one), scopes.open(two), scopes.open(0), scopes.open(77)], [0, two, 0, 0]);
    }
}
