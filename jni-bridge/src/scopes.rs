//! Scopes: parts of a run, such as a test, that ask which violations are theirs ([`crate::told`]).
//!
//! A thread works for one scope at a time, and announces it by a record before its next event ([`crate::codes::SCOPE`]). A violation
//! belongs to the scope that the thread of the violated block works for at that time or, if that scope has ended, to the nearest
//! enclosing one that has not.
//!
//! A test can expect what its scope was told. A finding that was violated in such scopes alone does not count in the report either.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use crate::shared::lock;
use crate::tally::CauseId;

/// All scopes of a run, by number, from 1.
#[derive(Default)]
pub(crate) struct Scopes {
    known: Mutex<FxHashMap<u32, Scope>>,
    /// The tests that expect findings, by their scopes and the causes of these findings.
    expected: Mutex<FxHashMap<(u32, CauseId), Arc<str>>>,
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

    /// The test with this name, whose scope this is, expects the findings with these causes.
    pub(crate) fn expect(&self, scope: u32, causes: impl IntoIterator<Item = CauseId>, test: &str) {
        let test: Arc<str> = test.into();
        let expected = causes.into_iter().map(|cause| ((scope, cause), Arc::clone(&test)));
        lock(&self.expected).extend(expected.filter(|((scope, _), _)| *scope != 0));
    }

    /// Returns the tests that expect the finding with this cause, which was violated in these scopes; `None` if one of the scopes is
    /// not of such a test.
    pub(crate) fn expecting(&self, scopes: &BTreeSet<u32>, cause: CauseId) -> Option<BTreeSet<String>> {
        let expected = lock(&self.expected);
        let test = |scope: &u32| expected.get(&(*scope, cause)).map(|test| test.to_string());
        scopes.iter().map(test).collect::<Option<BTreeSet<String>>>().filter(|tests| !tests.is_empty())
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
    fn a_finding_is_expected_if_each_of_its_scopes_expects_it() {
        let scopes = Scopes::default();
        let [cause, other] = [1, 2].map(CauseId::of);
        for (scope, test) in [(0, "nobody"), (3, "a.ATest.f()"), (4, "a.ATest.g()"), (5, "a.ATest.f()")] {
            scopes.expect(scope, [cause], test);
        }
        let expecting = |in_scopes: &[u32], cause| {
            let tests = scopes.expecting(&in_scopes.iter().copied().collect(), cause)?;
            Some(tests.into_iter().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(expecting(&[3], cause).as_deref(), Some("a.ATest.f()"));
        assert_eq!(expecting(&[3, 4, 5], cause).as_deref(), Some("a.ATest.f() a.ATest.g()"));
        for in_scopes in [&[][..], &[0], &[0, 3], &[3, 6]] {
            assert_eq!(expecting(in_scopes, cause), None, "{in_scopes:?}");
        }
        assert_eq!(expecting(&[3], other), None);
    }

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
