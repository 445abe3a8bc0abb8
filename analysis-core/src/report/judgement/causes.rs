//! Why methods are violated: a method has a finding for each cause, so that a counter that races does not hide the
//! check-then-act beside it.
//!
//! Violations of a method have one cause if they would be the same finding ([`Identity`]): by the variable or lock at
//! which they show, and the method that contains it. The identity is computed only if the numbers of the places are
//! new, because a long run has millions of violations.

use rustc_hash::FxHashMap;

use crate::event::LabelId;
use crate::report::model::identity::Identity;

/// How many ways in which a method is violated are told apart. Later ones count towards its first cause.
pub(in crate::report) const MOST_WAYS: usize = 256;

/// The known causes, each named by a `C`.
#[derive(Debug)]
pub struct Causes<C> {
    methods: FxHashMap<LabelId, Method<C>>,
}

#[derive(Debug)]
struct Method<C> {
    first: C,
    by_places: FxHashMap<Box<[u32]>, C>,
    by_id: FxHashMap<String, C>,
}

impl<C> Default for Causes<C> {
    fn default() -> Causes<C> {
        Causes { methods: FxHashMap::default() }
    }
}

impl<C: Copy> Causes<C> {
    /// The cause of a violation of this method, by the numbers of its places; `None` if they are new, and the
    /// cause is to be [learnt](Causes::learn).
    pub fn known(&self, method: LabelId, places: &[u32]) -> Option<C> {
        let known = self.methods.get(&method)?;
        let is_full = known.by_places.len() >= MOST_WAYS;
        known.by_places.get(places).copied().or_else(|| is_full.then_some(known.first))
    }

    /// The cause of a violation at new places. `new` is called if no earlier violation is the same finding.
    pub fn learn(&mut self, method: LabelId, places: &[u32], identity: &Identity, new: impl FnOnce() -> C) -> C {
        let cause = self.of(method, identity, new);
        if let Some(known) = self.methods.get_mut(&method) {
            known.by_places.insert(places.into(), cause);
        }
        cause
    }

    /// The cause of a violation that is this finding, whatever its places. `new` is called if no earlier violation was
    /// this finding.
    pub fn of(&mut self, method: LabelId, identity: &Identity, new: impl FnOnce() -> C) -> C {
        let id = identity.id();
        let Some(known) = self.methods.get_mut(&method) else {
            let first = new();
            let by_id = FxHashMap::from_iter([(id, first)]);
            self.methods.insert(method, Method { first, by_places: FxHashMap::default(), by_id });
            return first;
        };
        let is_full = known.by_id.len() >= MOST_WAYS;
        known.by_id.get(&id).copied().or_else(|| is_full.then_some(known.first)).unwrap_or_else(|| {
            let cause = new();
            known.by_id.insert(id, cause);
            cause
        })
    }

    /// The first cause of this method.
    pub fn first(&self, method: LabelId) -> Option<C> {
        self.methods.get(&method).map(|known| known.first)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn identity(place: &str) -> Identity {
        let places = BTreeSet::from([place.to_owned()]);
        Identity { method: Some("a.B.c()".to_owned()), touched: Vec::new(), before: Vec::new(), places }
    }

    #[test]
    fn places_that_are_new_can_be_a_known_cause() {
        let mut causes = Causes::default();
        let method = LabelId(3);
        assert_eq!((causes.known(method, &[1]), causes.first(method)), (None, None));
        assert_eq!(causes.learn(method, &[1], &identity("a.B.c"), || 'a'), 'a');
        assert_eq!(causes.learn(method, &[2, 1], &identity("a.B.d"), || 'b'), 'b');
        assert_eq!(causes.learn(method, &[2], &identity("a.B.c"), || 'c'), 'a');
        let known = [&[1][..], &[2, 1], &[2], &[3]].map(|places| causes.known(method, places));
        assert_eq!(known, [Some('a'), Some('b'), Some('a'), None]);
        assert_eq!((causes.first(method), causes.known(LabelId(4), &[1])), (Some('a'), None));
    }

    #[test]
    fn once_there_are_many_ways_the_rest_belongs_to_the_first_cause() {
        let mut causes = Causes::default();
        for way in 0..MOST_WAYS {
            let way = u32::try_from(way).expect("it is small");
            assert_eq!(causes.known(LabelId(0), &[way]), None, "{way}");
            causes.learn(LabelId(0), &[way], &identity(&way.to_string()), || way);
        }
        assert_eq!([5, 7777].map(|way| causes.known(LabelId(0), &[way])), [Some(5), Some(0)]);
    }
}
