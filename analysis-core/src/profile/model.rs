//! The data of a profile: classes and facts, adding a run, and the union of two profiles.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// What earlier runs have learnt about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The number of runs that contributed.
    pub runs: u64,
    /// What the runs watched: `arrays=refs nested=exact`.
    pub(super) settings: String,
    /// By name: its versions by checksum, at least one. Class loaders and merged branches can cause several.
    pub(super) classes: BTreeMap<String, BTreeMap<u64, Class>>,
    facts: [BTreeSet<String>; FactKind::ALL.len()],
}

/// A version of a class, as a run has watched it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The name of its superclass; empty if it has none.
    pub superclass: String,
    /// What there is to watch in it.
    pub counts: Counts,
}

/// The number of things to watch in a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Declared fields.
    pub fields: u32,
    /// Places that access array elements.
    pub arrays: u32,
    /// Calls of library methods that have a model.
    pub calls: u32,
    /// Places that enter monitors.
    pub monitors: u32,
    /// Atomic methods.
    pub blocks: u32,
}

/// The kind of thing that a fact names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// The place from which the reference to an array comes.
    Array,
    /// A method.
    Block,
    /// The place from which the receiver of a library call comes.
    Call,
    /// A field, by its declaration.
    Field,
    /// All locks of the library; its text is empty.
    Locks,
    /// The name by which the program's monitors are identified.
    Monitor,
    /// A specification, by a checksum of its text, under which the blocks that reach shared things were learnt.
    Specification,
}

/// The name that stands for all blocks, if every method is kept.
pub const ALL_BLOCKS: &str = "*";

/// Something that threads were seen to share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact<'a> {
    /// The kind of thing that it names.
    pub kind: FactKind,
    /// Its name.
    pub text: &'a str,
}

/// Two profiles cannot be merged because their runs watched different things.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its runs watched '{theirs}', the others '{ours}'; merge only profiles of runs with the same settings")]
pub struct SettingsDiffer {
    /// The settings of the profile to merge into.
    pub ours: String,
    /// The settings of the other profile.
    pub theirs: String,
}

impl FactKind {
    /// All kinds, in order.
    pub const ALL: [FactKind; 7] = [
        FactKind::Array,
        FactKind::Block,
        FactKind::Call,
        FactKind::Field,
        FactKind::Locks,
        FactKind::Monitor,
        FactKind::Specification,
    ];

    /// Returns the word for the kind.
    pub fn name(self) -> &'static str {
        match self {
            FactKind::Array => "array",
            FactKind::Block => "block",
            FactKind::Call => "call",
            FactKind::Field => "field",
            FactKind::Locks => "locks",
            FactKind::Monitor => "monitor",
            FactKind::Specification => "specification",
        }
    }

    /// Returns whether its name identifies a class; otherwise the fact is about the program as a whole.
    pub fn is_of_class(self) -> bool {
        !matches!(self, FactKind::Locks | FactKind::Specification)
    }

    /// Returns the kind with this word.
    pub fn named(name: &str) -> Option<FactKind> {
        FactKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Class {
    /// Joins what two profiles know of one version: the maximum of each count, independent of their order.
    fn join(&mut self, other: &Class) {
        let (own, other_counts) = (&mut self.counts, &other.counts);
        own.fields = own.fields.max(other_counts.fields);
        own.arrays = own.arrays.max(other_counts.arrays);
        own.calls = own.calls.max(other_counts.calls);
        own.monitors = own.monitors.max(other_counts.monitors);
        own.blocks = own.blocks.max(other_counts.blocks);
        if other.superclass > self.superclass {
            self.superclass.clone_from(&other.superclass);
        }
    }
}

impl Profile {
    /// Creates the profile of no runs, with these settings.
    ///
    /// # Panics
    /// If the settings contain a line break.
    pub fn new(settings: impl Into<String>) -> Profile {
        let settings = settings.into();
        assert!(!settings.contains(['\n', '\r']), "settings are one line");
        Profile { runs: 0, settings, classes: BTreeMap::new(), facts: Default::default() }
    }

    /// Returns what the runs have watched.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// Adds a version of a class, joined with what is already known of it.
    ///
    /// # Panics
    /// If the name is empty.
    pub fn add_class(&mut self, name: impl Into<String>, checksum: u64, class: Class) {
        let name = name.into();
        assert!(!name.is_empty(), "a class has a name");
        let versions = self.classes.entry(name).or_default();
        versions.entry(checksum).and_modify(|known| known.join(&class)).or_insert(class);
    }

    /// Adds a fact.
    ///
    /// # Panics
    /// If the text is empty, or if it is not and the kind is [`FactKind::Locks`].
    pub fn add_fact(&mut self, kind: FactKind, text: impl Into<String>) {
        let text = text.into();
        assert_eq!(text.is_empty(), kind == FactKind::Locks, "{}: '{text}'", kind.name());
        self.facts[kind as usize].insert(text);
    }

    /// Returns all facts, by kind and then by text.
    pub fn facts(&self) -> impl Iterator<Item = Fact<'_>> {
        FactKind::ALL.into_iter().flat_map(|kind| self.facts_of(kind).map(move |text| Fact { kind, text }))
    }

    /// Returns the texts of the facts of one kind, sorted.
    pub fn facts_of(&self, kind: FactKind) -> impl Iterator<Item = &str> {
        self.facts[kind as usize].iter().map(String::as_str)
    }

    /// Returns whether this fact is known.
    pub fn has(&self, kind: FactKind, text: &str) -> bool {
        self.facts[kind as usize].contains(text)
    }

    /// Returns whether a run has watched exactly this version of the class.
    pub fn is_unchanged(&self, name: &str, checksum: u64) -> bool {
        self.classes.get(name).is_some_and(|versions| versions.contains_key(&checksum))
    }

    /// Returns the versions of a class with their checksums, in the order of the checksums; none if the class is not
    /// known.
    pub fn class(&self, name: &str) -> impl Iterator<Item = (u64, &Class)> {
        self.classes.get(name).into_iter().flatten().map(|(checksum, class)| (*checksum, class))
    }

    /// Returns the names of all known classes, sorted.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(String::as_str)
    }

    /// Returns the class whose member a fact names, or which it names itself: the longest known class with which the
    /// text begins, else the text up to the last dot.
    pub fn class_of<'a>(&self, fact: Fact<'a>) -> &'a str {
        let Fact { text, kind } = fact;
        let dots = text.rmatch_indices('.').map(|(dot, _)| &text[..dot]);
        let known = std::iter::once(text).chain(dots).find(|name| self.classes.contains_key(*name));
        let is_class = kind == FactKind::Monitor;
        known.unwrap_or_else(|| text.rsplit_once('.').filter(|_| !is_class).map_or(text, |(class, _)| class))
    }

    /// Removes the classes for which `forgets` holds, and the facts of their members, so that they are watched in full
    /// again. Returns the numbers of removed classes and facts.
    pub fn forget_classes(&mut self, forgets: impl Fn(&str) -> bool) -> (usize, usize) {
        let gone = |profile: &Profile, fact: Fact| fact.kind.is_of_class() && forgets(profile.class_of(fact));
        let facts: Vec<(FactKind, String)> =
            self.facts().filter(|fact| gone(self, *fact)).map(|fact| (fact.kind, fact.text.to_owned())).collect();
        facts.iter().for_each(|(kind, text)| _ = self.forget_fact(*kind, text));
        let before = self.classes.len();
        self.classes.retain(|name, _| !forgets(name));
        (before - self.classes.len(), facts.len())
    }

    /// Removes a fact. Returns false if it was not known.
    pub fn forget_fact(&mut self, kind: FactKind, text: &str) -> bool {
        self.facts[kind as usize].remove(text)
    }

    /// Adds what a finished run has learnt; `run` is a profile of that run alone. Its versions of a class replace all
    /// others with that name. Facts are united: what was shared once can be shared again. If the run watched other
    /// things than the runs before, the known classes are removed, since none has been watched in that way; their facts
    /// stay.
    pub fn record(&mut self, run: &Profile) {
        self.runs = self.runs.saturating_add(1);
        if self.settings != run.settings {
            self.settings.clone_from(&run.settings);
            self.classes.clear();
        }
        self.classes.extend(run.classes.iter().map(|(name, versions)| (name.clone(), versions.clone())));
        self.add_facts_of(run);
    }

    /// Returns whether the other profile is equal except for the number of runs.
    pub fn is_but_for_runs(&self, other: &Profile) -> bool {
        (&self.settings, &self.classes, &self.facts) == (&other.settings, &other.classes, &other.facts)
    }

    /// Adds the profile of another branch: all classes with all versions, and all facts. The number of runs is the
    /// greater of the two: most runs precede the split of the branches, and are counted in both.
    ///
    /// # Errors
    /// If the settings differ. Then nothing is changed.
    pub fn merge(&mut self, other: &Profile) -> Result<(), SettingsDiffer> {
        if self.settings != other.settings {
            return Err(SettingsDiffer { ours: self.settings.clone(), theirs: other.settings.clone() });
        }
        self.runs = self.runs.max(other.runs);
        for (name, versions) in &other.classes {
            for (checksum, class) in versions {
                self.add_class(name.as_str(), *checksum, class.clone());
            }
        }
        self.add_facts_of(other);
        Ok(())
    }

    fn add_facts_of(&mut self, other: &Profile) {
        for (own, others) in self.facts.iter_mut().zip(&other.facts) {
            own.extend(others.iter().cloned());
        }
    }
}
