//! Which blocks of a sequence are violated according to the law, with every call as one event.

use std::collections::{BTreeSet, HashMap};

use analysis_core::event::{LabelId, Stamp, ThreadId};
use analysis_core::graph::law::{Law, Role};

use super::effects::{Access, Objects, Part};
use super::{Sequence, Step};

/// The threads whose blocks are violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Violated by the certain accesses alone: the agent must report each.
    pub certain: BTreeSet<u32>,
    /// Violated by all accesses, including those in the list of what is not seen: the agent must report no other.
    pub possible: BTreeSet<u32>,
}

/// Applies the law to a sequence whose calls have returned these results, in order. Fails if they do not fit the sequence.
pub fn judge(sequence: &Sequence, results: &[&str]) -> Result<Verdict, String> {
    let mut objects = Objects::of(sequence);
    let mut laws = [Judged::default(), Judged::default()];
    let mut results = results.iter();
    for (at, (thread, step)) in sequence.steps.iter().enumerate() {
        let (role, done) = match step {
            Step::Begin => (Role::Begin(LabelId(*thread)), None),
            Step::End => (Role::End, None),
            Step::Call(call) => {
                let result = results.next().ok_or("a call has no result")?;
                (Role::Inside, Some((call.object, objects.done(at, *thread, call, result))))
            }
        };
        match role {
            Role::Begin(_) => objects.enter(*thread),
            Role::End => objects.leave(*thread),
            Role::Inside => {}
        }
        for (law, is_certain) in laws.iter_mut().zip([true, false]) {
            let accesses = done.iter().flat_map(|(object, done)| {
                done.iter()
                    .filter(move |access| access.is_certain || !is_certain)
                    .map(|access| (access.object.unwrap_or(*object), access))
            });
            law.push(*thread, at, role, accesses);
        }
    }
    if results.next().is_some() {
        return Err("there are more results than calls".to_owned());
    }
    let [certain, possible] =
        laws.map(|judged| judged.law.findings().violations.iter().map(|found| found.label.0).collect());
    Ok(Verdict { certain, possible })
}

/// A law, and the earlier accesses of each variable: their events, and whether they were writes.
#[derive(Default)]
struct Judged {
    law: Law,
    accesses: HashMap<(usize, Part), Vec<(usize, bool)>>,
}

impl Judged {
    /// Adds a step with all accesses of its call as one event. An event has the number of its step.
    fn push<'a>(&mut self, thread: u32, at: usize, role: Role, accesses: impl Iterator<Item = (usize, &'a Access)>) {
        let mut conflicts = BTreeSet::new();
        for (object, access) in accesses {
            let earlier = self.accesses.entry((object, access.part)).or_default();
            conflicts.extend(
                earlier
                    .iter()
                    .filter(|(event, is_write)| *event != at && (access.is_write || *is_write))
                    .map(|(event, _)| *event),
            );
            earlier.push((at, access.is_write));
        }
        self.law.push(Stamp::new(ThreadId(thread), at as u64 + 1), role, conflicts);
    }
}
