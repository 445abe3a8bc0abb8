//! The profile as data: its classes and facts, what a run adds, and the union of two.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// What earlier runs have learnt of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// How many runs it comes from.
    pub runs: u64,
    /// What they watched: `arrays=refs nested=exact`.
    pub(super) settings: String,
    /// By name: its versions by checksum, at least one. Class loaders, or branches that were merged, can have several.
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

/// How much there is to watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Fields that it declares.
    pub fields: u32,
    /// Places that access elements of arrays.
    pub arrays: u32,
    /// Calls of the library that have a model.
    pub calls: u32,
    /// Places that enter monitors.
    pub monitors: u32,
    /// Methods that are atomic.
    pub blocks: u32,
}

/// What a fact names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// Where the reference to an array comes from.
    Array,
    /// A method.
    Block,
    /// Where the receiver of a call of the library comes from.
    Call,
    /// A field, by its declaration.
    Field,
    /// All locks of the library; its text is empty.
    Locks,
    /// What the program's monitors are told by.
    Monitor,
    /// A specification under which the blocks were learnt that reach what is shared, by a sum of its text.
    Specification,
}

/// What stands for the name of a block if every method is kept.
pub const ALL_BLOCKS: &str = "*";

/// Something that threads were seen to share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact<'a> {
    /// What it names.
    pub kind: FactKind,
    /// Its name.
    pub text: &'a str,
}

/// Two profiles cannot be merged: their runs have watched different things.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its runs watched '{theirs}', the others '{ours}'; merge only profiles of runs with the same settings")]
pub struct SettingsDiffer {
    /// Those of the profile that was to grow.
    pub ours: String,
    /// Those of the other one.
    pub theirs: String,
}

impl FactKind {
    /// All, in their order.
    pub const ALL: [FactKind; 7] = [
        FactKind::Array,
        FactKind::Block,
        FactKind::Call,
        FactKind::Field,
        FactKind::Locks,
        FactKind::Monitor,
        FactKind::Specification,
    ];

    /// The word for it.
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

    /// True if its name tells a class; else it is of the program as a whole.
    pub fn is_of_class(self) -> bool {
        !matches!(self, FactKind::Locks | FactKind::Specification)
    }

    /// The kind with this word.
    pub fn named(name: &str) -> Option<FactKind> {
        FactKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Class {
    /// What is known of one version by two profiles: the greater of each, which does not depend on their order.
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
    /// One of no runs that watch what these settings say.
    ///
    /// # Panics
    /// If the settings are longer than a line.
    pub fn new(settings: impl Into<String>) -> Profile {
        let settings = settings.into();
        assert!(!settings.contains(['\n', '\r']), "settings are one line");
        Profile { runs: 0, settings, classes: BTreeMap::new(), facts: Default::default() }
    }

    /// What its runs have watched.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// Adds a version of a class. What is known of it already is joined.
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

    /// All facts, by kind and then by text.
    pub fn facts(&self) -> impl Iterator<Item = Fact<'_>> {
        FactKind::ALL.into_iter().flat_map(|kind| self.facts_of(kind).map(move |text| Fact { kind, text }))
    }

    /// The texts of the facts of one kind, sorted.
    pub fn facts_of(&self, kind: FactKind) -> impl Iterator<Item = &str> {
        self.facts[kind as usize].iter().map(String::as_str)
    }

    /// True if this fact is known.
    pub fn has(&self, kind: FactKind, text: &str) -> bool {
        self.facts[kind as usize].contains(text)
    }

    /// True if a run has watched this very version of the class.
    pub fn is_unchanged(&self, name: &str, checksum: u64) -> bool {
        self.classes.get(name).is_some_and(|versions| versions.contains_key(&checksum))
    }

    /// The versions of a class with their checksums, in the order of those; none if the class is not known.
    pub fn class(&self, name: &str) -> impl Iterator<Item = (u64, &Class)> {
        self.classes.get(name).into_iter().flatten().map(|(checksum, class)| (*checksum, class))
    }

    /// The name of each class that is known, sorted.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.keys().map(String::as_str)
    }

    /// The class whose member a fact names, or which it names itself: the longest known one with which the text begins, else all
    /// up to the last dot.
    pub fn class_of<'a>(&self, fact: Fact<'a>) -> &'a str {
        let Fact { text, kind } = fact;
        let dots = text.rmatch_indices('.').map(|(dot, _)| &text[..dot]);
        let known = std::iter::once(text).chain(dots).find(|name| self.classes.contains_key(*name));
        let is_class = kind == FactKind::Monitor;
        known.unwrap_or_else(|| text.rsplit_once('.').filter(|_| !is_class).map_or(text, |(class, _)| class))
    }

    /// Forgets the classes for which `forgets` holds, and the facts of their members, so that they are watched whole again.
    /// Returns how many of each.
    pub fn forget_classes(&mut self, forgets: impl Fn(&str) -> bool) -> (usize, usize) {
        let gone = |profile: &Profile, fact: Fact| fact.kind.is_of_class() && forgets(profile.class_of(fact));
        let facts: Vec<(FactKind, String)> =
            self.facts().filter(|fact| gone(self, *fact)).map(|fact| (fact.kind, fact.text.to_owned())).collect();
        facts.iter().for_each(|(kind, text)| _ = self.forget_fact(*kind, text));
        let before = self.classes.len();
        self.classes.retain(|name, _| !forgets(name));
        (before - self.classes.len(), facts.len())
    }

    /// Forgets a fact. False if it was not known.
    pub fn forget_fact(&mut self, kind: FactKind, text: &str) -> bool {
        self.facts[kind as usize].remove(text)
    }

    /// Adds what a run has learnt that has ended; `run` is a profile of its own. Its versions of a class replace all others of that
    /// name. Facts are united: what was shared once can be again. If the run has watched other things than those before, the
    /// classes known so far are forgotten, since none has been watched in that way; their facts stay.
    pub fn record(&mut self, run: &Profile) {
        self.runs = self.runs.saturating_add(1);
        if self.settings != run.settings {
            self.settings.clone_from(&run.settings);
            self.classes.clear();
        }
        self.classes.extend(run.classes.iter().map(|(name, versions)| (name.clone(), versions.clone())));
        self.add_facts_of(run);
    }

    /// True if the other one knows the same, from whatever number of runs.
    pub fn is_but_for_runs(&self, other: &Profile) -> bool {
        (&self.settings, &self.classes, &self.facts) == (&other.settings, &other.classes, &other.facts)
    }

    /// The union with the profile of another branch: all classes with all versions, and all facts. Of the runs, the greater number:
    /// most of them are runs before the branches parted, and those are in both.
    ///
    /// # Errors
    /// If the settings differ. Then nothing has changed.
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
