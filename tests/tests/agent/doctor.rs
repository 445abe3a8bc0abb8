//! `regiontrack doctor`: its output for each JVM, for a command, and for a process.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::machine::{Jvm, Run, command, finish, machine, on_newest_jvm, on_two_jvms, tool, utf8};

fn doctor(arguments: &[&str]) -> Run {
    let mut doctor = Command::new(command());
    doctor.args(["doctor", "--agent"]).arg(&machine().jar).args(arguments);
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "JAVA_HOME"] {
        doctor.env_remove(variable);
    }
    finish(doctor)
}

/// The path of a JVM.
fn java(jvm: &Jvm) -> String {
    jvm.command(None, &[]).get_program().to_str().expect("UTF-8").to_owned()
}

fn expect(ran: &Run, code: i32, lines: &[&str]) -> Result<(), String> {
    let missing = lines.iter().find(|line| !ran.out.lines().any(|told| told.starts_with(**line)));
    match missing {
        None if ran.code == Some(code) && ran.err.is_empty() => Ok(()),
        _ => Err(format!("expected {code} and {missing:?}, got {ran:?}")),
    }
}

#[test]
fn each_jvm_is_told_with_what_would_be_watched() {
    on_two_jvms(|jvm| {
        let java = java(jvm);
        let classes = utf8(&machine().classes);
        let own = format!("ok       {java}: Java {}", jvm.version);
        let ran = doctor(&["--options", "include=attached.*", "--", &java, "-cp", classes, "attached.Server"]);
        let lines = [
            &own,
            "ok       the agent's jar has a native library for ",
            "ok       the agent starts, and writes its report",
            "ok       main class attached.Server",
            "ok       4 classes of 1 package would be watched: attached (4)",
            "note     ",
        ];
        expect(&ran, 0, &lines)?;
        let flags = ["-Xss200k", "-javaagent:none/jacocoagent.jar", "-Xint", "-cp", "none.jar", "a.Main"];
        let ran = doctor(&[&["--options", "arrays=some", "--", &java][..], &flags].concat());
        let lines = [
            "problem  -Xss200k: ",
            "ok       -javaagent:none/jacocoagent.jar: ",
            "note     -Xint: ",
            "problem  the agent does not start: agent options: arrays=some: ",
            "problem  main class a.Main: not on the class path",
        ];
        expect(&ran, 2, &lines)
    });
}

#[test]
fn a_process_is_looked_at_without_asking_it() {
    on_newest_jvm(|jvm| {
        let mut server = jvm.command(None, &["-XX:+DisableAttachMechanism", "attached.Server"]);
        let mut server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the JVM starts");
        let mut line = String::new();
        let mut out = std::io::BufReader::new(server.stdout.take().expect("piped"));
        std::io::BufRead::read_line(&mut out, &mut line).expect("text");
        let ran = doctor(&[&server.id().to_string()]);
        drop(server.stdin.take());
        server.wait().expect("it ends");
        let own = format!("ok       {}: Java {}", java(jvm), jvm.version);
        expect(&ran, 2, &[&own, "problem  -XX:+DisableAttachMechanism: ", "ok       main class attached.Server"])
    });
}

#[test]
fn jars_are_read_with_their_manifests_and_class_files_that_are_too_new_are_named() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [inner, outer, manifest] = ["inner.jar", "outer.jar", "manifest"].map(|name| folder.path().join(name));
        let newer = folder.path().join("classes/far/away/New.class");
        std::fs::create_dir_all(newer.parent().expect("a folder")).map_err(|e| e.to_string())?;
        // The header of a class file of a future Java version.
        std::fs::write(&newer, [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 99]).map_err(|e| e.to_string())?;
        std::fs::write(&manifest, "Main-Class: attached.Server\nClass-Path: inner.jar none.jar\n")
            .map_err(|e| e.to_string())?;
        tool("jar", &["--create", "--file", utf8(&inner), "-C", utf8(&folder.path().join("classes")), "."]);
        let attached = Path::new(utf8(&machine().classes));
        tool(
            "jar",
            &["--create", "--file", utf8(&outer), "--manifest", utf8(&manifest), "-C", utf8(attached), "attached"],
        );
        let ran = doctor(&["--", &java(jvm), "-jar", utf8(&outer)]);
        let lines = [
            "ok       main class attached.Server",
            "problem  1 class file newer than the agent reads, such as far.away.New (Java 55)",
            "ok       5 classes of 2 packages would be watched: attached (4), far.away (1)",
        ];
        expect(&ran, 2, &lines)
    });
}
