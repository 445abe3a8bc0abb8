//! The report of a run.

use std::collections::{BTreeSet, HashSet};
use std::io::{Seek, Write};
use std::time::{Duration, SystemTime};

use analysis_core::engine::BlameClaim;
use analysis_core::event::LabelId;
use analysis_core::provoke::schedule::{self, Schedule};
use analysis_core::report::predicted::{self, Predicted};
use analysis_core::report::rank::{Rank, sort};
use analysis_core::report::run::{self, Events, Stats};
use analysis_core::report::text::Layout;
use analysis_core::report::{
    Answer, Application, Attached, Enclosing, Expected, Finding, Format, Guided, Head, Instances, Kept, Loss, Provoked,
    Replayed, Report, Size, Source, Steered, Verdict, Watched, WatchedMethod, hints, text,
};
use analysis_core::spec::{Flag, Origin, Rule, Selector, Specification};

use anstream::{AutoStream, ColorChoice};

use crate::feed::Feed;
use crate::models;
use crate::observed::Observed;
use crate::options::{Destination, Mode, Options};
use crate::outcome::Outcome;
use crate::predictions::Predictions;
use crate::profile;
use crate::provoke;
use crate::provoke::priorities::Chances;
use crate::provoke::seen::Scheduled;
use crate::replay;
use crate::stderr;
use crate::tally::{self, Group, Groups};

/// How many of the calls without a model a report names.
const MOST_CALLS: usize = 5;

/// The exit code of the VM if another one is asked for after a violation and there was no block to judge: the same as
/// that of `regiontrack check`.
const NO_ANSWER: u8 = 2;
/// How many lines without effect of a specification a report names: one that many programs share has lines for all of them.
const MOST_RULES: usize = 20;
/// What is wrong with such lines.
const NO_MATCH: &str = "matches no method of a class that was loaded and watched";

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The verdict of the run.
    pub verdict: Verdict,
    /// The exit code of the VM, if it is not the program's own.
    pub exit_code: Option<u8>,
}

/// Writes into the report file that the run has not ended, until the report replaces it: a VM that is killed can write
/// nothing more.
pub fn begin(options: &Options) {
    let since = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    // The reader of a pipe, or of the program's output, expects one report.
    for report in options.reports.iter().filter(|report| is_replaced(report)) {
        if let Err(error) = replace(report, &running(report.format, std::process::id(), &since)) {
            stderr::line(format_args!("regiontrack: report={}: {error}", report.path.display()));
        }
    }
}

/// The contents of a report file until there is a report.
fn running(format: Format, process: u32, started: &str) -> String {
    match format {
        Format::Json => {
            format!("{{\"schema\":1,\"verdict\":\"running\",\"process\":{process},\"started\":\"{started}\"}}\n")
        }
        Format::Text => format!(
            "regiontrack: still running (process {process}, started {started})\n  the report replaces this when the process \
             ends; if it has ended, it was killed, and nothing is known of its run\n"
        ),
        Format::Document(document) => document.running(process, started),
    }
}

/// Whether a report replaces what is in its file: a regular one that the program's output does not go to.
fn is_replaced(report: &Destination) -> bool {
    !report.is_shared && report.file.metadata().is_ok_and(|data| data.is_file())
}

/// Replaces the contents of such a file by `text`. Anything else, such as a pipe, gets it appended.
fn replace(report: &Destination, text: &str) -> std::io::Result<()> {
    let mut file = &report.file;
    if is_replaced(report) {
        file.rewind()?;
        file.set_len(0)?;
    }
    file.write_all(text.as_bytes())
}

/// The results of steering the run, or of replaying a schedule.
pub struct Steering {
    /// The candidates.
    pub provoked: Option<provoke::Ended>,
    /// The schedule.
    pub replayed: Option<replay::Ended>,
    /// How many candidates the run has shown, or why they are not kept.
    pub candidates: Option<Result<String, String>>,
}

/// Writes the report to the destinations that the options name. `known` gets the ending before anything is written.
pub fn write(
    options: &Options,
    outcome: &Outcome,
    observed: &Observed,
    profile: Option<profile::Ended>,
    steering: Steering,
    time: Duration,
    known: impl FnOnce(Ending),
) {
    let account = Account::new(options, outcome, observed, profile, &steering, time);
    let (report, expected) = account.report();
    let exit_code = exit_code(&account, &report);
    known(Ending { verdict: account.answer.verdict(), exit_code });
    let schedules = steering.provoked.iter().flat_map(|ended| &ended.schedules);
    for trouble in schedules.filter_map(|schedule| keep(options, schedule, &report, &expected).err()) {
        stderr::line(format_args!("regiontrack: schedules=: {trouble}"));
    }
    if options.reports.is_empty() {
        stderr::write(&account.written(&report, options.format, &layout_of_stderr(options)));
    }
    for destination in &options.reports {
        let text = account.written(&report, destination.format, &Layout::of_file(options.details));
        if let Err(error) = replace(destination, &text) {
            stderr::line(format_args!("regiontrack: report={}: {error}", destination.path.display()));
        }
    }
    if let Some(code) = exit_code {
        stderr::line(ends_with(code, &report, options));
    }
}

/// The exit code of the VM, if it is not the program's own.
fn exit_code(account: &Account, report: &Report) -> Option<u8> {
    let Account { options, answer, stats, .. } = account;
    let is_violation =
        report.head.answer.is_violation() || account.predictions().is_some_and(Predictions::is_violation);
    match options.violation_code() {
        0 => None,
        code if is_violation => Some(code),
        // No class that was to be watched was there. If rules have removed all blocks, that was intended.
        _ => (options.exit_code != 0 && answer.loss == Loss::Blocks && stats.classes.instrumented == 0)
            .then_some(NO_ANSWER),
    }
}

/// Writes the schedule of a provoked violation with the id of its finding: the provoked one of the method that was violated. If the
/// violation was observed before, so that the report does not call it provoked, the finding is, for a schedule of a run, the one that
/// confirms the candidate, else the one about its block, else the first about a caller of the block; a schedule of one of several tests of
/// a run then has none. A test can expect it, so that the report does not have it.
fn keep(
    options: &Options,
    Scheduled { schedule, method, confirms, .. }: &Scheduled,
    report: &Report,
    expected: &[Finding],
) -> Result<(), schedule::Error> {
    let Some(folder) = &options.schedules else { return Ok(()) };
    let id = schedule.candidate.id();
    let path = schedule::file_of(folder, &id, schedule.test.as_ref());
    let is_it =
        |finding: &&Finding| matches!(&finding.provoked, Some(Provoked::Held { candidate, .. }) if *candidate == id);
    let of_block = |finding: &&Finding| finding.method.as_deref() == Some(&*schedule.candidate.block);
    let is_confirming =
        |finding: &&Finding| matches!(&finding.provoked, Some(Provoked::Held { confirms: Some(true), .. }));
    let findings = || report.findings.iter().chain(expected);
    let of_candidate = || findings().filter(is_it);
    let of_run = || {
        of_candidate().find(is_confirming).or_else(|| of_candidate().find(of_block)).or_else(|| of_candidate().next())
    };
    let of_method = of_candidate().find(|finding| finding.method.as_deref() == Some(&**method));
    // A report names one of the candidates that a violation confirms, so each finding of the method counts. If there are several, nobody
    // knows which it is.
    let others = || {
        let mut all = findings().filter(|finding| finding.method.as_deref() == Some(&**method));
        all.next().filter(|_| all.next().is_none())
    };
    let finding = of_method.or_else(|| schedule.test.is_none().then(|| of_run().or_else(others)).flatten());
    let schedule = Schedule { finding: finding.map(|finding| finding.identity().id()), ..schedule.clone() };
    // An earlier run may have left one that confirms the candidate, without the points that it does not need; so may one at the same time.
    schedule::write_unless(&path, &schedule, |_| !confirms).map(drop)
}

/// Says why the VM has an exit code other than the program's own: what starts it, such as a build, may show nothing
/// else.
fn ends_with(code: u8, report: &Report, options: &Options) -> String {
    let answer = &report.head.answer;
    let why = match answer.counted {
        0 if code == NO_ANSWER && answer.loss == Loss::Blocks => "no class was watched, which is no answer".to_owned(),
        _ if answer.is_violation() && report.head.sifted.is_some() => left(report),
        _ if answer.is_excused => "a violation is predicted".to_owned(),
        0 if answer.is_violation() => "the run is non-serializable".to_owned(),
        0 => "a violation is predicted".to_owned(),
        1 => "1 block was violated".to_owned(),
        counted => format!("{counted} blocks were violated"),
    };
    let option = if options.halt_on_violation { "halt_on_violation=" } else { "exitcode=" };
    let paths = options.reports.iter().map(|Destination { path, .. }| {
        std::path::absolute(path).unwrap_or_else(|_| path.clone()).display().to_string()
    });
    let paths = paths.collect::<Vec<_>>().join(", ");
    let report = if paths.is_empty() { "above" } else { &paths };
    format!("regiontrack: this JVM ends with exit code {code}, as {option} asks for, because {why}; report: {report}")
}

/// The findings left after sifting, which set the exit code.
fn left(report: &Report) -> String {
    let sifted = report.head.sifted.as_ref();
    let new = sifted.and_then(|sifted| Some(sifted.baseline.as_ref()?.new));
    let (count, what) = match new {
        Some(new) => (new, "new"),
        None => {
            let has_lines = sifted.is_some_and(|sifted| !sifted.lines.is_empty());
            (sifted.map_or(0, |sifted| sifted.left), if has_lines { "not suppressed" } else { "not expected" })
        }
    };
    if count == 1 { format!("1 finding is {what}") } else { format!("{count} findings are {what}") }
}

/// How the report is laid out on standard error.
fn layout_of_stderr(options: &Options) -> Layout {
    let terminal = terminal_size::terminal_size_of(std::io::stderr());
    let width = terminal.map_or(text::USUAL, |(width, _)| usize::from(width.0));
    let has_colours = AutoStream::choice(&std::io::stderr()) != ColorChoice::Never;
    Layout { width, details: options.details, has_colours }
}

/// Where the report is kept as JSON.
fn kept(options: &Options) -> Kept {
    let json = options.reports.iter().find(|report| report.format == Format::Json);
    json.map_or(Kept::By("report=FILE.json"), |report| Kept::In(report.path.display().to_string()))
}

/// Builds the model of the run's report.
struct Account<'a> {
    options: &'a Options,
    feed: Option<&'a Feed>,
    application: Application,
    answer: Answer,
    reasons: Vec<String>,
    warnings: Vec<String>,
    notes: Vec<String>,
    stats: Stats,
    /// The calls without a model.
    unmodelled: Vec<String>,
    /// The tools that run tests and were left alone.
    tools: Option<String>,
    guided: Option<Guided>,
    steered: Option<Steered>,
    replayed: Option<Replayed>,
    attached: Option<Attached>,
}

impl<'a> Account<'a> {
    fn new(
        options: &'a Options,
        outcome: &'a Outcome,
        observed: &Observed,
        profile: Option<profile::Ended>,
        ended: &Steering,
        time: Duration,
    ) -> Account<'a> {
        let Steering { provoked, replayed, candidates } = ended;
        let steered = provoked.as_ref().map(|ended| ended.steered.clone());
        let of_candidates = provoked.iter().flat_map(|ended| &ended.warnings);
        let of_schedule = replayed.iter().flat_map(|ended| &ended.warnings);
        let replayed = replayed.as_ref().map(|ended| ended.replayed.clone());
        let (guided, of_profile) = profile.map_or((None, None), |ended| (ended.guided, ended.warning));
        let feed = outcome.feed.as_ref();
        let reasons = reasons(outcome, observed);
        let tally = feed.map(|feed| &feed.tally);
        let blocks = feed.map_or(0, |feed| feed.instances.total());
        let has_blocks = guided.is_some() || feed.is_none_or(|feed| blocks + feed.unwatched.total() > 0);
        let is_partial = options.sample.is_some() || guided.is_some() || observed.attached.is_some();
        let is_part = is_partial || !observed.unseen().is_empty();
        let answer = Answer {
            is_non_serializable: tally.is_some_and(|tally| tally.cycle.is_some()),
            // A loss can only have hidden further violations.
            loss: match (reasons.is_empty(), is_part) {
                (false, _) => Loss::Hides,
                (true, _) if !has_blocks => Loss::Blocks,
                (true, true) => Loss::Unwatched,
                (true, false) => Loss::Nothing,
            },
            counted: tally.map_or(0, |tally| violated(&tally.violations)),
            apart: tally.map_or(0, |tally| violated(&tally.waits_inside)),
            is_excused: false,
            blames_nobody: false,
            only_warns: options.engine.claim.only_warns(),
        };
        let mut warnings = observed.warnings();
        warnings.extend(of_profile);
        warnings.extend(of_candidates.chain(of_schedule).cloned());
        warnings.extend(candidates.iter().filter_map(|kept| kept.as_ref().err().cloned()));
        warnings.extend(models::unmatched(&options.own_models, &observed.modelled));
        // If nothing was watched, the report says so once.
        if observed.classes.instrumented > 0 {
            warnings.extend(idle_rules(&options.spec, &observed.matched_rules));
        }
        warnings.extend(feed.and_then(Feed::trace_failure).map(str::to_owned));
        warnings.extend(feed.and_then(Feed::engine_doubt).map(str::to_owned));
        let accesses = options.verbose.then(|| outcome.statistics.fast + outcome.statistics.slow);
        let events = Events {
            accesses,
            filtered: accesses.map(|all| all.saturating_sub(feed.map_or(0, |feed| feed.accesses))),
            recorded: feed.map_or(0, |feed| feed.events),
            dependencies: feed.map_or(0, |feed| feed.dependencies),
            lost: outcome.discarded + observed.lost_count(),
        };
        let seconds = (time.as_secs_f64() * 1000.0).round() / 1000.0;
        let stats = Stats {
            classes: observed.classes,
            threads: outcome.threads,
            blocks,
            events,
            unmodelled: observed.unmodelled_count(),
            seconds,
        };
        if !has_blocks {
            warnings.push(observed.without_blocks(&options.asked_classes()));
        }
        let figures = options.verbose.then(|| figures(outcome, &stats, options.mode()));
        let notes = candidates.iter().filter_map(|kept| kept.as_ref().ok().cloned()).chain(figures).collect();
        let application = observed.application.clone();
        let unmodelled = observed.unmodelled_calls();
        let tools = observed.tools();
        let attached = observed.attached.clone();
        Account {
            attached,
            options,
            feed,
            application,
            answer,
            reasons,
            warnings,
            notes,
            stats,
            unmodelled,
            tools,
            guided,
            steered,
            replayed,
        }
    }

    /// The report, and the findings that it does not have because tests expect them.
    fn report(&self) -> (Report<'_>, Vec<Finding>) {
        let (mut findings, mut callers, mut waits_inside, mut cycle) = Default::default();
        let mut expected = Expected::new();
        if let Some(feed) = self.feed {
            let told = tally::told(&feed.tally.violations, &feed.causes);
            expected = self.expected(feed, &told.findings);
            findings = self.ranked(feed, &told.findings);
            callers = self.ranked(feed, &told.callers);
            waits_inside = self.ranked(feed, &tally::by_method(&feed.tally.waits_inside, &feed.causes));
            let is_blameless = self.answer.counted + self.answer.apart == 0;
            cycle = feed.tally.cycle.clone().filter(|_| is_blameless);
        }
        let mut hints: Vec<String> = hints(&findings, &self.application).into_iter().collect();
        hints.extend(self.tools.clone());
        hints.extend(unmodelled(self.stats.unmodelled, &self.unmodelled));
        let head = Head {
            subject: "regiontrack",
            source: Source::Run,
            engine: self.options.engine,
            answer: self.answer,
            first_event: None,
            blocks: self.stats.blocks,
            size: match self.options.mode() {
                Mode::Stream => Size::Events(self.stats.events.recorded),
                Mode::Dependencies => Size::Dependencies(self.stats.events.dependencies),
            },
            threads: self.stats.threads,
            reasons: self.reasons.clone(),
            warnings: self.warnings.clone(),
            hints,
            saved: &[],
            watched: self.options.sample.zip(self.feed).map(|(percent, feed)| watched(percent, feed)),
            guided: self.guided.clone(),
            steered: self.steered.clone(),
            replayed: self.replayed.clone(),
            attached: self.attached.clone(),
            sifted: None,
            notes: self.notes.clone(),
            most: self.options.max_reports,
            kept: kept(self.options),
            sources: self.options.sources.clone(),
        };
        let is_expected = |finding: &&Finding| !expected.is_empty() && expected.contains_key(&finding.identity().id());
        let gone = findings.iter().filter(is_expected).cloned().collect();
        let mut report = Report { head, findings, callers, cycle, cycle_status: None, waits_inside };
        self.options.sieve.apply_with(&mut report, &self.ran(), expected);
        (report, gone)
    }

    /// The findings of these groups that were violated only in tests that expect them.
    fn expected(&self, feed: &Feed, groups: &[(LabelId, Group)]) -> Expected {
        let id = |(label, group): &(LabelId, Group)| {
            finding(feed, *label, group, &feed.instances, &self.application).identity().id()
        };
        let told = groups.iter().map(|it| (it, feed.expected_by(&it.1)));
        let (awaited, others): (Vec<_>, Vec<_>) = told.partition(|(_, tests)| tests.is_some());
        let mut expected = Expected::new();
        for (it, tests) in awaited {
            expected.entry(id(it)).or_default().extend(tests.into_iter().flatten());
        }
        if !expected.is_empty() {
            others.iter().for_each(|(it, _)| drop(expected.remove(&id(it))));
        }
        expected
    }

    /// The methods that were blocks and ran.
    fn ran(&self) -> BTreeSet<String> {
        let labels =
            self.feed.into_iter().flat_map(|feed| feed.instances.labels().map(move |(label, _)| (feed, label)));
        labels.filter_map(|(feed, label)| name(feed, label)).collect()
    }

    fn predictions(&self) -> Option<&'a Predictions> {
        self.feed?.predictions.as_deref()
    }

    /// Why the predictions may be incomplete.
    fn losses(&self) -> Vec<String> {
        self.reasons.iter().map(|reason| format!("incomplete: {reason}")).collect()
    }

    /// The report in this format.
    fn written(&self, report: &Report, format: Format, layout: &Layout) -> String {
        match format {
            Format::Json => self.json(report) + "\n",
            Format::Text => self.text(report, layout),
            Format::Document(document) => document.whole(&[document.part(report, &self.predicted(text::USUAL))]),
        }
    }

    /// The report of the run, followed by the predictions of each algorithm.
    fn text(&self, report: &Report, layout: &Layout) -> String {
        let predicted = self.predicted(layout.width);
        predicted.iter().fold(text::render(report, layout), |out, predicted| out + "\n" + predicted)
    }

    /// The predictions of each algorithm.
    fn predicted(&self, width: usize) -> Vec<String> {
        let Some(predictions) = self.predictions() else { return Vec::new() };
        let losses = self.losses();
        let parts = predictions.parts(&losses);
        let text = |part| predicted::text(&part, predictions.details(), self.options.max_reports, width);
        parts.into_iter().map(text).collect()
    }

    fn json(&self, report: &Report) -> String {
        let mut report = report.clone();
        let engine = self.options.engine;
        if engine.claim.blame == BlameClaim::Silent {
            let says = format!("engine {} blames no blocks: it says nothing about violated methods", engine.name);
            report.head.warnings.push(says);
        }
        let losses = self.losses();
        let parts = self.predictions().into_iter().flat_map(|predictions| predictions.parts(&losses));
        let parts: Vec<Predicted> = parts.collect();
        run::json(&report, &parts, &self.stats, &self.application)
    }

    /// The findings of these groups, the likeliest bug first.
    fn ranked(&self, feed: &Feed, groups: &[(LabelId, Group)]) -> Vec<Finding> {
        let by_chance = self.options.priorities.map(Chances::provoked);
        let told = |(label, group): &(LabelId, Group)| {
            let finding = finding(feed, *label, group, &feed.instances, &self.application);
            Finding { provoked: finding.provoked.or_else(|| by_chance.clone()), ..finding }
        };
        let mut findings: Vec<Finding> = groups.iter().map(told).collect();
        sort(&mut findings);
        findings
    }
}

/// The finding of a group; `instances` says how often methods ran.
pub(crate) fn finding(
    feed: &Feed,
    label: LabelId,
    group: &Group,
    instances: &Instances,
    application: &Application,
) -> Finding {
    // A method can be open at several depths.
    let mut around: Vec<(LabelId, u64)> = Vec::new();
    for ((_, label), count) in &group.enclosing {
        match around.iter_mut().find(|(known, _)| known == label) {
            Some((_, known)) => *known += count,
            None => around.push((*label, *count)),
        }
    }
    let enclosing = around.into_iter().map(|(label, count)| Enclosing { method: name(feed, label), count });
    let (method, kind, witness) = (name(feed, label), group.told.kind, group.told.witness.clone());
    Finding {
        rank: Rank::of(method.as_deref(), kind, &witness, application),
        method,
        count: group.count,
        again: group.again,
        instances: instances.of(label),
        kind,
        witness,
        stack: group.told.stack.clone(),
        enclosing: enclosing.collect(),
        status: None,
        provoked: group.told.provoked.clone(),
    }
}

/// How much of the run was watched.
fn watched(percent: u8, feed: &Feed) -> Watched {
    let all: BTreeSet<LabelId> =
        feed.instances.labels().chain(feed.unwatched.labels()).map(|(label, _)| label).collect();
    let methods = all.into_iter().map(|label| {
        let watched = feed.instances.of(label);
        let method = name(feed, label).unwrap_or_default();
        WatchedMethod { method, instances: watched + feed.unwatched.of(label), watched }
    });
    Watched::new(percent, methods.collect())
}

/// Warnings about the user's rules for methods that were not there.
fn idle_rules(spec: &Specification, matched: &HashSet<usize>) -> Vec<String> {
    // Labels and the lack of one are words for recorded traces.
    let is_of_traces = |rule: &Rule| matches!(rule.selector(), Selector::Label(_) | Selector::Flag(Flag::Unlabelled));
    let rules = (0..).zip(spec.rules()).filter(|(number, rule)| !matched.contains(number) && !is_of_traces(rule));
    let mut warnings = Vec::new();
    let mut lines = Vec::new();
    for (_, rule) in rules {
        match rule.origin() {
            Origin::Option => {
                let method = rule.text().trim_start_matches('-').trim();
                warnings.push(format!("exclude-method={method} {NO_MATCH}"));
            }
            Origin::Own => lines.push(format!("line {}, '{}'", rule.line(), rule.text())),
            Origin::Default(_) | Origin::Annotation => {}
        }
    }
    let others = lines.len().saturating_sub(MOST_RULES);
    lines.truncate(MOST_RULES);
    warnings.extend(lines.iter().map(|line| format!("spec={}: {line}, {NO_MATCH}", spec.source_name())));
    if others > 0 {
        warnings.push(format!("spec={}: {others} more lines, each of which {NO_MATCH}", spec.source_name()));
    }
    warnings
}

/// How many violated blocks were counted.
fn violated(groups: &Groups) -> u64 {
    groups.values().map(Group::instances).sum()
}

/// The warning that orders may have been missed.
fn unmodelled(sites: u64, names: &[String]) -> Option<String> {
    (sites > 0).then(|| {
        let calls = if sites == 1 { "call" } else { "calls" };
        let others = names.len().saturating_sub(MOST_CALLS);
        let others = if others > 0 { format!(" and {others} more") } else { String::new() };
        let names = names[..names.len().min(MOST_CALLS)].join(", ");
        format!(
            "{sites} {calls} of java.util.concurrent's synchronization without a model in watched code ({names}{others}): \
             the order that only those make is not seen, which can hide a violation and never invents one"
        )
    })
}

/// Why the run is incomplete.
pub(crate) fn reasons(outcome: &Outcome, observed: &Observed) -> Vec<String> {
    observed.unwatched().into_iter().chain(losses(outcome, observed)).collect()
}

/// The reasons by which events were lost where there are hooks.
pub(crate) fn losses(outcome: &Outcome, observed: &Observed) -> Vec<String> {
    let mut reasons = observed.losses();
    reasons.extend(outcome.failure.iter().map(|failure| format!("the analysis failed: {failure}")));
    if outcome.discarded > 0 {
        reasons.push(format!("{} records discarded", outcome.discarded));
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

fn figures(outcome: &Outcome, stats: &Stats, mode: Mode) -> String {
    let counts = outcome.statistics;
    let accesses = stats.events.accesses.unwrap_or(0);
    let filtered = stats.events.filtered.unwrap_or(0);
    format!(
        "{accesses} accesses, {:.2} % of them {}; {} checked in full, {} of them redundant writes; \
         {} dependencies recorded, {} implied; {} found a variable locked; classes: {} instrumented, {} skipped, {} failed; {:.1} s",
        if accesses == 0 { 0.0 } else { 100.0 * filtered as f64 / accesses as f64 },
        match mode {
            Mode::Stream => "redundant and not recorded",
            Mode::Dependencies => "without a new dependency",
        },
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

fn name(feed: &Feed, label: LabelId) -> Option<String> {
    (label != LabelId::NONE).then(|| feed.labels.name(label.0).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_a_report_says_so_in_every_format() {
        let started = "1970-01-01T00:00:00Z".to_owned();
        let json: serde_json::Value = serde_json::from_str(&running(Format::Json, 7, &started)).expect("JSON");
        assert_eq!(
            (&json["verdict"], &json["process"], &json["started"]),
            (&"running".into(), &7.into(), &started.clone().into())
        );
        let text = running(Format::Text, 7, "then");
        assert!(text.starts_with("regiontrack: still running (process 7, started then)\n"), "{text}");
        for format in Format::ALL {
            let text = running(format, 7, &started);
            assert!(text.contains("running") && text.contains('7') && text.contains("1970"), "{text}");
        }
    }
}
