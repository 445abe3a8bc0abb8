//! `priorities=`: threads have random priorities, and a thread that makes a step is delayed while another one of a greater priority
//! runs.
//!
//! The Java side (`Priorities.java`) draws them from the seed, and reports the number of steps and each delay. Every finding of
//! such a run counts as provoked: any delay before it can have led to it.

use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;

use analysis_core::report::{Provoked, Random, Steered};

use crate::shared::lock;

/// How many priorities change in a run by default: a violation that needs one thread to stop at one place in each of two
/// methods needs as many.
const CHANGES: u8 = 2;
/// How many priorities can change.
const MOST_CHANGES: u8 = 100;
/// How many steps a run is assumed to have by default.
const STEPS: u64 = 10_000;

/// What the user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chances {
    /// The seed of all random choices.
    pub(crate) seed: u64,
    /// At how many steps a priority changes.
    pub(crate) changes: u8,
    /// The number of steps among which these are drawn.
    pub(crate) steps: u64,
}

impl FromStr for Chances {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Chances, &'static str> {
        const FORM: &str =
            "expected SEED, SEED:CHANGES or SEED:CHANGES:STEPS, numbers, at most 100 changes and at least 1 step";
        let mut parts = text.split(':');
        let mut next = || parts.next().map(|part| decimal(part).ok_or(FORM)).transpose();
        let seed = next()?.ok_or(FORM)?;
        let changes = next()?.map_or(Ok(CHANGES), |changes| u8::try_from(changes).map_err(|_| FORM))?;
        let steps = next()?.unwrap_or(STEPS);
        let is_right = changes <= MOST_CHANGES && (1..=1 << 62).contains(&steps) && parts.next().is_none();
        if is_right { Ok(Chances { seed, changes, steps }) } else { Err(FORM) }
    }
}

/// A number without a sign.
fn decimal(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

impl Chances {
    /// How every violation of such a run came about.
    pub(crate) fn provoked(self) -> Provoked {
        Provoked::Random { seed: self.seed }
    }
}

/// The form that `Priorities.java` reads.
impl fmt::Display for Chances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Chances { seed, changes, steps } = self;
        write!(f, "{seed}:{changes}:{steps}")
    }
}

/// A run whose threads have priorities.
#[derive(Debug)]
pub(crate) struct Priorities {
    pub(crate) asked: Chances,
    seen: Mutex<Seen>,
}

/// What has happened so far.
#[derive(Debug, Default)]
struct Seen {
    steps: u64,
    delays: u64,
    micros: u64,
}

impl Priorities {
    pub(crate) fn new(asked: Chances) -> Priorities {
        Priorities { asked, seen: Mutex::default() }
    }

    /// `text` has the number of steps so far, and how long a thread was delayed before the last one, in microseconds.
    pub(crate) fn stepped(&self, text: &str) {
        let Some((steps, micros)) = text.split_once('\t') else { return };
        let (Some(steps), Some(micros)) = (decimal(steps), decimal(micros)) else { return };
        let mut seen = lock(&self.seen);
        seen.steps = seen.steps.max(steps);
        seen.delays += u64::from(micros > 0);
        seen.micros += micros;
    }

    /// Returns the results at the end of the run.
    pub(crate) fn finish(&self) -> Steered {
        let seen = lock(&self.seen);
        let Chances { seed, changes, .. } = self.asked;
        let random = Random { seed, changes: changes.into(), steps: seen.steps, delays: seen.delays };
        Steered { runs: 1, held_ms: seen.micros.div_ceil(1000), random: vec![random], ..Steered::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_enough_and_what_is_left_out_has_a_value() {
        let asked = |text: &str| text.parse::<Chances>();
        assert_eq!(asked("7"), Ok(Chances { seed: 7, changes: CHANGES, steps: STEPS }));
        assert_eq!(asked("7:0"), Ok(Chances { seed: 7, changes: 0, steps: STEPS }));
        assert_eq!(asked("7:3:500").map(|asked| asked.to_string()), Ok("7:3:500".to_owned()));
        for wrong in ["", "x", "-1", "+1", "7:", "7:101", "7:3:0", "7:3:5:1"] {
            assert!(asked(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn steps_and_delays_are_counted_whatever_the_order_in_which_threads_tell_of_them() {
        let priorities = Priorities::new(Chances { seed: 7, changes: 2, steps: 10 });
        for text in ["64\t0", "90\t1500", "80\t700", "x\t1", "100"] {
            priorities.stepped(text);
        }
        let steered = priorities.finish();
        assert_eq!(steered.random, [Random { seed: 7, changes: 2, steps: 90, delays: 2 }]);
        assert_eq!((steered.runs, steered.held_ms, steered.candidates), (1, 3, 0));
    }
}
