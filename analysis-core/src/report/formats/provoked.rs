//! How a violation was provoked, and what a run was steered to, in one line each.

use crate::report::model::provoked::{Provoked, Random, Steered};
use crate::report::model::words::noun;

/// How many seeds are named.
const NAMED: usize = 5;

/// How a finding of a steered run came about, to be printed after it.
pub(super) fn how(provoked: Option<&Provoked>, is_steered: bool) -> Option<String> {
    let (candidate, held_ms, at, until, confirms) = match provoked {
        Some(Provoked::Held { candidate, held_ms, at, until, confirms, .. }) => {
            (candidate, held_ms, at, until, confirms)
        }
        Some(Provoked::Random { seed }) => return Some(format!("provoked: random priorities, seed {seed}")),
        None => return is_steered.then(|| "observed: no thread was held for it".to_owned()),
    };
    let until = match until {
        Some(until) => format!("until {until} was passed"),
        None => "until the time was over".to_owned(),
    };
    let besides = if *confirms == Some(false) { ", which this does not confirm" } else { "" };
    Some(format!("provoked: {} {until} (candidate {candidate}{besides})", held_for(*held_ms, at)))
}

/// How long a thread was held, and where, as [`Provoked::Held`] has it: `held 12 ms at Cache.java:41`.
pub fn held_for(held_ms: u64, at: &str) -> String {
    if at.starts_with("before ") { format!("held {held_ms} ms {at}") } else { format!("held {held_ms} ms at {at}") }
}

/// How to make the violation happen again, if there is a schedule.
pub(super) fn again(provoked: &Provoked) -> Option<String> {
    let Provoked::Held { schedule: Some(schedule), .. } = provoked else { return None };
    Some(format!("to make it happen again: {} -- COMMAND", replay_of(schedule)))
}

/// The shell command that makes it happen again, without the program.
pub fn replay_of(schedule: &str) -> String {
    // A path with a line feed cannot be quoted as one word; it is then shown as it is.
    let quoted = shlex::try_quote(schedule).unwrap_or(schedule.into());
    format!("regiontrack replay {quoted}")
}

/// The summary for the head of a report.
pub(super) fn summary(steered: &Steered) -> String {
    let Steered { file, runs, candidates, held, met, confirmed, held_ms, random } = steered;
    let priorities = priorities(random);
    if file.is_empty() {
        return format!("{priorities}; threads were delayed for {held_ms} ms");
    }
    let runs = runs.saturating_sub(random.len() as u64);
    let of_runs = if runs > 1 { format!(" in {runs} runs") } else { String::new() };
    let besides = if random.is_empty() { String::new() } else { format!("; besides, {priorities}") };
    if *candidates == 0 {
        return format!("steered by {file}{of_runs}: it has no candidate that is to be tried{besides}");
    }
    format!(
        "steered by {file}{of_runs}: {candidates} {}, {held} with a thread held, {met} with another one that came, {confirmed} confirmed; \
         threads were held for {held_ms} ms{besides}",
        noun(*candidates, "candidate")
    )
}

/// The summary of the runs in which threads had random priorities.
fn priorities(random: &[Random]) -> String {
    let of_runs = if random.len() > 1 { format!(" in {} runs", random.len()) } else { String::new() };
    let seeds: Vec<String> = random.iter().take(NAMED).map(|random| random.seed.to_string()).collect();
    let more = if random.len() > NAMED { ", .." } else { "" };
    let word = if random.len() > 1 { "seeds" } else { "seed" };
    let sum = |count: fn(&Random) -> u64| random.iter().map(count).fold(0, u64::saturating_add);
    let (changes, steps, delays) = (sum(|run| run.changes), sum(|run| run.steps), sum(|run| run.delays));
    format!(
        "random priorities{of_runs}, {word} {}{more}: {changes} {} of priorities in {steps} {}, {delays} {}",
        seeds.join(", "),
        noun(changes, "change"),
        noun(steps, "step"),
        noun(delays, "delay")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hold_that_was_met_says_by_what() {
        let held = |until: Option<&str>| Provoked::Held {
            candidate: "3f2a91c0d4e5".to_owned(),
            held_ms: 12,
            at: "Cache.java:41".to_owned(),
            until: until.map(str::to_owned),
            confirms: Some(until.is_some()),
            schedule: until.map(|_| "x.schedule".to_owned()),
        };
        assert_eq!(again(&held(None)), None);
        assert_eq!(how(None, true).as_deref(), Some("observed: no thread was held for it"));
        assert_eq!(how(None, false), None);
        assert_eq!(replay_of("my runs/it's.schedule"), r#"regiontrack replay "my runs/it's.schedule""#);
        assert_eq!(
            again(&held(Some("Cache.java:58"))).as_deref(),
            Some("to make it happen again: regiontrack replay x.schedule -- COMMAND")
        );
        assert_eq!(
            how(Some(&held(Some("Cache.java:58"))), true).as_deref(),
            Some("provoked: held 12 ms at Cache.java:41 until Cache.java:58 was passed (candidate 3f2a91c0d4e5)")
        );
        assert_eq!(
            how(Some(&held(None)), true).as_deref(),
            Some(
                "provoked: held 12 ms at Cache.java:41 until the time was over (candidate 3f2a91c0d4e5, which this does not \
                 confirm)"
            )
        );
        let Provoked::Held { candidate, held_ms, until, confirms, schedule, .. } = held(None) else { panic!("held") };
        let before = Provoked::Held { candidate, held_ms, at: "before A.java:4".to_owned(), until, confirms, schedule };
        assert!(
            how(Some(&before), true).is_some_and(|how| how.starts_with("provoked: held 12 ms before A.java:4 until"))
        );
        assert_eq!(
            how(Some(&Provoked::Random { seed: 7 }), true).as_deref(),
            Some("provoked: random priorities, seed 7")
        );
    }

    #[test]
    fn both_kinds_are_written_and_read_apart() {
        let (candidate, at) = ("c".to_owned(), "A.java:1".to_owned());
        let held = Provoked::Held { candidate, held_ms: 1, at, until: None, confirms: None, schedule: None };
        for (provoked, text) in [
            (held, r#"{"candidate":"c","held_ms":1,"at":"A.java:1"}"#),
            (Provoked::Random { seed: 7 }, r#"{"seed":7}"#),
        ] {
            assert_eq!(serde_json::to_string(&provoked).expect("JSON"), text);
            assert_eq!(serde_json::from_str::<Provoked>(text).expect("a finding"), provoked);
        }
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
            random: Vec::new(),
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

    #[test]
    fn runs_with_priorities_name_their_seeds() {
        let run = |seed| Steered {
            runs: 1,
            held_ms: 5,
            random: vec![Random { seed, changes: 2, steps: 90, delays: 1 }],
            ..Steered::default()
        };
        let mut all = run(7);
        assert_eq!(
            summary(&all),
            "random priorities, seed 7: 2 changes of priorities in 90 steps, 1 delay; threads were delayed for 5 ms"
        );
        assert!(all.add(&run(8)));
        let several = "random priorities in 2 runs, seeds 7, 8: 4 changes of priorities in 180 steps, 2 delays";
        assert_eq!(summary(&all), format!("{several}; threads were delayed for 10 ms"));
        assert!(all.add(&Steered { file: "c".to_owned(), runs: 1, ..Steered::default() }));
        assert_eq!(summary(&all), format!("steered by c: it has no candidate that is to be tried; besides, {several}"));
    }
}
