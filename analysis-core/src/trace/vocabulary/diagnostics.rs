//! What a lenient reading tolerated: counted, with examples for warnings.

use std::mem::{Discriminant, discriminant};

use super::error::{Malformed, Place, TraceError};
use super::ill_formed::IllFormed;
use super::symbols::Symbols;

/// The number of examples of each kind that are kept.
pub const EXAMPLES: usize = 20;

/// The lines and records that were skipped, and the ill-formed events that were kept.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    skipped: ByKind<&'static str>,
    ill_formed: ByKind<Discriminant<IllFormed>>,
    stopped: Option<String>,
}

/// One place with a problem of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The place.
    pub place: Place,
    /// What is wrong there.
    pub reason: String,
}

/// All places of one kind.
#[derive(Clone, Debug)]
struct Group<K> {
    kind: K,
    count: u64,
    examples: Vec<Example>,
}

/// The places of all kinds; kinds are in the order of their first place.
#[derive(Clone, Debug)]
struct ByKind<K>(Vec<Group<K>>);

impl Diagnostics {
    /// Returns the number of lines or records that could not be read and are missing among the events.
    pub fn skipped(&self) -> u64 {
        self.skipped.count()
    }

    /// Returns the number of ill-formed events that were kept.
    pub fn ill_formed_events(&self) -> u64 {
        self.ill_formed.count()
    }

    /// Returns whether events are missing, so that the trace cannot be called serializable.
    pub fn is_incomplete(&self) -> bool {
        self.skipped() > 0 || self.stopped.is_some()
    }

    /// Returns the first [`EXAMPLES`] skipped lines or records of each kind.
    pub fn skipped_examples(&self) -> impl Iterator<Item = &Example> {
        self.skipped.examples()
    }

    /// Returns the first [`EXAMPLES`] ill-formed events of each kind.
    pub fn ill_formed_examples(&self) -> impl Iterator<Item = &Example> {
        self.ill_formed.examples()
    }

    /// Returns a line for each kind of problem, and one if reading stopped before the end.
    pub fn warnings(&self) -> Vec<String> {
        let skipped = self.skipped.0.iter().map(|group| group.warning(group.unit(), "skipped"));
        let kept = self.ill_formed.0.iter().map(|group| group.warning("ill-formed event", "kept"));
        skipped.chain(kept).chain(self.stopped.clone()).collect()
    }

    #[cold]
    pub(in crate::trace) fn skip(&mut self, place: Place, malformed: &Malformed) {
        self.skipped.add(malformed.kind(), place, || malformed.reason().into());
    }

    /// Records that reading stopped at this error; `lost` says how many events are missing.
    #[cold]
    pub(in crate::trace) fn stop(&mut self, error: &TraceError, lost: Option<String>) {
        let said = format!("{}: {}", error.place, error.kind);
        let lost = lost.map_or(String::new(), |lost| format!(" ({lost})"));
        self.stopped = Some(said.trim_start_matches(": ").to_owned() + &lost);
    }

    #[cold]
    pub(in crate::trace) fn keep(&mut self, place: Place, problem: IllFormed, symbols: &Symbols) {
        self.ill_formed.add(discriminant(&problem), place, || problem.reason(symbols));
    }
}

impl<K> Default for ByKind<K> {
    fn default() -> ByKind<K> {
        ByKind(Vec::new())
    }
}

impl<K: PartialEq> ByKind<K> {
    fn add(&mut self, kind: K, place: Place, reason: impl FnOnce() -> String) {
        let index = self.0.iter().position(|group| group.kind == kind).unwrap_or_else(|| {
            self.0.push(Group { kind, count: 0, examples: Vec::new() });
            self.0.len() - 1
        });
        let group = &mut self.0[index];
        group.count += 1;
        if group.examples.len() < EXAMPLES {
            group.examples.push(Example { place, reason: reason() });
        }
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|group| group.count).sum()
    }

    fn examples(&self) -> impl Iterator<Item = &Example> {
        self.0.iter().flat_map(|group| &group.examples)
    }
}

impl<K> Group<K> {
    /// Returns what the places are: lines or records.
    fn unit(&self) -> &'static str {
        self.examples.first().map_or("", |example| example.place.unit().0)
    }

    /// Returns a warning such as `6 ill-formed events kept: acquire of @03 by 2, held by 1 (lines 120, 143, ...)`, with
    /// the reason of the first place.
    fn warning(&self, what: &str, done: &str) -> String {
        let (unit, plural) = (self.unit(), if self.count == 1 { "" } else { "s" });
        let reason = self.examples.first().map_or("", |example| &example.reason);
        let places: Vec<String> = self.examples.iter().map(|example| example.place.unit().1.to_string()).collect();
        let more = if self.count > places.len() as u64 { ", ..." } else { "" };
        format!("{} {what}{plural} {done}: {reason} ({unit}{plural} {}{more})", self.count, places.join(", "))
    }
}
