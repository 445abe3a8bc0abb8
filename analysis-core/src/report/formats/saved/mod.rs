//! Reports of runs that were saved as JSON ([`run`](super::run)): they are read again, and several are merged into one.
//!
//! Reading restores the model that was printed, so that every format can print it again. A finding of several runs
//! appears once, with the counts of all and the witness of the likeliest one. Reports do not say how often a method ran
//! in runs in which nothing happened to it.

mod read;
mod sift;
mod twice;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::run::{self, Stats};
use crate::engine::EngineSpec;
use crate::report::judgement::advice::hints;
use crate::report::judgement::rank::{Rank, sort};
use crate::report::judgement::sieve::new_first;
use crate::report::model::application::Application;
use crate::report::model::attached::Attached;
use crate::report::model::finding::Finding;
use crate::report::model::guided::Guided;
use crate::report::model::provoked::{Provoked, Steered};
use crate::report::model::replayed::Replayed;
use crate::report::model::report::{Head, Kept, Report, Size, Source};
use crate::report::model::sifted::{Sifted, Status};
use crate::report::model::sources::Sources;
use crate::report::model::summary::{Answer, Loss, Verdict};
use crate::report::model::watched::Watched;
use crate::report::model::witness::Witness;

/// The report of one run or of several.
#[derive(Clone, Debug)]
pub struct Saved {
    engine: &'static EngineSpec,
    answer: Answer,
    findings: Vec<Finding>,
    callers: Vec<Finding>,
    waits_inside: Vec<Finding>,
    cycle: Option<Witness>,
    stats: Stats,
    application: Application,
    reasons: Vec<String>,
    warnings: Vec<String>,
    /// The hints, without the one on where most findings lie.
    hints: Vec<String>,
    watched: Option<Watched>,
    guided: Option<Guided>,
    steered: Option<Steered>,
    replayed: Option<Replayed>,
    attached: Option<Attached>,
    /// Whether a baseline has the cycle, if there is one.
    cycle_status: Option<Status>,
    /// What suppressions and a baseline made of the findings.
    sifted: Option<Sifted>,
    /// The runs.
    runs: Vec<Run>,
    /// Whether it was merged, also if from a single report.
    is_merged: bool,
    /// Where the sources of the program are now.
    sources: Sources,
}

/// A run that a report is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The location of its report.
    pub name: String,
    /// What its own report is recognized by, wherever it lies; `None` if nothing could be read of it, and in what older versions merged.
    pub id: Option<String>,
    /// Its verdict; `None` if the run was killed, or has not ended.
    pub verdict: Option<Verdict>,
    /// How many blocks it had.
    pub blocks: u64,
}

/// Why a report would count runs twice beside others ([`Saved::twice`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twice {
    /// It is a merged report, and all its runs are in others. It is to be left out.
    Whole,
    /// Its run is in the merged report of this index, which has others, too. It is to be left out.
    Part(usize),
    /// It is a merged report, and shares only some of its runs with the merged report of this index. Both have runs to count.
    Partly(usize),
}

/// The verdict of a report whose process has not ended, or was killed.
const RUNNING: &str = "running";

impl Run {
    fn json(&self) -> serde_json::Value {
        let verdict = self.verdict.map_or(RUNNING, Verdict::name);
        let mut json = serde_json::json!({"report": self.name, "verdict": verdict, "blocks": self.blocks});
        if let Some(id) = &self.id {
            json["id"] = id.as_str().into();
        }
        json
    }

    fn of(json: &serde_json::Value) -> Option<Run> {
        let verdict = serde_json::from_value(json["verdict"].clone()).ok();
        let id = json["id"].as_str().map(str::to_owned);
        Some(Run { name: json["report"].as_str()?.to_owned(), id, verdict, blocks: json["blocks"].as_u64()? })
    }
}

impl Saved {
    /// Merges two reports. They must be of one engine, unless one of them has no verdict.
    pub fn merge(mut self, other: Saved) -> Result<Saved, String> {
        let is_empty = |saved: &Saved| saved.runs.iter().all(|run| run.verdict.is_none());
        if !is_empty(&self) && !is_empty(&other) && self.engine.name != other.engine.name {
            let (first, next) = (&self.runs[0].name, &other.runs[0].name);
            return Err(format!(
                "{first} is of engine {}, {next} of engine {}: their answers are about different things, and have no sum",
                self.engine.name, other.engine.name
            ));
        }
        if is_empty(&self) {
            self.engine = other.engine;
        }
        self.answer = together(&self.answer, &other.answer);
        let packages: Vec<String> = distinct(self.application.packages(), other.application.packages());
        if !packages.is_empty() {
            self.application = Application::parse(&packages.join(":"));
        }
        self.add(other.findings, other.callers);
        merge_all(&mut self.waits_inside, other.waits_inside);
        for list in [&mut self.findings, &mut self.callers, &mut self.waits_inside] {
            for finding in list.iter_mut() {
                finding.rank = Rank::of(finding.method.as_deref(), finding.kind, &finding.witness, &self.application);
            }
            sort(list);
        }
        new_first(&mut self.findings, |finding| finding.status);
        // What other runs blame does not explain it. Of two, one that the baseline does not know.
        if self.cycle.is_none() || other.cycle.is_some() && self.cycle_status == Some(Status::Known) {
            (self.cycle, self.cycle_status) = (other.cycle, other.cycle_status);
        }
        self.stats = self.stats.and(&other.stats);
        self.reasons = distinct(&self.reasons, &other.reasons);
        self.warnings = distinct(&self.warnings, &other.warnings);
        self.hints = distinct(&self.hints, &other.hints);
        self.watched = match (self.watched, other.watched) {
            (Some(one), Some(two)) => Some(one.and(two)),
            (one, two) => one.or(two),
        };
        self.attached = match (self.attached, other.attached) {
            (Some(one), Some(two)) => Some(one.and(two)),
            (one, two) => one.or(two),
        };
        if self.guided.is_none() || other.guided.is_none() || self.guided != other.guided {
            if self.guided.is_some() || other.guided.is_some() {
                self.warnings = distinct(&self.warnings, &[GUIDED.to_owned()]);
            }
            self.guided = None;
        }
        self.steered = match (self.steered, other.steered) {
            (Some(mut one), Some(two)) => {
                let is_one_file = one.add(&two);
                if !is_one_file {
                    self.warnings = distinct(&self.warnings, &[STEERED.to_owned()]);
                }
                is_one_file.then_some(one)
            }
            (one, two) => one.or(two),
        };
        self.replayed = match (self.replayed, other.replayed) {
            (Some(mut one), Some(two)) => {
                let is_one_file = one.add(&two);
                if !is_one_file {
                    self.warnings = distinct(&self.warnings, &[REPLAYED.to_owned()]);
                }
                is_one_file.then_some(one)
            }
            (one, two) => one.or(two),
        };
        self.runs.extend(other.runs);
        self.is_merged = true;
        self.sift_with(other.sifted);
        Ok(self)
    }

    /// Adds findings and callers. A method that is violated by itself in one run can have been violated only around
    /// others in another.
    fn add(&mut self, findings: Vec<Finding>, callers: Vec<Finding>) {
        merge_all(&mut self.findings, findings);
        merge_all(&mut self.callers, callers);
        let (around, callers): (Vec<Finding>, Vec<Finding>) = std::mem::take(&mut self.callers)
            .into_iter()
            .partition(|caller| self.findings.iter().any(|finding| finding.method == caller.method));
        self.callers = callers;
        for caller in around {
            let finding =
                self.findings.iter_mut().find(|finding| finding.method == caller.method).expect("it is in both");
            finding.count += caller.count;
            finding.again += caller.again;
            finding.instances += caller.instances;
        }
    }

    /// Shows lines of the sources in these folders instead of the usual ones.
    pub fn look_in(&mut self, sources: Sources) {
        self.sources = sources;
    }

    /// The report that every format prints.
    pub fn report(&self) -> Report<'_> {
        let mut all: Vec<String> = hints(&self.findings, &self.application).into_iter().collect();
        all.extend(self.hints.iter().cloned());
        let size = match self.stats.events.dependencies {
            0 => Size::Events(self.stats.events.recorded),
            dependencies => Size::Dependencies(dependencies),
        };
        let head = Head {
            subject: "regiontrack",
            source: Source::Run,
            engine: self.engine,
            answer: self.answer,
            first_event: None,
            blocks: self.stats.blocks,
            size,
            threads: self.stats.threads,
            reasons: self.reasons.clone(),
            warnings: self.warnings.clone(),
            hints: all,
            saved: &[],
            watched: self.watched.clone(),
            guided: self.guided.clone(),
            steered: self.steered.clone(),
            replayed: self.replayed.clone(),
            attached: self.attached.clone(),
            sifted: self.sifted.clone(),
            notes: self.notes(),
            most: usize::MAX,
            kept: Kept::By("-o FILE.json"),
            sources: self.sources.clone(),
        };
        Report {
            head,
            findings: self.findings.clone(),
            callers: self.callers.clone(),
            cycle: self.cycle.clone(),
            cycle_status: self.cycle_status,
            waits_inside: self.waits_inside.clone(),
        }
    }

    /// The notes on the runs, if there are several.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.runs.len() > 1 {
            notes.push(format!("reports of {} runs", self.runs.len()));
            notes.extend(self.runs.iter().map(|run| {
                let verdict = run.verdict.map_or("killed, or still running", Verdict::name);
                format!("  {}: {verdict}, {} blocks", run.name, run.blocks)
            }));
        }
        notes
    }

    /// The report as JSON, which can be read and merged again, with the runs.
    pub fn json(&self) -> String {
        let json = run::json(&self.report(), &[], &self.stats, &self.application);
        let mut json: serde_json::Value = serde_json::from_str(&json).expect("it was just made");
        json["runs"] = self.runs.iter().map(Run::json).collect();
        json.to_string()
    }

    /// Verdict and counts.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Whether each run has come to its end.
    pub fn is_over(&self) -> bool {
        self.runs.iter().all(|run| run.verdict.is_some())
    }

    /// The runs.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }
}

/// What is said if the runs were steered by several files, which cannot be summed up.
const STEERED: &str = "these runs were steered by several files of candidates: their own reports say what was held";

/// What is said of several schedules, which cannot be summed up either.
const REPLAYED: &str = "these runs replayed several schedules: their own reports say how far they came";

/// What profiles left out cannot be summed up.
const GUIDED: &str = "some of these runs were guided by a profile, and watched only what earlier runs had seen shared: their own reports say how much";

/// The answer for both runs: what was found in one was found. A run without a block to judge, such as that of a build tool's own
/// JVM, does not count if another one has blocks.
fn together(one: &Answer, other: &Answer) -> Answer {
    let loss = match (one.loss, other.loss) {
        (Loss::Blocks, loss) | (loss, Loss::Blocks) => loss,
        (one, other) => one.max(other),
    };
    let is_violation = one.is_violation() || other.is_violation();
    Answer {
        is_non_serializable: one.is_non_serializable || other.is_non_serializable,
        loss,
        counted: one.counted + other.counted,
        apart: one.apart + other.apart,
        is_excused: !is_violation && (one.is_excused || other.is_excused),
        blames_nobody: one.blames_nobody || other.blames_nobody,
        only_warns: one.only_warns || other.only_warns,
    }
}

/// Merges findings by their ids.
fn merge_all(into: &mut Vec<Finding>, from: Vec<Finding>) {
    let mut known: HashMap<String, usize> =
        into.iter().enumerate().map(|(at, finding)| (finding.identity().id(), at)).collect();
    for finding in from {
        match known.entry(finding.identity().id()) {
            Entry::Occupied(at) => into[*at.get()].add(finding),
            Entry::Vacant(new) => {
                new.insert(into.len());
                into.push(finding);
            }
        }
    }
}

impl Finding {
    /// Merges the same finding of another run.
    fn add(&mut self, other: Finding) {
        let is_likelier = other.compare(self).is_lt();
        let mut enclosing = std::mem::take(&mut self.enclosing);
        for around in other.enclosing.iter() {
            match enclosing.iter_mut().find(|known| known.method == around.method) {
                Some(known) => known.count += around.count,
                None => enclosing.push(around.clone()),
            }
        }
        let (count, again) = (self.count + other.count, self.again + other.again);
        let instances = self.instances + other.instances;
        // A finding that one run did not know is new.
        let status = if self.status == other.status { self.status } else { Some(Status::New) };
        let (told, beside) = if is_likelier { (other, self.provoked.take()) } else { (self.clone(), other.provoked) };
        // For a finding that was also observed, it is still of interest how to make it happen.
        let provoked = Provoked::better(told.provoked.clone(), beside);
        *self = Finding { count, again, instances, enclosing, status, provoked, ..told };
    }
}

/// The items of both lists, each once.
fn distinct(one: &[String], other: &[String]) -> Vec<String> {
    let mut all = one.to_vec();
    all.extend(other.iter().filter(|text| !one.contains(text)).cloned());
    all
}
