//! Counts of what the Java side reports about classes and losses.

use std::collections::{BTreeMap, HashSet};

use analysis_core::report::run::Classes;
use analysis_core::report::{Application, Attached};

use analysis_core::spec::tools;

/// How many different texts of one kind are kept.
const MOST_TEXTS: usize = 50;

/// How many packages a report names that are not watched.
const MOST_PACKAGES: usize = 5;
/// Why a run had no block although classes were watched.
const NO_BLOCK: &str = "no block was entered: the specification calls no method atomic that has run";

/// The kind of a description; the numbers are those of `NativeBridge`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A site.
    Site,
    /// A type.
    Type,
    /// A class was instrumented.
    Instrumented,
    /// A class was left alone on purpose.
    Skipped,
    /// A class or method could not be instrumented.
    Failed,
    /// Something was not observed.
    Lost,
    /// Something is tolerated and counted.
    Tolerated,
    /// A thread, described before its fork, so that traces can call it by its name from there on.
    Thread,
    /// The packages of the application.
    Application,
    /// In dependency mode: the number under which a method's blocks are counted.
    Block,
    /// In dependency mode: the stack of a thread whose item violated a block.
    Stack,
    /// A part of an object of the platform's library.
    Part,
    /// The class of the platform whose method is called at a site.
    Owner,
    /// The class that declares the field that is accessed at a site, if the instruction names another.
    Declared,
    /// A class that is watched whole, for the profile: its bytes, and what there is to watch.
    Whole,
    /// What is watched in a class whose rest a profile leaves out.
    Kept,
    /// The methods from which a place that a profile keeps was reached.
    Callers,
    /// The field that a call of a handle accesses at a site.
    Target,
    /// A class, or a method of one, that the user's table of models names and that exists.
    Modelled,
    /// The agent was attached to a running program: which of its classes have hooks.
    Attached,
    /// A thread was held, in a run that is steered.
    Held,
    /// A place of the plan is in a class that was loaded.
    Found,
    /// How many steps there were, and how long a thread was delayed, in a run whose threads have priorities.
    Steps,
    /// What became of a schedule.
    Schedule,
    /// In dependency mode: the data that a block just violated by an item accesses and other threads have accessed.
    Data,
    /// The test that is to be repeated next.
    Test,
    /// What a test expects of the findings that its scope was told.
    Expected,
}

impl What {
    /// The kind for a number of `NativeBridge`.
    pub fn of(number: i32) -> Option<What> {
        use What::{
            Application, Attached, Block, Callers, Data, Declared, Expected, Failed, Found, Held, Instrumented, Kept,
            Lost, Modelled, Owner, Part, Schedule, Site, Skipped, Stack, Steps, Target, Test, Thread, Tolerated, Type,
            Whole,
        };
        let all = [
            Site,
            Type,
            Instrumented,
            Skipped,
            Failed,
            Lost,
            Tolerated,
            Thread,
            Application,
            Block,
            Stack,
            Part,
            Owner,
            Declared,
            Whole,
            Kept,
            Callers,
            Target,
            Modelled,
            Attached,
            Held,
            Found,
            Steps,
            Schedule,
            Data,
            Test,
            Expected,
        ];
        usize::try_from(number).ok()?.checked_sub(1).and_then(|index| all.get(index).copied())
    }
}

/// The counts of a run.
#[derive(Default)]
pub struct Observed {
    /// Counts of classes.
    pub classes: Classes,
    /// The packages of the application.
    pub application: Application,
    /// Set if the agent was attached to a running program.
    pub attached: Option<Attached>,
    unmodelled: Texts,
    /// What exists of what the user's table of models names, as `class` and `class method/parameters`.
    pub modelled: HashSet<String>,
    /// The rules of the specification that match a method of a loaded and watched class.
    pub matched_rules: HashSet<usize>,
    /// How many classes were left alone in each package.
    skipped: BTreeMap<String, u64>,
    failed: Texts,
    lost: Texts,
    tolerated: Texts,
}

/// Texts and how often each was reported.
#[derive(Default)]
struct Texts {
    by_text: BTreeMap<String, u64>,
    others: u64,
}

impl Texts {
    fn total(&self) -> u64 {
        self.by_text.values().sum::<u64>() + self.others
    }

    fn add(&mut self, count: u64, text: &str) {
        if let Some(known) = self.by_text.get_mut(text) {
            *known += count;
        } else if self.by_text.len() < MOST_TEXTS {
            self.by_text.insert(text.to_owned(), count);
        } else {
            self.others += count;
        }
    }

    fn lines(&self, say: impl Fn(&str, u64) -> String) -> impl Iterator<Item = String> {
        let others = (self.others > 0).then(|| say("others", self.others));
        self.by_text.iter().map(|(text, count)| say(text, *count)).chain(others).collect::<Vec<_>>().into_iter()
    }
}

impl Observed {
    /// Counts a description that is not a name.
    pub fn add(&mut self, what: What, number: u64, text: &str) {
        match what {
            What::Instrumented => self.classes.instrumented += 1,
            What::Skipped => {
                self.classes.skipped += 1;
                let package = text.rsplit_once('.').map_or("the unnamed package", |(package, _)| package);
                *self.skipped.entry(package.to_owned()).or_default() += 1;
            }
            What::Failed => {
                self.classes.failed += 1;
                self.failed.add(1, text);
            }
            What::Lost => self.lost(number.max(1), text),
            What::Tolerated => self.tolerated.add(number.max(1), text),
            What::Application => self.application = Application::parse(text),
            What::Attached => self.attached = Some(Attached::parse(text)),
            What::Modelled => {
                self.modelled.insert(text.to_owned());
            }
            What::Site
            | What::Type
            | What::Thread
            | What::Block
            | What::Stack
            | What::Part
            | What::Owner
            | What::Declared
            | What::Target
            | What::Whole
            | What::Kept
            | What::Callers
            | What::Held
            | What::Found
            | What::Steps
            | What::Schedule
            | What::Data
            | What::Test
            | What::Expected => {}
        }
    }

    /// Counts a call in watched code of synchronization without a model.
    pub fn unmodelled(&mut self, call: &str) {
        self.unmodelled.add(1, call);
    }

    /// The number of places with such calls.
    pub fn unmodelled_count(&self) -> u64 {
        self.unmodelled.total()
    }

    /// The calls of synchronization without a model, the most frequent first.
    pub fn unmodelled_calls(&self) -> Vec<String> {
        let mut calls: Vec<(&String, &u64)> = self.unmodelled.by_text.iter().collect();
        calls.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        calls.into_iter().map(|(call, _)| call.clone()).collect()
    }

    /// Counts something that was not observed.
    pub fn lost(&mut self, count: u64, what: &str) {
        self.lost.add(count, what);
    }

    /// How many things were not observed.
    pub fn lost_count(&self) -> u64 {
        self.lost.total()
    }

    /// Why the run is incomplete for lack of hooks.
    pub fn unwatched(&self) -> Option<String> {
        let failed = self.classes.failed;
        match failed {
            0 => None,
            1 => Some("1 class or method not instrumented".to_owned()),
            _ => Some(format!("{failed} classes or methods not instrumented")),
        }
    }

    /// What was not observed, in a few words each.
    pub fn losses(&self) -> Vec<String> {
        self.lost.lines(|what, count| format!("not observed: {what} ({count})")).collect()
    }

    /// The packages in which the most classes were left alone.
    fn largest_skipped(&self) -> String {
        let mut packages: Vec<(&String, &u64)> = self.skipped.iter().collect();
        packages.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let others = packages.len().saturating_sub(MOST_PACKAGES);
        let told = packages.into_iter().take(MOST_PACKAGES).map(|(package, count)| format!("{package} ({count})"));
        let others = if others > 0 { format!(" and {others} more packages") } else { String::new() };
        told.collect::<Vec<_>>().join(", ") + &others
    }

    /// Test frameworks and build tools that were left alone, if there were any.
    pub fn tools(&self) -> Option<String> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (package, count) in &self.skipped {
            if let Some(tool) = tools::of(package) {
                *counts.entry(tool).or_default() += count;
            }
        }
        let all: Vec<String> = counts.iter().map(|(tool, count)| format!("{tool} ({count})")).collect();
        let (first, _) = counts.first_key_value()?;
        let all = all.join(", ");
        Some(format!(
            "test frameworks and build tools are not watched unless they are named, as by include=*:{first}.*: classes of {all}"
        ))
    }

    /// Why a run had no block. `asked` says which classes were to be watched.
    pub fn without_blocks(&self, asked: &str) -> String {
        let (watched, skipped) = (self.classes.instrumented, self.classes.skipped);
        match (watched, skipped) {
            (0, 0) => "no class was watched: none was loaded but those of the platform".to_owned(),
            (0, _) => format!(
                "no class was watched: {asked} matches none of the {skipped} that were loaded outside the platform, in {}",
                self.largest_skipped()
            ),
            (_, 0) => NO_BLOCK.to_owned(),
            _ => format!("{NO_BLOCK}; by {asked}, classes were left out in {}", self.largest_skipped()),
        }
    }

    /// Further warnings.
    pub fn warnings(&self) -> Vec<String> {
        let failed = self.failed.lines(|what, _| format!("not instrumented: {what}"));
        let tolerated = |what: &str, count| format!("tolerated: {what} ({count}): {}", consequence(what));
        failed.chain(self.tolerated.lines(tolerated)).collect()
    }

    /// What was not seen and can hide a violation.
    pub fn unseen(&self) -> Vec<String> {
        let hides = |what: &str, count| match consequence(what) {
            HIDES => format!("{what} ({count})"),
            _ => String::new(),
        };
        self.tolerated.lines(hides).filter(|line| !line.is_empty()).collect()
    }
}

/// Said of something missing that can hide a violation.
const HIDES: &str = "what is reported is true, but a violation can be hidden";

/// The beginnings of texts on tolerated things that are not events that could matter.
const HARMLESS: [&str; 4] = [
    "names of keys, left out",
    "reflection shows",
    "stack traces show",
    "classes of which it is not known whether the table",
];

/// What tolerating this means for the answer. A missing access, order or operation can hide a cycle. It never invents
/// one: an operation that is not known well enough counts as a read, or not at all.
fn consequence(what: &str) -> &'static str {
    let is_early = what.ends_with("did before the program started a second thread");
    let is_refused = what.ends_with(": the JVM refuses them");
    if is_early || is_refused || HARMLESS.iter().any(|start| what.starts_with(start)) {
        "the answer is exact all the same"
    } else {
        HIDES
    }
}
