//! `profile=`: each run watches what earlier runs have seen threads share. A guided run finds what an unguided one finds on the
//! same schedule, the program behaves the same, and the file survives whatever happens to the runs that write it.

mod again;
mod file;
mod learnt;
mod played;

use std::collections::BTreeSet;
use std::path::PathBuf;

use analysis_core::profile::{self, FactKind, Profile};
use serde_json::Value;
use tempfile::TempDir;

use crate::machine::{Jvm, Run};

/// A profile in its own folder.
struct Profiled {
    folder: TempDir,
}

impl Profiled {
    fn new() -> Result<Profiled, String> {
        Ok(Profiled { folder: tempfile::tempdir().map_err(|e| e.to_string())? })
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("app.profile")
    }

    /// The agent's options: this profile, and `more`.
    fn options(&self, more: &str) -> String {
        format!("exclude=schedule.*,profile={},{more}", self.path().display())
    }

    /// Runs a small program with this profile. Also returns its report.
    fn run(&self, jvm: &Jvm, more: &str, arguments: &[&str]) -> Result<(Run, Value), String> {
        jvm.reported(&self.options(more), arguments)
    }

    /// Reads the current content of the file.
    fn read(&self) -> Result<Profile, String> {
        profile::read(&self.path()).map_err(|e| e.to_string())?.ok_or_else(|| "no profile".to_owned())
    }

    /// Returns the facts of the profile. None may be about the specification.
    fn facts(&self) -> Result<BTreeSet<String>, String> {
        let known = self.read()?;
        let facts = known.facts().filter(|fact| fact.kind != FactKind::Specification);
        Ok(facts.map(|fact| format!("{} {}", fact.kind.name(), fact.text).trim_end().to_owned()).collect())
    }

    /// Returns the text of the file; empty if there is none.
    fn text(&self) -> String {
        std::fs::read_to_string(self.path()).unwrap_or_default()
    }
}

/// Whether the report says that the run was guided.
fn is_guided(report: &Value) -> bool {
    report["guided"].is_object()
}
