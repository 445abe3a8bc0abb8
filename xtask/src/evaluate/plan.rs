//! The evaluation plans: the table `benchmarks-dacapo/evaluation.json`.

use serde::Deserialize;

use crate::tables::Named;

/// A named list of work.
#[derive(Clone, Deserialize)]
pub(super) struct Plan {
    name: String,
    pub(super) what: String,
    pub(super) parts: Vec<Part>,
}

impl Named for Plan {
    const KIND: &str = "plan";

    fn name(&self) -> &str {
        &self.name
    }
}

/// A part of a plan that can be skipped or continued separately.
#[derive(Clone, Deserialize)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) what: String,
    #[serde(flatten)]
    pub(super) work: Work,
    /// No subject is started after this many minutes; the remaining ones are named.
    pub(super) minutes: Option<f64>,
    /// The limit in seconds: a run that takes longer is killed and counts as too long.
    #[serde(default = "ten_minutes")]
    pub(super) limit: u64,
    pub(super) groups: Vec<Group>,
}

fn ten_minutes() -> u64 {
    600
}

/// The work on each subject.
#[derive(Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Work {
    /// Measures it in these configurations; ratios are to the first.
    Bench { configurations: Vec<String>, pairs: usize },
    /// Refines its specification, in at most this many rounds.
    Refinement { rounds: u32 },
    /// Records its trace and analyses it with these engines and all predictive algorithms.
    Traces { engines: Vec<String> },
    /// Records its traces and compares engines on them.
    Blame(Comparison),
}

/// The number of recorded traces; each of these engines refines each trace separately; the first engine is the exact
/// one.
#[derive(Clone, Deserialize)]
pub(super) struct Comparison {
    pub(super) engines: Vec<String>,
    pub(super) traces: usize,
    /// A subject that takes longer is cut off, and its row says so.
    pub(super) minutes_each: u64,
}

/// Subjects of one size; by default all that have it.
#[derive(Clone, Deserialize)]
pub(super) struct Group {
    pub(super) size: String,
    pub(super) subjects: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Configuration;
    use crate::evaluate::PLANS;
    use crate::java::Subject;
    use crate::tables;
    use crate::workspace::Workspace;

    #[test]
    fn every_subject_and_configuration_of_a_plan_is_in_its_table() {
        let workspace = Workspace::find().expect("the workspace");
        let plans: Vec<Plan> = tables::read(&workspace.root, PLANS).expect("the plans");
        for part in plans.iter().flat_map(|plan| &plan.parts) {
            for group in &part.groups {
                let subjects = Subject::of_size(&workspace, &group.subjects, &group.size);
                assert!(subjects.is_ok(), "{}: {:?}", part.name, subjects.err());
            }
            if let Work::Bench { configurations, .. } = &part.work {
                assert!(Configuration::chosen(&workspace.root, configurations, &[]).is_ok(), "{}", part.name);
            }
        }
    }
}
