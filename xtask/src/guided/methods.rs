//! The methods that full runs name and guided runs do not.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use serde::{Deserialize, Serialize};

use crate::programs::Finding;

/// A method that a report names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Method {
    pub(super) method: String,
    pub(super) kind: String,
    /// Whether it is violated only around others.
    pub(super) caller: bool,
}

/// The methods that full and guided runs of a subject name.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Comparison {
    pub(super) full: Sizes,
    pub(super) guided: Sizes,
    /// Of the methods that all full runs name, and of those that some do, how many some guided run names.
    pub(super) found: Sizes,
    /// The same for other full runs instead of guided ones.
    pub(super) found_again: Sizes,
    /// The number of methods that only guided runs name.
    pub(super) only_guided: usize,
    pub(super) missed: Vec<Missed>,
}

/// The number of methods that runs name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Sizes {
    /// Methods named by each of the runs.
    pub(super) in_all: usize,
    /// Methods named by at least one of the runs.
    pub(super) in_some: usize,
}

/// A method that some full run and no guided run names.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Missed {
    pub(super) method: String,
    /// Taken from the full run that ranks it best.
    pub(super) kind: String,
    pub(super) caller: bool,
    /// Its best rank in the reports of full runs, from 1.
    pub(super) rank: usize,
    /// The number of full runs that name it.
    pub(super) full_runs: usize,
    /// Whether the run that made the profile names it.
    pub(super) is_learnt: bool,
    /// Whether the profile says that it is watched.
    pub(super) is_profiled: bool,
}

/// All subjects together.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Total {
    pub(super) full: Sizes,
    pub(super) found: Sizes,
    pub(super) found_again: Sizes,
}

impl Method {
    pub(super) fn of(finding: &Finding) -> Method {
        Method { method: finding.method.clone(), kind: finding.kind.clone(), caller: finding.caller }
    }

    /// Returns the finding's method, and those around it that the same events violate.
    pub(super) fn with_those_around(finding: &Finding) -> impl Iterator<Item = Method> {
        let around = finding.enclosing.iter().map(|caller| Method {
            method: caller.method.clone(),
            kind: finding.kind.clone(),
            caller: true,
        });
        iter::once(Method::of(finding)).chain(around)
    }

    /// Returns the name without parameters.
    fn name(&self) -> &str {
        self.method.split('(').next().unwrap_or_default()
    }
}

/// Returns the names of the methods that are watched according to the text of a profile. Parameters are not compared,
/// because reports and profiles write them differently.
pub(super) fn profiled<'a>(methods: impl Iterator<Item = &'a Method>, profile: &str) -> BTreeSet<String> {
    let blocks: BTreeSet<&str> = profile
        .lines()
        .filter_map(|line| line.strip_prefix("block "))
        .map(|block| block.split('(').next().unwrap_or_default())
        .collect();
    let is_watched = |name: &str| blocks.contains(name) || blocks.contains("*");
    methods.map(Method::name).filter(|name| is_watched(name)).map(str::to_owned).collect()
}

impl Comparison {
    /// Compares the methods that runs name, each in the order of its report; `again` are other full runs, `learning` is
    /// the run that made the profile, which names `profiled`.
    pub(super) fn of(
        full: &[Vec<Method>],
        again: &[Vec<Method>],
        learning: &[Method],
        guided: &[Vec<Method>],
        profiled: &[String],
    ) -> Comparison {
        let (full_runs, again, guided_runs) = (counts(full), counts(again), counts(guided));
        let is_found = |method: &str| guided_runs.contains_key(method);
        let in_all = |counts: &BTreeMap<&str, usize>, runs: usize| counts.values().filter(|&&n| n == runs).count();
        let sizes =
            |counts: &BTreeMap<&str, usize>, runs| Sizes { in_all: in_all(counts, runs), in_some: counts.len() };
        let found_by = |others: &BTreeMap<&str, usize>| {
            let found = full_runs.iter().filter(|(method, _)| others.contains_key(*method));
            sizes(&found.map(|(method, runs)| (*method, *runs)).collect(), full.len())
        };
        let missed = full_runs.iter().filter(|(method, _)| !is_found(method)).map(|(method, runs)| {
            let (rank, one) = best(full, method);
            Missed {
                method: one.method.clone(),
                kind: one.kind.clone(),
                caller: one.caller,
                rank,
                full_runs: *runs,
                is_learnt: learning.iter().any(|learnt| learnt.method == one.method),
                is_profiled: profiled.iter().any(|name| name == one.name()),
            }
        });
        Comparison {
            full: sizes(&full_runs, full.len()),
            guided: sizes(&guided_runs, guided.len()),
            found: found_by(&guided_runs),
            found_again: found_by(&again),
            only_guided: guided_runs.keys().filter(|method| !full_runs.contains_key(*method)).count(),
            missed: missed.collect(),
        }
    }
}

/// Returns, by method, the number of runs that name it.
fn counts(runs: &[Vec<Method>]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for run in runs {
        let named: BTreeSet<&str> = run.iter().map(|method| method.method.as_str()).collect();
        named.into_iter().for_each(|method| *counts.entry(method).or_default() += 1);
    }
    counts
}

/// Returns the best rank of a method that some run names, and the method as named there.
fn best<'a>(runs: &'a [Vec<Method>], method: &str) -> (usize, &'a Method) {
    let places = runs.iter().flat_map(|run| (1..).zip(run)).filter(|(_, one)| one.method == method);
    places.min_by_key(|(place, _)| *place).expect("a run names it")
}

impl Total {
    pub(super) fn of<'a>(all: impl Iterator<Item = &'a Comparison>) -> Total {
        all.fold(Total::default(), |total, one| Total {
            full: total.full + one.full,
            found: total.found + one.found,
            found_again: total.found_again + one.found_again,
        })
    }
}

impl std::ops::Add for Sizes {
    type Output = Sizes;

    fn add(self, other: Sizes) -> Sizes {
        Sizes { in_all: self.in_all + other.in_all, in_some: self.in_some + other.in_some }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(name: &str) -> Method {
        Method { method: format!("a.B.{name}(int)"), kind: format!("kind of {name}"), caller: false }
    }

    fn runs(runs: &[&str]) -> Vec<Vec<Method>> {
        runs.iter().map(|names| names.split_whitespace().map(method).collect()).collect()
    }

    fn sizes(in_all: usize, in_some: usize) -> Sizes {
        Sizes { in_all, in_some }
    }

    #[test]
    fn methods_are_counted_once_a_run_and_compared_by_name() {
        let full = runs(&["a b c c", "a c d", "e a c"]);
        let guided = runs(&["a x", "a d y"]);
        let comparison =
            Comparison::of(&full, &runs(&["e f", "a b"]), &runs(&["a e"])[0], &guided, &["a.B.c".to_owned()]);
        assert_eq!((comparison.full, comparison.guided), (sizes(2, 5), sizes(1, 4)));
        assert_eq!((comparison.found, comparison.only_guided), (sizes(1, 2), 2));
        assert_eq!(comparison.found_again, sizes(1, 3));
        let missed = |name: &str, rank, full_runs, is_learnt, is_profiled| {
            let Method { method, kind, caller } = method(name);
            Missed { method, kind, caller, rank, full_runs, is_learnt, is_profiled }
        };
        let expected =
            [missed("b", 2, 1, false, false), missed("c", 2, 3, false, true), missed("e", 1, 1, true, false)];
        assert_eq!(comparison.missed, expected);
    }

    #[test]
    fn a_missed_method_has_the_kind_that_it_has_in_its_best_place() {
        let other = Method { kind: "another kind".to_owned(), caller: true, ..method("b") };
        let full = [vec![method("a"), method("c"), other.clone()], vec![other, method("b")], vec![method("b")]];
        let missed = Comparison::of(&full, &[], &[], &runs(&["a c"]), &[]).missed;
        let shown: Vec<_> = missed.iter().map(|one| (one.kind.as_str(), one.caller, one.rank)).collect();
        assert_eq!(shown, [("another kind", true, 1)]);
    }

    #[test]
    fn without_guided_runs_nothing_is_in_all_of_them() {
        let comparison = Comparison::of(&runs(&["a"]), &[], &[], &[], &[]);
        assert_eq!((comparison.guided, comparison.found, comparison.missed.len()), (sizes(0, 0), sizes(0, 0), 1));
    }

    #[test]
    fn totals_are_sums() {
        let one = Comparison::of(&runs(&["a b", "a"]), &runs(&["b"]), &[], &runs(&["a", "b"]), &[]);
        let other = Comparison::of(&runs(&["c", "c d"]), &runs(&["c d"]), &[], &runs(&["", "e"]), &[]);
        let expected = Total { full: sizes(2, 4), found: sizes(1, 2), found_again: sizes(1, 3) };
        assert_eq!(Total::of([&one, &other].into_iter()), expected);
    }

    #[test]
    fn a_profile_names_blocks_by_descriptors() {
        let all = ["a", "b", "c"].map(method);
        let of = |profile: &str| profiled(all.iter(), profile).into_iter().collect::<Vec<_>>();
        assert_eq!(of("runs 1\nblock a.B.a(I)V\nfield a.B.b\nblock a.B.cc()V\nend\n"), ["a.B.a"]);
        assert_eq!(of("block *\nend\n"), ["a.B.a", "a.B.b", "a.B.c"]);
    }
}
