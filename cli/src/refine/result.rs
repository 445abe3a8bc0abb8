//! The rounds and their result, as a specification or as JSON.

use std::fmt::Write;

use analysis_core::spec::refine::Round;
use serde::Serialize;

use super::{Taking, Text, rules};

/// The heading of the table of rounds.
pub(super) const HEADING: &str = "# round  dynamic violations  methods violated  taken out  in all";

/// Why some rounds do not count.
pub(super) const LEARNING: &str = "not counted as clean, for more was seen to be shared than the profile knew";

/// Why a refinement that starts without a block has no answer.
pub(super) const NO_BLOCK: &str =
    "there was no block to judge, as nothing ran that is atomic by the specification: what is violated is undecided";

/// The rounds and their result.
pub(super) struct Refined {
    engine: &'static str,
    observed: Vec<String>,
    pub(super) rounds: Vec<Round>,
    /// The numbers of the clean rounds that do not count, because the rounds after them watch more.
    learning: Vec<usize>,
    pub(super) taken: Vec<Taking>,
    pub(super) is_incomplete: bool,
    pub(super) warnings: Vec<String>,
}

/// A round, in figures: Table 3, Figures 8 and 9 of the RegionTrack paper.
#[derive(Serialize)]
struct Row {
    round: usize,
    dynamic_violations: u64,
    distinct_methods: usize,
    taken_out: usize,
    taken_out_so_far: usize,
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Row { round, dynamic_violations, distinct_methods, taken_out, taken_out_so_far } = self;
        write!(
            f,
            "# {round:>5}  {dynamic_violations:>18}  {distinct_methods:>16}  {taken_out:>9}  {taken_out_so_far:>6}"
        )
    }
}

impl Refined {
    pub(super) fn of(engine: &'static str, observed: Vec<String>) -> Refined {
        Refined {
            engine,
            observed,
            rounds: Vec::new(),
            learning: Vec::new(),
            taken: Vec::new(),
            is_incomplete: false,
            warnings: Vec::new(),
        }
    }

    /// Adds a round; `has_learnt` if it saw threads share what only the next round watches whole.
    pub(super) fn add(&mut self, round: Round, has_learnt: bool) {
        let is_clean = round.is_clean();
        self.rounds.push(round);
        self.learning.extend((is_clean && has_learnt).then_some(self.rounds.len()));
    }

    /// The number of rounds at the end that were clean and watched what the runs before saw threads share.
    pub(super) fn clean_rounds(&self) -> usize {
        let counts = |number: &usize| self.rounds[number - 1].is_clean() && !self.learning.contains(number);
        (1..=self.rounds.len()).rev().take_while(counts).count()
    }

    /// True if some run was not serializable.
    pub(super) fn has_found(&self) -> bool {
        !self.taken.is_empty() || self.rounds.iter().any(|round| round.unblamed > 0)
    }

    /// True if a violation was found that no specification can remove.
    pub(super) fn is_unblamed(&self) -> bool {
        self.rounds.iter().any(|round| round.unblamed > 0)
    }

    /// True if the last round is clean but does not count.
    pub(super) fn last_is_learning(&self) -> bool {
        self.learning.last() == Some(&self.rounds.len())
    }

    /// True if nothing was violated in the last round.
    pub(super) fn ends_clean(&self) -> bool {
        self.rounds.last().is_some_and(Round::is_clean)
    }

    /// Adds warnings, each once.
    pub(super) fn warn(&mut self, warnings: Vec<String>) {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    pub(super) fn text(&self, start: &Text) -> String {
        let mut text = format!(
            "# Refined by regiontrack, engine {}, from {}\n#\n{HEADING}\n",
            self.engine,
            self.observed.join(", ")
        );
        for row in self.rows() {
            _ = writeln!(text, "{row}");
        }
        text += "#\n";
        if !self.learning.is_empty() {
            let numbers: Vec<String> = self.learning.iter().map(usize::to_string).collect();
            _ = writeln!(text, "# rounds {LEARNING}: {}", numbers.join(", "));
        }
        if let Some(left) = self.rounds.last().map(|round| round.unblamed).filter(|left| *left > 0) {
            let plural = if left == 1 { "" } else { "s" };
            _ = writeln!(text, "# {left} execution{plural} still non-serializable, and no block to blame for it");
        }
        for warning in &self.warnings {
            _ = writeln!(text, "# warning: {warning}");
        }
        text + &start.text + &rules(&self.taken)
    }

    pub(super) fn json(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct Taken<'a> {
            rule: String,
            round: usize,
            violations: u64,
            method: &'a str,
        }
        let taken = self.taken.iter().map(|Taking { method, round, violations }| Taken {
            rule: format!("- {}", method.selector()),
            round: *round,
            violations: *violations,
            method: method.selector(),
        });
        serde_json::json!({
            "schema": 1,
            "engine": self.engine,
            "traces": self.observed,
            "learning_rounds": self.learning,
            "rounds": self.rows().collect::<Vec<_>>(),
            "taken_out": taken.collect::<Vec<_>>(),
            "non_serializable": self.rounds.last().map_or(0, |round| round.non_serializable),
            "warnings": self.warnings,
        })
    }

    /// The row of the last round.
    pub(super) fn last_row(&self) -> String {
        self.rows().last().map(|row| row.to_string()).unwrap_or_default()
    }

    fn rows(&self) -> impl Iterator<Item = Row> {
        let mut so_far = 0;
        (1..).zip(&self.rounds).map(move |(number, round)| {
            let taken_out = round.taken().count();
            so_far += taken_out;
            Row {
                round: number,
                dynamic_violations: round.violations,
                distinct_methods: round.methods.len(),
                taken_out,
                taken_out_so_far: so_far,
            }
        })
    }
}
