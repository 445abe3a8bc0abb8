//! `profile=`: what earlier runs saw threads share decides what this run watches, and the run adds what it sees itself.
//!
//! The Java side asks here for each class (`Profiling::judge`) and leaves out what the answer and the facts
//! (`Profiling::facts`) allow. While the program runs, its threads mark the places whose variables they share in memory that is
//! allocated here (`memory.rs`). When the run ends, the marks become facts (`learnt.rs`) and are added to the file.

mod learnt;
pub(crate) mod memory;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use analysis_core::profile::{self, Class, Counts, FactKind, Profile};
use analysis_core::report::{Guided, Part};

use crate::names::Names;
use crate::shared::lock;
use memory::Tables;

/// The default number of slices that everything known not to be shared is divided into.
pub(crate) const SLICES: u64 = 16;

/// How much processor time, in per cent of the rest, the slice may take.
pub(crate) const SLICE_PERCENT: u8 = 5;

/// Part of the descriptor of a method that the agent has copied.
const STATE: &str = "Ldev/regiontrack/runtime/threads/ThreadState;";

/// The profile of a run.
#[derive(Debug)]
pub(crate) struct Profiling {
    path: PathBuf,
    /// What earlier runs have learnt; `None` if there was no file.
    known: Option<Profile>,
    /// What this run watches.
    settings: String,
    /// A sum of the run's specification.
    specification: String,
    /// How many slices there are; 0 for none.
    slices: u64,
    /// False in stream mode, in which the threads mark nothing.
    learns: bool,
    tables: Arc<Mutex<Tables>>,
    seen: Mutex<Seen>,
}

/// What the run has seen of the program.
#[derive(Debug, Default)]
struct Seen {
    /// The classes by name: watched whole because they are new or have changed, or unchanged.
    classes: BTreeMap<String, Judgement>,
    /// Classes that were watched whole.
    whole: Vec<(String, u64, Class)>,
    /// What is watched in the other classes.
    kept: Counts,
    /// By site: the methods that were on the stack when it was reached, as `class.method(descriptor)`.
    callers: BTreeMap<u32, BTreeSet<String>>,
}

/// How a class is watched. The numbers are those that the Java side knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Judgement {
    /// Whole: it is new, or its bytes have changed.
    Whole = 0,
    /// As the facts say.
    Guided = 1,
    /// Whole, as far as there is time: it is in the slice of this run.
    Slice = 2,
}

impl Profiling {
    /// Reads the file, if there is one.
    ///
    /// # Errors
    /// It is broken, or there is none and this run cannot learn; one line.
    pub(crate) fn new(
        path: &Path,
        settings: String,
        specification: String,
        slices: u64,
        learns: bool,
    ) -> Result<Profiling, String> {
        let known = profile::read(path).map_err(|error| error.to_string())?;
        if known.is_none() && !learns {
            return Err(format!(
                "profile={}: there is no such file, and a run with record=, predict= or another engine does not learn one; \
                 run once without these",
                path.display()
            ));
        }
        Ok(Profiling {
            path: path.to_owned(),
            known,
            settings,
            specification,
            slices,
            learns,
            tables: Arc::default(),
            seen: Mutex::default(),
        })
    }

    /// Whether earlier runs say what is watched.
    pub(crate) fn is_guided(&self) -> bool {
        self.usable().is_some()
    }

    /// Whether a slice is watched as well, in bursts. In stream mode that would learn nothing.
    pub(crate) fn has_slice(&self) -> bool {
        self.is_guided() && self.slices > 0 && self.learns
    }

    /// Whether the threads mark what they share.
    pub(crate) fn learns(&self) -> bool {
        self.learns
    }

    /// The profile, if its runs have watched what this one does.
    fn usable(&self) -> Option<&Profile> {
        self.known.as_ref().filter(|known| known.settings() == self.settings)
    }

    /// What is watched in unchanged classes, one fact per line: `kind text`. A field is listed with each class that inherits it,
    /// because an instruction may name that class. `shadow` is a class whose objects, or those of its subclasses, have such fields;
    /// `class` is a known class; `extends` is a known class and its nearest superclass that is not known, if that is not `Object`.
    pub(crate) fn facts(&self) -> String {
        let Some(known) = self.usable() else { return String::new() };
        let mut lines = String::new();
        let mut line = |kind: &str, text: &str| lines.push_str(&format!("{kind} {text}\n"));
        let mut tops = BTreeSet::new();
        for fact in known.facts() {
            match fact.kind {
                FactKind::Field => {
                    let (class, name) = fact.text.rsplit_once('.').unwrap_or(("", fact.text));
                    tops.insert(known.top(class));
                    known.below(class).for_each(|class| line("field", &format!("{class}.{name}")));
                }
                FactKind::Specification => {}
                kind => {
                    tops.extend((kind == FactKind::Monitor).then(|| known.top(fact.text)));
                    line(kind.name(), fact.text);
                }
            }
        }
        if !known.has(FactKind::Specification, &self.specification) {
            // The set of atomic methods has changed: which of them reach what is shared has to be learnt anew.
            line(FactKind::Block.name(), profile::ALL_BLOCKS);
        }
        tops.iter().for_each(|top| line("shadow", top));
        for class in known.classes() {
            line("class", class);
            let platform = known.class(known.top(class)).map(|(_, top)| top.superclass.as_str()).next();
            let platform = platform.filter(|platform| *platform != "java.lang.Object");
            platform.into_iter().for_each(|platform| line("extends", &format!("{class} {platform}")));
        }
        lines
    }

    /// How the class with this name and these bytes is to be watched.
    pub(crate) fn judge(&self, name: &str, checksum: u64) -> Judgement {
        let judgement = match self.usable() {
            Some(known) if known.is_unchanged(name, checksum) => {
                let is_in_slice = self.has_slice() && known.slice_of(name, self.slices) == known.runs % self.slices;
                if is_in_slice { Judgement::Slice } else { Judgement::Guided }
            }
            _ => Judgement::Whole,
        };
        let mut seen = lock(&self.seen);
        let worst = seen.classes.entry(name.to_owned()).or_insert(judgement);
        *worst = (*worst).min(judgement);
        judgement
    }

    /// Notes that a class is watched: whole if `is_whole`, else as the counts say. `text` is its name, its checksum in
    /// hexadecimal, its superclass, and the counts in the order of [`Counts`], separated by tabs.
    pub(crate) fn watched(&self, is_whole: bool, text: &str) {
        let fields: Vec<&str> = text.split('\t').collect();
        let [name, checksum, superclass, counts @ ..] = &fields[..] else { return };
        let Ok(checksum) = u64::from_str_radix(checksum, 16) else { return };
        let count = |index: usize| counts.get(index).and_then(|count| count.parse().ok()).unwrap_or(0);
        let counts =
            Counts { fields: count(0), arrays: count(1), calls: count(2), monitors: count(3), blocks: count(4) };
        let mut seen = lock(&self.seen);
        if is_whole {
            seen.whole.push(((*name).to_owned(), checksum, Class { superclass: (*superclass).to_owned(), counts }));
        } else {
            add(&mut seen.kept, counts);
        }
    }

    /// Takes the methods, one per line, that were on the stack of a thread that reached this watched site.
    pub(crate) fn called_from(&self, site: u32, methods: &str) {
        // The agent adds methods of its own, and copies with its state as one more parameter.
        let methods = methods.lines().filter(|method| !method.contains(".$regiontrack$"));
        let mut seen = lock(&self.seen);
        seen.callers.entry(site).or_default().extend(methods.map(|method| method.replace(STATE, "")));
    }

    /// The tables in which the threads mark what they share.
    pub(crate) fn tables(&self) -> Arc<Mutex<Tables>> {
        Arc::clone(&self.tables)
    }

    /// Ends the run: adds what was learnt to the file, unless an event was lost. Returns what to report about it.
    pub(crate) fn finish(&self, names: &Names, has_all: bool, is_block: impl Fn(&str) -> bool) -> Ended {
        let mut ended = Ended { guided: self.guided(), warning: None };
        if !self.learns {
            return ended;
        }
        if !has_all {
            ended.warning = Some(format!(
                "profile={}: nothing is added to it, because this run has lost events",
                self.path.display()
            ));
            return ended;
        }
        let run = self.learn(names, is_block);
        let written: Result<(), profile::Error> = profile::change(&self.path, |file| {
            let mut profile = file.clone().unwrap_or_else(|| Profile::new(self.settings.as_str()));
            profile.record(&run);
            // Which slice is next depends on the number of runs; without slices, a run that has seen nothing new changes nothing.
            let is_known = self.slices == 0 && file.is_some_and(|file| file.is_but_for_runs(&profile));
            Ok((!is_known).then_some(profile))
        });
        ended.warning = written.err().map(|error| format!("nothing is added to the profile: {error}"));
        ended
    }

    /// What this run has learnt.
    fn learn(&self, names: &Names, is_block: impl Fn(&str) -> bool) -> Profile {
        let mut run = Profile::new(self.settings.as_str());
        let seen = lock(&self.seen);
        for (name, checksum, class) in &seen.whole {
            run.add_class(name.as_str(), *checksum, class.clone());
        }
        run.add_fact(FactKind::Specification, self.specification.as_str());
        let known = self.known.as_ref();
        learnt::facts(&lock(&self.tables), names, known, &mut run);
        let is_watched = |method: &str| {
            let class = method.split('(').next().and_then(|name| name.rsplit_once('.'));
            class.is_some_and(|(class, _)| seen.classes.contains_key(class)) && is_block(method)
        };
        // A slice is watched as well, and most of it is not shared.
        let is_kept = |site: u32| match names.fact_of(site) {
            Some(fact) => learnt::is_shared(&fact, known, &run),
            None => names.is_between_threads(site),
        };
        let callers = seen.callers.iter().filter(|(site, _)| is_kept(**site)).flat_map(|(_, methods)| methods);
        let methods: Vec<&String> = callers.filter(|method| is_watched(method)).collect();
        methods.into_iter().for_each(|method| run.add_fact(FactKind::Block, method.as_str()));
        run
    }

    /// How much of the program this run watches, for the report.
    fn guided(&self) -> Option<Guided> {
        let known = self.usable()?;
        let seen = lock(&self.seen);
        let (mut watched, mut all, mut new, mut slice) = (seen.kept, Counts::default(), 0, 0);
        watched.fields = 0;
        for (_, _, class) in &seen.whole {
            add(&mut watched, class.counts);
            add(&mut all, class.counts);
        }
        for (name, judgement) in &seen.classes {
            match judgement {
                Judgement::Whole => new += 1,
                Judgement::Slice => slice += 1,
                Judgement::Guided => known.class(name).for_each(|(_, class)| add(&mut all, class.counts)),
            }
        }
        let is_guided = |class: &str| seen.classes.get(class) == Some(&Judgement::Guided);
        let fields = known.facts_of(FactKind::Field).filter_map(|field| field.rsplit_once('.'));
        watched.fields += u32::try_from(fields.filter(|(class, _)| is_guided(class)).count()).unwrap_or(u32::MAX);
        let part = |watched: u32, all: u32| Part { watched: watched.min(all).into(), all: all.into() };
        Some(Guided {
            profile: self.path.display().to_string(),
            runs: known.runs,
            fields: part(watched.fields, all.fields),
            arrays: part(watched.arrays, all.arrays),
            calls: part(watched.calls, all.calls),
            monitors: part(watched.monitors, all.monitors),
            blocks: part(watched.blocks, all.blocks),
            new_classes: new,
            slice_classes: slice,
        })
    }
}

/// The results of a run for its profile.
pub struct Ended {
    /// How much was watched, if earlier runs said so.
    pub guided: Option<Guided>,
    /// Why nothing was added to the file.
    pub warning: Option<String>,
}

fn add(all: &mut Counts, more: Counts) {
    let Counts { fields, arrays, calls, monitors, blocks } = all;
    for (all, more) in [
        (fields, more.fields),
        (arrays, more.arrays),
        (calls, more.calls),
        (monitors, more.monitors),
        (blocks, more.blocks),
    ] {
        *all = all.saturating_add(more);
    }
}
