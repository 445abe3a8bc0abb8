//! `cargo xtask guided --unlocked`: what is found in a class that has changed since the profile was made.
//!
//! The profile of one run names the methods from which shared variables are reached. In each of several classes, one at
//! a time, one of these methods that is synchronized loses its lock: the class file with the flag cleared comes first
//! on the class path. Then the subject runs several times without a profile, and as often guided by the profile from
//! before the change. The comparison is how many of these runs find each method of the changed class violated.
//!
//! A change is uninformative if the first full run after it finds nothing more in the class than the runs before: then
//! another method is tried, the longest first. A program that fails because of its change is not left out, if it ends.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::class_file::{ClassFile, Method};
use super::{Named, Runs, write};
use crate::bench::{Column, Conditions, Run, empty};
use crate::java::{Jdk, Subject, Subjects};
use crate::programs::Report;
use crate::workspace::Workspace;
use crate::{Failure, Outcome, files, workspace};

/// The most methods of a class that are tried.
const TRIED: usize = 4;

/// A class whose locks can be removed.
struct Candidate {
    class: String,
    /// Whether threads have shared the lock according to the profile.
    is_shared: bool,
    /// The class file, also relative to a root of the class path.
    read: ClassFile,
    file: PathBuf,
    /// Its synchronized methods from which something shared is reached, the longest first.
    methods: Vec<Method>,
}

/// What the runs of a changed class have found in it.
#[derive(Default, Serialize)]
struct Change {
    class: String,
    method: String,
    found: Vec<InMethod>,
    /// Whether the first full run found nothing in the class that runs before the change did not find.
    is_unnoticed: bool,
    /// The number of full and of guided runs in which the program failed or had another result.
    wrong: [usize; 2],
    /// The number of classes that each guided run regarded as new.
    new_classes: Vec<u64>,
    /// Why it could not be tried.
    failure: Option<String>,
}

/// The number of runs that found a method violated.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct InMethod {
    method: String,
    /// Full runs of the unchanged program.
    before: usize,
    full: usize,
    guided: usize,
}

/// A subject and its results.
#[derive(Serialize)]
struct Results {
    conditions: Conditions,
    subject: String,
    runs: u32,
    /// Classes that have a synchronized method from which something shared is reached.
    candidates: usize,
    /// The number of classes that a guided run of the unchanged program regarded as new.
    new_before: u64,
    changes: Vec<Change>,
}

/// A run of a changed program.
struct Seen {
    named: Named,
    is_wrong: bool,
    new_classes: Option<u64>,
}

/// Runs a subject with each of `count` changes and compares; fails if guided runs miss what all full runs have found.
pub(super) fn run(
    runs: &Runs,
    workspace: &Workspace,
    jdk: &Jdk,
    subject: &Subject,
    count: usize,
    conditions: Conditions,
) -> Outcome {
    let learnt = runs.learn(subject)?;
    let classes = class_files(workspace, jdk, subject, &runs.folder.join("classes"))?;
    let chosen = candidates(&learnt.profile, &classes);
    let mut results = Results {
        conditions,
        subject: subject.name.clone(),
        runs: runs.count,
        candidates: chosen.len(),
        new_before: learnt.new_classes,
        changes: Vec::new(),
    };
    let mut compared = 0;
    for candidate in &chosen {
        for method in candidate.methods.iter().take(TRIED) {
            if compared == count {
                break;
            }
            let change = runs.change(subject, candidate, method, &learnt)?;
            let is_compared = change.is_compared();
            compared += usize::from(is_compared);
            println!("[{compared} of {count}] {}", change.shown());
            results.changes.push(change);
            if is_compared {
                break;
            }
        }
    }
    let text = results.markdown();
    let name = |end: &str| runs.folder.join(format!("unlocked-{}.{end}", subject.name));
    write(&name("md"), &text)?;
    write(&name("json"), &serde_json::to_string_pretty(&results).expect("plain data"))?;
    println!("\n{text}\nthe same is in {}", workspace.relative(&name("md")).display());
    if compared == 0 {
        return Err(Failure("no change could be compared".to_owned()));
    }
    match results.missed() {
        0 => Ok(()),
        missed => Err(Failure(format!("guided runs miss {missed} methods that all full runs have found"))),
    }
}

/// What is known about the unchanged program.
struct Learnt {
    profile: String,
    /// The file in which the profile is kept.
    file: PathBuf,
    /// By method, the number of full runs that found it.
    found: BTreeMap<String, usize>,
    new_classes: u64,
}

impl Runs<'_> {
    fn columns(&self) -> [&Column; 3] {
        let [full, learning, guided] = self.columns else { panic!("a column for each configuration, of one agent") };
        [full, learning, guided]
    }

    /// Makes full runs of the unchanged program, its profile, and a run guided by the profile.
    fn learn(&self, subject: &Subject) -> Result<Learnt, Failure> {
        let [full, learning, guided] = self.columns();
        let mut printed = None;
        let mut once = |column: &Column| {
            self.once(subject, column, &mut printed)?.map_err(|why| Failure(format!("{}: {why}", subject.name)))
        };
        let unchanged = (0..self.count).map(|_| once(full)).collect::<Result<Vec<Named>, Failure>>()?;
        once(learning)?;
        let profile = learning.profile(self.folder, &subject.name);
        let file = self.folder.join("learnt.profile");
        let failed = |e: std::io::Error| Failure(format!("{}: {e}", profile.display()));
        fs::copy(&profile, &file).map_err(failed)?;
        let text = fs::read_to_string(&file).map_err(failed)?;
        once(guided)?;
        let report = Report::read(&self.laboratory.report()).map_err(Failure)?;
        let new_classes = report.new_classes().ok_or_else(|| Failure("the guided run does not say so".to_owned()))?;
        Ok(Learnt { profile: text, file, found: counts(&unchanged), new_classes })
    }

    /// Runs the subject with a change.
    fn change(
        &self,
        subject: &Subject,
        candidate: &Candidate,
        method: &Method,
        learnt: &Learnt,
    ) -> Result<Change, Failure> {
        let Candidate { class, read, file, .. } = candidate;
        let before = self.folder.join("changed");
        if before.exists() {
            fs::remove_dir_all(&before).map_err(|e| Failure(format!("{}: {e}", before.display())))?;
        }
        let file = before.join(file);
        let folder = file.parent().expect("it is below a folder");
        fs::create_dir_all(folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
        fs::write(&file, read.unlocked(method)).map_err(|e| Failure(format!("{}: {e}", file.display())))?;
        let mut subject = subject.clone();
        subject.before = Some(before);
        let [full, _, guided] = self.columns();
        let mut change = Change { class: class.clone(), method: method.name.clone(), ..Change::default() };
        let mut seen: [Vec<Named>; 2] = Default::default();
        let profile = guided.profile(self.folder, &subject.name);
        for (at, column) in [full, guided].into_iter().enumerate() {
            for _ in 0..self.count {
                fs::copy(&learnt.file, &profile).map_err(|e| Failure(format!("{}: {e}", profile.display())))?;
                match self.once_changed(&subject, column)? {
                    Ok(run) => {
                        change.wrong[at] += usize::from(run.is_wrong);
                        change.new_classes.extend(run.new_classes);
                        seen[at].push(run.named);
                        let found = in_class(class, [&learnt.found, &counts(&seen[0]), &counts(&seen[1])]);
                        change.is_unnoticed = found.iter().all(|one| one.before > 0);
                        if change.is_unnoticed {
                            return Ok(change);
                        }
                    }
                    Err(why) => {
                        change.failure = Some(format!("{}: {why}", column.name));
                        return Ok(change);
                    }
                }
            }
        }
        let known = fs::read_to_string(&profile).map_err(|e| Failure(format!("{}: {e}", profile.display())))?;
        if change.new_classes.len() != self.count as usize || change.new_classes.contains(&0) {
            change.failure = Some("a guided run has not taken the class for new".to_owned());
        } else if change.wrong[1] == 0 && bytes_of(&known, class) == bytes_of(&learnt.profile, class) {
            change.failure = Some("the profile of a guided run has the class as it was".to_owned());
        }
        change.found = in_class(class, [&learnt.found, &counts(&seen[0]), &counts(&seen[1])]);
        Ok(change)
    }

    /// Makes one run, which may have another result. If there is no report, returns the reason.
    fn once_changed(&self, subject: &Subject, column: &Column) -> Result<Result<Seen, String>, Failure> {
        let report = self.laboratory.report();
        if report.exists() {
            fs::remove_file(&report).map_err(|e| Failure(format!("{}: {e}", report.display())))?;
        }
        // Each run may print something else: its output is not compared.
        let is_wrong = match self.laboratory.run(subject, column, &mut None)? {
            Run::Measured(_) => false,
            Run::TooLong => return Ok(Err("it was killed at its limit".to_owned())),
            Run::Failed(_) => true,
        };
        Ok(Report::read(&report).map(|report| Seen {
            named: Named::of(&report),
            is_wrong,
            new_classes: report.new_classes(),
        }))
    }
}

/// Returns the class files of a subject by the names of their classes, with their paths relative to a root of the class
/// path. Those in jars are extracted into `folder`. Classes for which a jar has another version for newer JVMs are
/// omitted.
fn class_files(
    workspace: &Workspace,
    jdk: &Jdk,
    subject: &Subject,
    folder: &Path,
) -> Result<BTreeMap<String, (PathBuf, PathBuf)>, Failure> {
    let failed = |path: &Path, e: std::io::Error| Failure(format!("{}: {e}", path.display()));
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|e| failed(folder, e))?;
    }
    fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
    let (own, jars) = Subjects::of(workspace).parts(&subject.name);
    for jar in jars {
        let mut command = std::process::Command::new(jdk.home.join("bin/jar"));
        workspace::run(command.current_dir(folder).arg("--extract").arg("--file").arg(jar))?;
    }
    let mut all = BTreeMap::new();
    for root in [folder, &own] {
        let mut found = Vec::new();
        files::walk(root, Path::new(""), &mut found).map_err(|e| failed(root, e))?;
        let versions = Path::new("META-INF").join("versions");
        let newer = found.iter().filter_map(|file| file.strip_prefix(&versions).ok());
        let newer: BTreeSet<PathBuf> = newer.map(|file| file.components().skip(1).collect()).collect();
        for file in found.into_iter().filter(|file| file.extension().is_some_and(|e| e == "class")) {
            let names: Vec<_> =
                file.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
            if !newer.contains(&file) && !file.starts_with("META-INF") {
                all.insert(names.join("."), (root.join(&file), file));
            }
        }
    }
    Ok(all)
}

/// Returns the classes with synchronized methods from which something shared is reached according to the profile; first
/// those whose lock threads have shared, then those with longer methods.
fn candidates(profile: &str, classes: &BTreeMap<String, (PathBuf, PathBuf)>) -> Vec<Candidate> {
    let mut blocks: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for block in profile.lines().filter_map(|line| line.strip_prefix("block ")) {
        let name = block.split('(').next().unwrap_or_default();
        if let Some((class, _)) = name.rsplit_once('.') {
            blocks.entry(class).or_default().insert(&block[class.len() + 1..]);
        }
    }
    let monitors: BTreeSet<&str> = profile.lines().filter_map(|line| line.strip_prefix("monitor ")).collect();
    let mut all = Vec::new();
    for (class, blocks) in blocks {
        let Some((path, file)) = classes.get(class) else { continue };
        let Some(read) = fs::read(path).ok().and_then(ClassFile::read) else { continue };
        let is_called = |method: &&Method| blocks.contains(format!("{}{}", method.name, method.descriptor).as_str());
        let mut methods: Vec<Method> = read.synchronized().filter(is_called).cloned().collect();
        methods.sort_by(|a, b| (b.code, &a.name, &a.descriptor).cmp(&(a.code, &b.name, &b.descriptor)));
        if !methods.is_empty() {
            let is_shared = monitors.contains(class) || monitors.contains(format!("{class}.class").as_str());
            all.push(Candidate { class: class.to_owned(), is_shared, read, file: file.clone(), methods });
        }
    }
    all.sort_by(|a, b| (b.is_shared, b.methods[0].code, &a.class).cmp(&(a.is_shared, a.methods[0].code, &b.class)));
    all
}

/// Returns the checksum of a class's bytes in a profile.
fn bytes_of<'p>(profile: &'p str, class: &str) -> Option<&'p str> {
    let lines = profile.lines().filter_map(|line| line.strip_prefix("class ")?.split_once(' '));
    lines.filter(|(name, _)| *name == class).find_map(|(_, rest)| rest.split(' ').next())
}

/// Returns, by method, the number of runs that name it, or name one inside it by the same events; those that wait
/// inside too.
fn counts(runs: &[Named]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for run in runs {
        let named: BTreeSet<&String> =
            run.around.iter().chain(&run.waits_inside).map(|method| &method.method).collect();
        named.into_iter().for_each(|method| *counts.entry(method.clone()).or_default() += 1);
    }
    counts
}

/// Returns what was found in the methods of a class in full runs before the change, and in full and guided ones after
/// it.
fn in_class(class: &str, [before, full, guided]: [&BTreeMap<String, usize>; 3]) -> Vec<InMethod> {
    let is_of =
        |method: &str| method.split('(').next().unwrap_or_default().rsplit_once('.').map(|(of, _)| of) == Some(class);
    let methods: BTreeSet<&String> = full.keys().chain(guided.keys()).filter(|method| is_of(method)).collect();
    let count = |counts: &BTreeMap<String, usize>, method: &String| counts.get(method).copied().unwrap_or_default();
    methods
        .into_iter()
        .map(|method| InMethod {
            method: method[class.len() + 1..].to_owned(),
            before: count(before, method),
            full: count(full, method),
            guided: count(guided, method),
        })
        .collect()
}

impl Change {
    fn is_compared(&self) -> bool {
        self.failure.is_none() && !self.is_unnoticed
    }

    fn shown(&self) -> String {
        let Change { class, method, found, wrong, failure, .. } = self;
        match failure {
            Some(why) => format!("{class}.{method}: {why}"),
            None if self.is_unnoticed => format!("{class}.{method}: nothing more is found"),
            None => format!("{class}.{method}: {} methods found, {} runs went wrong", found.len(), wrong[0] + wrong[1]),
        }
    }
}

impl Change {
    /// Returns what the table does not say about it.
    fn notes(&self) -> Vec<String> {
        let Change { class, method, found, is_unnoticed, wrong, new_classes, failure } = self;
        if *is_unnoticed {
            return Vec::new();
        }
        if let Some(why) = failure {
            return vec![format!("{class}.{method}: not compared: {why}")];
        }
        let known = found.iter().filter(|one| one.before > 0);
        let count = |is_in: fn(&InMethod) -> bool| known.clone().filter(|one| is_in(one)).count();
        let known = [count(|one| one.full > 0), count(|one| one.guided > 0)];
        let new: BTreeSet<String> = new_classes.iter().map(u64::to_string).collect();
        let new = new.into_iter().collect::<Vec<_>>().join(", ");
        vec![format!(
            "{class}: classes new in each guided run: {new}; found before the change, too: {} methods in full runs, {} in guided \
             ones; runs that went wrong: {} full, {} guided",
            known[0], known[1], wrong[0], wrong[1]
        )]
    }
}

impl Results {
    /// Returns whether all full runs and no guided run found it.
    fn is_missed(&self, one: &InMethod) -> bool {
        one.full == self.runs as usize && one.guided == 0
    }

    fn missed(&self) -> usize {
        let found = self.changes.iter().filter(|change| change.is_compared()).flat_map(|change| &change.found);
        found.filter(|one| self.is_missed(one)).count()
    }

    fn markdown(&self) -> String {
        let Results { conditions, subject, runs, candidates, new_before, changes } = self;
        let Conditions { commit, jvm, load, size, .. } = conditions;
        let heading = ["class", "no longer synchronized", "found violated", "full runs", "guided runs"];
        let mut table = empty(&heading.map(str::to_owned));
        for change in changes.iter().filter(|change| change.is_compared()) {
            for one in change.found.iter().filter(|one| one.before == 0 || self.is_missed(one)) {
                let counts = [one.full, one.guided].map(|count| format!("{count} of {runs}"));
                let names =
                    [&change.class, &change.method, &one.method].map(|name| without_parameters(name).to_owned());
                table.add_row(names.into_iter().chain(counts));
            }
        }
        let unnoticed = changes.iter().filter(|change| change.is_unnoticed);
        let unnoticed: Vec<String> = unnoticed.map(|change| format!("{}.{}", change.class, change.method)).collect();
        let mut notes: Vec<String> = changes.iter().flat_map(Change::notes).collect();
        if !unnoticed.is_empty() {
            notes.push(format!("nothing more was found without the locks of {}", unnoticed.join(", ")));
        }
        let notes: String = notes.iter().map(|note| format!("- {note}\n")).collect();
        format!(
            "{subject}, size {size}; commit {}; JDK {jvm}; load at the beginning {load}. {candidates} classes have a synchronized \
             method from which something shared is reached; without a change a guided run takes {new_before} classes for new. \
             Methods of the changed classes that no full run before the change has found:\n\n{table}\n\n\
             Of what all {runs} full runs have found, guided runs miss {}.\n\n{notes}",
            commit.as_deref().unwrap_or("unknown"),
            self.missed(),
        )
    }
}

fn without_parameters(method: &str) -> &str {
    method.split('(').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guided::{class_file, methods};

    fn one(method: &str, [before, full, guided]: [usize; 3]) -> InMethod {
        InMethod { method: method.to_owned(), before, full, guided }
    }

    fn named(methods: &[&str]) -> Named {
        let method =
            |name: &&str| methods::Method { method: (*name).to_owned(), kind: "lost update".to_owned(), caller: false };
        Named { around: methods.iter().map(method).collect(), ..Named::default() }
    }

    #[test]
    fn what_runs_find_in_the_changed_class_is_counted_by_run() {
        let before = counts(&[named(&["a.B.get()"])]);
        let full =
            counts(&[named(&["a.B.get()", "a.B.put(a.B)", "a.B$C.run()"]), named(&["a.B.put(a.B)", "a.B.put(a.B)"])]);
        let guided = counts(&[named(&["a.B.put(a.B)", "a.D.put(a.B)"]), named(&["a.B.size()"])]);
        let expected = [one("get()", [1, 1, 0]), one("put(a.B)", [0, 2, 1]), one("size()", [0, 0, 1])];
        assert_eq!(in_class("a.B", [&before, &full, &guided]), expected);
    }

    #[test]
    fn a_profile_has_the_bytes_of_a_class_after_its_name() {
        let profile = "block a.B.get()I\nclass a.B 0123 java.lang.Object fields=0\nclass a.BB 4567 a.B fields=1\n";
        assert_eq!(bytes_of(profile, "a.B"), Some("0123"));
        assert_eq!(bytes_of(profile, "a.BB"), Some("4567"));
        assert_eq!(bytes_of(profile, "a"), None);
    }

    #[test]
    fn methods_are_those_of_the_profile_that_are_synchronized_and_shared_locks_come_first() {
        let folder = std::env::temp_dir().join(format!("regiontrack-unlocked-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder of this test");
        let classes: BTreeMap<String, (PathBuf, PathBuf)> = ["a.A", "a.B", "a.C", "a.D"]
            .into_iter()
            .map(|name| {
                let path = folder.join(format!("{name}.class"));
                // Their method `run()` has three bytes of code; the others are not synchronized or have none.
                fs::write(&path, class_file::tests::class()).expect("it can be written");
                (name.to_owned(), (path, PathBuf::from(format!("{name}.class"))))
            })
            .collect();
        let profile =
            "block a.A.run()V\nblock a.B.get()V\nblock a.C.run()V\nblock a.D.run(I)V\nblock a.E.run()V\nmonitor a.C\n";
        let found: Vec<(String, bool, usize)> = candidates(profile, &classes)
            .into_iter()
            .map(|candidate| (candidate.class, candidate.is_shared, candidate.methods.len()))
            .collect();
        fs::remove_dir_all(&folder).expect("the folder of this test");
        assert_eq!(found, [("a.C".to_owned(), true, 1), ("a.A".to_owned(), false, 1)]);
    }

    #[test]
    fn the_table_has_what_was_noticed_and_counts_what_guided_runs_miss() {
        let change = |class: &str, found| Change {
            class: class.to_owned(),
            method: "put".to_owned(),
            found,
            new_classes: vec![1, 1, 2],
            ..Change::default()
        };
        let changes = vec![
            change("a.B", vec![one("get()", [1, 3, 3]), one("put(int)", [0, 3, 0]), one("size()", [0, 2, 0])]),
            Change { is_unnoticed: true, ..change("a.C", Vec::new()) },
            Change { failure: Some("full: it was killed at its limit".to_owned()), ..change("a.D", Vec::new()) },
        ];
        let conditions = Conditions::of_test("a");
        let results = Results { conditions, subject: "h2".to_owned(), runs: 3, candidates: 5, new_before: 0, changes };
        assert_eq!(results.missed(), 1);
        let text = results.markdown();
        let rows: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        for expected in [
            "| a.B | put | put | 3 of 3 | 0 of 3 |",
            "Of what all 3 full runs have found, guided runs miss 1.",
            "- nothing more was found without the locks of a.C.put",
            "- a.D.put: not compared: full: it was killed at its limit",
            "- a.B: classes new in each guided run: 1, 2; found before the change, too: 1 methods in full runs, 1 in guided ones; \
             runs that went wrong: 0 full, 0 guided",
        ] {
            assert!(rows.iter().any(|row| row == expected), "{expected} is missing in\n{text}");
        }
    }
}
