//! `regiontrack profile show`: how much is watched, and the facts by class.

use std::collections::BTreeMap;
use std::path::PathBuf;

use analysis_core::profile::{Counts, Fact, FactKind, Profile};
use anyhow::Result;
use serde::Serialize;

use super::{count, read};
use crate::Outcome;
use crate::output::{Format, Output, complain};

/// The arguments of `profile show`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// How to print: for a person, or one JSON object per line for each profile.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The profiles.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// A profile in JSON.
#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    profile: &'a str,
    runs: u64,
    settings: &'a str,
    classes: usize,
    /// How much there is to watch.
    all: Counts,
    facts: Vec<FactLine<'a>>,
}

#[derive(Serialize)]
struct FactLine<'a> {
    kind: FactKind,
    /// `None` for the locks of the library.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
}

/// Prints each profile in turn. One that cannot be read yields an error message, and the others are still printed.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for path in &arguments.files {
        let name = path.display().to_string();
        match read(path) {
            Ok(profile) if arguments.format == Format::Json => {
                output.print(&(serde_json::to_string(&line(&name, &profile))? + "\n"));
            }
            Ok(profile) => output.print(&text(&name, &profile)),
            Err(error) => {
                output.flush();
                complain(&format!("{error:#}"));
                outcome = Outcome::Failed;
            }
        }
    }
    Ok(outcome)
}

/// How much there is to watch in all classes. Of several versions of a class, the largest counts are used.
fn all(profile: &Profile) -> Counts {
    let mut all = Counts::default();
    for name in profile.classes() {
        let most = |of: fn(&Counts) -> u32| profile.class(name).map(|(_, class)| of(&class.counts)).max().unwrap_or(0);
        all.fields = all.fields.saturating_add(most(|counts| counts.fields));
        all.arrays = all.arrays.saturating_add(most(|counts| counts.arrays));
        all.calls = all.calls.saturating_add(most(|counts| counts.calls));
        all.monitors = all.monitors.saturating_add(most(|counts| counts.monitors));
        all.blocks = all.blocks.saturating_add(most(|counts| counts.blocks));
    }
    all
}

/// A profile for a program.
fn line<'a>(name: &'a str, profile: &'a Profile) -> Line<'a> {
    let fact = |fact: Fact<'a>| FactLine {
        kind: fact.kind,
        class: fact.kind.is_of_class().then(|| profile.class_of(fact)),
        text: fact.text,
    };
    Line {
        schema: 1,
        profile: name,
        runs: profile.runs,
        settings: profile.settings(),
        classes: profile.classes().count(),
        all: all(profile),
        facts: profile.facts().map(fact).collect(),
    }
}

/// A profile for a person.
fn text(name: &str, profile: &Profile) -> String {
    let all = all(profile);
    let runs = count(usize::try_from(profile.runs).unwrap_or(usize::MAX), "run");
    let locks = if profile.has(FactKind::Locks, "") { "shared" } else { "not shared" };
    let of = |kind| profile.facts_of(kind).count();
    let rows = [
        ("settings", profile.settings().to_owned()),
        ("classes", profile.classes().count().to_string()),
        ("fields", format!("{} of {}", of(FactKind::Field), all.fields)),
        ("blocks", format!("{} of {}", of(FactKind::Block), all.blocks)),
        ("arrays", format!("{} (accessed in {} places)", of(FactKind::Array), all.arrays)),
        ("calls", format!("{} (of {} places)", of(FactKind::Call), all.calls)),
        ("monitors", format!("{} (of {} places)", of(FactKind::Monitor), all.monitors)),
        ("library locks", locks.to_owned()),
    ];
    let mut text = format!("{name}: what threads were seen to share in {runs}\n");
    for (title, value) in rows {
        text += format!("  {title:<15}{value}").trim_end();
        text.push('\n');
    }
    let mut by_class: BTreeMap<&str, Vec<Fact>> = BTreeMap::new();
    for fact in profile.facts().filter(|fact| fact.kind.is_of_class()) {
        by_class.entry(profile.class_of(fact)).or_default().push(fact);
    }
    for (class, facts) in by_class {
        text += &format!("\n  {class}\n");
        facts.iter().for_each(|fact| text += &format!("    {fact}\n"));
    }
    text
}
