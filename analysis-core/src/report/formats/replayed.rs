//! What became of a schedule, in one line, followed by each place where a run went another way.

use crate::report::model::replayed::Replayed;
use crate::report::model::words::noun;

/// The summary for the head of a report.
pub(super) fn summary(replayed: &Replayed) -> String {
    let Replayed { file, runs, points, passed, ways, .. } = replayed;
    let of_runs = if *runs > 1 { format!(" in {runs} runs") } else { String::new() };
    let went = match ways.as_slice() {
        [] => String::new(),
        ways => format!("; went another way: {}", ways.join("; ")),
    };
    format!("replayed {file}{of_runs}: {passed} of {points} switch {}{went}", noun(*points, "point"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_schedule_add_up_and_say_once_where_they_went_another_way() {
        let way = "main never passed A.java:3 the 2nd time".to_owned();
        let mut all = Replayed {
            file: "a.schedule".to_owned(),
            runs: 1,
            points: 2,
            passed: 2,
            lacks_test: true,
            ways: Vec::new(),
        };
        assert_eq!(summary(&all), "replayed a.schedule: 2 of 2 switch points");
        let other = Replayed { passed: 1, ways: vec![way], ..all.clone() };
        assert!(all.add(&other) && all.add(&other));
        assert_eq!(
            summary(&all),
            "replayed a.schedule in 3 runs: 4 of 6 switch points; went another way: main never passed A.java:3 the 2nd time"
        );
        // Of several JVMs one runs the test.
        assert!(all.lacks_test);
        assert!(all.add(&Replayed { lacks_test: false, ..other.clone() }));
        assert_eq!((all.lacks_test, all.runs, all.passed), (false, 1, 1));
        // And the other way round.
        assert!(all.add(&Replayed { lacks_test: true, ..other.clone() }));
        assert_eq!((all.lacks_test, all.runs), (false, 1));
        assert!(!all.add(&Replayed { file: "b.schedule".to_owned(), ..other }));
    }
}
