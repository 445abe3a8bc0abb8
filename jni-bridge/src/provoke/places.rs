//! Candidates from dependency mode, without a trace: from the places at which threads were seen to share something, and the blocks in which these
//! were reached (`profile/memory.rs` has both).
//!
//! A place counts if an access there gave or took a dependency that is not implied: an order that no start, hand-over or lock forces. A
//! block that reaches two such places of one field, array, collection or monitor, and a third such place, of any thread, make a candidate.
//! It is not known which thread was where in which instance, nor which locks it had, except for monitors whose own sections follow each
//! other; so more of these candidates cannot happen than of those from events (`analysis-core/src/provoke/finder`), but the run costs no
//! more than any other.
//!
//! What is always accessed under a lock shows no order of its own and has no candidate; the sections of the lock have. Locks that are
//! calls (`lock()`) have none, because it is not known where they are released.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use analysis_core::profile::FactKind;
use analysis_core::provoke::{Action, Candidate, Candidates, Place, Rank};
use analysis_core::report::{Call, last_segments};

use crate::names::{Names, Site, SiteKind};

/// How many places of one variable are considered in a block, the first ones.
const MOST_PLACES: usize = 12;
/// And how many of all threads.
const MOST_OTHERS: usize = 24;

/// The most candidates.
const MOST: usize = 1 << 14;

/// The name in profiles of what a place is about.
type Fact = (FactKind, String);

/// A site at which threads share something.
#[derive(Clone, Debug)]
struct Shared {
    site: u32,
    place: Place,
    /// What a candidate calls the variable.
    variable: String,
    /// The method it is in.
    method: String,
}

/// Returns the untried candidates, and whether they are all. `open` has the sites with orders that nothing forces, `pairs` blocks by number
/// and the sites reached in them.
pub(crate) fn candidates(open: &[u32], pairs: &[(u32, u32)], names: &Names) -> (Candidates, bool) {
    let mut shared: BTreeMap<Fact, Vec<Shared>> = BTreeMap::new();
    let mut fact_of: HashMap<u32, Fact> = HashMap::new();
    for site in open {
        if let Some((fact, at)) = names.fact_of(*site).zip(names.site_at(*site))
            && let Some(of_site) = of_site(*site, &at, &fact)
        {
            fact_of.insert(*site, fact.clone());
            shared.entry(fact).or_default().push(of_site);
        }
    }
    let blocks = Blocks::new(pairs, names, |site| fact_of.contains_key(&site));
    let mut found = Found::default();
    // A block that reaches little is most likely to be about it.
    let mut labels: Vec<(&String, &BTreeSet<u32>)> = blocks.reached.iter().collect();
    labels.sort_by_key(|(label, reached)| (reached.len(), *label));
    for (label, reached) in labels {
        let mut of_facts: BTreeMap<&Fact, BTreeSet<u32>> = BTreeMap::new();
        for site in reached {
            of_facts.entry(&fact_of[site]).or_default().insert(*site);
        }
        for (fact, sites) in of_facts {
            let all = &shared[fact];
            let here: Vec<&Shared> =
                all.iter().filter(|shared| sites.contains(&shared.site)).take(MOST_PLACES).collect();
            for first in &here {
                for last in here.iter().filter(|last| can_follow(first, last)) {
                    if blocks.are_together_below(label, first.site, last.site) {
                        continue;
                    }
                    for other in all.iter().take(MOST_OTHERS) {
                        found.add(label, first, last, other);
                    }
                }
            }
        }
    }
    found.candidates()
}

/// The place of a site, if a thread can be held there.
fn of_site(site: u32, at: &Site, (_, fact): &Fact) -> Option<Shared> {
    let action = match at.kind {
        SiteKind::Read | SiteKind::ArrayRead => Action::Read,
        SiteKind::Write | SiteKind::ArrayWrite => Action::Write,
        SiteKind::Monitor => Action::Acquire,
        _ => return None,
    };
    let called = Call::parse("", &at.place);
    let location = called.as_ref().map_or(&*at.place, |(_, place)| place);
    let is_lock = |call: &Call| call.is_of_shared_lock() || call.method.to_lowercase().contains("lock");
    let (name, variable) = match (&at.call, at.kind) {
        (Some(call), _) if call.hand.is_some() || is_lock(call) => return None,
        (Some(call), _) => (format!("{}()", call.method), call.holder()),
        (None, SiteKind::Monitor) => (String::new(), last_segments(fact, 1).to_owned()),
        (None, SiteKind::ArrayRead | SiteKind::ArrayWrite) => {
            ("[]".to_owned(), format!("{}[]", last_segments(fact, 2)))
        }
        (None, _) => (last_segments(&at.what, 1).to_owned(), last_segments(&at.what, 2).to_owned()),
    };
    Some(Shared { site, place: Place::new(location, action, name)?, variable, method: at.method.clone() })
}

/// False if `first` comes after `last` in the code of a method, or is the same site.
fn can_follow(first: &Shared, last: &Shared) -> bool {
    first.site != last.site && (first.method != last.method || first.site < last.site)
}

/// The blocks by their labels.
struct Blocks {
    /// The sites that were reached in each, also by blocks inside.
    reached: BTreeMap<String, BTreeSet<u32>>,
    /// The blocks that were directly inside of each.
    inside: BTreeMap<String, BTreeSet<String>>,
}

impl Blocks {
    fn new(pairs: &[(u32, u32)], names: &Names, is_shared: impl Fn(u32) -> bool) -> Blocks {
        let mut blocks = Blocks { reached: BTreeMap::new(), inside: BTreeMap::new() };
        let mut around: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (block, site) in pairs {
            let Some(label) = names.site_at(names.site_of_block(*block)).map(|at| at.method) else { continue };
            if is_shared(*site) {
                blocks.reached.entry(label).or_default().insert(*site);
            } else if let Some(inner) = names.site_at(*site).filter(|at| at.kind == SiteKind::Method) {
                around.entry(inner.method.clone()).or_default().insert(label.clone());
                blocks.inside.entry(label).or_default().insert(inner.method);
            }
        }
        // What a block reaches is reached by those around it.
        let mut pending: Vec<String> = blocks.reached.keys().cloned().collect();
        while let Some(inner) = pending.pop() {
            let sites = blocks.reached[&inner].clone();
            for outer in around.get(&inner).into_iter().flatten() {
                let known = blocks.reached.entry(outer.clone()).or_default();
                let before = known.len();
                known.extend(&sites);
                if known.len() > before {
                    pending.push(outer.clone());
                }
            }
        }
        blocks
    }

    /// True if a block directly inside of this one reaches both: then that block is the innermost one.
    fn are_together_below(&self, label: &str, first: u32, last: u32) -> bool {
        let has_both = |inner: &String| {
            inner != label
                && self.reached.get(inner).is_some_and(|sites| sites.contains(&first) && sites.contains(&last))
        };
        self.inside.get(label).into_iter().flatten().any(has_both)
    }
}

/// The candidates found: the one of the best rank for each block, first place and place of the other thread.
#[derive(Default)]
struct Found<'a> {
    best: HashMap<(&'a str, u32, u32), (Rank, [&'a Shared; 3])>,
    is_full: bool,
}

impl<'a> Found<'a> {
    fn add(&mut self, label: &'a str, first: &'a Shared, last: &'a Shared, other: &'a Shared) {
        let rank = Rank::of(first.place.action, other.place.action, last.place.action);
        let key = (label, first.site, other.site);
        let has_room = self.best.len() < MOST;
        match self.best.get_mut(&key) {
            Some(known) if (rank, last.site) < (known.0, known.1[1].site) => *known = (rank, [first, last, other]),
            Some(_) => {}
            None if has_room => _ = self.best.insert(key, (rank, [first, last, other])),
            None => self.is_full = true,
        }
    }

    /// If another thread's place can violate a block by doing more than look, places that only look are left out.
    fn candidates(self) -> (Candidates, bool) {
        let does_more: HashSet<(&str, u32)> = self
            .best
            .iter()
            .filter(|(_, (rank, _))| *rank != Rank::Looks)
            .map(|((label, first, _), _)| (*label, *first))
            .collect();
        let mut candidates = Candidates::new();
        for ((label, _, _), (rank, [first, last, other])) in self.best {
            if rank == Rank::Looks && does_more.contains(&(label, first.site)) {
                continue;
            }
            // A monitor is released where it was acquired, as far as places tell.
            let mut hold = first.place.clone();
            if hold.action == Action::Acquire {
                hold.action = Action::Release;
            }
            candidates.add(Candidate {
                block: label.to_owned(),
                variable: first.variable.clone(),
                first: first.place.clone(),
                hold,
                last: last.place.clone(),
                other: other.place.clone(),
                enter: None,
                steps: Vec::new(),
            });
        }
        (candidates, !self.is_full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A read of a field in each of two methods, a write of it behind the first one, a monitor, a call, a lock that is a call, and an array.
    const SITES: [&str; 11] = [
        "method\tapp.A\touter\t()V\tA.java\t1\t\t\tmethod",
        "method\tapp.A\tinner\t()V\tA.java\t2\t\t\tmethod",
        "read\tapp.A\tinner\t()V\tA.java\t3\tapp.A.x\t\tfield app.A.x",
        "write\tapp.A\tinner\t()V\tA.java\t4\tapp.A.x\t\tfield app.A.x",
        "read\tapp.A\touter\t()V\tA.java\t5\tapp.A.x\t\tfield app.A.x",
        "monitor\tapp.A\touter\t()V\tA.java\t6\t\t\tmonitor app.A",
        "monitor\tapp.A\touter\t()V\tA.java\t7\t\t\tmonitor app.A",
        "read\tapp.A\touter\t()V\tA.java\t8\tjava.util.Map.get()\tapp.A.map\tcall app.A.map",
        "write\tapp.A\touter\t()V\tA.java\t9\tjava.util.Map.put()\tapp.A.map\tcall app.A.map",
        "write\tapp.A\touter\t()V\tA.java\t10\tjava.util.concurrent.locks.Lock.lock()\tapp.A.lock\tcall app.A.lock",
        "wait\tapp.A\touter\t()V\tA.java\t11\tjava.lang.Object.wait()\t\tmonitor app.A",
    ];

    /// The candidates where these sites were open, and these were reached in blocks; block 0 is `outer`, block 1 is `inner`.
    fn found(open: &[u32], pairs: &[(u32, u32)]) -> Vec<String> {
        let names = Names::default();
        (1..).zip(SITES).for_each(|(site, text)| names.site(site, text));
        (0..2_u32).for_each(|block| names.block(block, &(block + 1).to_string()));
        let (all, are_all) = candidates(open, pairs, &names);
        assert!(are_all);
        let line = |place: &Place| format!("{}{}", place.position(), &place.action.name()[..1]);
        let text = |it: &Candidate| {
            let places = [&it.first, &it.hold, &it.other, &it.last].map(line);
            format!("{} {}: {}", it.block.trim_start_matches("app.A."), it.variable, places.join(" "))
        };
        all.in_order().into_iter().map(|(candidate, _)| text(candidate)).collect()
    }

    #[test]
    fn two_places_of_a_block_and_one_of_anybody_are_one() {
        assert_eq!(found(&[3, 4], &[(1, 3), (1, 4)]), ["inner() A.x: 3r 3r 4w 4w"]);
        assert!(found(&[3, 4], &[(1, 3)]).is_empty(), "one place");
        assert!(found(&[3], &[(1, 3), (1, 4)]).is_empty(), "the order at the other one is forced");
    }

    #[test]
    fn a_block_has_what_those_inside_reach_unless_one_of_them_has_both() {
        let all = found(&[3, 4, 5], &[(0, 2), (1, 3), (1, 4), (0, 5)]);
        let (inner, outer): (Vec<String>, Vec<String>) = all.into_iter().partition(|text| text.starts_with("inner"));
        assert_eq!(inner, ["inner() A.x: 3r 3r 4w 4w"]);
        // In another method the one can come before the other, and the other before the one.
        assert_eq!(outer.iter().filter(|text| text.contains(" 4w")).count(), outer.len(), "{outer:?}");
        assert!(outer.contains(&"outer() A.x: 5r 5r 4w 3r".to_owned()), "{outer:?}");
        assert!(!outer.iter().any(|text| text.ends_with("3r 3r 4w 4w")), "{outer:?}");
    }

    #[test]
    fn monitors_and_collections_have_candidates_and_locks_that_are_calls_have_none() {
        assert_eq!(
            found(&[6, 7, 8, 9, 10, 11], &[(0, 6), (0, 7), (0, 8), (0, 9), (0, 10), (0, 11)]),
            ["outer() Map (field A.map): 8r 8r 9w 9w", "outer() A: 6a 6r 6a 7a", "outer() A: 6a 6r 7a 7a"]
        );
    }

    #[test]
    fn what_only_looks_is_one_where_nothing_does_more() {
        assert_eq!(found(&[3, 5], &[(0, 3), (0, 5)]).len(), 4);
        assert!(found(&[3, 4, 5], &[(0, 3), (0, 4), (0, 5)]).iter().all(|text| text.contains('w')));
    }
}
