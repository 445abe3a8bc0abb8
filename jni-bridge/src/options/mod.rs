//! Options of the agent: a table from which the help is generated and against which keys and values are checked.
//!
//! Sources, strongest first: `key=value,key=value` in the agent's string; after it, on a line each, `key=value` for the
//! system properties `regiontrack.key`; the environment's `REGIONTRACK_KEY`; the lines of `config=FILE`. The first
//! source that names a key decides.

mod files;
mod known;
mod paths;
mod table;
#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};

use analysis_core::engine::{EngineSpec, Online};
use analysis_core::engines;
use analysis_core::options::{self, ENVIRONMENT};
use analysis_core::predict::Sections;
use analysis_core::predict::algorithm::AlgorithmSpec;
use analysis_core::report::{Format, Sieve, Sources, text};
use analysis_core::spec::{ClassPatterns, Specification, tools};
use analysis_core::trace::one_line;

use crate::models;
use crate::provoke::priorities::Chances;
use files::Claimed;
use table::{OPTIONS, OptionSpec, REPORT};

/// What `provoke=` says if tests ask for it.
const TESTS: &str = "tests";
/// The exit code of a VM that is stopped at a violation, unless another is asked for.
const HALTED: u8 = 66;
/// How similar a word must be to a key to be taken for a misspelling.
const ALIKE: f64 = 0.75;

/// A file for the report, locked against other processes.
#[derive(Debug)]
pub struct Destination {
    /// Where it is.
    pub path: PathBuf,
    /// The open file.
    pub file: File,
    /// Whether the program's standard output or standard error goes there, too.
    pub is_shared: bool,
    /// How the report is written into it.
    pub format: Format,
}

/// What the program's threads hand over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Dependencies between threads, by calling the engine; see [`crate::items`].
    Dependencies,
    /// Every event that matters, in rings; see [`crate::writers`].
    Stream,
}

/// The options in effect.
#[derive(Debug)]
pub struct Options {
    /// Which methods are atomic.
    pub spec: Specification,
    /// The engine.
    pub engine: &'static EngineSpec,
    include: ClassPatterns,
    exclude: ClassPatterns,
    /// Which arrays' elements are watched: the Java side interprets it.
    pub arrays: String,
    /// Decide blocks inside others too.
    pub nested: bool,
    /// Watch a part of the run, which may take this percentage of the processor time of the rest.
    pub sample: Option<u8>,
    /// What earlier runs have learnt, and what this one adds to it.
    pub profile: Option<PathBuf>,
    /// The number of slices that what they did not see shared is divided into, if set; 0 for none.
    pub slices: Option<u64>,
    /// The file that gets the candidates that the run shows.
    pub candidates: Option<PathBuf>,
    /// The candidates that the run is steered to.
    pub provoke: Option<PathBuf>,
    /// Tests can ask to be repeated, and steered to candidates that they have shown.
    pub repeats_tests: bool,
    /// The random priorities of threads, if they have any.
    pub(crate) priorities: Option<Chances>,
    /// The percentage of the run's time that may be spent in holds, if set.
    pub provoke_share: Option<u8>,
    /// The number of this run, from 0, among the runs that are steered side by side.
    pub provoke_turn: Option<u32>,
    /// Where the schedules of what is provoked are written.
    pub schedules: Option<PathBuf>,
    /// The schedule that the run replays.
    pub replay: Option<PathBuf>,
    /// How long, in seconds, a thread is held for a switch point, if set.
    pub replay_patience: Option<u64>,
    /// The file for the trace, locked against other processes.
    pub record: Option<(PathBuf, File)>,
    /// Where the program's sources are.
    pub sources: Sources,
    /// The folders and jars with the user's own classes; without any, that of the main class is.
    pub own: Vec<String>,
    /// The table of models of the platform, as the Java side reads it; empty for none.
    pub models: &'static str,
    /// The tables of libraries, in the same form, for classes that are not watched.
    pub libraries: String,
    /// The user's own table.
    pub own_models: String,
    /// Show in reports and traces what keys of maps are.
    pub keys: bool,
    /// Treat reads that turn out to have no consequence as events too.
    pub all_reads: bool,
    /// Also record accesses that are redundant for the verdicts on this run.
    pub redundant: bool,
    /// The algorithms that say what other schedules could have violated.
    pub predict: Vec<&'static AlgorithmSpec>,
    /// Whether the order of critical sections matters to them.
    pub sections: Sections,
    /// The files for the report; without any, it goes to standard error.
    pub reports: Vec<Destination>,
    /// The format of the report on standard error.
    pub format: Format,
    /// The exit code of the VM after a violation; 0 for the program's own.
    pub exit_code: u8,
    /// Stop the VM at the first violation that counts.
    pub halt_on_violation: bool,
    /// What is suppressed, and what is known.
    pub sieve: Sieve,
    /// How many findings the text lists.
    pub max_reports: usize,
    /// How many of them it shows in detail.
    pub details: usize,
    /// Say more on standard error.
    pub verbose: bool,
    /// Seconds between two lines of progress, if set; 0 is never.
    pub progress: Option<u64>,
    /// For tests: what the threads hand over, where there is a choice.
    pub wanted: Mode,
    /// Whether the agent was attached to a program that ran already.
    pub attached: bool,
    /// For tests: use the VM's death event; otherwise the run ends in a shutdown hook.
    pub vm_death: bool,
    /// For tests: after how many events (in dependency mode, items) the analysis fails.
    pub fail_after: Option<u64>,
    /// For tests: how many records a ring (in dependency mode, a buffer) has room for; rings then do not grow.
    pub ring: Option<u64>,
}

/// The options before files are opened.
struct Asked {
    spec: Option<PathBuf>,
    reports: Vec<PathBuf>,
    /// The format that was asked for by name.
    format: Option<Format>,
    record: Option<PathBuf>,
    /// In the order in which they apply.
    suppressions: Vec<PathBuf>,
    baseline: Option<PathBuf>,
    /// Replace what other processes have left in these files.
    overwrite: bool,
    /// Methods to take out of the specification.
    excluded: Vec<String>,
    options: Options,
    wants_help: bool,
}

impl Options {
    /// Parses the options of an agent's string, of the system properties in the lines after it, and of an environment.
    ///
    /// # Errors
    /// What to print instead of starting: one line that names the option and the fix; with `help`, the help.
    pub fn parse(agent: &str, environment: &[(String, String)]) -> Result<Options, String> {
        let asked = Asked::parse(agent, environment).map_err(|refusal| one_line(&refusal))?;
        if asked.wants_help {
            return Err(help());
        }
        asked.open_files().map_err(|refusal| one_line(&refusal))
    }

    /// True if classes of this internal name are to be instrumented.
    pub fn includes(&self, internal_name: &str) -> bool {
        let name = internal_name.replace('/', ".");
        self.include.matches(&name) && !self.exclude.matches(&name) && !tools::is_unnamed(&name, &self.include)
    }

    /// True if `include=` names the class itself, not only its package: it is then watched even if it belongs to the platform.
    pub fn names_class(&self, internal_name: &str) -> bool {
        let name = internal_name.replace('/', ".");
        self.include.name(&name) && !self.exclude.matches(&name)
    }

    /// The packages of the application, of those beside the main class or in the folders of `own=`, separated by `:`; `None` if all
    /// belong to a tool that starts it.
    pub(crate) fn application(&self, packages: &str) -> Option<String> {
        tools::without(packages, &self.include)
    }

    /// Which classes are to be watched, as the user has said it.
    pub(crate) fn asked_classes(&self) -> String {
        let exclude = self.exclude.text();
        let exclude = if exclude.is_empty() { String::new() } else { format!(" and exclude={exclude}") };
        format!("include={}{exclude}", self.include.text())
    }

    /// What the program's threads hand over: dependencies alone are enough if the events are neither
    /// recorded nor looked at for predictions, nor by tests that are repeated.
    pub fn mode(&self) -> Mode {
        match self.engine.online {
            Online::Dependencies { .. } if self.record.is_none() && self.predict.is_empty() && !self.repeats_tests => {
                self.wanted
            }
            _ => Mode::Stream,
        }
    }

    /// What the Java side needs to know, as `key=value`, one per line.
    pub fn answer(&self) -> String {
        let mode = match self.mode() {
            Mode::Dependencies => "dependencies",
            Mode::Stream => "stream",
        };
        let Options { arrays, keys, nested, verbose, .. } = self;
        let own = self.own_models.replace('\n', "\\n");
        // Only a trace has a use for fences.
        let fences = self.record.is_some();
        let redundant = self.redundant;
        let reads = if self.all_reads { "all" } else { "used" };
        let readers = !self.all_reads;
        // In another order of the events an initializer would have to stay where its thread ran it, which a trace does not say.
        let looks_further = fences || redundant || self.engine.claim.only_warns();
        let initializers = if readers && !looks_further { "apart" } else { "inside" };
        let sample = self.sample.is_some();
        let [include, folders] =
            [self.include.text(), self.own.join("\n")].map(|text| text.replace('\\', "\\\\").replace('\n', "\\n"));
        format!(
            "arrays={arrays}\nfences={fences}\ninclude={include}\ninitializers={initializers}\nkeys={keys}\nmode={mode}\n\
             nested={nested}\nown={folders}\nown_models={own}\nreaders={readers}\nreads={reads}\nredundant={redundant}\nsample={sample}\nverbose={verbose}\n"
        )
    }

    /// The tables of models in force, those that take precedence last: of the platform, of libraries, of the user.
    pub(crate) fn tables_of_models(&self) -> [&str; 3] {
        [self.models, &self.libraries, &self.own_models]
    }

    /// All models in force, those that take precedence last.
    pub(crate) fn table_of_models(&self) -> String {
        self.tables_of_models().concat()
    }

    /// The exit code of the VM after a violation; 0 for the program's own.
    pub fn violation_code(&self) -> u8 {
        if self.halt_on_violation && self.exit_code == 0 { HALTED } else { self.exit_code }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            spec: Specification::default_rules(),
            engine: engines::default(),
            include: ClassPatterns::parse("*"),
            exclude: ClassPatterns::parse(""),
            arrays: "refs".into(),
            nested: true,
            sample: None,
            profile: None,
            slices: None,
            candidates: None,
            provoke: None,
            repeats_tests: false,
            priorities: None,
            provoke_share: None,
            provoke_turn: None,
            schedules: None,
            replay: None,
            replay_patience: None,
            record: None,
            all_reads: false,
            redundant: false,
            keys: true,
            sources: Sources::Usual,
            own: Vec::new(),
            models: models::shipped(),
            libraries: String::new(),
            own_models: String::new(),
            predict: Vec::new(),
            sections: Sections::Ignored,
            reports: Vec::new(),
            format: Format::Text,
            exit_code: 0,
            halt_on_violation: false,
            sieve: Sieve::default(),
            max_reports: 10,
            details: text::DETAILS,
            verbose: false,
            progress: None,
            wanted: Mode::Dependencies,
            attached: false,
            vm_death: true,
            fail_after: None,
            ring: None,
        }
    }
}

impl Asked {
    fn parse(agent: &str, environment: &[(String, String)]) -> Result<Asked, String> {
        let pairs = pairs(agent, environment)?;
        let (options, excluded) = (Options::default(), Vec::new());
        let mut asked = Asked {
            spec: None,
            reports: Vec::new(),
            format: None,
            record: None,
            suppressions: Vec::new(),
            baseline: None,
            overwrite: false,
            excluded,
            options,
            wants_help: false,
        };
        let mut level_of_reports = None;
        // From the weakest to the strongest, so that the strongest wins.
        for Pair { level, source, key, value } in pairs.iter().rev() {
            let Some(option) = option_named(key) else {
                return Err(format!("{source}: unknown option '{key}'{}", meant(key)));
            };
            // The strongest source that names files names all of them.
            if option.name == REPORT && level_of_reports.replace(*level) != Some(*level) {
                asked.reports.clear();
            }
            let set = (option.set)(&mut asked, value);
            set.map_err(|reason| format!("{source}: {key}={value}: {reason}"))?;
        }
        asked.reports.reverse();
        Ok(asked)
    }

    fn open_files(self) -> Result<Options, String> {
        let mut options = self.options;
        if !options.models.is_empty() {
            options.libraries = models::libraries(|class| !options.includes(class));
        }
        if options.redundant && self.record.is_none() && !options.engine.claim.only_warns() {
            return Err("redundant=true: there is no trace for it; add record=FILE".to_owned());
        }
        if options.sections == Sections::Conflict && options.predict.is_empty() {
            return Err("sections=true: nothing is predicted; add predict=ALGORITHM,..".to_owned());
        }
        let is_stream = self.record.is_some() || options.mode() == Mode::Stream;
        // A repeated access matters where something else could come in between.
        options.redundant |= !options.predict.is_empty() || options.candidates.is_some() && is_stream;
        if let Some(path) = self.spec {
            options.spec = read_spec(&path)?;
        }
        options.spec = options.spec.with_annotations();
        for method in &self.excluded {
            options.spec.exclude(method).map_err(|error| format!("exclude-method={method}: {error}"))?;
        }
        if let Some(percent) = options.sample {
            let is_recorded = self.record.is_some() || !options.predict.is_empty();
            let is_enough =
                matches!(options.engine.online, Online::Dependencies { .. }) && options.wanted == Mode::Dependencies;
            if is_recorded || !is_enough {
                return Err(format!(
                    "sample={percent}: a part of the run is neither recorded nor enough for predictions and other engines; leave \
                     out record=, predict= and engine=, or sample="
                ));
            }
        }
        if options.attached {
            let asked = [
                ("record", self.record.is_some()),
                ("predict", !options.predict.is_empty()),
                ("candidates", options.candidates.is_some()),
                ("profile", options.profile.is_some()),
            ];
            if let Some((key, _)) = asked.iter().find(|(_, is_set)| *is_set) {
                return Err(format!(
                    "{key}=: what the program did before the agent was attached is missing; leave it out, or start the program with \
                     -javaagent:regiontrack.jar"
                ));
            }
        }
        if let Some(path) = &options.candidates {
            let other = [("provoke=tests", options.repeats_tests), ("sample=", options.sample.is_some())];
            if let Some((other, _)) = other.iter().find(|(_, is_set)| *is_set) {
                return Err(format!(
                    "candidates={}: with {other} only a part of the run would show some; leave out one of them",
                    path.display()
                ));
            }
        }
        let is_steered = options.provoke.is_some() || options.repeats_tests || options.replay.is_some();
        if let (Some(share), false, None) = (options.provoke_share, is_steered, options.priorities) {
            return Err(format!("provoke-share={share}: no thread is held; add provoke=FILE or priorities=SEED"));
        }
        if let Some(priorities) = options.priorities {
            let other = [
                ("provoke=", options.provoke.is_some() || options.repeats_tests),
                ("replay=", options.replay.is_some()),
                ("sample=", options.sample.is_some()),
            ];
            if let Some((other, _)) = other.iter().find(|(_, is_set)| *is_set) {
                return Err(format!(
                    "priorities={priorities}: {other} says otherwise which threads are held, or how much is watched; leave out one of them"
                ));
            }
        }
        if let (Some(turn), None) = (options.provoke_turn, &options.provoke) {
            return Err(format!("provoke-turn={turn}: nothing is provoked; add provoke=FILE"));
        }
        if let (Some(patience), None) = (options.replay_patience, &options.replay) {
            return Err(format!("replay-patience={patience}: no schedule is replayed; add replay=FILE"));
        }
        let is_provoked = options.provoke.is_some() || options.repeats_tests;
        if let (Some(folder), false) = (&options.schedules, is_provoked) {
            return Err(format!(
                "schedules={}: nothing is provoked; add provoke=FILE or provoke=tests",
                folder.display()
            ));
        }
        if let (Some(schedule), true) = (&options.replay, is_provoked) {
            return Err(format!(
                "replay={}: a run replays a schedule or is steered to candidates; leave out replay= or provoke=",
                schedule.display()
            ));
        }
        let tests = options.repeats_tests.then(|| PathBuf::from(TESTS));
        let steering = options.provoke.as_ref().or(tests.as_ref()).map(|path| ("provoke", path));
        if let Some((key, path)) = steering.or(options.replay.as_ref().map(|path| ("replay", path))) {
            let path = path.display();
            if let Some(percent) = options.sample {
                return Err(format!(
                    "sample={percent}: a thread is held for what is watched, and of that a part would be missing; leave out sample= or \
                     {key}="
                ));
            }
            if matches!(options.engine.online, Online::Events) {
                let name = options.engine.name;
                return Err(format!(
                    "{key}={path}: engine {name} does not say while the program runs what is violated, so nobody would know which hold \
                     led to it; leave out engine="
                ));
            }
        }
        if let (Some(slices), None) = (options.slices, &options.profile) {
            return Err(format!(
                "slice={slices}: everything is watched, so there is no slice of the rest; add profile=FILE"
            ));
        }
        if let (Some(percent), Some(_)) = (options.sample, &options.profile) {
            return Err(format!(
                "sample={percent}: a profile already says what is worth watching, and a run of which a part is watched learns \
                 nothing for it; leave out sample= or profile="
            ));
        }
        options.sieve = known::read(&self.suppressions, self.baseline.as_deref())?;
        if options.halt_on_violation && !options.sieve.is_empty() {
            return Err("halt_on_violation=true: which findings are suppressed or known is decided at the end of the run; leave \
                        out halt_on_violation=, or suppressions= and baseline="
                .to_owned());
        }
        if options.halt_on_violation && matches!(options.engine.online, Online::Events) {
            let name = options.engine.name;
            return Err(format!(
                "halt_on_violation=true: engine {name} does not say while the program runs what is violated; leave out \
                 halt_on_violation=, for which exitcode= can stand, or engine="
            ));
        }
        options.format = self.format.unwrap_or(Format::Text);
        let is_one = self.reports.len() == 1;
        for path in self.reports {
            // With several reports, one format for all would leave no reason for having several.
            let of_file = Format::of_file(&path);
            let format = if is_one { self.format.or(of_file) } else { of_file.or(self.format) }.unwrap_or(Format::Text);
            let Claimed { path, file, is_shared } = files::claim(REPORT, path, self.overwrite)?;
            options.reports.push(Destination { path, file, is_shared, format });
        }
        if let Some(path) = self.record {
            let Claimed { path, file, is_shared } = files::claim("record", path, self.overwrite)?;
            if is_shared {
                return Err(format!("record={}: {}", path.display(), table::NO_STREAM));
            }
            options.record = Some((path, file));
        }
        Ok(options)
    }
}

fn read_spec(path: &Path) -> Result<Specification, String> {
    let name = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| format!("spec={name}: cannot be read: {error}"))?;
    let text = String::from_utf8(text).map_err(|_| format!("spec={name}: not UTF-8; save the file as UTF-8"))?;
    Specification::parse(&text, &name).map_err(|errors| {
        let others = match errors.lines().len() {
            0 | 1 => String::new(),
            more => format!(" (and {} more: see regiontrack spec --check {name})", more - 1),
        };
        format!("{}{others}", errors.lines()[0])
    })
}

/// A key and a value, and the source that they come from.
struct Pair {
    /// How many stronger sources there are.
    level: usize,
    source: String,
    key: String,
    value: String,
}

/// All pairs, strongest first.
fn pairs(agent: &str, environment: &[(String, String)]) -> Result<Vec<Pair>, String> {
    let (agent, properties) = agent.split_once('\n').unwrap_or((agent, ""));
    let mut pairs = Vec::new();
    for word in options::words(agent) {
        pairs.push(pair(0, "agent options", &word)?);
    }
    for line in properties.lines().filter(|line| !line.is_empty()) {
        pairs.push(pair(1, "system properties", line)?);
    }
    pairs.extend(environment.iter().filter_map(|(name, value)| from_environment(name, value)));
    if let Some(config) = pairs.iter().find(|pair| pair.key == "config") {
        let path = config.value.clone();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("config={path}: cannot be read: {error}"))?;
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if !line.is_empty() && !line.starts_with('#') {
                pairs.push(pair(3, &format!("{path}:{number}"), line)?);
            }
        }
    }
    Ok(pairs)
}

/// The option of that name.
fn option_named(key: &str) -> Option<&'static OptionSpec> {
    let known = options::named(key)?;
    OPTIONS.iter().find(|option| option.name == known.name)
}

/// Parses `key=value`; a switch needs no value.
fn pair(level: usize, source: &str, text: &str) -> Result<Pair, String> {
    let (key, value) = match text.split_once('=') {
        Some((key, value)) => (key.trim(), value.trim()),
        None => match option_named(text) {
            Some(option) if option.is_switch() => (text, "true"),
            Some(option) => {
                let form = option.value().form();
                return Err(format!("{source}: option '{text}' has no value; write {text}={form}"));
            }
            None => return Err(format!("{source}: unknown option '{text}'{}", meant(text))),
        },
    };
    Ok(Pair { level, source: source.to_owned(), key: key.to_owned(), value: value.to_owned() })
}

/// Takes a variable for an option if it names one, or nearly one; other variables can use the prefix for other reasons.
fn from_environment(name: &str, value: &str) -> Option<Pair> {
    let key = name.strip_prefix(ENVIRONMENT)?.to_lowercase();
    let key = option_named(&key).map_or(key, |option| option.name.to_owned());
    (nearest(&key).1 >= 0.9).then(|| Pair {
        level: 2,
        source: format!("environment {name}"),
        key,
        value: value.to_owned(),
    })
}

fn nearest(key: &str) -> (&'static str, f64) {
    let alike = OPTIONS.iter().map(|option| (option.name, strsim::jaro_winkler(key, option.name)));
    alike.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are options")
}

fn meant(key: &str) -> String {
    match nearest(key) {
        (name, alike) if alike >= ALIKE => format!("; did you mean {name}?"),
        _ => "; help lists them".to_owned(),
    }
}

/// All options, for a person.
pub fn help() -> String {
    let mut text = "options, as -javaagent:regiontrack.jar=key=value,key=value, -Dregiontrack.key=value, or in the \
                    environment as REGIONTRACK_KEY:"
        .to_owned();
    for option in OPTIONS.iter().filter(|option| !option.doc.is_empty()) {
        let form = format!("{}={}", option.name, option.value().form());
        let _ = write!(text, "\n  {form:<24} {}", option.doc);
    }
    text
}
