//! Baselines: the known findings of a project, in a text file, so that new ones stand out.
//!
//! The first line is `regiontrack-baseline 1`. Every other line is a finding: its id, its method, the variables and locks,
//! and the kind, separated by tabs; lines that start with `#` are comments. Only the id decides. The method says whether a
//! finding could have shown at all; the rest is for a person. Lines are sorted by method and id, so that a version control
//! system merges two baselines like any list.

use std::collections::{BTreeMap, BTreeSet};

use super::suppressions::BadLine;
use crate::report::model::identity::{NO_METHOD, source_form};
use crate::report::model::sifted::{Compared, Entry};
use crate::trace::one_line;

/// What precedes the version.
const HEADER: &str = "regiontrack-baseline";
/// The version of the format.
const VERSION: &str = "1";
/// The line under it.
const EXPLANATION: &str = "# findings that are known, by `regiontrack baseline update`: id, method, variables, kind";
/// How many digits an id has.
const DIGITS: usize = 12;
/// The command that makes a file.
const MAKE: &str = "regiontrack baseline update FILE REPORT.json";

/// The known findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    file: String,
    entries: BTreeMap<String, Entry>,
}

impl Baseline {
    /// A baseline without findings. `file` is its name in reports.
    pub fn empty(file: &str) -> Baseline {
        Baseline { file: file.to_owned(), entries: BTreeMap::new() }
    }

    /// Reads a baseline. `file` is its name in reports and errors.
    ///
    /// # Errors
    /// The first line that is wrong, with the fix.
    pub fn parse(text: &str, file: &str) -> Result<Baseline, BadLine> {
        let bad = |line: usize, reason: String| BadLine { file: file.to_owned(), line, reason };
        let mut lines = (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines());
        let head = lines.next().map_or("", |(_, line)| line.trim_end());
        match head.strip_prefix(HEADER).map(str::trim) {
            Some(VERSION) => {}
            Some(version) if !version.is_empty() => {
                return Err(bad(
                    1,
                    format!(
                        "a baseline of version {version}, and this is version {VERSION}; use a newer regiontrack, or make it again by {MAKE}"
                    ),
                ));
            }
            _ => return Err(bad(1, format!("no baseline: expected '{HEADER} {VERSION}'; make one by {MAKE}"))),
        }
        let mut baseline = Baseline::empty(file);
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
            baseline.insert(parse_entry(line).map_err(|reason| bad(number, reason))?);
        }
        Ok(baseline)
    }

    /// The message if there is no such file: the fix.
    pub fn how_to_make(file: &str) -> String {
        format!("no such file; make it by  regiontrack baseline update {file} REPORT.json  of reports with format=json")
    }

    /// Adds a finding. False if it was there already.
    pub fn insert(&mut self, entry: Entry) -> bool {
        let [method, variables, kind] = [&entry.method, &entry.variables, &entry.kind].map(|text| one_line(text));
        let entry = Entry { method: source_form(&method), variables, kind, id: entry.id };
        self.entries.insert(entry.id.clone(), entry).is_none()
    }

    /// Removes all findings whose ids are not among these. Returns how many.
    pub fn prune(&mut self, ids: &BTreeSet<String>) -> usize {
        let before = self.entries.len();
        self.entries.retain(|id, _| ids.contains(id));
        before - self.entries.len()
    }

    /// True if it has the finding with this id.
    pub fn has(&self, id: &str) -> bool {
        self.entries.contains_key(id)
    }

    /// Its findings, by method and id.
    pub fn entries(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.values().collect();
        entries.sort();
        entries
    }

    /// The text of a file.
    pub fn to_text(&self) -> String {
        let line = |entry: &&Entry| format!("{}\t{}\t{}\t{}\n", entry.id, entry.method, entry.variables, entry.kind);
        format!("{HEADER} {VERSION}\n{EXPLANATION}\n") + &self.entries().iter().map(line).collect::<String>()
    }

    /// Compares the baseline with a run in which findings with these ids showed and these methods ran.
    pub(super) fn compare(&self, shown: &BTreeSet<String>, ran: &BTreeSet<String>) -> Compared {
        let ran: BTreeSet<String> = ran.iter().map(|method| source_form(method)).collect();
        let absent = self.entries().into_iter().filter(|entry| !shown.contains(&entry.id)).cloned();
        // A finding that blames nobody needs no method of its own to have run.
        let (not_seen, not_run): (Vec<Entry>, Vec<Entry>) =
            absent.partition(|entry| entry.method == NO_METHOD || ran.contains(&entry.method));
        Compared { file: self.file.clone(), new: 0, known: 0, not_seen, not_run: not_run.len(), not_shown: 0 }
    }
}

fn parse_entry(line: &str) -> Result<Entry, String> {
    let mut fields = line.trim_end().split('\t').map(|field| field.trim().to_owned());
    let mut next = || fields.next().unwrap_or_default();
    let (id, method, variables, kind) = (next(), next(), next(), next());
    if id.len() != DIGITS || !id.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)) {
        return Err(format!(
            "'{id}' is no id of {DIGITS} hexadecimal digits; remove the line, or make the file by {MAKE}"
        ));
    }
    if method.is_empty() {
        return Err(format!("no method behind the id {id}; write a tab and the method, or make the file by {MAKE}"));
    }
    Ok(Entry { method, id, variables, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "regiontrack-baseline 1\n# a comment\n\n00000000000b\ta.B.d()\tB.y\tlost update\n\
                        00000000000a\ta.B.c()\tB.x; lock B\n";

    fn ids(of: &[&str]) -> BTreeSet<String> {
        of.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn what_was_written_is_read_again_and_is_sorted() {
        let baseline = Baseline::parse(TEXT, "app.baseline").expect("a baseline");
        let text = baseline.to_text();
        assert_eq!(Baseline::parse(&text, "app.baseline"), Ok(baseline));
        let methods: Vec<&str> = text.lines().skip(2).map(|line| line.split('\t').nth(1).expect("a method")).collect();
        assert_eq!(methods, ["a.B.c()", "a.B.d()"]);
    }

    #[test]
    fn a_finding_whose_method_ran_was_not_seen_and_others_did_not_run() {
        let baseline = Baseline::parse(TEXT, "app.baseline").expect("a baseline");
        let compared = baseline.compare(&ids(&[]), &ids(&["a.B.c()", "a.B.e()"]));
        let not_seen: Vec<&str> = compared.not_seen.iter().map(|entry| &*entry.id).collect();
        assert_eq!((not_seen, compared.not_run), (vec!["00000000000a"], 1));
        let all = baseline.compare(&ids(&["00000000000a", "00000000000b"]), &ids(&["a.B.c()", "a.B.d()"]));
        assert_eq!((all.not_seen.len(), all.not_run), (0, 0));
    }

    #[test]
    fn pruning_keeps_what_is_named() {
        let mut baseline = Baseline::parse(TEXT, "app.baseline").expect("a baseline");
        assert_eq!(baseline.prune(&ids(&["00000000000b", "00000000000c"])), 1);
        assert!(baseline.has("00000000000b") && !baseline.has("00000000000a"));
    }

    #[test]
    fn a_method_with_a_tab_or_a_line_break_stays_one_field() {
        let mut baseline = Baseline::empty("app.baseline");
        let entry = |text: &str| Entry {
            method: text.to_owned(),
            id: "0123456789ab".to_owned(),
            variables: text.to_owned(),
            kind: text.to_owned(),
        };
        assert!(baseline.insert(entry("odd\tname\nhere")) && !baseline.insert(entry("again")));
        baseline.insert(entry("odd\tname\nhere"));
        assert_eq!(Baseline::parse(&baseline.to_text(), "app.baseline"), Ok(baseline));
    }

    #[test]
    fn a_wrong_file_is_named_with_its_line_and_the_fix() {
        for (text, words) in [
            ("", "f:1: no baseline: expected 'regiontrack-baseline 1'; make one by regiontrack baseline update"),
            ("regiontrack-baseline 2\n", "f:1: a baseline of version 2, and this is version 1"),
            ("regiontrack-baseline 1\nxyz\ta.B.c()\n", "f:2: 'xyz' is no id of 12 hexadecimal digits"),
            ("regiontrack-baseline 1\n<<<<<<< ours\n", "f:2: '<<<<<<< ours' is no id"),
            ("regiontrack-baseline 1\n0123456789ab\n", "f:2: no method behind the id 0123456789ab"),
        ] {
            let refused = Baseline::parse(text, "f").expect_err("refused").to_string();
            assert!(refused.starts_with(words), "{refused}");
        }
    }
}
