//! The findings, grouped as they are found, because a long run cannot keep every violation.
//!
//! A violated block is counted when it ends, because only then is it known whether its thread waited for others inside.
//! The first violation of a method for each cause is kept with its witness.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use analysis_core::engine::Violation;
use analysis_core::event::{LabelId, Stamp};
use analysis_core::report::{Causes, Data, Ends, Identity, Kind, Provoked, Witness};
use rustc_hash::FxHashMap;

use crate::feed::Path;

/// In how many of its violations the data of a finding are searched for.
const MOST_SOUGHT: u64 = 16;

/// After this many blocks that have waited, one that has not is reported with the witness of the first of those.
const MOST_WAITING: u64 = 64;

/// How a violation came about, saved while the details are known.
#[derive(Clone)]
pub(crate) struct Frozen {
    pub(crate) kind: Kind,
    pub(crate) witness: Witness,
    /// What the path passes, if the data of the violation are to be reported.
    pub(crate) path: Option<Path>,
    /// The stack of its thread, the innermost frame first; empty if unknown.
    pub(crate) stack: Vec<String>,
    /// The hold by which it was provoked, if it was.
    pub(crate) provoked: Option<Provoked>,
}

impl Frozen {
    /// Saves a violation as the ends of its edges describe it.
    pub(crate) fn of(violation: &Violation, ends: &impl Ends) -> Frozen {
        Frozen {
            kind: Kind::of_violation(violation, ends),
            witness: Witness::of_violation(violation, ends),
            path: None,
            stack: Vec::new(),
            provoked: None,
        }
    }

    /// True if no events are known that show the violation.
    fn is_bare(&self) -> bool {
        self.witness.edges.is_empty()
    }

    /// True if it shows a violation better than `other`: at all, by one variable rather than two, or with data.
    fn is_clearer_than(&self, other: &Frozen) -> bool {
        let is_of_one = |frozen: &Frozen| Identity::of(None, &frozen.witness).before.is_empty();
        let is_of_fewer = is_of_one(self) && !is_of_one(other);
        let is_like = is_of_one(self) == is_of_one(other) && self.provoked.is_some() == other.provoked.is_some();
        !self.is_bare() && (other.is_bare() || is_of_fewer || is_like && other.lacks_data() && !self.lacks_data())
    }

    /// True if its data are to be reported and are not known.
    fn lacks_data(&self) -> bool {
        self.path.is_some() && self.witness.data == Data::Unknown
    }
}

/// The number of a cause: violations of a method for the same cause are one finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CauseId(u32);

impl CauseId {
    /// The cause with this number, which [`CauseId::number`] has returned.
    pub(crate) fn of(number: u32) -> CauseId {
        CauseId(number)
    }

    /// Its number.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// The causes of all violations, in whichever scope.
#[derive(Default)]
pub(crate) struct AllCauses {
    known: Causes<CauseId>,
    /// The violated methods, by number of the cause.
    methods: Vec<LabelId>,
}

impl AllCauses {
    /// The cause of a violation whose edges are at these places, if an earlier violation was at the same ones.
    pub(crate) fn known(&self, method: LabelId, places: &[u32]) -> Option<CauseId> {
        self.known.known(method, places)
    }

    /// The cause of a violation at new places.
    pub(crate) fn learn(&mut self, method: LabelId, places: &[u32], witness: &Witness) -> CauseId {
        // The method is known.
        let identity = Identity::of(None, witness);
        self.known.learn(method, places, &identity, || next(&mut self.methods, method))
    }

    /// The cause of a violation with this witness.
    pub(crate) fn of(&mut self, method: LabelId, witness: &Witness) -> CauseId {
        let identity = Identity::of(None, witness);
        self.known.of(method, &identity, || next(&mut self.methods, method))
    }

    /// The method that is violated.
    pub(crate) fn method(&self, cause: CauseId) -> LabelId {
        self.methods[cause.0 as usize]
    }
}

/// Adds a cause for this method and returns its number.
fn next(methods: &mut Vec<LabelId>, method: LabelId) -> CauseId {
    methods.push(method);
    CauseId(u32::try_from(methods.len() - 1).expect("fewer than 2^32 causes"))
}

/// An open block that is violated.
#[derive(Clone)]
pub(crate) struct Violated {
    /// Why.
    pub(crate) cause: CauseId,
    /// The event that shows it.
    pub(crate) event: u64,
    /// The event in between, of another thread unless an engine only warns.
    pub(crate) other: Stamp,
    pub(crate) depth: u32,
    /// Kept for the first violation of a method by this cause, and for the first in each way.
    pub(crate) frozen: Option<Box<Frozen>>,
    /// The finding that the same event led to: that of a block inside this one.
    pub(crate) finding: Option<CauseId>,
    /// The scope that its thread worked for at that time, or the nearest enclosing one that had not ended; 0 if there
    /// was none.
    pub(crate) scope: u32,
}

/// The instances of one method that are violated for one cause.
#[derive(Clone)]
pub(crate) struct Group {
    /// The cause.
    pub(crate) cause: CauseId,
    /// The scopes in which instances were the innermost violated block of an event; 0 stands for no scope.
    pub(crate) scopes: BTreeSet<u32>,
    /// The number of instances.
    pub(crate) count: u64,
    /// How many of them were the innermost violated block of an event.
    pub(crate) innermost: u64,
    /// How many of them were violated for another cause before, and also count there.
    pub(crate) again: u64,
    /// How many of them were violated for this cause only around other violated blocks, and count for another cause of
    /// their own.
    apart: u64,
    /// Their rank in the order of first violations.
    pub(crate) order: usize,
    /// The violation that represents the group: the first in which the block returns to what it has touched before, or else the
    /// first.
    pub(crate) told: Frozen,
    /// Violated blocks around the instances: depth and method, and how often.
    pub(crate) enclosing: BTreeMap<(u32, LabelId), u64>,
}

/// Groups by cause.
pub(crate) type Groups = FxHashMap<CauseId, Group>;

/// All findings.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) violations: Groups,
    /// Blocks in which their thread waited, if those are listed apart.
    pub(crate) waits_inside: Groups,
    /// The first cycle.
    pub(crate) cycle: Option<Witness>,
}

impl Tally {
    /// True if a violation of this cause needs a witness: the first, and the next few as long as the data are not known. Most
    /// blocks that wait do so only after they are violated; where all have waited so far, the next few need one.
    pub(crate) fn wants_witness(&self, cause: CauseId, has_waited: bool) -> bool {
        let has_enough = |group: &Group| !group.told.lacks_data() || group.count >= MOST_SOUGHT;
        let waiting = self.waits_inside.get(&cause).filter(|group| !group.told.is_bare());
        match self.violations.get(&cause) {
            Some(group) => !has_enough(group) || (has_waited && waiting.is_none()),
            None => waiting.is_none_or(|group| group.count < MOST_WAITING),
        }
    }

    /// Counts a violated block that has ended; `bare` describes the first violation of its cause if nothing else does. Returns
    /// the finding that its event now belongs to.
    pub(crate) fn settle(
        &mut self,
        label: LabelId,
        violated: Violated,
        waits: bool,
        bare: impl FnOnce() -> Frozen,
    ) -> Option<CauseId> {
        let Violated { cause, depth, frozen, finding, scope, .. } = violated;
        let group = self.group(cause, waits, frozen, bare);
        group.count += 1;
        if waits {
            group.innermost += 1;
            return finding;
        }
        match finding {
            None => {
                group.innermost += 1;
                group.scopes.insert(scope);
                Some(cause)
            }
            Some(inner) => {
                if let Some(inner) = self.violations.get_mut(&inner) {
                    *inner.enclosing.entry((depth, label)).or_default() += 1;
                }
                finding
            }
        }
    }

    /// Counts a block that has ended for one more cause. `around` is the previous cause if the block was violated for that only
    /// around other violated blocks: it then counts for this cause instead.
    pub(crate) fn settle_again(
        &mut self,
        violated: Violated,
        around: Option<CauseId>,
        waits: bool,
        bare: impl FnOnce() -> Frozen,
    ) {
        let before = around.and_then(|cause| self.violations.get_mut(&cause));
        let is_own = before.map(|before| before.apart += 1).is_some();
        let group = self.group(violated.cause, waits, violated.frozen, bare);
        group.count += 1;
        group.innermost += 1;
        group.scopes.insert(violated.scope);
        group.again += u64::from(!is_own);
    }

    /// Returns the group of a cause that has one more violation.
    fn group(
        &mut self,
        cause: CauseId,
        waits: bool,
        frozen: Option<Box<Frozen>>,
        bare: impl FnOnce() -> Frozen,
    ) -> &mut Group {
        let Tally { violations, waits_inside, .. } = self;
        let (groups, waiting) = if waits { (waits_inside, None) } else { (violations, waits_inside.get(&cause)) };
        let order = groups.len();
        match groups.entry(cause) {
            Entry::Occupied(group) => {
                let group = group.into_mut();
                // If nothing shows the known violation, the first block began to wait only after it was violated.
                if let Some(told) = frozen.filter(|told| told.is_clearer_than(&group.told)) {
                    group.told = *told;
                }
                group
            }
            Entry::Vacant(group) => {
                let known = || waiting.filter(|group| !group.told.is_bare()).map(|group| group.told.clone());
                let told = frozen.map(|frozen| *frozen).or_else(known).unwrap_or_else(bare);
                group.insert(Group {
                    cause,
                    scopes: BTreeSet::new(),
                    count: 0,
                    innermost: 0,
                    again: 0,
                    apart: 0,
                    order,
                    told,
                    enclosing: BTreeMap::new(),
                })
            }
        }
    }

    /// Counts a violated block that is open, as if it ended now.
    pub(crate) fn settle_open(&mut self, label: LabelId, violated: Violated, waits: bool) -> Option<CauseId> {
        let told = self.told_of(&violated, waits)?;
        self.settle(label, violated, waits, || told)
    }

    /// Counts an open block for one more cause.
    pub(crate) fn settle_open_again(&mut self, violated: Violated, waits: bool) {
        if let Some(told) = self.told_of(&violated, waits) {
            self.settle_again(violated, None, waits, || told);
        }
    }

    /// What represents a violation: the first of its cause brings its own witness.
    fn told_of(&self, violated: &Violated, waits: bool) -> Option<Frozen> {
        let (groups, others) =
            if waits { (&self.waits_inside, &self.violations) } else { (&self.violations, &self.waits_inside) };
        let known = |groups: &Groups| groups.get(&violated.cause).map(|group| group.told.clone());
        violated.frozen.as_deref().cloned().or_else(|| known(groups)).or_else(|| known(others))
    }
}

/// Groups to report as findings, and methods that were violated only around those of others.
pub(crate) struct Told {
    pub(crate) findings: Vec<(LabelId, Group)>,
    pub(crate) callers: Vec<(LabelId, Group)>,
}

/// Returns the groups in the order of first violations. Instances that were violated for some cause only around others
/// count towards the first finding of their method, if it has one.
pub(crate) fn told(groups: &Groups, causes: &AllCauses) -> Told {
    let (mut findings, around): (Vec<_>, Vec<_>) =
        in_order(groups, causes).into_iter().partition(|(_, group)| group.innermost > 0);
    let mut callers = Vec::new();
    for (label, group) in around {
        match findings.iter_mut().find(|(other, _): &&mut (LabelId, Group)| *other == label) {
            Some((_, known)) => known.count(group),
            None => join(&mut callers, label, group),
        }
    }
    Told { findings, callers }
}

/// Returns one group per method, whatever the cause: an instance that is violated for several causes counts once.
pub(crate) fn by_method(groups: &Groups, causes: &AllCauses) -> Vec<(LabelId, Group)> {
    let mut methods = Vec::new();
    for (label, group) in in_order(groups, causes) {
        join(&mut methods, label, Group { count: group.count - group.again, again: 0, ..group });
    }
    methods
}

fn in_order(groups: &Groups, causes: &AllCauses) -> Vec<(LabelId, Group)> {
    let mut all: Vec<(LabelId, Group)> =
        groups.iter().map(|(cause, group)| (causes.method(*cause), group.counted())).collect();
    all.sort_by_key(|(_, group)| group.order);
    all
}

/// Adds a group to that of its method.
fn join(methods: &mut Vec<(LabelId, Group)>, label: LabelId, group: Group) {
    match methods.iter_mut().find(|(other, _)| *other == label) {
        Some((_, known)) => known.add(group),
        None => methods.push((label, group)),
    }
}

impl Group {
    /// The number of instances that count for no other cause.
    pub(crate) fn instances(&self) -> u64 {
        self.count - self.apart - self.again
    }

    /// The group without the instances that count for other causes.
    fn counted(&self) -> Group {
        Group { count: self.count - self.apart, apart: 0, ..self.clone() }
    }

    /// Adds later violations of its method, one of which may represent the group instead.
    fn add(&mut self, mut later: Group) {
        if later.told.is_clearer_than(&self.told) {
            std::mem::swap(&mut self.told, &mut later.told);
        }
        self.count(later);
    }

    /// Counts later violations of its method.
    fn count(&mut self, later: Group) {
        self.count += later.count;
        self.innermost += later.innermost;
        self.again += later.again;
        for (around, count) in later.enclosing {
            *self.enclosing.entry(around).or_default() += count;
        }
    }
}
