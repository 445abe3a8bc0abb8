//! The session: all global state, from the start of the agent to its report.
//!
//! What the program's threads hand over, and to whom, is the mode's business: rings that an analysis thread reads
//! ([`crate::writers`]), or items with which they call the engine themselves ([`crate::items`]).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use analysis_core::engine::Online;
use analysis_core::predict::algorithms::ALGORITHMS;
use analysis_core::provoke::finder::Searched;
use analysis_core::spec::{ANNOTATIONS, Flag, Method, Origin, Signature, Specification};
use analysis_core::trace::one_line;
use crossbeam_channel::{RecvTimeoutError, bounded};

use crate::feed::{Feed, Learning};
use crate::items::Items;
use crate::models;
use crate::names::Names;
use crate::observed::{Observed, What};
use crate::options::{Mode, Options};
use crate::outcome::Outcome;
use crate::profile::memory::{Mark, Tables};
use crate::profile::{self, Profiling};
use crate::progress;
use crate::provoke::priorities::Priorities;
use crate::provoke::repeated::{Next, Repeating};
use crate::provoke::{self, Provoking};
use crate::replay::{self, Replaying};
use crate::report::{self, Ending};
#[cfg(test)]
use crate::rings::Ring;
use crate::sampling::Sampling;
use crate::shared::{Shared, Sizes, lock};
use crate::tally::CauseId;
use crate::told::{Asked, Told};
use crate::unmodelled;
use crate::writers::Writers;

/// How long a scope waits for its findings: the analysis can be behind by that much.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The session.
pub struct Session {
    options: Options,
    names: Arc<Names>,
    observed: Arc<Mutex<Observed>>,
    shared: Arc<Shared>,
    threads: Threads,
    /// Set if only a part of the run is watched.
    sampling: Option<Arc<Sampling>>,
    /// Set if there is to be a profile.
    profiling: Option<Profiling>,
    /// The tables in which the threads mark what they share, in dependency mode, for a profile or for candidates.
    tables: Arc<Mutex<Tables>>,
    /// The methods that have a model: [`models::modelled`].
    modelled: HashSet<String>,
    /// Held until the report is written.
    is_finished: Mutex<bool>,
    /// The ending, once it is known.
    ending: OnceLock<Ending>,
    started: Instant,
}

/// What the program's threads write to.
enum Threads {
    Stream(Box<Writers>),
    Dependencies(Arc<Items>),
}

impl Session {
    /// Starts the analysis.
    ///
    /// # Errors
    /// The trace cannot be written, or no thread can be created; one line.
    pub fn start(options: Options) -> Result<Session, String> {
        let sizes = options.ring.map_or_else(Sizes::default, Sizes::fixed);
        Session::start_sized(options, sizes)
    }

    /// Like [`Session::start`], with these sizes of rings.
    pub(crate) fn start_sized(options: Options, sizes: Sizes) -> Result<Session, String> {
        let profiling = profiling(&options)?;
        let (names, observed) = (Arc::new(Names::default()), Arc::default());
        let provoking = options
            .provoke
            .as_deref()
            .map(|file| Provoking::new(file, options.schedules.as_deref(), options.provoke_turn.unwrap_or(0)))
            .transpose()?;
        let replaying = options.replay.as_deref().map(Replaying::new).transpose()?;
        let priorities = options.priorities.map(Priorities::new);
        let repeating = options.repeats_tests.then(|| Repeating::new(options.schedules.as_deref()));
        let shared = Arc::new(Shared::new(sizes, provoking, replaying).with(priorities).repeating(repeating));
        let started = Instant::now();
        let threads = match (options.mode(), options.engine.online) {
            (Mode::Dependencies, Online::Dependencies { items: build, .. }) => {
                let items = Arc::new(Items::start(&options, &names, &shared, &observed, build));
                progress::start(options.progress, started, &items, Items::progress);
                Threads::Dependencies(items)
            }
            _ => {
                let writers = Writers::start(&options, &names, &shared, &observed)?;
                progress::start(options.progress, started, &shared, Shared::reached);
                Threads::Stream(Box::new(writers))
            }
        };
        let modelled = models::modelled(&options.table_of_models());
        let has_slice = profiling.as_ref().is_some_and(Profiling::has_slice);
        report::begin(&options);
        let percent = options.sample.or(has_slice.then_some(profile::SLICE_PERCENT));
        let sampling = percent.map(|percent| Arc::new(Sampling::new(percent)));
        Ok(Session {
            options,
            names,
            observed,
            shared,
            threads,
            sampling,
            tables: profiling.as_ref().map_or_else(Arc::default, Profiling::tables),
            profiling,
            modelled,
            is_finished: Mutex::new(false),
            ending: OnceLock::new(),
            started,
        })
    }

    /// Sets what is called to stop the run at a violation. It must finish the session.
    pub(crate) fn on_halt(&self, at_halt: fn()) {
        self.shared.on_halt(at_halt);
    }

    /// The options in effect.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Opens a ring or a buffer for a thread that makes its first event, after position `position` of its number.
    pub fn open(&self, thread: u32, position: u64, name: &str) -> usize {
        match &self.threads {
            Threads::Stream(writers) => writers.open(thread, position, name),
            Threads::Dependencies(items) => items.open(thread, position, name),
        }
    }

    /// Waits until there is room for `records` more records; returns the ring, or the buffer, to continue in.
    pub fn full(&self, address: usize, records: u64) -> usize {
        match &self.threads {
            Threads::Stream(writers) => writers.full(address, records),
            Threads::Dependencies(items) => items.full(address, records),
        }
    }

    /// Closes the ring or buffer of a thread that has ended.
    pub fn close(&self, address: usize) {
        match &self.threads {
            Threads::Stream(writers) => writers.close(address),
            Threads::Dependencies(items) => items.close(address),
        }
    }

    /// Takes the item of `count` records in a buffer, after which its thread is at `position`. True if the thread is to
    /// report its stack by [`What::Stack`]; `None` if nobody takes items, because the run has ended or the analysis
    /// failed.
    pub fn item(&self, address: usize, count: u64, position: u64) -> Option<bool> {
        match &self.threads {
            Threads::Stream(_) => {
                lock(&self.observed).lost(1, "an item in stream mode");
                None
            }
            Threads::Dependencies(items) => items.item(address, count, position),
        }
    }

    /// The address of at least `count` counters, by block number, of the thread that has this buffer.
    pub fn counters(&self, address: usize, count: usize) -> usize {
        match &self.threads {
            Threads::Stream(_) => {
                lock(&self.observed).lost(1, "counters in stream mode");
                Box::leak(vec![0_u64; count].into_boxed_slice()).as_ptr() as usize
            }
            Threads::Dependencies(items) => items.counters(address, count),
        }
    }

    /// The address of counters of calls that are not watched.
    pub fn unwatched(&self, stripes: usize, blocks: usize) -> usize {
        self.sampling.as_ref().map_or(0, |sampling| sampling.counters(stripes, blocks))
    }

    /// Waits until a burst is to begin or, if `is_burst`, to end. Returns how many shares of the classes are watched from
    /// then on; `None` if there will be no more bursts.
    pub fn burst(&self, is_burst: bool) -> Option<u32> {
        self.sampling.as_ref()?.wait(is_burst, self.names.blocks(), || self.shared.is_running())
    }

    /// Whether the candidates of the run come from places rather than from events.
    fn shows_places(&self) -> bool {
        self.options.candidates.is_some() && self.options.mode() == Mode::Dependencies
    }

    /// Adds the candidates of a run that has ended to their file. Returns what to report about it.
    fn keep_candidates(&self, outcome: &mut Outcome) -> Option<Result<String, String>> {
        let path = self.options.candidates.as_ref()?;
        let Some(feed) = &mut outcome.feed else {
            return Some(Err("nothing is added to the candidates: the analysis has failed".to_owned()));
        };
        let (found, are_all) = match feed.learning.take() {
            Some(learning) => {
                let Searched { candidates, left_out, unfinished } = learning.finish();
                (candidates, left_out + unfinished == 0)
            }
            None => {
                let tables = lock(&self.tables);
                let (marked, pairs, is_full) = (tables.marked(Mark::Open), tables.pairs(), tables.is_full());
                drop(tables);
                let (candidates, are_all) = provoke::places::candidates(&marked, &pairs, &self.names);
                (candidates, are_all && !is_full)
            }
        };
        let mut added = 0;
        let written: Result<(), analysis_core::provoke::Error> = analysis_core::provoke::update(path, |file| {
            let mut known = file.unwrap_or_default();
            known.own.merge(&self.names.own());
            added = known.add_new(&found);
            Ok(known)
        });
        let (path, all) = (path.display(), found.len());
        Some(match written {
            Ok(()) if are_all => Ok(format!("candidates in {path}: {added} new of {all}")),
            Ok(()) => Ok(format!("candidates in {path}: {added} new of {all}; there is too much to look at all")),
            Err(error) => Err(format!("nothing is added to the candidates: {error}")),
        })
    }

    /// What the Java side needs to know of the profile, as `key=value`, one per line.
    pub(crate) fn profile_answer(&self) -> String {
        let learns = self.profiling.as_ref().is_some_and(Profiling::learns) || self.shows_places();
        let is_guided = self.profiling.as_ref().is_some_and(Profiling::is_guided);
        let bursts = self.profiling.as_ref().is_some_and(Profiling::has_slice);
        format!("bursts={bursts}\nguided={is_guided}\nlearn={learns}\n")
    }

    /// What the Java side needs to know about steering, as `key=value`, one per line.
    pub(crate) fn provoke_answer(&self) -> String {
        let is_steered =
            self.shared.replaying.is_some() || self.shared.provoking.as_ref().is_some_and(Provoking::is_steered);
        let usual = if self.shared.replaying.is_some() { replay::SHARE } else { provoke::SHARE };
        let share = self.options.provoke_share.unwrap_or(usual);
        let (asked, patience) =
            (self.options.replay_patience, self.options.replay_patience.unwrap_or(replay::PATIENCE));
        let is_asked = asked.is_some();
        let priorities = self.options.priorities.map_or_else(String::new, |asked| asked.to_string());
        let repeats = self.shared.repeating.is_some();
        format!(
            "provoke={is_steered}\nprovoke_share={share}\nreplay_patience={patience}\nreplay_patience_asked={is_asked}\npriorities={priorities}\nrepeats={repeats}\n"
        )
    }

    /// The tables of models in force, those that take precedence last.
    pub fn tables_of_models(&self) -> [&str; 3] {
        self.options.tables_of_models()
    }

    /// The places where threads are held: a candidate or a switch point per line.
    pub fn plan(&self) -> String {
        let Shared { provoking, replaying, .. } = &*self.shared;
        let plans = provoking.iter().map(Provoking::plan).chain(replaying.iter().map(Replaying::plan));
        plans.collect()
    }

    /// What is watched in unchanged classes according to the profile: one fact per line.
    pub fn facts(&self) -> String {
        self.profiling.as_ref().map_or_else(String::new, Profiling::facts)
    }

    /// How the class with this name and these bytes is to be watched: 0 whole, 1 as the facts say, 2 whole as far as there is
    /// time.
    pub fn judge(&self, name: &str, checksum: u64) -> u32 {
        self.profiling.as_ref().map_or(0, |profiling| profiling.judge(name, checksum) as u32)
    }

    /// The address of a table in which the threads mark what they share.
    pub fn table(&self, which: u32, bytes: usize) -> usize {
        lock(&self.tables).allocate(which, bytes)
    }

    /// Begins a scope inside `parent`, or outside all scopes if `parent` is 0. Returns its number.
    pub fn begin_scope(&self, parent: u32) -> u32 {
        self.shared.scopes.begin(parent)
    }

    /// Ends a scope and returns its findings so far as text (`told.rs`). Waits until everything recorded before is analysed.
    pub fn end_scope(&self, scope: u32) -> String {
        let asked =
            Asked { scope, sieve: self.options.sieve.clone(), application: lock(&self.observed).application.clone() };
        self.told(asked).text()
    }

    /// Answers what the Java side reports or asks about a repeated test; the answer is empty if there is none.
    ///
    /// 0: a test is to be repeated. The answer says why that cannot be.
    /// 1: asks what the next repetition, which is this scope, is to do: `learn`, `end`, or a plan, as `Plan.java` reads it; with a schedule
    /// of the test `plain` or `replay`.
    /// 2: the repetition has ended.
    /// 3: the test has ended.
    pub fn repeat(&self, step: u32, scope: u32) -> String {
        if let Some(replaying) = &self.shared.replaying {
            return match step {
                0 => replaying.refuses().unwrap_or_default(),
                1 => replaying.next().to_owned(),
                _ => String::new(),
            };
        }
        let Some(repeating) = &self.shared.repeating else {
            return "add provoke=tests to the options of the agent".to_owned();
        };
        match step {
            0 if !self.shared.is_running() => return "the analysis has failed or ended".to_owned(),
            0 => repeating.begin(),
            1 => match repeating.next() {
                Next::Learn => {
                    let begun = self.ask(move |feed, _| {
                        feed.learning = Some(Box::new(Learning::new(Some(scope), ALGORITHMS.first())))
                    });
                    return if begun.is_ok() { "learn" } else { "end" }.to_owned();
                }
                Next::Steer(plan) => return plan,
                Next::End => return "end".to_owned(),
            },
            2 => match self.ask(|feed, _| (feed.learning.take(), feed.waiting())) {
                Ok((Some(learning), _)) => {
                    let mut found = learning.finish().candidates;
                    found.own.merge(&self.names.own());
                    repeating.learnt(&found);
                }
                answer => repeating.over(&answer.map(|(_, waiting)| waiting).unwrap_or_default()),
            },
            _ => {
                // What the test has learnt in a repetition whose end was not reported is dropped.
                let answer = self.ask(|feed, _| {
                    feed.learning = None;
                    feed.waiting()
                });
                repeating.end(&answer.unwrap_or_default());
            }
        }
        String::new()
    }

    /// Asks the analysis, in stream mode, once it has read everything recorded before, as far as it can. The question learns whether it
    /// could.
    fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Feed, bool) -> T + Send + 'static,
    ) -> Result<T, RecvTimeoutError> {
        let Threads::Stream(writers) = &self.threads else { return Err(RecvTimeoutError::Disconnected) };
        let (sender, answer) = bounded(1);
        writers.ask(Box::new(move |feed, is_all| {
            // The asker may have stopped waiting.
            let _ = sender.send(question(feed, is_all));
        }));
        answer.recv_timeout(LONGEST_WAIT)
    }

    fn told(&self, asked: Asked) -> Told {
        let scopes = Arc::clone(&self.shared.scopes);
        let failed = || Told::nothing("the analysis has failed or ended, and with it what is known of violations");
        if !self.shared.is_running() {
            return failed();
        }
        if matches!(self.options.engine.online, Online::Events) {
            let name = self.options.engine.name;
            scopes.end(asked.scope);
            return Told::nothing(&format!("engine {name} says what is violated only when the JVM ends"));
        }
        match &self.threads {
            Threads::Dependencies(items) => items
                .ask(|feed, instances| {
                    scopes.end(asked.scope);
                    Told::of(&asked, feed, instances)
                })
                .unwrap_or_else(failed),
            Threads::Stream(_) => {
                let asked = self.ask(move |feed, is_all| {
                    scopes.end(asked.scope);
                    let instances = feed.instances.clone();
                    let told = Told::of(&asked, feed, instances);
                    if is_all {
                        told
                    } else {
                        told.incomplete("the analysis waits for what other threads have not recorded")
                    }
                });
                match asked {
                    Ok(told) => told,
                    Err(RecvTimeoutError::Timeout) => Told::nothing("the analysis has not caught up in a minute"),
                    Err(RecvTimeoutError::Disconnected) => failed(),
                }
            }
        }
    }

    /// Takes a description.
    pub fn describe(&self, what: What, number: u32, text: &str) {
        match what {
            What::Site => self.names.site(number, text),
            What::Type => self.names.type_name(number, text),
            // Only the stream has the FORK that the name belongs to.
            What::Thread if matches!(self.threads, Threads::Stream(_)) => self.names.thread_name(number, text),
            What::Thread => {}
            What::Block => self.names.block(number, text),
            What::Part => self.names.part(text),
            What::Owner => self.names.owner(number, text),
            What::Target => self.names.target(number, text),
            What::Declared => self.names.declared(number, text),
            What::Whole | What::Kept | What::Callers => {
                let Some(profiling) = &self.profiling else { return };
                match what {
                    What::Callers => profiling.called_from(number, text),
                    what => profiling.watched(what == What::Whole, text),
                }
            }
            What::Held | What::Found | What::Schedule => {
                if let Some(provoking) = &self.shared.provoking {
                    match what {
                        What::Held => provoking.held(number, text),
                        What::Found => provoking.found(text),
                        _ => provoking.met(number, text),
                    }
                }
                if let Some(run) = self.shared.repeating.as_ref().and_then(Repeating::steered) {
                    match what {
                        What::Held => run.held(number, text),
                        What::Found => {}
                        _ => run.met(number, text),
                    }
                }
                if let Some(replaying) = &self.shared.replaying {
                    match what {
                        What::Held => replaying.held(number, text),
                        What::Found => replaying.found(text),
                        _ => replaying.told(text),
                    }
                }
            }
            What::Test => {
                let Shared { repeating, replaying, .. } = &*self.shared;
                repeating.iter().for_each(|repeating| repeating.name(text));
                replaying.iter().for_each(|replaying| replaying.begins(text));
            }
            What::Expected => {
                let (causes, test) = text.split_once('\n').unwrap_or((text, ""));
                let causes = causes.split(' ').filter_map(|number| number.parse().ok()).map(CauseId::of);
                self.shared.scopes.expect(number, causes, &one_line(test));
            }
            What::Steps => {
                if let Some(priorities) = &self.shared.priorities {
                    priorities.stepped(text);
                }
            }
            What::Stack => {
                if let Threads::Dependencies(items) = &self.threads {
                    items.stack(number, text);
                }
            }
            What::Data => {
                if let Threads::Dependencies(items) = &self.threads {
                    items.data(number, text);
                }
            }
            What::Application => {
                if let Some(packages) = self.options.application(text) {
                    self.names.set_application(&packages);
                    lock(&self.observed).add(what, 0, &packages);
                }
            }
            what => lock(&self.observed).add(what, u64::from(number), text),
        }
    }

    /// True if classes of this internal name are to be instrumented.
    pub fn includes(&self, internal_name: &str) -> bool {
        self.options.includes(internal_name)
    }

    /// True if a class of the platform with this internal name is to be instrumented too.
    pub fn names_class(&self, internal_name: &str) -> bool {
        self.options.names_class(internal_name)
    }

    /// Returns which methods of a class are atomic: a digit each. `text` has the form that `NativeBridge.select`
    /// describes.
    ///
    /// # Errors
    /// The text does not have that form.
    pub fn select(&self, text: &str) -> Result<String, String> {
        let mut observed = lock(&self.observed);
        let is_watched = |class: &str| self.options.names_class(class);
        unmodelled::calls(text, &self.modelled, is_watched).for_each(|call| observed.unmodelled(&call));
        drop(observed);
        let mut matched = HashSet::new();
        let selected = select(&self.options.spec, &self.names, text, &mut matched);
        lock(&self.observed).matched_rules.extend(matched);
        selected
    }

    /// Ends the run: takes what is left and writes the report. Only the first call does so; others wait for it. Each returns
    /// the ending, with the exit code, since the last one can be the one that ends the VM. `None` if the first call has failed
    /// before it knew.
    pub fn finish(&self) -> Option<Ending> {
        let mut is_finished = lock(&self.is_finished);
        if !std::mem::replace(&mut *is_finished, true) {
            self.write_report();
        }
        self.ending.get().copied()
    }

    /// The exit code of the VM as far as it is known, though the report may have failed: a run that stops at a violation has one.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        let of_stop = || self.shared.is_stopped().then(|| self.options.violation_code());
        self.ending.get().map_or_else(of_stop, |ending| ending.exit_code)
    }

    fn write_report(&self) {
        let mut outcome = match &self.threads {
            Threads::Stream(writers) => writers.finish(),
            Threads::Dependencies(items) => {
                let sampling = self.sampling.as_ref().filter(|_| self.options.sample.is_some());
                let unwatched = sampling.map(|sampling| sampling.unwatched(self.names.blocks()));
                items.finish(unwatched.unwrap_or_default())
            }
        };
        let observed = std::mem::take(&mut *lock(&self.observed));
        let reasons = report::reasons(&outcome, &observed);
        if let Some(feed) = &mut outcome.feed {
            feed.complete_trace(&reasons, &observed.unseen());
        }
        let ended = self.profiling.as_ref().map(|profiling| {
            let is_block = |method: &str| self.is_block(method);
            profiling.finish(&self.names, report::losses(&outcome, &observed).is_empty(), is_block)
        });
        let candidates = self.keep_candidates(&mut outcome);
        let of_priorities = |priorities: &Priorities| provoke::Ended {
            steered: priorities.finish(),
            schedules: Vec::new(),
            warnings: Vec::new(),
        };
        let by_chance = self.shared.priorities.as_ref().map(of_priorities);
        let waiting = outcome.feed.as_ref().map(Feed::waiting).unwrap_or_default();
        let repeating = self.shared.repeating.as_ref();
        let without_file = by_chance.or_else(|| repeating.and_then(|repeating| repeating.finish(&waiting)));
        let provoking = self.shared.provoking.as_ref();
        let steering = report::Steering {
            provoked: provoking.map(|provoking| provoking.finish(&waiting)).or(without_file),
            replayed: self.shared.replaying.as_ref().map(Replaying::finish),
            candidates,
        };
        report::write(&self.options, &outcome, &observed, ended, steering, self.started.elapsed(), |ending| {
            self.ending.get_or_init(|| ending);
        });
    }

    /// Whether the specification calls a method atomic, as far as its name tells: `com.example.Cache.get(Ljava/lang/String;)I`.
    fn is_block(&self, method: &str) -> bool {
        let Some(open) = method.find('(') else { return false };
        let Some((class, name)) = method[..open].rsplit_once('.') else { return false };
        let class = class.replace('.', "/");
        let method = Method::from_class_file(&class, name, &method[open..], 0);
        self.options.includes(&class) && method.is_ok_and(|method| self.options.spec.decide(&method).atomic)
    }

    /// True if a rule names this very method as atomic.
    #[cfg(test)]
    pub(crate) fn is_named(&self, method: &str) -> bool {
        self.names.is_named(method)
    }

    /// Begins the end: what was handed over before is still analysed, and nothing after.
    #[cfg(test)]
    pub(crate) fn end(&self) {
        match &self.threads {
            Threads::Stream(writers) => writers.end(),
            Threads::Dependencies(items) => items.end(),
        }
    }

    /// What is kept of threads in dependency mode; see [`Items::kept`].
    #[cfg(test)]
    pub(crate) fn kept(&self) -> [usize; 3] {
        assert!(self.names.take_thread(1).is_none(), "the name of a thread that is forked");
        match &self.threads {
            Threads::Stream(_) => [0; 3],
            Threads::Dependencies(items) => items.kept(),
        }
    }

    /// The ring at an address, for tests that write as threads do.
    #[cfg(test)]
    pub(crate) fn ring(&self, address: usize) -> Arc<Ring> {
        match &self.threads {
            Threads::Stream(writers) => writers.ring(address),
            Threads::Dependencies(items) => items.buffer(address),
        }
    }
}

/// The profile that the options ask for.
fn profiling(options: &Options) -> Result<Option<Profiling>, String> {
    let Some(path) = &options.profile else { return Ok(None) };
    let nested = if options.nested { "exact" } else { "false" };
    let sum = |text: &str| format!("{:016x}", analysis_core::profile::sum(text.as_bytes()));
    let settings = format!("arrays={} models={} nested={nested}", options.arrays, sum(&options.table_of_models()));
    let learns = options.mode() == Mode::Dependencies;
    // Annotations are in the bytes of a class.
    let written = options.spec.rules().iter().filter(|rule| rule.origin() != Origin::Annotation);
    let rules: String = written.map(|rule| format!("{rule}\n")).collect();
    Profiling::new(path, settings, sum(&rules), options.slices.unwrap_or(profile::SLICES), learns).map(Some)
}

/// Returns a digit for each method of a class: 1 if it is atomic. `matched` gets the user's rules that match one of
/// them.
fn select(spec: &Specification, names: &Names, text: &str, matched: &mut HashSet<usize>) -> Result<String, String> {
    let mut lines = text.lines();
    let bad = |line: &str| format!("a class text that cannot be read: '{line}'");
    let head = lines.next().unwrap_or_default();
    let (class, of_class) = match head.split('\t').collect::<Vec<_>>()[..] {
        ["class", _access, class, _super, _file, annotations] => (class, annotations),
        _ => return Err(bad(head)),
    };
    let needs_calls = spec.needs_calls();
    let starts_from_default = spec.keeps_by_default(None);
    let has_own = spec.rules().iter().any(|rule| matches!(rule.origin(), Origin::Own | Origin::Option));
    let decide = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let ["method", access, name, descriptor, rest @ ..] = &fields[..] else { return Err(bad(line)) };
        let access = u32::from_str_radix(access, 16).map_err(|_| bad(line))?;
        let mut method = Method::from_class_file(class, name, descriptor, access).map_err(|e| e.to_string())?;
        if needs_calls && let Some(calls) = rest.get(1) {
            calls.split(' ').filter_map(call).for_each(|call| method.add_call(call));
        }
        let of_method = rest.first().copied().unwrap_or_default();
        // Own annotations are about what the author has written, and that of a method takes precedence over that of its
        // class.
        let is_written = !method.has(Flag::Synthetic) && !method.has(Flag::Bridge) && *name != "<clinit>";
        let is_told = of_method.split(' ').any(is_ours);
        let of_class = of_class.split(' ').filter(|annotation| !is_told || !is_ours(annotation));
        let annotations = of_class.chain(of_method.split(' '));
        annotations
            .filter(|annotation| !annotation.is_empty() && (is_written || !is_ours(annotation)))
            .for_each(|class| method.add_annotation(class));
        if has_own {
            matched.extend(spec.matching(&method));
        }
        let decision = spec.decide(&method);
        if starts_from_default && decision.atomic && !decision.is_by_default() {
            names.add_named(method.to_string());
        }
        Ok(if decision.atomic { '1' } else { '0' })
    };
    lines.map(decide).collect()
}

/// True for the internal name of one of RegionTrack's own annotations.
fn is_ours(annotation: &str) -> bool {
    ANNOTATIONS.iter().any(|ours| annotation.split('/').eq(ours.split('.')))
}

/// Parses `owner.name(descriptor)`; a text that the JVM would reject is not a call.
fn call(text: &str) -> Option<Signature> {
    let open = text.find('(')?;
    let (owner, name) = text[..open].rsplit_once('.')?;
    Signature::from_class_file(owner, name, &text[open..]).ok()
}
