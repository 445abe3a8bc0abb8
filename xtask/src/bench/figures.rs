//! Medians, ratios, and the event counts of a report.

use std::fmt;

use serde_json::Value;

/// The middle value; of an even number, the mean of the two.
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

/// The ratio of each value of `b` to its counterpart in `a`.
pub(super) fn ratios(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| b / a).collect()
}

/// The figures of a JSON report that show how much work the agent had.
#[derive(Debug, PartialEq)]
pub(super) struct Stats {
    /// All accesses and those not recorded, if they were counted.
    accesses: Option<f64>,
    filtered: Option<f64>,
    recorded: f64,
    dependencies: f64,
    lost: f64,
    seconds: f64,
}

impl Stats {
    /// Reads them from a JSON report, if it has them.
    pub(super) fn read(report: &str) -> Option<Stats> {
        let report: Value = serde_json::from_str(report).ok()?;
        let (stats, events) = (&report["stats"], &report["stats"]["events"]);
        Some(Stats {
            accesses: events["accesses"].as_f64(),
            filtered: events["filtered"].as_f64(),
            recorded: events["recorded"].as_f64()?,
            dependencies: events["dependencies"].as_f64()?,
            lost: events["lost"].as_f64()?,
            seconds: stats["seconds"].as_f64()?,
        })
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stats { accesses, filtered, recorded, dependencies, lost, seconds } = *self;
        let share = |part: f64, whole: f64| if whole == 0.0 { 0.0 } else { 100.0 * part / whole };
        writeln!(f, "  events       {recorded:>12}  recorded, of all kinds; {:.0} a second", recorded / seconds)?;
        if let (Some(accesses), Some(filtered)) = (accesses, filtered) {
            writeln!(f, "  accesses     {accesses:>12}  {:.2} % of them not recorded", share(filtered, accesses))?;
        }
        writeln!(f, "  dependencies {dependencies:>12}  {:.2} for each 100 events", share(dependencies, recorded))?;
        writeln!(f, "  lost         {lost:>12}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn ratios_are_taken_pair_by_pair() {
        assert_eq!(ratios(&[1.0, 2.0], &[3.0, 8.0]), [3.0, 4.0]);
    }

    #[test]
    fn stats_are_read_from_a_report_and_accesses_may_be_uncounted() {
        let report = r#"{"violations":[{"method":"a \"lost\":7"}],"stats":{"classes":{"failed":0},"events":{"accesses":10,"filtered":8,
            "recorded":5,"dependencies":1,"lost":0},"seconds":2.5},"warnings":[]}"#;
        let stats = Stats::read(report).expect("stats");
        let (accesses, filtered) = (Some(10.0), Some(8.0));
        assert_eq!(stats, Stats { accesses, filtered, recorded: 5.0, dependencies: 1.0, lost: 0.0, seconds: 2.5 });
        assert!(stats.to_string().contains("20.00 for each"), "{stats}");
        assert!(stats.to_string().contains("80.00 % of them not recorded"), "{stats}");
        let uncounted = report.replace(r#""accesses":10,"filtered":8"#, r#""accesses":null,"filtered":null"#);
        assert!(Stats::read(&uncounted).is_some_and(|stats| !stats.to_string().contains("accesses")));
        assert_eq!(Stats::read("{}"), None);
    }
}
