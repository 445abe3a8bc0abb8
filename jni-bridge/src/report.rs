//! The report of a run.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use analysis_core::engine::BlameClaim;
use analysis_core::event::LabelId;
use analysis_core::report::run::{self, Events, Method, Run, Stats};
use analysis_core::report::{End, Finding, Report, Verdict, rarer, text};

use crate::analysis::Outcome;
use crate::feed::Feed;
use crate::observed::Observed;
use crate::options::{Format, Options};
use crate::tally::{Group, Groups};

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// What was said of the run.
    pub verdict: Verdict,
    /// With which code the VM is to end, if not with the program's own.
    pub exit_code: Option<u8>,
}

/// Writes the report where the options say.
pub fn write(options: &Options, outcome: &Outcome, observed: &Observed, discarded: u64, time: Duration) -> Ending {
    let account = Account::new(options, outcome, observed, discarded, time);
    let text = match options.format {
        Format::Json => account.json() + "\n",
        Format::Text => account.text(),
    };
    let written = match &options.report {
        Some((_, file)) => {
            let mut file: &File = file;
            file.write_all(text.as_bytes())
        }
        None => std::io::stderr().lock().write_all(text.as_bytes()),
    };
    if let (Err(error), Some((path, _))) = (written, &options.report) {
        eprintln!("regiontrack: report={}: {error}", path.display());
    }
    let exit_code = (options.exit_code != 0 && account.is_violated()).then_some(options.exit_code);
    Ending { verdict: account.verdict, exit_code }
}

/// Everything that is said, in either format.
struct Account<'a> {
    options: &'a Options,
    feed: Option<&'a Feed>,
    verdict: Verdict,
    is_non_serializable: bool,
    reasons: Vec<String>,
    warnings: Vec<String>,
    notes: Vec<String>,
    stats: Stats,
}

impl<'a> Account<'a> {
    fn new(
        options: &'a Options,
        outcome: &'a Outcome,
        observed: &Observed,
        discarded: u64,
        time: Duration,
    ) -> Account<'a> {
        let feed = outcome.feed.as_ref();
        let is_non_serializable = feed.is_some_and(|feed| feed.tally.cycle.is_some());
        let reasons = reasons(outcome, observed, discarded);
        let verdict = match (is_non_serializable, reasons.is_empty()) {
            // What was lost can only have hidden more.
            (true, _) => Verdict::NonSerializable,
            (false, true) => Verdict::Serializable,
            (false, false) => Verdict::Incomplete,
        };
        let mut warnings = observed.warnings();
        warnings.extend(feed.and_then(Feed::trace_failure).map(str::to_owned));
        warnings.extend(feed.and_then(Feed::engine_doubt).map(str::to_owned));
        let accesses = options.verbose.then(|| outcome.statistics.fast + outcome.statistics.slow);
        let events = Events {
            accesses,
            filtered: accesses.map(|all| all.saturating_sub(feed.map_or(0, |feed| feed.accesses))),
            recorded: feed.map_or(0, |feed| feed.events),
            dependencies: feed.map_or(0, |feed| feed.dependencies),
            lost: discarded + observed.lost_count(),
        };
        let seconds = (time.as_secs_f64() * 1000.0).round() / 1000.0;
        let stats = Stats { classes: observed.classes, threads: outcome.threads, events, seconds };
        let has_blocks = feed.is_none_or(|feed| feed.instances.total() > 0);
        if !has_blocks && observed.classes.instrumented > 0 {
            warnings.push("no block was entered: the specification calls no method atomic that has run".to_owned());
        }
        let notes = if options.verbose { vec![figures(outcome, &stats)] } else { Vec::new() };
        Account { options, feed, verdict, is_non_serializable, reasons, warnings, notes, stats }
    }

    /// What sets the exit code: a violated block that does not wait inside, or a cycle that no block is to blame for.
    fn is_violated(&self) -> bool {
        self.feed.is_some_and(|feed| {
            let tally = &feed.tally;
            !tally.violations.is_empty() || (tally.cycle.is_some() && tally.waits_inside.is_empty())
        })
    }

    fn text(&self) -> String {
        let mut report = Report { findings: Vec::new(), total: 0, cycle: None, waits_inside: Vec::new() };
        let mut blocks = 0;
        if let Some(feed) = self.feed {
            report = self.findings(feed);
            blocks = feed.instances.total();
        }
        let head = text::Head {
            subject: "regiontrack",
            engine: self.options.engine,
            verdict: self.verdict,
            is_non_serializable: self.is_non_serializable,
            first_event: None,
            violated: self.feed.map_or(0, |feed| feed.tally.violated()),
            blocks,
            events: self.stats.events.recorded,
            threads: self.stats.threads,
            reasons: if self.verdict == Verdict::Incomplete { &self.reasons } else { &[] },
            warnings: &self.all_warnings(),
            saved: &[],
            notes: &self.notes,
            more: "max_reports=, or format=json",
        };
        text::render(head, &report)
    }

    fn json(&self) -> String {
        let mut warnings: Vec<String> = self.reasons.iter().chain(&self.warnings).cloned().collect();
        let engine = self.options.engine;
        if engine.claim.blame == BlameClaim::Silent {
            warnings.push(format!("engine {} blames no blocks: it says nothing of violated methods", engine.name));
        }
        let methods = |groups: &Groups| self.feed.map_or(Vec::new(), |feed| methods(feed, groups));
        let cycle = self.feed.and_then(|feed| feed.tally.cycle.as_ref()).map_or(&[][..], |cycle| &cycle.edges);
        let tally = self.feed.map(|feed| &feed.tally);
        let has_violations = tally.is_some_and(|tally| !tally.violations.is_empty() || !tally.waits_inside.is_empty());
        run::json(&Run {
            verdict: self.verdict,
            engine: engine.name,
            violations: &tally.map_or(Vec::new(), |tally| methods(&tally.violations)),
            waits_inside: &tally.map_or(Vec::new(), |tally| methods(&tally.waits_inside)),
            cycle: if has_violations { &[] } else { cycle },
            stats: self.stats,
            warnings: &warnings,
        })
    }

    /// In a text, reasons stand in the first line where the verdict is "incomplete".
    fn all_warnings(&self) -> Vec<String> {
        let also = (self.verdict != Verdict::Incomplete).then_some(&self.reasons);
        let also = also.into_iter().flatten().map(|reason| format!("incomplete: {reason}"));
        also.chain(self.warnings.iter().cloned()).collect()
    }

    fn findings(&self, feed: &Feed) -> Report {
        let tally = &feed.tally;
        let found = sorted(feed, &tally.violations, |group| group.innermost);
        let waits = sorted(feed, &tally.waits_inside, |group| group.innermost);
        let most = self.options.max_reports;
        let cycle = tally.cycle.as_ref().filter(|_| found.is_empty() && waits.is_empty());
        Report {
            total: found.len(),
            findings: found.into_iter().take(most).map(|(label, group)| finding(feed, label, group)).collect(),
            cycle: cycle.cloned(),
            waits_inside: waits.into_iter().take(most).map(|(label, group)| finding(feed, label, group)).collect(),
        }
    }
}

/// Why the run is incomplete.
fn reasons(outcome: &Outcome, observed: &Observed, discarded: u64) -> Vec<String> {
    let mut reasons = observed.reasons();
    reasons.extend(outcome.failure.iter().map(|failure| format!("the analysis failed: {failure}")));
    if discarded > 0 {
        reasons.push(format!("{discarded} records discarded"));
    }
    if outcome.gaps > 0 {
        reasons.push(format!("gaps in the streams of {} threads", outcome.gaps));
    }
    if outcome.blocked > 0 && outcome.failure.is_none() {
        reasons.push(format!("{} threads' last events wait for events that are missing", outcome.blocked));
    }
    reasons.extend(outcome.feed.as_ref().and_then(Feed::engine_limit));
    reasons
}

fn figures(outcome: &Outcome, stats: &Stats) -> String {
    let counts = outcome.statistics;
    let accesses = stats.events.accesses.unwrap_or(0);
    let filtered = stats.events.filtered.unwrap_or(0);
    format!(
        "{accesses} accesses, {:.2} % of them redundant and not recorded; {} checked in full, {} of them redundant writes; \
         {} dependencies recorded, {} implied; {} found a variable locked; classes: {} instrumented, {} skipped, {} failed; {:.1} s",
        if accesses == 0 { 0.0 } else { 100.0 * filtered as f64 / accesses as f64 },
        counts.slow,
        counts.redundant,
        stats.events.dependencies,
        counts.implied,
        counts.collisions,
        stats.classes.instrumented,
        stats.classes.skipped,
        stats.classes.failed,
        stats.seconds
    )
}

/// Those groups that count by `count`, rare ones first.
fn sorted<'a>(feed: &Feed, groups: &'a Groups, count: impl Fn(&Group) -> u64) -> Vec<(LabelId, &'a Group)> {
    let mut sorted: Vec<(LabelId, &Group)> =
        groups.iter().map(|(label, group)| (*label, group)).filter(|(_, group)| count(group) > 0).collect();
    let rate = |(label, group): &(LabelId, &Group)| (count(group), feed.instances.of(*label));
    sorted.sort_by(|a, b| rarer(rate(a), rate(b)).then(a.1.order.cmp(&b.1.order)));
    sorted
}

fn finding(feed: &Feed, label: LabelId, group: &Group) -> Finding {
    let enclosing = group.enclosing.iter().map(|((_, label), count)| (name(feed, *label), *count));
    Finding {
        method: name(feed, label),
        count: group.innermost,
        instances: feed.instances.of(label),
        kind: group.first.kind,
        witness: group.first.witness.clone(),
        enclosing: enclosing.collect(),
    }
}

fn methods(feed: &Feed, groups: &Groups) -> Vec<Method> {
    let methods = sorted(feed, groups, |group| group.count).into_iter().map(|(label, group)| Method {
        method: name(feed, label).unwrap_or_default(),
        kind: group.first.kind,
        count: group.count,
        instances: feed.instances.of(label),
        begin: group.first.witness.begin.clone().unwrap_or_else(nowhere),
        edges: group.first.witness.edges.clone(),
    });
    methods.collect()
}

/// A witness of a violation has a begin; this stands for one that does not.
fn nowhere() -> End {
    End { event: None, thread: String::new(), method: None, location: String::new(), access: String::new() }
}

fn name(feed: &Feed, label: LabelId) -> Option<String> {
    (label != LabelId::NONE).then(|| feed.labels.name(label.0).into_owned())
}
