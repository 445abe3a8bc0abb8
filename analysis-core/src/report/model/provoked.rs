//! How a violation came about in a run that was steered: observed, or provoked; and what was steered overall.

use serde::{Deserialize, Serialize};

/// What made a violation happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Provoked {
    /// The hold in which, or after which, a block was violated.
    Held {
        /// The id of the candidate for which the thread was held.
        candidate: String,
        /// How long it was held, in milliseconds, rounded up.
        held_ms: u64,
        /// Where it was held: `Cache.java:41`, or `before Cache.java:41`.
        at: String,
        /// What another thread passed meanwhile: `Cache.java:58`; `None` if the time was over before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<String>,
        /// Whether this confirms the candidate: another thread came meanwhile, and the violation goes through the candidate's variable or
        /// lock. `None` if nothing was to be confirmed, as in a replay.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confirms: Option<bool>,
        /// The file with its schedule, if one was to be written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        schedule: Option<String>,
    },
    /// Threads had random priorities, and were delayed accordingly.
    Random {
        /// The seed of the priorities.
        seed: u64,
    },
}

impl Provoked {
    /// How well it is known how to make the violation happen again; greater is better: by a hold that does what its candidate says, by one
    /// during which another thread came, by any hold, by chance.
    fn worth(&self) -> u8 {
        match self {
            Provoked::Held { confirms: Some(true), .. } => 3,
            Provoked::Held { until: Some(_), .. } => 2,
            Provoked::Held { .. } => 1,
            Provoked::Random { .. } => 0,
        }
    }

    /// The better one of two; of equals the first.
    pub(in crate::report) fn better(one: Option<Provoked>, other: Option<Provoked>) -> Option<Provoked> {
        other.into_iter().chain(one).max_by_key(Provoked::worth)
    }
}

/// What a run was steered to, or several runs together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steered {
    /// The file of candidates; empty if there was none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// How many runs there were.
    pub runs: u64,
    /// The number of candidates for which a thread was to be held.
    pub candidates: u64,
    /// The number of these for which a thread was held.
    pub held: u64,
    /// The number of these for which another thread came meanwhile.
    pub met: u64,
    /// The number of these whose block was violated, through the candidate's variable or lock.
    pub confirmed: u64,
    /// How long threads were held or delayed, in milliseconds: the sum, rounded up.
    pub held_ms: u64,
    /// The runs in which threads had random priorities.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub random: Vec<Random>,
}

/// A run in which threads had random priorities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Random {
    /// The seed of the priorities.
    pub seed: u64,
    /// At how many steps a priority was to change.
    pub changes: u64,
    /// How many steps there were, less an eighth at most.
    pub steps: u64,
    /// How often a thread was delayed.
    pub delays: u64,
}

impl Steered {
    /// Adds other runs. False, with no change, if they were steered by another file.
    pub(in crate::report) fn add(&mut self, other: &Steered) -> bool {
        let Steered { file, runs, candidates, held, met, confirmed, held_ms, random } = self;
        if file.is_empty() {
            file.clone_from(&other.file);
        } else if !other.file.is_empty() && *file != other.file {
            return false;
        }
        for (all, more) in [
            (runs, other.runs),
            (candidates, other.candidates),
            (held, other.held),
            (met, other.met),
            (confirmed, other.confirmed),
            (held_ms, other.held_ms),
        ] {
            *all = all.saturating_add(more);
        }
        random.extend_from_slice(&other.random);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_again_most_likely_is_told() {
        let held = |until: Option<&str>, confirms| Provoked::Held {
            candidate: format!("{until:?} {confirms}"),
            held_ms: 1,
            at: "A.java:1".to_owned(),
            until: until.map(str::to_owned),
            confirms: Some(confirms),
            schedule: None,
        };
        let all = [
            Provoked::Random { seed: 7 },
            held(None, false),
            held(Some("A.java:2"), false),
            held(Some("A.java:3"), true),
        ];
        for (nth, worse) in all.iter().enumerate() {
            for better in &all[nth + 1..] {
                for [one, other] in [[worse, better], [better, worse]] {
                    let told = Provoked::better(Some(one.clone()), Some(other.clone()));
                    assert_eq!(told.as_ref(), Some(better));
                }
            }
            assert_eq!(Provoked::better(None, Some(worse.clone())).as_ref(), Some(worse));
        }
        let [one, other] = [7, 8].map(|seed| Some(Provoked::Random { seed }));
        assert_eq!(Provoked::better(one.clone(), other), one);
    }
}
