//! The violations in a trace, grouped: by the event that shows them, by the innermost violated method, and by cause.
//!
//! The places of edges are read from the trace only for the first [`MOST_WAYS`] violations of each method; later ones count
//! towards its first finding.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rustc_hash::{FxHashMap, FxHashSet};

use super::causes::{Causes, MOST_WAYS};
use crate::engine::{Edge, Violation};
use crate::event::{Event, LabelId, Op};
use crate::report::model::details::Details;
use crate::report::model::identity::Identity;
use crate::report::model::summary::Summary;
use crate::report::model::witness::Witness;
use crate::report::model::words::spoken;
use crate::trace::input::Input;
use crate::trace::{Detail, TraceError, TraceReader, look_up};

/// The violations that become one finding, as indices of [`evidence`].
pub(super) struct Group {
    pub(super) label: LabelId,
    first: usize,
    /// The violation that represents the finding: the first in which the block returns to what it has touched before, or else the
    /// first.
    pub(super) told: usize,
    pub(super) count: u64,
    pub(super) again: u64,
    pub(super) enclosing: Vec<(LabelId, u64)>,
}

/// All violations, followed by the further causes that show for violated blocks.
fn evidence<'a>(summary: &Summary<'a>) -> Vec<&'a Violation> {
    summary.findings.violations.iter().chain(&summary.findings.again).collect()
}

/// The violation with this index.
pub(super) fn evidence_at<'a>(summary: &Summary<'a>, index: usize) -> &'a Violation {
    let violations = &summary.findings.violations;
    violations.get(index).unwrap_or_else(|| &summary.findings.again[index - violations.len()])
}

/// The violations of each event, outer blocks first: they are adjacent.
pub(crate) fn by_event(violations: &[Violation]) -> impl Iterator<Item = &[Violation]> {
    violations.chunk_by(|a, b| (a.thread, a.event) == (b.thread, b.event))
}

impl Details {
    /// Reads what a report of these findings names from their trace. `blocks` says which events open and close blocks: what
    /// the engine was given, in case a specification has taken some out.
    ///
    /// # Errors
    /// Errors of reading the trace again.
    pub fn of_findings(
        input: &Input,
        summary: &Summary,
        blocks: impl FnMut(&mut Vec<Event>, &TraceReader),
    ) -> Result<Details, TraceError> {
        let all = evidence(summary);
        let places = places(input, summary)?;
        let mut events = BTreeSet::new();
        let told = ways(summary, &places).into_iter().chain(apart(summary).into_iter().map(|group| group.told));
        for violation in told.map(|index| all[index]) {
            events.insert(violation.begin);
            events.extend(shown(violation));
        }
        if summary.findings.violations.is_empty() {
            events.extend(summary.findings.cycle.iter().flat_map(|cycle| ends(&cycle.edges)));
        }
        let mut details = Details::read(input, &events, blocks)?;
        details.places = places;
        Ok(details)
    }
}

/// The events that show a violation.
fn shown(violation: &Violation) -> Vec<u64> {
    let pair = violation.is_warning().then(|| violation.pair());
    ends(&violation.edges).chain(ends(pair.as_slice())).collect()
}

/// The events that show its cause, and whether the block returns to what it has touched before.
fn asked(violation: &Violation) -> Vec<u64> {
    match (violation.edges.first(), violation.edges.last()) {
        (Some(out), Some(back)) => ends(&[*out, *back]).collect(),
        _ => shown(violation),
    }
}

/// The violations that count, as indices.
struct Counted {
    /// The innermost violation of each event.
    innermost: Vec<usize>,
    /// The violations around them.
    outer: Vec<usize>,
    /// Violations that show a further cause for a violated block.
    again: Vec<usize>,
}

impl Counted {
    fn of(summary: &Summary) -> Counted {
        let violations = &summary.findings.violations;
        let (mut innermost, mut outer) = (Vec::new(), Vec::new());
        let mut start = 0;
        for together in by_event(violations) {
            let end = start + together.len();
            let mut counted: Vec<usize> = (start..end).filter(|index| !summary.waits(&violations[*index])).collect();
            start = end;
            innermost.extend(counted.pop());
            outer.extend(counted);
        }
        let again = (start..).zip(&summary.findings.again).filter(|(_, violation)| !summary.waits(violation));
        Counted { innermost, outer, again: again.map(|(index, _)| index).collect() }
    }

    /// The examined violations: the first ones of each method.
    fn examined(self, summary: &Summary) -> Counted {
        let all = evidence(summary);
        let first = |mut indices: Vec<usize>| {
            let mut of: FxHashMap<LabelId, usize> = FxHashMap::default();
            indices.retain(|index| {
                let before = of.entry(all[*index].label).or_default();
                *before += 1;
                *before <= MOST_WAYS
            });
            indices
        };
        let Counted { innermost, outer, again } = self;
        Counted { innermost: first(innermost), outer: first(outer), again: first(again) }
    }
}

/// Numbers for the places of the events that show violations: one number for all events at one place of the program that do the
/// same to the same field.
fn places(input: &Input, summary: &Summary) -> Result<FxHashMap<u64, u32>, TraceError> {
    let all = evidence(summary);
    let Counted { innermost, outer, again } = Counted::of(summary).examined(summary);
    let wanted: BTreeSet<u64> =
        [innermost, outer, again].concat().into_iter().flat_map(|index| asked(all[index])).collect();
    let wanted: Vec<u64> = wanted.into_iter().collect();
    let (mut numbers, mut places) = (HashMap::new(), FxHashMap::default());
    look_up(input, &wanted, |op, detail| {
        let next = u32::try_from(numbers.len()).expect("fewer than 2^32 places");
        places.insert(detail.event, *numbers.entry(place(op, detail)).or_insert(next));
    })?;
    Ok(places)
}

/// What an event does and where, without the object and its part.
fn place(op: Op, detail: &Detail) -> (String, String) {
    let does = match op {
        Op::Fork(_) => "fork".to_owned(),
        Op::Join(_) => "join".to_owned(),
        _ => spoken(op, &detail.operation),
    };
    let is_digit = |char: char| char.is_ascii_digit();
    let object = does.match_indices('@').find(|(at, _)| does[at + 1..].starts_with(is_digit));
    let does = match object {
        Some((at, _)) => {
            let (name, part) = does.split_at(at);
            let part = part.split_once("key:").map_or(part, |(part, _)| part);
            name.to_owned() + &part.replace(is_digit, "")
        }
        None => does,
    };
    (does, detail.location.clone())
}

/// The numbers of the places that show the cause of a violation; `None` if they were not examined.
fn places_of(violation: &Violation, places: &FxHashMap<u64, u32>) -> Option<Vec<u32>> {
    asked(violation).iter().map(|event| places.get(event).copied()).collect()
}

/// The first violation of each way in which a method is violated.
fn ways(summary: &Summary, places: &FxHashMap<u64, u32>) -> Vec<usize> {
    let all = evidence(summary);
    let Counted { innermost, again, .. } = Counted::of(summary).examined(summary);
    let mut known: FxHashMap<LabelId, BTreeSet<Vec<u32>>> = FxHashMap::default();
    let mut ways = [innermost, again].concat();
    ways.retain(|index| {
        let of = places_of(all[*index], places);
        of.is_some_and(|of| known.entry(all[*index].label).or_default().insert(of))
    });
    ways
}

/// The causes of violations, each named by its first violation; and which violation represents a cause, if not the
/// first.
fn causes(summary: &Summary, details: &Details) -> (Causes<usize>, FxHashMap<usize, usize>) {
    let all = evidence(summary);
    let (mut causes, mut told) = (Causes::default(), FxHashMap::default());
    for index in ways(summary, &details.places) {
        let places = places_of(all[index], &details.places).unwrap_or_default();
        // The method is known, so the identity does without it.
        let identity = Identity::of(None, &Witness::of_violation(all[index], details));
        let cause = causes.learn(all[index].label, &places, &identity, || index);
        if identity.before.is_empty() {
            told.entry(cause).or_insert(index);
        }
    }
    (causes, told)
}

/// The violations that count, by innermost violated method and cause, in order of detection.
pub(super) fn grouped(summary: &Summary, details: &Details) -> Vec<Group> {
    let all = evidence(summary);
    let (causes, told) = causes(summary, details);
    let own_cause = |index: usize| {
        places_of(all[index], &details.places).and_then(|places| causes.known(all[index].label, &places))
    };
    let cause = |index: usize| own_cause(index).or_else(|| causes.first(all[index].label));
    let fresh = |first: usize| Group {
        label: all[first].label,
        first,
        told: told.get(&first).copied().unwrap_or(first),
        count: 0,
        again: 0,
        enclosing: Vec::new(),
    };
    let counted = Counted::of(summary);
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for index in counted.innermost.iter().copied() {
        let first = cause(index).expect("each method is examined");
        let group = groups.entry(first).or_insert_with(|| fresh(first));
        group.count += 1;
        for outer in around(&summary.findings.violations, index).filter(|outer| !summary.waits(outer)) {
            match group.enclosing.iter_mut().find(|(label, _)| *label == outer.label) {
                Some((_, count)) => *count += 1,
                None => group.enclosing.push((outer.label, 1)),
            }
        }
    }
    // An instance that is violated for several causes counts once for each.
    let mut has: FxHashSet<(usize, u64)> = FxHashSet::default();
    // By begin: instances that were violated only around others so far.
    let mut around: FxHashSet<u64> = counted.outer.iter().map(|index| all[*index].begin).collect();
    if !counted.again.is_empty() {
        let of = |index: usize, cause: Option<usize>| Some((cause?, all[index].begin));
        has.extend(counted.innermost.iter().filter_map(|index| of(*index, cause(*index))));
        // One around another method's is of the first cause only in what it counts to.
        has.extend(counted.outer.iter().filter_map(|index| of(*index, own_cause(*index))));
    }
    for index in counted.again {
        if let Some(first) = cause(index)
            && has.insert((first, all[index].begin))
        {
            let group = groups.entry(first).or_insert_with(|| fresh(first));
            group.count += 1;
            let is_own = around.remove(&all[index].begin);
            group.again += u64::from(!is_own);
        }
    }
    // An instance that was violated around another method's also counts, unless it does already.
    for index in counted.outer.into_iter().filter(|index| around.contains(&all[*index].begin)) {
        if let Some(group) = cause(index).and_then(|first| groups.get_mut(&first)) {
            group.count += 1;
        }
    }
    in_order_of_detection(groups.into_values().collect())
}

/// The violations around `inner` that the same event shows, outermost first.
fn around(violations: &[Violation], inner: usize) -> impl Iterator<Item = &Violation> {
    let event = |violation: &Violation| (violation.thread, violation.event);
    let own = event(&violations[inner]);
    let first = violations[..inner].iter().rposition(|other| event(other) != own).map_or(0, |other| other + 1);
    violations[first..inner].iter()
}

/// The violations that are listed separately, by method, in order of detection.
pub(super) fn apart(summary: &Summary) -> Vec<Group> {
    let mut groups: BTreeMap<LabelId, Group> = BTreeMap::new();
    for (first, violation) in summary.findings.violations.iter().enumerate().filter(|(_, v)| summary.waits(v)) {
        let label = violation.label;
        let fresh = Group { label, first, told: first, count: 0, again: 0, enclosing: Vec::new() };
        groups.entry(label).or_insert(fresh).count += 1;
    }
    in_order_of_detection(groups.into_values().collect())
}

fn in_order_of_detection(mut groups: Vec<Group>) -> Vec<Group> {
    groups.sort_by_key(|group| group.first);
    groups
}

pub(super) fn ends(edges: &[Edge]) -> impl Iterator<Item = u64> + '_ {
    edges.iter().flat_map(|edge| [edge.from.position(), edge.to.position()])
}
