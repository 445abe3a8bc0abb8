//! `regiontrack provoke` on a script that stands for a program under the agent: it writes a report, and adds a run to the candidates.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::runner::Folder;

/// Waits for the file `go` if it is told to, after it has created `started`.
const PROGRAM: &str = r#"
[ "$1" = waits ] && touch started && while [ ! -e go ]; do sleep 0.01; done
runs=$(sed -n 's/^runs //p' "$REGIONTRACK_PROVOKE")
sed "s/^runs .*/runs $((runs + 1))/" "$REGIONTRACK_PROVOKE" > "$REGIONTRACK_REPORT.new"
mv "$REGIONTRACK_REPORT.new" "$REGIONTRACK_PROVOKE"
cp report "$REGIONTRACK_REPORT"
"#;

const REPORT: &str = r#"{"schema":1,"verdict":"serializable","engine":"reach","violations":[],"stats":{
    "classes":{"instrumented":1,"skipped":0,"failed":0},"threads":2,"blocks":1,
    "events":{"recorded":1,"dependencies":1,"lost":0},"unmodelled":0,"seconds":1.0}}"#;

/// Two withdrawals, each in two critical sections.
fn trace() -> String {
    let section = |t: &str, line: u32, access: &str| {
        format!("{t}|acq(L)|a.B.c:{line}\n{t}|{access}(B.x@7)|a.B.c:{line}\n{t}|rel(L)|a.B.c:{line}\n")
    };
    let block =
        |t: &str| format!("{t}|begin(a.B.c())|a.B.c:1\n{}{}{t}|end|a.B.c:4\n", section(t, 2, "r"), section(t, 3, "w"));
    block("A") + &block("B")
}

#[test]
fn two_commands_with_one_file_of_candidates_come_one_after_the_other_and_lose_nothing() {
    let folder = Folder::new().with("run.sh", PROGRAM).with("report", REPORT).with("agent", "").with("a.std", trace());
    folder.run(&["candidates", "a.std", "-o", "c.txt"]).ended(0);
    let provoke = |runs: &str, word: &str| {
        let own = ["--agent", "agent", "--candidates", "c.txt", "--no-priorities", "--no-minimize", "--runs", runs];
        let mut command = folder.command(&[&["provoke"], &own[..], &["--", "sh", "run.sh", word]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs")
    };
    let first = provoke("1", "waits");
    while !folder.path().join("started").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let mut second = provoke("3", "goes");
    let mut told = BufReader::new(second.stderr.take().expect("piped"));
    let mut line = String::new();
    told.read_line(&mut line).expect("UTF-8");
    fs::write(folder.path().join("go"), "").expect("written");
    let mut rest = String::new();
    told.read_to_string(&mut rest).expect("UTF-8");
    let [first, second] = [first, second].map(|command| command.wait_with_output().expect("the command ends"));
    assert_eq!((first.status.code(), second.status.code()), (Some(0), Some(0)), "{first:?} {second:?} {rest}");
    assert!(line.contains("c.txt: another regiontrack provoke works on these candidates"), "{line}");
    let kept = fs::read_to_string(folder.path().join("c.txt")).expect("candidates");
    assert!(kept.contains("\nruns 4\n"), "{kept}");
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".lock")), "{left:?}");
}
