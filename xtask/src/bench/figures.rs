//! The figures to compare, and how: medians, spreads and geometric means of ratios.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::measure::{Measured, Run};

/// A figure of a run.
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    /// Its value, if it was measured.
    pub(super) of: fn(&Measured) -> Option<f64>,
}

/// All figures, the most important first.
pub(super) const FIGURES: &[Figure] = &[
    Figure { name: "Processor time", unit: "s", of: |run| run.cpu_s },
    Figure { name: "Wall time", unit: "s", of: |run| run.wall_s },
    Figure { name: "Last iteration", unit: "s", of: |run| run.iterations_s.last().copied() },
    Figure { name: "Peak memory", unit: "MiB", of: |run| run.peak_mib },
    Figure { name: "JIT compilation", unit: "s", of: |run| run.jit_s },
    Figure { name: "Machine code", unit: "KiB", of: |run| run.code_kib },
];

/// Returns the middle value; for an even number of values, the mean of the two.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// Returns the geometric mean of ratios: for one program that takes twice as long and one that takes half as long, it
/// is 1.
pub(crate) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

/// Several measurements of the same quantity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    /// The interval of [`confidence`].
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Spread {
    /// Returns `None` for no values.
    pub(crate) fn of(values: &[f64]) -> Option<Spread> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (cut, _) = confidence(sorted.len());
        let (least, most) = (*sorted.get(cut)?, sorted[sorted.len() - 1 - cut]);
        Some(Spread { median: median(values), least, most })
    }

    /// Returns the ratios of runs to those of the same pairs in the first column, for pairs in which both were
    /// measured.
    pub(super) fn of_ratios(of: fn(&Measured) -> Option<f64>, base: &[Run], runs: &[Run]) -> Option<Spread> {
        let value = |run: &Run| run.measured().and_then(of);
        let ratios = base.iter().zip(runs).filter_map(|(a, b)| Some(value(b)? / value(a)?));
        Spread::of(&ratios.filter(|ratio| ratio.is_finite()).collect::<Vec<_>>())
    }
}

/// Returns how many of `values` sorted values can be cut off at either end so that the others still contain the median
/// with a probability of 95 %; and the actual probability, which is less for five values and fewer.
///
/// A value is below the median with probability 1/2, whatever the distribution, so the number of values below it is
/// binomial.
pub(crate) fn confidence(values: usize) -> (usize, f64) {
    const WANTED: f64 = 0.95;
    let mut term = 0.5_f64.powi(i32::try_from(values).unwrap_or(i32::MAX));
    let (mut cut, mut outside) = (0, 2.0 * term);
    loop {
        // The probability that exactly one more is below.
        term *= (values - cut) as f64 / (cut + 1) as f64;
        if cut + 1 > values / 2 || outside + 2.0 * term > 1.0 - WANTED {
            return (cut, 1.0 - outside);
        }
        outside += 2.0 * term;
        cut += 1;
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spread { median, least, most } = *self;
        if least == most { write!(f, "{median:.2}") } else { write!(f, "{median:.2} ({least:.2} to {most:.2})") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(cpu: f64) -> Run {
        Run::Measured(Measured { cpu_s: Some(cpu), ..Measured::default() })
    }

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn the_geometric_mean_of_ratios_and_their_inverses_is_one() {
        let mean = geometric_mean(&[2.0, 8.0, 0.5, 0.125]).expect("a mean");
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean(&[]), None);
    }

    #[test]
    fn ratios_are_taken_pair_by_pair_and_a_run_that_was_killed_has_none() {
        let base = [run(1.0), run(2.0), run(4.0)];
        let spread = Spread::of_ratios(FIGURES[0].of, &base, &[run(3.0), run(8.0), Run::TooLong]).expect("two ratios");
        assert_eq!(spread, Spread { median: 3.5, least: 3.0, most: 4.0 });
        assert_eq!(spread.to_string(), "3.50 (3.00 to 4.00)");
        assert_eq!(Spread::of(&[2.0]).map(|one| one.to_string()), Some("2.00".to_owned()));
        assert_eq!(Spread::of_ratios(FIGURES[1].of, &base, &base), None);
    }

    #[test]
    fn the_interval_contains_the_median_as_often_as_a_binomial_distribution_says() {
        let percent = |values| (confidence(values).0, (confidence(values).1 * 1000.0).round() / 10.0);
        assert_eq!(percent(3), (0, 75.0));
        assert_eq!(percent(5), (0, 93.8));
        assert_eq!(percent(6), (0, 96.9));
        assert_eq!(percent(9), (1, 96.1));
        assert_eq!(percent(10), (1, 97.9));
        assert_eq!(percent(20), (5, 95.9));
        let spread = Spread::of(&[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).expect("nine values");
        assert_eq!(spread, Spread { median: 5.0, least: 2.0, most: 8.0 });
    }
}
