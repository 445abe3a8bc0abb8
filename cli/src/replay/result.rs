//! How often the violation happened: for a person, or in JSON.

use std::collections::{BTreeMap, BTreeSet};

use analysis_core::provoke::schedule::Schedule;
use anyhow::Result;
use serde::Serialize;

use super::runs::Run;
use crate::Outcome;
use crate::candidates::count;

/// The runs and their results.
#[derive(Default)]
pub(super) struct Ended {
    file: String,
    runs: u64,
    happened: u64,
    /// The number of runs that passed all switch points in order.
    whole: u64,
    /// The number of runs in which the violation happened, but not by the schedule.
    otherwise: u64,
    /// The number of runs in which no loaded class had all places, or which did not run the schedule's test by it.
    elsewhere: u64,
    /// The number of runs that took too long and were ended.
    cut: u64,
    /// Why no more runs could be made.
    pub(super) stopped: Option<String>,
    /// Where runs went another way, with the number of runs.
    ways: BTreeMap<String, u64>,
    /// The signal with which the user ended the command, before all runs were made.
    pub(super) interrupted: Option<&'static str>,
}

/// The result in JSON.
#[derive(Serialize)]
struct Whole<'a> {
    schema: u32,
    schedule: &'a str,
    candidate: String,
    block: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<&'a str>,
    points: usize,
    runs: u64,
    happened: u64,
    whole: u64,
    elsewhere: u64,
    cut: u64,
    ways: &'a BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupted: Option<&'static str>,
}

impl Ended {
    pub(super) fn new(file: String) -> Ended {
        Ended { file, ..Ended::default() }
    }

    pub(super) fn add(&mut self, run: Run) {
        self.runs += 1;
        self.happened += u64::from(run.has_happened);
        self.whole += u64::from(run.is_whole());
        self.otherwise += u64::from(run.has_happened && !run.is_whole());
        self.elsewhere += u64::from(run.is_elsewhere);
        self.cut += u64::from(run.is_cut);
        for way in run.ways.into_iter().collect::<BTreeSet<String>>() {
            *self.ways.entry(way).or_default() += 1;
        }
    }

    /// The outcome for the exit code. If the places are not in the program, or runs were not made, it is unknown
    /// whether the violation can happen.
    pub(super) fn outcome(&self) -> Outcome {
        let is_known = self.elsewhere == 0 && self.cut == 0 && self.stopped.is_none() && self.interrupted.is_none();
        match (self.happened, is_known) {
            (1.., _) => Outcome::Violated,
            (0, false) => Outcome::Failed,
            (0, true) => Outcome::Clean,
        }
    }

    pub(super) fn text(&self, schedule: &Schedule) -> String {
        let Ended { file, runs, happened, whole, otherwise, elsewhere, ways, stopped, interrupted, .. } = self;
        let finding = schedule.finding.as_ref().map_or(String::new(), |finding| format!(" (finding {finding})"));
        let mut text = format!("{}{finding}: it happened in {happened} of {runs} runs\n", schedule.candidate.block);
        let points = count(schedule.points.len(), "switch point");
        let of = if schedule.points.is_empty() {
            "any thread was held, and met".to_owned()
        } else {
            format!("all of {points} were passed in their order")
        };
        text += &format!("  {file}: {of} in {whole} of {runs} runs\n");
        if *otherwise > 0 {
            text += &format!("  in {otherwise} of {runs} runs it happened another way than by the schedule\n");
        }
        for (way, times) in ways {
            text += &format!(
                "  went another way in {}: {way}\n",
                count(usize::try_from(*times).unwrap_or(usize::MAX), "run")
            );
        }
        if let Some(test) = schedule.test.as_ref().filter(|_| *elsewhere > 0) {
            text += &format!(
                "  {elsewhere} of {runs} runs have not run {} by the schedule: it needs @Provoke, a regiontrack-junit of this release, \
                 classes with the places of the schedule, and to pass in its first run\n",
                test.told()
            );
        } else if *elsewhere > 0 {
            text += &format!(
                "  {elsewhere} of {runs} runs have loaded no class with all places of the schedule: after an edit, regiontrack provoke finds \
                 them anew\n"
            );
        }
        text.extend(stopped.as_ref().map(|why| format!("  no more runs could be made: {why}\n")));
        text.extend(interrupted.map(|signal| format!("  ended by {signal}, before all runs were made\n")));
        text
    }

    pub(super) fn json(&self, schedule: &Schedule) -> Result<String> {
        let Ended { file, runs, happened, whole, elsewhere, cut, ways, stopped, interrupted, .. } = self;
        Ok(serde_json::to_string(&Whole {
            schema: 1,
            schedule: file,
            candidate: schedule.candidate.id(),
            block: &schedule.candidate.block,
            finding: schedule.finding.as_deref(),
            points: schedule.points.len(),
            runs: *runs,
            happened: *happened,
            whole: *whole,
            elsewhere: *elsewhere,
            cut: *cut,
            ways,
            stopped: stopped.as_deref(),
            interrupted: *interrupted,
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_says_whether_it_has_happened_if_that_is_known() {
        let run = |has_happened, is_elsewhere| Run { has_happened, is_elsewhere, ..Run::default() };
        let of = |runs: Vec<Run>| {
            let mut ended = Ended::default();
            runs.into_iter().for_each(|run| ended.add(run));
            ended.outcome()
        };
        assert_eq!(of(vec![run(false, false), run(true, false)]), Outcome::Violated);
        assert_eq!(of(vec![run(false, false)]), Outcome::Clean);
        assert_eq!(of(vec![run(false, false), run(false, true)]), Outcome::Failed);
        assert_eq!(of(vec![Run { is_cut: true, ..Run::default() }]), Outcome::Failed);
        assert_eq!(of(vec![Run { is_cut: true, has_happened: true, ..Run::default() }]), Outcome::Violated);
        assert_eq!(Ended { interrupted: Some("SIGINT"), ..Ended::default() }.outcome(), Outcome::Failed);
    }
}
