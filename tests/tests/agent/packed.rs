//! The command in the agent's jar: `java -jar regiontrack.jar`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::machine::{Jvm, machine, on_newest_jvm, on_two_jvms};

const TRACE: &str = "main|begin(A.a())|A:1\nmain|r(x)|A:2\nworker|w(x)|B:1\nmain|w(x)|A:3\nmain|end|A:4\n";

fn packed(jvm: &Jvm, options: &[&str]) -> Command {
    let mut command = jvm.command(None, options);
    command.arg("-jar").arg(&machine().jar);
    command
}

fn checked(jvm: &Jvm, trace: &str) -> Output {
    let mut command = packed(jvm, &[]);
    command.args(["check", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("java starts");
    child.stdin.take().expect("an input").write_all(trace.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

#[test]
fn the_jar_is_the_command_with_its_input_its_output_and_its_exit_code() {
    on_two_jvms(|jvm| {
        let violated = checked(jvm, TRACE);
        let clean = checked(jvm, &TRACE.replace("w(x)|A:3", "w(y)|A:3"));
        let wrong =
            packed(jvm, &["-Dfile.encoding=UTF-8"]).args(["check", "no such file"]).output().expect("java starts");
        let codes = [&violated, &clean, &wrong].map(|output| output.status.code());
        let out = String::from_utf8_lossy(&violated.stdout);
        let told = String::from_utf8_lossy(&wrong.stderr).contains("no such file");
        let is_same = codes == [Some(1), Some(0), Some(2)] && out.contains("1 of 1 block violated") && told;
        if is_same { Ok(()) } else { Err(format!("{violated:?}\n{clean:?}\n{wrong:?}")) }
    });
}

#[test]
fn the_agent_of_the_packed_command_is_the_jar_that_it_is_in() {
    on_newest_jvm(|jvm| {
        let program = jvm.command(None, &["violating.SplitUpdate"]);
        let mut command = packed(jvm, &[]);
        command
            .args(["run", "--options", "exclude=schedule.*", "--"])
            .arg(program.get_program())
            .args(program.get_args());
        let output = command.output().expect("java starts");
        let told = String::from_utf8_lossy(&output.stderr);
        let is_found = output.status.code() == Some(1) && told.contains("regiontrack: non-serializable\n");
        if is_found { Ok(()) } else { Err(format!("{output:?}")) }
    });
}

#[test]
fn where_the_packed_command_cannot_be_unpacked_a_line_says_so() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let missing = format!("-Djava.io.tmpdir={}", folder.path().join("missing").display());
        let output = packed(jvm, &[&missing]).arg("--version").output().expect("java starts");
        let told = String::from_utf8_lossy(&output.stderr);
        // The JVM itself may warn about the folder.
        let own = Vec::from_iter(told.lines().filter(|line| !line.starts_with("WARNING: ")));
        let is_told = own.len() == 1 && own[0].starts_with("regiontrack: cannot unpack its regiontrack into ");
        if output.status.code() == Some(2) && is_told { Ok(()) } else { Err(format!("{output:?}")) }
    });
}

#[cfg(unix)]
#[test]
fn what_ends_the_jvm_ends_the_packed_command() {
    on_newest_jvm(|jvm| {
        // The shell prints its parent's number, and waits for input that never comes.
        let mut command = packed(jvm, &[]);
        command.args(["run", "--", "sh", "-c", "echo $PPID; read line"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("java starts");
        let mut line = String::new();
        let read = BufReader::new(child.stdout.take().expect("an output")).read_line(&mut line);
        let process = line.trim().to_owned();
        let killed = Command::new("kill").arg(child.id().to_string()).status();
        let ended = child.wait();
        // `kill -0` asks whether the process exists. A process that has ended still does until its parent has asked for its code.
        let is_there = || Command::new("kill").args(["-0", &process]).stderr(Stdio::null()).status();
        for _ in 0..100 {
            if !is_there().map_err(|e| e.to_string())?.success() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err(format!("{read:?} {killed:?} {ended:?}: {process} is still there"))
    });
}
