//! How a violation was provoked, and to what a run was steered, in a line each.

use crate::report::model::provoked::{Provoked, Steered};
use crate::report::model::words::noun;

/// Behind a finding: how it came about.
pub(super) fn how(provoked: &Provoked) -> String {
    let Provoked { candidate, held_ms, at, until, .. } = provoked;
    let until = match until {
        Some(until) => format!("until {until} was passed"),
        None => "until the time was over".to_owned(),
    };
    format!("provoked: held {held_ms} ms at {at} {until} (candidate {candidate})")
}

/// What makes it happen again, if there is a schedule.
pub(super) fn again(provoked: &Provoked) -> Option<String> {
    let schedule = provoked.schedule.as_ref()?;
    Some(format!("to make it happen again: regiontrack replay {schedule} -- COMMAND"))
}

/// In the head of a report.
pub(super) fn summary(steered: &Steered) -> String {
    let Steered { file, runs, candidates, held, met, confirmed, held_ms } = steered;
    let of_runs = if *runs > 1 { format!(" in {runs} runs") } else { String::new() };
    if *candidates == 0 {
        return format!("steered by {file}{of_runs}: it has no candidate that is to be tried");
    }
    format!(
        "steered by {file}{of_runs}: {candidates} {}, {held} with a thread held, {met} with another one that came, {confirmed} confirmed; \
         threads were held for {held_ms} ms",
        noun(*candidates, "candidate")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_that_was_met_says_by_what() {
        let mut provoked = Provoked {
            candidate: "3f2a91c0d4e5".to_owned(),
            held_ms: 12,
            at: "Cache.java:41".to_owned(),
            until: Some("Cache.java:58".to_owned()),
            schedule: None,
        };
        assert_eq!(
            how(&provoked),
            "provoked: held 12 ms at Cache.java:41 until Cache.java:58 was passed (candidate 3f2a91c0d4e5)"
        );
        assert_eq!(again(&provoked), None);
        provoked.schedule = Some("x.schedule".to_owned());
        assert_eq!(
            again(&provoked).as_deref(),
            Some("to make it happen again: regiontrack replay x.schedule -- COMMAND")
        );
        provoked.until = None;
        assert_eq!(
            how(&provoked),
            "provoked: held 12 ms at Cache.java:41 until the time was over (candidate 3f2a91c0d4e5)"
        );
    }

    #[test]
    fn runs_by_one_file_add_up() {
        let one = Steered {
            file: "app.candidates".to_owned(),
            runs: 1,
            candidates: 1,
            held: 1,
            met: 1,
            confirmed: 0,
            held_ms: 7,
        };
        let mut all = one.clone();
        assert_eq!(
            summary(&all),
            "steered by app.candidates: 1 candidate, 1 with a thread held, 1 with another one that came, 0 confirmed; \
             threads were held for 7 ms"
        );
        assert!(all.add(&Steered { candidates: 2, confirmed: 1, ..one.clone() }));
        assert_eq!(
            summary(&all),
            "steered by app.candidates in 2 runs: 3 candidates, 2 with a thread held, 2 with another one that came, 1 confirmed; \
             threads were held for 14 ms"
        );
        assert!(!all.add(&Steered { file: "other".to_owned(), ..one.clone() }));
        let none = Steered { candidates: 0, ..one };
        assert_eq!(summary(&none), "steered by app.candidates: it has no candidate that is to be tried");
    }
}
