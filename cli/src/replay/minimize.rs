//! Minimizes a schedule to the fewest switch points with which its violation still happens, by removing points one by
//! one.
//!
//! A schedule suffices if the violation happens in 5 of 5 runs. A schedule with fewer points must also be followed in
//! each of them: a violation in a run that went another way happened by luck. If a schedule does not suffice, because
//! threads pass the places a different number of times in each run, it is replaced by one without threads and counts,
//! if that one suffices.

use std::fmt::Write;
use std::path::Path;

use analysis_core::provoke::schedule::{self, Schedule};
use anyhow::Result;

use super::runs::Run;
use crate::candidates::count;

/// The number of runs in a row in which the violation must happen.
pub(crate) const ENOUGH: u64 = 5;

/// The result of minimizing a schedule.
pub(crate) struct Minimized {
    pub(crate) schedule: Schedule,
    /// Whether the violation happened in each of [`ENOUGH`] runs by the schedule.
    pub(crate) suffices: bool,
    /// Whether some run passed all switch points in order; true if there are none.
    pub(crate) is_followed: bool,
    /// Whether nothing more can be removed; false if no runs were left to try.
    pub(crate) is_over: bool,
    /// The number of runs.
    pub(crate) runs: u64,
}

/// Minimizes a schedule. `run` makes one run by a schedule, and returns `None` if no runs are left.
pub(crate) fn minimize(
    schedule: &Schedule,
    mut run: impl FnMut(&Schedule) -> Result<Option<Run>>,
) -> Result<Minimized> {
    let mut all =
        Minimized { schedule: schedule.clone(), suffices: false, is_followed: false, is_over: false, runs: 0 };
    let happens = |run: &Run| run.has_happened;
    let mut is_followed = schedule.points.is_empty();
    let mut followed = |tried: &Schedule| {
        let ran = run(tried)?;
        is_followed |= ran.as_ref().is_some_and(Run::is_whole);
        Ok(ran)
    };
    let Some(suffices) = all.suffices(schedule, &mut followed, happens)? else { return Ok(all) };
    (all.suffices, all.is_followed) = (suffices, is_followed);
    if !(suffices && is_followed) {
        // A violation that happens although no run follows the schedule happens by holds other than those of its
        // threads.
        if !schedule.points.is_empty() {
            let any = schedule.of_any_thread();
            let Some(suffices) = all.suffices(&any, &mut run, happens)? else { return Ok(all) };
            if suffices {
                (all.suffices, all.schedule) = (true, any);
            }
        }
        all.is_over = true;
        return Ok(all);
    }
    // The last points are needed least: they come after the switch.
    let follows = |run: &Run| run.has_happened && run.is_whole();
    let mut longer = Vec::new();
    for index in (0..schedule.points.len()).rev() {
        let Some(less) = all.schedule.without(index) else { continue };
        match all.suffices(&less, &mut run, follows)? {
            Some(true) => longer.push(std::mem::replace(&mut all.schedule, less)),
            Some(false) => {}
            None => return Ok(all),
        }
    }
    // A violation that happens in most runs can happen in 5 of 5: then the points that were removed last come back.
    while let Some(before) = longer.pop() {
        match all.suffices(&all.schedule.clone(), &mut run, follows)? {
            Some(true) => break,
            Some(false) => all.schedule = before,
            None => return Ok(all),
        }
    }
    all.is_over = true;
    Ok(all)
}

/// What is said if a schedule was minimized and its file has another one by then.
pub(crate) const WRITTEN_MEANWHILE: &str = "another command has written it meanwhile, and it stays as it is";

/// Rewrites the file of a schedule that was minimized. False, with no change, if it no longer has the one that was read: many runs lie
/// between.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn rewrite(file: &Path, before: &Schedule, after: &Schedule) -> Result<bool> {
    Ok(schedule::write_unless(file, after, |known| known != before)?)
}

impl Minimized {
    /// Makes up to [`ENOUGH`] runs by a schedule; the first in which the violation does not happen is the last.
    fn suffices(
        &mut self,
        schedule: &Schedule,
        run: &mut impl FnMut(&Schedule) -> Result<Option<Run>>,
        is_right: impl Fn(&Run) -> bool,
    ) -> Result<Option<bool>> {
        for _ in 0..ENOUGH {
            let Some(run) = run(schedule)? else { return Ok(None) };
            self.runs += 1;
            if !is_right(&run) {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }
}

/// The result in one line.
pub(crate) fn told(before: &Schedule, all: &Minimized) -> String {
    let Minimized { schedule: after, suffices, is_followed, is_over, .. } = all;
    match (suffices, is_over) {
        (false, false) => return "no runs are left to try what it happens without".to_owned(),
        (false, true) => {
            return "there was a run in which it did not happen; the schedule stays as it is".to_owned();
        }
        (true, _) => {}
    }
    let mut text = format!("it happens in {ENOUGH} of {ENOUGH} runs");
    let points = |schedule: &Schedule| count(schedule.points.len(), "switch point");
    if !after.points.is_empty() && !is_followed {
        text += ", but in none by the switch points; the schedule stays as it is";
        return text;
    }
    if after.points.is_empty() {
        text += " if any thread is held";
        text += if before.points.is_empty() { "" } else { ", and not by the threads and counts of the schedule" };
        return text;
    }
    if after.points.len() < before.points.len() {
        _ = write!(text, " with {} of {}", after.points.len(), points(before));
    } else {
        _ = write!(text, " with {}", points(after));
    }
    text += if *is_over { ", and not with fewer" } else { "; no runs are left to try it with fewer" };
    text
}

#[cfg(test)]
mod tests {
    use analysis_core::provoke::Candidate;
    use analysis_core::provoke::schedule::{Point, Role, Thread};

    use super::*;

    fn schedule() -> Schedule {
        let place = |line: u32| format!("a.B.f:{line} write x").parse().expect("a place");
        let thread = |name: &str, start: &str| Thread { name: name.to_owned(), start: start.parse().expect("a start") };
        let point = |thread, role| Point { thread, role, times: 1 };
        Schedule {
            candidate: Candidate {
                block: "a.B.f()".to_owned(),
                variable: "B.x".to_owned(),
                first: place(1),
                hold: place(2),
                last: place(4),
                other: place(3),
                enter: None,
                steps: Vec::new(),
            },
            finding: None,
            test: None,
            threads: vec![thread("a", "main"), thread("b", "main a.B.main:9 1")],
            points: vec![point(0, Role::First), point(0, Role::Hold), point(1, Role::Other), point(0, Role::Last)],
        }
    }

    #[test]
    fn a_file_that_another_command_has_written_meanwhile_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("s.schedule");
        let (before, after, other) = (schedule(), schedule().without(3).expect("one less"), schedule().of_any_thread());
        let read = || schedule::read(&file).expect("a schedule");
        schedule::write(&file, &other).expect("written");
        assert!(!rewrite(&file, &before, &after).expect("no error"));
        assert_eq!(read(), Some(other));
        schedule::write(&file, &before).expect("written");
        assert!(rewrite(&file, &before, &after).expect("written"));
        assert_eq!(read(), Some(after.clone()));
        // A program that cleans its folder is no reason to lose it.
        std::fs::remove_file(&file).expect("removed");
        assert!(rewrite(&file, &before, &after).expect("written"));
        assert_eq!(read(), Some(after));
    }

    fn roles(schedule: &Schedule) -> Vec<Role> {
        schedule.points.iter().map(|point| point.role).collect()
    }

    fn ran(has_happened: bool) -> Run {
        Run { has_happened, ..Run::default() }
    }

    #[test]
    fn what_happens_where_fewer_points_are_not_followed_is_luck() {
        let run = |tried: &Schedule| {
            let is_followed = roles(tried).contains(&Role::Hold);
            let points = tried.points.len() as u64;
            Ok(Some(Run { has_happened: true, points, passed: points - u64::from(!is_followed), ..Run::default() }))
        };
        let all = minimize(&schedule(), run).expect("no error");
        assert_eq!(roles(&all.schedule), [Role::Hold, Role::Other]);
    }

    #[test]
    fn what_it_happens_without_is_left_out() {
        let needs = [Role::Hold, Role::Other];
        let happens = |tried: &Schedule| Ok(Some(ran(needs.iter().all(|role| roles(tried).contains(role)))));
        let all = minimize(&schedule(), happens).expect("no error");
        assert_eq!((roles(&all.schedule), all.suffices, all.is_over), (needs.to_vec(), true, true));
        // Runs as it is, without last, not without hold, without first, and of what is left; without other there would
        // be one thread.
        assert_eq!(all.runs, 5 + 5 + 1 + 5 + 5);
        assert_eq!(told(&schedule(), &all), "it happens in 5 of 5 runs with 2 of 4 switch points, and not with fewer");
    }

    #[test]
    fn four_runs_of_five_are_not_enough() {
        let mut runs = 0;
        let happens = |tried: &Schedule| {
            runs += 1;
            Ok(Some(ran(tried.points.len() == 4 || runs % 5 != 0)))
        };
        let all = minimize(&schedule(), happens).expect("no error");
        assert_eq!((all.schedule, all.suffices), (schedule(), true));
    }

    #[test]
    fn what_happens_in_most_runs_only_has_its_points_back() {
        let mut runs = 0;
        // With only two points in 5 of 6 runs, with three in all.
        let happens = |tried: &Schedule| {
            runs += u64::from(tried.points.len() == 2);
            Ok(Some(ran(tried.points.len() > 2 || runs != 6)))
        };
        let all = minimize(&schedule(), happens).expect("no error");
        assert_eq!((all.schedule.points.len(), all.suffices, all.is_over), (3, true, true));
    }

    #[test]
    fn where_counts_differ_from_run_to_run_any_thread_is_held() {
        let all = minimize(&schedule(), |tried| Ok(Some(ran(tried.points.is_empty())))).expect("no error");
        assert_eq!((all.schedule, all.suffices, all.runs), (schedule().of_any_thread(), true, 6));
        let none = minimize(&schedule(), |_| Ok(Some(ran(false)))).expect("no error");
        assert_eq!((&none.schedule, none.suffices, none.runs), (&schedule(), false, 2));
        assert!(told(&schedule(), &none).ends_with("the schedule stays as it is"));
    }

    /// The violation happens by holds other than those of the schedule's threads.
    #[test]
    fn what_happens_though_no_run_follows_the_schedule_is_told_so() {
        let lost = |_: &Schedule| Ok(Some(Run { has_happened: true, points: 4, passed: 1, ..Run::default() }));
        let all = minimize(&schedule(), lost).expect("no error");
        // Any thread is enough then.
        assert_eq!((all.schedule, all.suffices, all.runs), (schedule().of_any_thread(), true, 10));
        let only = |tried: &Schedule| {
            let has_happened = !tried.points.is_empty();
            Ok(Some(Run { has_happened, points: 4, passed: 1, ..Run::default() }))
        };
        let all = minimize(&schedule(), only).expect("no error");
        assert_eq!((&all.schedule, all.suffices, all.is_over, all.runs), (&schedule(), true, true, 6));
        let expected = "it happens in 5 of 5 runs, but in none by the switch points; the schedule stays as it is";
        assert_eq!(told(&schedule(), &all), expected);
    }

    #[test]
    fn without_runs_it_stays_at_what_is_known() {
        let mut left = 12;
        let happens = |_: &Schedule| {
            left -= 1;
            Ok((left >= 0).then(|| ran(true)))
        };
        let all = minimize(&schedule(), happens).expect("no error");
        assert_eq!((roles(&all.schedule).len(), all.suffices, all.is_over, all.runs), (3, true, false, 12));
        let told = told(&schedule(), &all);
        assert_eq!(told, "it happens in 5 of 5 runs with 3 of 4 switch points; no runs are left to try it with fewer");
    }
}
