//! From marks to facts: what is shared at the places whose variables were seen shared, and the blocks that reach these
//! places.
//!
//! Two rules make a place's variable shared, and the threads apply them where they find dependencies (`Learning.java`): it gave or took a
//! dependency that was not implied; or it was written after another thread had accessed it. A fact names a place by what tells its
//! variables from others (a field, or where the reference to an array, a lock or a collection comes from), so all places with the same fact
//! are watched. `analysis-core/src/filter/guided.rs` is the specification.
//!
//! A third rule is about fields of one class, which a trace does not know: a field that a thread has read after another one has written it
//! counts as shared, although the order was known, if another field of its class is shared. One field often says whether another one can be
//! used (`if (!done) { value = ..; done = true; }`), and then a run in which nothing goes wrong shows only the order by the first.
//!
//! A block is kept if such a place was reached in it, directly or in inner blocks, even if the place then did nothing but what others
//! depend on later. A block that starts, joins or awaits threads is kept too.

use std::collections::{BTreeSet, HashMap, HashSet};

use analysis_core::profile::{ALL_BLOCKS, FactKind, Profile};

use super::memory::{Mark, Tables};
use crate::names::Names;

/// Adds what was learnt to the profile of this run; `known` is what was known before.
pub(super) fn facts(tables: &Tables, names: &Names, known: Option<&Profile>, run: &mut Profile) {
    let of = |mark| -> BTreeSet<(FactKind, String)> {
        tables.marked(mark).into_iter().filter_map(|site| names.fact_of(site)).collect()
    };
    let mut marked = of(Mark::Shared);
    marked.extend(beside(&marked, known, of(Mark::Read)));
    for (kind, text) in &marked {
        run.add_fact(*kind, text.as_str());
    }
    if tables.is_full() {
        run.add_fact(FactKind::Block, ALL_BLOCKS);
        return;
    }
    for method in blocks(&tables.pairs(), names, |fact| is_shared(fact, known, run)) {
        run.add_fact(FactKind::Block, method);
    }
}

/// True if this run or an earlier one has seen it shared.
pub(super) fn is_shared(fact: &(FactKind, String), known: Option<&Profile>, run: &Profile) -> bool {
    [Some(run), known].into_iter().flatten().any(|profile| profile.has(fact.0, &fact.1))
}

/// Of the fields that were only read after others had written them, returns those of classes with a shared field.
fn beside(
    shared: &BTreeSet<(FactKind, String)>,
    known: Option<&Profile>,
    read: BTreeSet<(FactKind, String)>,
) -> Vec<(FactKind, String)> {
    let before = known.into_iter().flat_map(Profile::facts).map(|fact| (fact.kind, fact.text));
    let now = shared.iter().map(|(kind, text)| (*kind, text.as_str()));
    let classes: HashSet<&str> = before
        .chain(now)
        .filter(|(kind, _)| *kind == FactKind::Field)
        .filter_map(|(_, text)| Some(text.rsplit_once('.')?.0))
        .collect();
    let is_beside = |(kind, text): &(FactKind, String)| {
        *kind == FactKind::Field && text.rsplit_once('.').is_some_and(|(class, _)| classes.contains(class))
    };
    read.into_iter().filter(is_beside).collect()
}

/// The methods whose blocks reach a shared place.
fn blocks(pairs: &[(u32, u32)], names: &Names, is_shared: impl Fn(&(FactKind, String)) -> bool) -> HashSet<String> {
    // By inner method: the methods whose blocks it was directly inside of.
    let mut around: HashMap<String, Vec<String>> = HashMap::new();
    let mut kept: HashSet<String> = HashSet::new();
    for (block, site) in pairs {
        let Some(outer) = names.method_at(names.site_of_block(*block)) else { continue };
        match names.fact_of(*site) {
            Some((FactKind::Block, inner)) => {
                kept.extend(is_shared(&(FactKind::Block, inner.clone())).then(|| inner.clone()));
                around.entry(inner).or_default().push(outer);
            }
            Some(fact) if is_shared(&fact) => _ = kept.insert(outer),
            // Such places have hooks in every run.
            None if names.is_between_threads(*site) => _ = kept.insert(outer),
            _ => {}
        }
    }
    let mut pending: Vec<String> = kept.iter().cloned().collect();
    while let Some(inner) = pending.pop() {
        for outer in around.remove(&inner).unwrap_or_default() {
            if kept.insert(outer.clone()) {
                pending.push(outer);
            }
        }
    }
    kept
}
