//! The conditions of a measurement: results under different conditions are never mixed.

use std::fs;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::files;
use crate::java::Jvm;
use crate::workspace::Workspace;

/// The conditions of a measurement.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Conditions {
    /// Also says whether there are uncommitted changes. `None` in a source archive.
    pub(crate) commit: Option<String>,
    /// The day in UTC, as 2026-11-23; empty in results that are older than this field.
    #[serde(default)]
    pub(crate) date: String,
    pub(crate) jvm: u32,
    pub(crate) processor: String,
    pub(crate) processors: usize,
    /// The load of the machine at the beginning, as the system reports it.
    pub(crate) load: String,
    pub(crate) size: String,
    /// The jar whose benchmarks were measured, and how; `None` for subjects of this repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) suite: Option<String>,
    /// Flags for the JVM, in addition to those that make it print what it compiles.
    pub(crate) flags: Vec<String>,
    pub(crate) limit_s: u64,
}

impl Conditions {
    /// Returns conditions for a test; those of different commits differ in the load, too.
    #[cfg(test)]
    pub(crate) fn of_test(commit: &str) -> Conditions {
        Conditions {
            commit: Some(commit.to_owned()),
            date: format!("day of {commit}"),
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

    /// Returns the present conditions of this machine, for subjects of the repository.
    pub(crate) fn of(workspace: &Workspace, jvm: &Jvm, size: &str) -> Conditions {
        let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model =
            cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
        let root = &workspace.root;
        let described = |commit| if files::has_changes(root) { format!("{commit} with changes") } else { commit };
        Conditions {
            commit: files::commit(root).map(described),
            date: SystemTime::UNIX_EPOCH
                .elapsed()
                .map_or_else(|_| String::new(), |since| day(since.as_secs() / 86_400)),
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

    /// Fails unless results measured under `old` can be completed under these conditions.
    pub(crate) fn continues(&self, old: &Conditions) -> Result<(), Failure> {
        let has_changes = self.commit.as_ref().is_none_or(|commit| commit.contains(' '));
        if has_changes {
            return Err(Failure(
                "these sources have changes since their commit, perhaps other ones than before".to_owned(),
            ));
        }
        // The load differs each time, and the day may.
        let all = |conditions: &Conditions| {
            let same = Conditions { load: String::new(), date: String::new(), ..conditions.clone() };
            serde_json::to_string(&same).expect("plain data")
        };
        let (before, now) = (all(old), all(self));
        if before == now {
            return Ok(());
        }
        Err(Failure(format!("they were measured under other conditions, {before}, now {now}")))
    }
}

/// Returns the day that is `since` days after January 1, 1970, as 2026-11-23.
fn day(since: u64) -> String {
    // The calendar repeats after 400 years of 146 097 days. Years that begin in March have their leap day at the end.
    let (era, of_era) = ((since + 719_468) / 146_097, (since + 719_468) % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    // March is 0; from March on, five months have 153 days.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [0, 58, 59, 10_956, 10_957, 11_016, 11_017, 20_513, 20_514, 47_540, 47_541].map(day);
        let expected = [
            "1970-01-01",
            "1970-02-28",
            "1970-03-01",
            "1999-12-31",
            "2000-01-01",
            "2000-02-29",
            "2000-03-01",
            "2026-03-01",
            "2026-03-02",
            "2100-02-28",
            "2100-03-01",
        ];
        assert_eq!(days, expected);
    }
}
