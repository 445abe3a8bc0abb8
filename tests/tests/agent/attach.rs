//! `regiontrack attach`: the agent in a running program with pools, waiting threads and held locks.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::machine::{Jvm, Run, command, finish, machine, on_newest_jvm, on_two_jvms, scripted, shared_out, utf8};
use crate::recorded::of_methods;

/// The server's tasks, one per line, ordered so that its steps go up.
const WORK: &str = "backlog\nearly\npools\nlocks\nlate\n";
const DONE: &str = "backlog 1\nearly 4\npools true\nlocks 3\nlate nobody! 0\nclosed\n";

/// A program that waits for lines on standard input.
struct Server(Child, BufReader<std::process::ChildStdout>);

impl Server {
    fn start(jvm: &Jvm, agent: Option<&str>, flags: &[&str]) -> Server {
        let mut command = jvm.command(agent, &[flags, &["attached.Server"]].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the JVM starts");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("text");
        assert_eq!(line, "open\n");
        Server(child, out)
    }

    fn attach(&self, options: &str) -> Run {
        attach(&["--options", options, &self.0.id().to_string()])
    }

    /// Sends all tasks and waits for the program's end.
    fn end(mut self) -> Run {
        self.0.stdin.take().expect("piped").write_all(WORK.as_bytes()).expect("it reads");
        let [mut out, mut err] = [String::new(), String::new()];
        self.1.read_to_string(&mut out).expect("text");
        self.0.stderr.take().expect("piped").read_to_string(&mut err).expect("text");
        Run { code: self.0.wait().expect("it ends").code(), out, err }
    }
}

fn attach(arguments: &[&str]) -> Run {
    let mut attach = Command::new(command());
    attach.args(["attach", "--agent"]).arg(&machine().jar).args(arguments);
    finish(attach)
}

fn read(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{e} in {text}"))
}

fn methods(report: &Value, list: &str) -> Vec<String> {
    of_methods(&report[list]).into_keys().collect()
}

#[test]
fn what_happens_from_then_on_is_watched_and_the_program_does_not_notice() {
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("report.json");
        let server = Server::start(jvm, None, &[]);
        let attached = server.attach(&format!("exclude=schedule.*,format=json,report={}", path.display()));
        let ran = server.end();
        if attached.code != Some(0)
            || !attached.out.contains("(attached.Server, Java ")
            || ran.code != Some(0)
            || ran.out != DONE
        {
            return Err(format!("{attached:?}, {ran:?}"));
        }
        let report = read(&path)?;
        // One class was loaded before, one later. Nothing orders what `backlog` waits for after its begin, although an object that it gives was given
        // before.
        let expected = (
            vec!["attached.Account.twice(int,int)".to_owned(), "attached.Late.rename()".to_owned()],
            vec!["attached.Server.serve(java.lang.String)".to_owned()],
        );
        let found = (methods(&report, "violations"), methods(&report, "waits_inside"));
        let is_told = report["attached"]["hooked"] == 2 && report["attached"]["left"] == 0;
        if found == expected && is_told { Ok(()) } else { Err(format!("{found:?}, {report}")) }
    });
}

#[test]
fn such_a_run_is_never_called_serializable() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("report.txt");
        let server = Server::start(jvm, None, &[]);
        let excluded =
            "exclude-method=attached.Account.*,exclude-method=attached.Late.*,exclude-method=attached.Server.serve(**)";
        let options = format!("exclude=schedule.*,{excluded},report={}", path.display());
        let attached = server.attach(&options);
        let ran = server.end();
        let report = std::fs::read_to_string(&path).map_err(|e| format!("{e}: {attached:?} {ran:?}"))?;
        let says = "  attached to a running program: what it did before was not watched; 2 classes loaded before are from the next call of a method on\n";
        let is_so = report.starts_with("regiontrack: no violation found in the part that was watched\n");
        if is_so && report.contains(says) && ran.out == DONE { Ok(()) } else { Err(format!("{report} {ran:?}")) }
    });
}

#[test]
fn every_engine_and_mode_can_be_attached() {
    on_newest_jvm(|jvm| {
        for options in [
            "engine=velodrome",
            "engine=atomizer",
            "arrays=all,reads=all,nested=false",
            "sample=50",
            "include=java.util.Vector:attached.*",
        ] {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let path = folder.path().join("report.json");
            let server = Server::start(jvm, None, &[]);
            let attached =
                server.attach(&format!("exclude=schedule.*,format=json,report={},{options}", path.display()));
            let ran = server.end();
            if attached.code != Some(0) || ran.code != Some(0) || ran.out != DONE {
                return Err(format!("{options}: {attached:?}, {ran:?}"));
            }
            let report = read(&path)?;
            if report["attached"]["hooked"] != 2
                || report["verdict"] == "serializable"
                || report["verdict"] == "incomplete"
            {
                return Err(format!("{options}: {report}"));
            }
        }
        Ok(())
    });
}

#[test]
fn what_is_in_the_way_is_said_in_a_line_and_the_program_goes_on() {
    on_two_jvms(|jvm| {
        let at_start = "; start the program with -javaagent:regiontrack.jar instead";
        let twice = "not attached: the agent is in this JVM already, and watches it; it cannot be started twice";
        let cases: [(Option<&str>, &[&str], &str, String); 6] = [
            (
                None,
                &["-XX:+DisableAttachMechanism"],
                "",
                format!("lets nobody attach (-XX:+DisableAttachMechanism){at_start}"),
            ),
            (
                None,
                &["-XX:+DisableAttachMechanism", "-XX:-UsePerfData"],
                "",
                format!("lets nobody attach (-XX:+DisableAttachMechanism){at_start}"),
            ),
            (
                None,
                &["-XX:-EnableDynamicAgentLoading"],
                "",
                format!("takes no agents once it runs (-XX:-EnableDynamicAgentLoading){at_start}"),
            ),
            (Some("report=/dev/null"), &[], "", twice.to_owned()),
            (None, &[], "incldue=x", "agent options: unknown option 'incldue'; did you mean include?".to_owned()),
            (
                None,
                &[],
                "profile=x",
                "profile=: what the program did before the agent was attached is missing".to_owned(),
            ),
        ];
        for (agent, flags, options, why) in shared_out(jvm, &cases) {
            let server = Server::start(jvm, *agent, flags);
            let attached = server.attach(options);
            let ran = server.end();
            let told = attached.err.trim_end();
            let is_one =
                attached.out.is_empty() && told.lines().count() == 1 && told.starts_with("regiontrack: process ");
            if attached.code != Some(2) || !is_one || !told.contains(why) || ran.out != DONE || ran.code != Some(0) {
                return Err(format!("{flags:?} {options}: {attached:?}, {ran:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn an_agent_that_was_refused_can_be_attached_and_a_second_one_cannot() {
    on_newest_jvm(|jvm| {
        let server = Server::start(jvm, None, &["-XX:-UsePerfData"]);
        let codes: Vec<_> =
            ["nested=perhaps", "exclude=schedule.*", ""].iter().map(|options| server.attach(options).code).collect();
        let ran = server.end();
        let is_reported = ran.err.lines().any(|line| line.contains("  lost update") && line.contains("Late.rename"));
        if codes == [Some(2), Some(0), Some(2)] && is_reported { Ok(()) } else { Err(format!("{codes:?} {ran:?}")) }
    });
}

#[test]
fn without_a_process_the_jvms_are_listed() {
    on_newest_jvm(|jvm| {
        let server = Server::start(jvm, None, &["-XX:+UsePerfData"]);
        let listed = attach(&[]);
        let line = format!("{}\tattached.Server\n", server.0.id());
        server.end();
        if listed.code == Some(0) && listed.out.contains(&line) { Ok(()) } else { Err(format!("{line} {listed:?}")) }
    });
}

/// The program is loaded before the agent is attached, and runs afterwards.
#[test]
fn a_program_that_was_loaded_before_has_no_finding_that_it_does_not_have_otherwise() {
    on_newest_jvm(|jvm| {
        for class in scripted(12, 5) {
            let (plain, whole) = jvm.reported("exclude=schedule.*", &[&class])?;
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let path = folder.path().join("report.json");
            let options = format!("exclude=schedule.*:attached.Self,format=json,report={}", path.display());
            let ran = jvm.run_small(None, &["attached.Self", utf8(&machine().jar), &options, &class]);
            if (ran.code, &ran.out) != (plain.code, &plain.out) {
                return Err(format!("{class}: {plain:?}, attached {ran:?}"));
            }
            let late = read(&path)?;
            let of = |report: &Value| -> BTreeSet<String> {
                ["violations", "waits_inside"].iter().flat_map(|list| methods(report, list)).collect()
            };
            if !of(&late).is_subset(&of(&whole)) || late["attached"]["hooked"] != 1 || late["verdict"] == "serializable"
            {
                return Err(format!("{class}: expected some of {:?}, got {late}", of(&whole)));
            }
        }
        Ok(())
    });
}
