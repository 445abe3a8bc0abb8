//! atomizer: online reduction, to compare what it misses.
//!
//! Paper: the reduction report, section 8, after C. Flanagan, S. N. Freund, "Atomizer", POPL 2004. The algorithm is in
//! [`crate::predict::online`].
//!
//! It claims nothing: variables are classified from the events so far.

use crate::engines::atomizer::NAME;
use crate::predict::Execution;
use crate::predict::algorithm::{AlgorithmSpec, Limits, Outcome, Pattern, Warning};
use crate::predict::ids::At;
use crate::predict::online::Atomizer;

pub(super) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: NAME,
    summary: "reduction on line, by what was seen so far: it misses violations and warns falsely",
    source: "Flanagan, Freund, POPL 2004, as Wang, Stoller, IEEE TSE 2006, section 8 use it",
    claims: &[],
    run,
};

fn run(execution: &Execution, _limits: &Limits) -> Outcome {
    let mut atomizer = Atomizer::default();
    let mut outcome = Outcome::default();
    let at = |number: u64| At::of(usize::try_from(number - 1).expect("the number of an event"));
    for event in &execution.events {
        if let Some(found) = atomizer.step(*event) {
            let unit = execution.units.containing(found.thread, at(found.event));
            let events = vec![at(found.commit), at(found.event)];
            let pattern = Pattern { name: "events that do not move together", events, is_order: false };
            outcome.warnings.push(Warning { unit, pattern });
        }
    }
    outcome.warnings.sort_by_key(|warning| warning.unit);
    outcome
}
