//! Candidates from dependency mode, without a trace: from the places at which threads were seen to share something, and the blocks in which these
//! were reached (`profile/memory.rs` has both).
//!
//! A place counts if an access there gave or took a dependency that is not implied: an order that no start, hand-over or lock forces. A
//! block that reaches two such places of one field, array, collection or monitor, and a third one, of whichever thread, make a candidate. Which
//! thread was where in which instance is not known, nor which locks it had but for monitors whose own sections follow each other; so more of
//! these candidates cannot happen than of those from events (`analysis-core/src/provoke/finder`), and the run costs no more than any other.
//!
//! What is accessed under a lock throughout shows no order of its own, so it has no candidate; the sections of the lock have. Locks that
//! are calls (`lock()`) have none: where they are given up is not known.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use analysis_core::profile::FactKind;
use analysis_core::provoke::{Action, Candidate, Candidates, Place, Rank};
use analysis_core::report::{Call, last_segments};

use crate::names::{Names, Site, SiteKind};

/// So many places of one variable are looked at in a block, the first ones.
const MOST_PLACES: usize = 12;
/// And so many of all threads.
const MOST_OTHERS: usize = 24;

/// What a place is about, as profiles call it.
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

/// The candidates, which have not been tried: `open` are the sites with orders that nothing forces, `pairs` blocks by number and what was
/// reached in them.
pub(crate) fn candidates(open: &[u32], pairs: &[(u32, u32)], names: &Names) -> Candidates {
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
    for (label, reached) in &blocks.reached {
        let mut of_facts: BTreeMap<&Fact, Vec<u32>> = BTreeMap::new();
        for site in reached {
            of_facts.entry(&fact_of[site]).or_default().push(*site);
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

/// False if the one comes behind the other in the code of a method, or is the same.
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

    /// True if a block directly inside of this one reaches both: then that is the innermost one.
    fn are_together_below(&self, label: &str, first: u32, last: u32) -> bool {
        let has_both = |inner: &String| {
            inner != label
                && self.reached.get(inner).is_some_and(|sites| sites.contains(&first) && sites.contains(&last))
        };
        self.inside.get(label).into_iter().flatten().any(has_both)
    }
}

/// What was found, of those for which a thread is held at one place until another one has passed the same, one of the best rank.
#[derive(Default)]
struct Found {
    best: HashMap<(String, Place, Place), Candidate>,
}

impl Found {
    fn add(&mut self, label: &str, first: &Shared, last: &Shared, other: &Shared) {
        // A monitor is given up where it was taken, as far as places tell.
        let mut hold = first.place.clone();
        if hold.action == Action::Acquire {
            hold.action = Action::Release;
        }
        let candidate = Candidate {
            block: label.to_owned(),
            variable: first.variable.clone(),
            first: first.place.clone(),
            hold,
            last: last.place.clone(),
            other: other.place.clone(),
            enter: None,
            steps: Vec::new(),
        };
        let key = (candidate.block.clone(), candidate.first.clone(), candidate.other.clone());
        let known = self.best.entry(key).or_insert_with(|| candidate.clone());
        if (candidate.rank(), &candidate) < (known.rank(), known) {
            *known = candidate;
        }
    }

    /// Where a block can be violated by what another thread does at its place, it is not asked what that does if it only looks there.
    fn candidates(self) -> Candidates {
        let does_more: HashSet<(String, Place)> = self
            .best
            .values()
            .filter(|candidate| candidate.rank() != Rank::Looks)
            .map(|candidate| (candidate.block.clone(), candidate.first.clone()))
            .collect();
        let mut candidates = Candidates::new();
        for candidate in self.best.into_values() {
            let key = (candidate.block.clone(), candidate.first.clone());
            if candidate.rank() != Rank::Looks || !does_more.contains(&key) {
                candidates.add(candidate);
            }
        }
        candidates
    }
}
