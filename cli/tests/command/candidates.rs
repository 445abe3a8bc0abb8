//! `regiontrack candidates`.

use crate::runner::Folder;

/// An account that two threads withdraw from: a look, and an update in another critical section.
fn trace() -> String {
    let section = |t: &str, method: &str, access: &str| {
        let at = format!("com.acme.Account.{method}");
        format!("{t}|acq(Account@7)|{at}\n{t}|{access}(Account.balance@7)|{at}\n{t}|rel(Account@7)|{at}\n")
    };
    let withdraw = |t: &str| {
        let begin = format!("{t}|begin(com.acme.Account.withdraw(int))|com.acme.Account.withdraw:20\n");
        begin
            + &section(t, "get:30", "r")
            + &section(t, "set:34", "w")
            + &format!("{t}|end|com.acme.Account.withdraw:20\n")
    };
    withdraw("A") + &withdraw("B")
}

fn folder() -> Folder {
    Folder::new().with("a.std", trace())
}

fn content(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("a file")
}

const FILE: &str = "\
regiontrack candidates 1
runs 0
candidate 44444444444 new tries=0 held=0 met=0
  block com.acme.Account.withdraw(int)
  variable Account.balance
  first com.acme.Account.get:30 read balance
  hold com.acme.Account.get:30 release
  last com.acme.Account.set:34 write balance
  other com.acme.Account.set:34 write balance
  enter com.acme.Account.set:34 acquire
";

/// Without ids, which have tests of their own.
fn without_ids(text: &str) -> String {
    let line = |line: &str| match line.split_once("candidate ").filter(|(before, _)| before.is_empty()) {
        Some((_, rest)) => format!("candidate 44444444444 {}\n", rest.split_once(' ').map_or("", |(_, rest)| rest)),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn a_trace_has_its_candidates() {
    let folder = folder();
    let shown = folder.run(&["candidates", "a.std"]).ended(0).stdout.clone();
    assert!(shown.starts_with("candidates: 3 candidates, 0 runs steered\n"), "{shown}");
    let expected = "  com.acme.Account.withdraw(int)  Account.balance
    not tried
    a thread: com.acme.Account.get:30 read balance
    held after com.acme.Account.get:30 release
    another:  com.acme.Account.set:34 write balance
    then:     com.acme.Account.set:34 write balance\n";
    assert!(shown.contains(expected), "{shown}");
    let one = folder.run(&["candidates", "--max", "1", "a.std"]).ended(0).stdout.clone();
    assert!(one.ends_with("\n  and 2 more; --max N prints more\n") && one.contains(expected), "{one}");
    let json = folder.run(&["candidates", "--format", "json", "a.std"]).ended(0).line();
    assert_eq!((&json["runs"], json["candidates"].as_array().map(Vec::len)), (&0.into(), Some(3)));
    assert_eq!(json["candidates"][0]["rank"], "conflict");
    assert_eq!(json["candidates"][1]["rank"], "sections");
    assert_eq!(json["candidates"][0]["enter"], "com.acme.Account.set:34 acquire");
    assert!(
        folder.run(&["candidates", "--window", "1", "a.std"]).ended(0).stdout.starts_with("candidates: 0 candidates")
    );
}

#[test]
fn a_file_gets_what_it_does_not_have_and_keeps_what_runs_have_shown() {
    let folder = folder();
    let told = folder.run(&["candidates", "a.std", "-o", "new/c.txt"]).ended(0).stdout.clone();
    assert_eq!(told, "new/c.txt: 3 new of 3 candidates\n");
    let written = content(&folder, "new/c.txt");
    assert!(without_ids(&written).starts_with(FILE), "{written}");
    let tried =
        written.replacen("new tries=0 held=0 met=0", "confirmed tries=3 held=2 met=1", 1).replace("runs 0", "runs 3");
    std::fs::write(folder.path().join("new/c.txt"), &tried).expect("written");
    let told = folder.run(&["candidates", "a.std", "-o", "new/c.txt"]).ended(0).stdout.clone();
    assert_eq!((told.as_str(), content(&folder, "new/c.txt")), ("new/c.txt: 0 new of 3 candidates\n", tried));
    let shown = folder.run(&["candidates", "show", "new/c.txt"]).ended(0).stdout.clone();
    assert!(shown.starts_with("new/c.txt: 3 candidates, 3 runs steered\n"), "{shown}");
    assert!(shown.contains("  confirmed  ") && shown.contains("tried in 3 runs, held in 2, met in 1\n"), "{shown}");
}

#[test]
fn candidates_are_dropped_by_state_by_class_and_by_id_and_merged() {
    let folder = folder();
    folder.run(&["candidates", "a.std", "-o", "c.txt"]).ended(0);
    let text = content(&folder, "c.txt").replacen("new tries=0 held=0 met=0", "confirmed tries=1 held=1 met=1", 1);
    std::fs::write(folder.path().join("d.txt"), &text).expect("written");
    folder.run(&["candidates", "merge", "c.txt", "d.txt", "-o", "c.txt"]).ended(0);
    assert!(content(&folder, "c.txt").contains(" confirmed tries=1 held=1 met=1\n"));
    let dropped =
        folder.run(&["candidates", "drop", "c.txt", "--state", "confirmed", "impossible"]).ended(0).stdout.clone();
    assert_eq!(dropped, "c.txt: 1 candidate dropped\n");
    let id = text
        .lines()
        .filter_map(|line| line.strip_prefix("candidate "))
        .find(|line| line.contains(" new "))
        .expect("one");
    let id = &id[..12];
    assert_eq!(
        folder.run(&["candidates", "drop", "c.txt", "--id", id]).ended(0).stdout,
        "c.txt: 1 candidate dropped\n"
    );
    let dropped = folder.run(&["candidates", "drop", "d.txt", "--class", "com.acme.*"]).ended(0).stdout.clone();
    assert_eq!(dropped, "d.txt: 3 candidates dropped\n");
    assert_eq!(content(&folder, "d.txt"), "regiontrack candidates 1\nruns 0\nend\n");
}

#[test]
fn a_trace_that_cannot_be_read_whole_is_an_error() {
    let folder = folder().with("cut.std", trace() + "A|w(x");
    let ran = folder.run(&["candidates", "a.std", "cut.std", "-o", "c.txt"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(!folder.path().join("c.txt").exists());
    let lenient = folder.run(&["candidates", "--lenient", "cut.std", "-o", "c.txt"]);
    assert_eq!((lenient.code, lenient.stdout.as_str()), (2, "c.txt: 3 new of 3 candidates\n"));
    assert!(lenient.stderr.starts_with("regiontrack: cut.std: "), "{}", lenient.stderr);
}
