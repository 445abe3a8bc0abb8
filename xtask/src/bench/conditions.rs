//! Under which conditions something was measured: results of different ones are never mixed.

use std::fs;

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::files;
use crate::java::Jvm;
use crate::workspace::Workspace;

/// Under which conditions.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Conditions {
    /// Says so if there are changes that are not committed. None in a source archive.
    pub(crate) commit: Option<String>,
    pub(crate) jvm: u32,
    pub(crate) processor: String,
    pub(crate) processors: usize,
    /// The load of the machine at the beginning, as the system reports it.
    pub(crate) load: String,
    pub(crate) size: String,
    /// The jar whose benchmarks were measured, and how; none if they are subjects of this repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) suite: Option<String>,
    /// For the JVM, besides those that make it print what it compiles.
    pub(crate) flags: Vec<String>,
    pub(crate) limit_s: u64,
}

impl Conditions {
    /// Some of a test: those of different commits differ in the load, too.
    #[cfg(test)]
    pub(crate) fn of_test(commit: &str) -> Conditions {
        Conditions {
            commit: Some(commit.to_owned()),
            jvm: 17,
            processor: "a processor".to_owned(),
            processors: 2,
            load: commit.to_owned(),
            size: "5".to_owned(),
            suite: None,
            flags: Vec::new(),
            limit_s: 600,
        }
    }

    /// Those of this machine now, for subjects of the repository.
    pub(crate) fn of(workspace: &Workspace, jvm: &Jvm, size: &str) -> Conditions {
        let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model =
            cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
        let root = &workspace.root;
        let described = |commit| if files::has_changes(root) { format!("{commit} with changes") } else { commit };
        Conditions {
            commit: files::commit(root).map(described),
            jvm: jvm.version,
            processor: model.unwrap_or("unknown").to_owned(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            load: fs::read_to_string("/proc/loadavg").map_or("unknown".to_owned(), |load| load.trim().to_owned()),
            size: size.to_owned(),
            suite: None,
            flags: Vec::new(),
            limit_s: 600,
        }
    }

    /// An error unless results that were measured under `old` can be completed under these.
    pub(crate) fn continues(&self, old: &Conditions) -> Result<(), Failure> {
        let has_changes = self.commit.as_ref().is_none_or(|commit| commit.contains(' '));
        if has_changes {
            return Err(Failure(
                "these sources have changes since their commit, perhaps other ones than before".to_owned(),
            ));
        }
        // The load is another one each time.
        let all = |conditions: &Conditions| {
            let same_load = Conditions { load: String::new(), ..conditions.clone() };
            serde_json::to_string(&same_load).expect("plain data")
        };
        let (before, now) = (all(old), all(self));
        if before == now {
            return Ok(());
        }
        Err(Failure(format!("they were measured under other conditions, {before}, now {now}")))
    }
}
