//! The written reports.

use analysis_core::event::{Event, LabelId, Op, ThreadId, VarId};
use analysis_core::protocol::{Recording, record};
use analysis_core::report::Verdict;
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceReader, notes};

use super::program::{self, describe, options, play, reported};
use crate::observed::What;
#[cfg(target_os = "linux")]
use crate::options::Options;
use crate::session::Session;

/// T1 loses the write of T2 in one of two calls of a method.
fn lost_update() -> Vec<Event> {
    let (one, two) = (ThreadId(0), ThreadId(1));
    let x = VarId(0);
    let event = Event::new;
    vec![
        event(one, Op::Begin(LabelId(0))),
        event(one, Op::End),
        event(one, Op::Begin(LabelId(0))),
        event(one, Op::Read(x)),
        event(two, Op::Write(x)),
        event(one, Op::Write(x)),
        event(one, Op::End),
    ]
}

/// Set for a test in the process that it starts.
#[cfg(target_os = "linux")]
const IS_STARTED: &str = "REGIONTRACK_TEST_IS_STARTED";

/// Runs the test of this name in a process of its own.
#[cfg(target_os = "linux")]
fn start_apart(name: &str) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().expect("its path"));
    command.args(["--exact", &format!("tests::reports::{name}"), "--nocapture"]).env(IS_STARTED, "1");
    command
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_is_added_to_what_the_program_has_written() {
    use std::fs::{File, OpenOptions};
    if std::env::var_os(IS_STARTED).is_some() {
        let session = Session::start(options("report=/dev/stdout,overwrite=false")).expect("it starts");
        describe(&session);
        play(&session, &record(&lost_update()));
        session.finish().expect("the first finish");
        let refused = Options::parse("record=/dev/stdout", &[]).expect_err("a trace");
        return assert!(
            refused.starts_with("record=/dev/stdout: the program writes its own output there"),
            "{refused}"
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("output");
    for is_appended in [false, true] {
        let file = if is_appended { OpenOptions::new().append(true).open(&path) } else { File::create(&path) };
        let mut command = start_apart("a_report_is_added_to_what_the_program_has_written");
        let status = command.stdout(file.expect("a file")).status().expect("it starts");
        let output = std::fs::read_to_string(&path).expect("the output");
        assert!(status.success(), "{output}");
        let pieces = ["running 1 test", "regiontrack: non-serializable", "1 passed"];
        let found: Vec<usize> = pieces.iter().filter_map(|piece| output.rfind(piece)).collect();
        assert!(found.len() == 3 && found.is_sorted() && !output.contains("still running"), "{output}");
        assert_eq!(output.matches("running 1 test").count(), 1 + usize::from(is_appended), "{output}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_ends_with_its_exit_code_although_standard_error_takes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    if std::env::var_os(IS_STARTED).is_none() {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is full");
        let name = "a_run_ends_with_its_exit_code_although_standard_error_takes_nothing";
        let started = start_apart(name).stderr(full).output().expect("it starts");
        let said = String::from_utf8_lossy(&started.stdout);
        assert!(started.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    // The name is taken, which is said at the start; the exit code is said at the end.
    let path = folder.path().join("report");
    std::fs::write(&path, "of another run").expect("written");
    let agent = format!("mode=stream,exitcode=3,report={}", path.display());
    let session = Session::start(Options::parse(&agent, &[]).expect("good options")).expect("it starts");
    play(&session, &record(&lost_update()));
    assert_eq!(session.finish().expect("the first finish").exit_code, Some(3));
}

fn report(agent: &str, recording: &Recording, tell: impl Fn(&Session)) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report");
    let agent = format!("report={},{agent}", file.display());
    let session = Session::start(options(&agent)).expect("it starts");
    describe(&session);
    tell(&session);
    play(&session, recording);
    session.finish().expect("the first finish");
    std::fs::read_to_string(&file).expect("a report")
}

#[test]
fn a_text_report_names_the_method_both_ends_of_each_edge_and_what_to_do() {
    let text =
        report("", &record(&lost_update()), |session| session.describe(What::Instrumented, 3, "com.example.Box"));
    let expected = "\
regiontrack: non-serializable
  1 of 2 blocks violated; 7 events, 2 threads; engine reach

  1  lost update  Box.m0  Box.value  1 of 2  Box.java:20

1. com.example.Box.m0(): lost update
   another thread's write came between its read and its write, which overwrote it
   violated in 1 of 2 instances, first in worker-1 at Box.java:20

   worker-1: Box.m0             | worker-2: Box.set
   -----------------------------+-----------------------------
   begin(Box.m0)  Box.java:20   |
   read Box.value  Box.java:11  |
                                | write Box.value  Box.java:12
   write Box.value  Box.java:12 |

   events that conflict, each pair in the order in which it happened
     worker-1 in Box.get at Box.java:11: read of com.example.Box.value
       before worker-2 in Box.set at Box.java:12: write of com.example.Box.value
     worker-2 in Box.set at Box.java:12: write of com.example.Box.value
       before worker-1 in Box.set at Box.java:12: write of com.example.Box.value

   what to do next
     - if it is meant to be atomic: hold one lock from Box.java:11 to Box.java:12, and the same lock around Box.java:12
     - if it is not: take it out with  exclude-method=com.example.Box.m0()  or with the line  - com.example.Box.m0()  in a specification that begins with  default
";
    assert_eq!(text, expected);
}

#[test]
fn each_file_has_its_own_format_from_the_start_to_the_end_of_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = ["a.html", "b.sarif", "c.xml", "d.md", "e.json", "f.txt"].map(|name| folder.path().join(name));
    let agent: String = files.iter().map(|file| format!("report={},", file.display())).collect();
    let left = files[5].clone();
    std::fs::write(&left, "of an earlier run").expect("written");
    let session = Session::start(options(&(agent + "overwrite=false"))).expect("it starts");
    let read = || files.each_ref().map(|file| std::fs::read_to_string(file).expect("a report"));
    let running = read();
    let begins = ["<!DOCTYPE html>", "{\n\"$schema\"", "<?xml ", "### regiontrack: ", "{\"schema\"", "of an earlier"];
    for (text, begin) in running.iter().zip(begins) {
        assert!(text.starts_with(begin) && (text.contains("running") || begin.starts_with("of")), "{text}");
    }
    describe(&session);
    session.describe(What::Instrumented, 3, "com.example.Box");
    play(&session, &record(&lost_update()));
    session.finish().expect("the first finish");
    for (text, begin) in read()[..5].iter().zip(begins) {
        let is_whole = text.starts_with(begin) && text.contains("com.example.Box") && text.contains("lost update");
        assert!(is_whole && !text.contains("running"), "{text}");
    }
    assert!(read()[1].contains("\"uri\": \"com/example/Box.java\""), "{}", read()[1]);
    // The arrows of the picture leave the second and the third event, though events have no numbers here.
    let page = &read()[0];
    let leaving = |from: &str| page.lines().filter(|line| line.contains("\"arrow\"") && line.contains(from)).count();
    assert_eq!((leaving(" 257 H"), leaving(" 319 H")), (1, 1), "{page}");
    // The process's own file is beside it.
    let beside = folder.path().join(format!("f-{}.txt", std::process::id()));
    assert_eq!(std::fs::read_to_string(left).expect("a file"), "of an earlier run");
    assert!(std::fs::read_to_string(beside).expect("a report").starts_with("regiontrack: non-serializable"));
}

#[test]
fn a_call_of_the_library_is_told_with_its_key_and_its_field_by_engines_of_both_kinds_and_in_a_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("run.std");
    let tell = |session: &Session| {
        let site = |number, text: &str| session.describe(What::Site, number, &text.replace(' ', "\t"));
        site(program::READ, "read com.example.Box get ()I Box.java 11 java.util.Map.get() com.example.Box.map");
        site(program::WRITE, "write com.example.Box set (I)V Box.java 12 java.util.Map.put()");
        session.describe(What::Part, 0, "1000\t16\tkey \"k\"");
    };
    for options in ["", "engine=velodrome", &format!("record={}", trace.display())] {
        let text = report(options, &record(&lost_update()), tell);
        for told in [
            "1. com.example.Box.m0(): lost update by get and put",
            "worker-1 in Box.get at Box.java:11: read of key \"k\" of Map (field Box.map) by get",
            "worker-2 in Box.set at Box.java:12: write of key \"k\" of Map (field Box.map) by put",
            "computeIfAbsent, merge, compute or replace(key, old, new) of a map that is made for threads does in one step",
        ] {
            assert!(text.contains(told), "{options}: {told}: {text}");
        }
    }
    let trace = std::fs::read_to_string(&trace).expect("a trace");
    let get = "worker-1|r(Map@16[key:\"k\"])|com.example.Box.get:11 [Map.get of com.example.Box.map]\n";
    let put = "worker-2|w(Map@16[key:\"k\"])|com.example.Box.set:12 [Map.put]\n";
    assert!(trace.contains(get) && trace.contains(put), "{trace}");
}

#[test]
fn a_call_by_a_class_of_the_programs_own_has_the_kind_of_one_by_the_class_that_it_extends() {
    let tell = |session: &Session| {
        let site = |number, text: &str| session.describe(What::Site, number, &text.replace(' ', "\t"));
        site(program::READ, "read com.example.Box get ()I Box.java 11 com.example.Store.get() com.example.Box.map");
        site(program::WRITE, "write com.example.Box set (I)V Box.java 12 com.example.Store.put()");
        session.describe(What::Owner, program::READ, "java.util.HashMap");
        session.describe(What::Owner, program::WRITE, "java.util.HashMap");
        session.describe(What::Owner, u32::MAX, "java.util.HashMap");
    };
    let text = report("", &record(&lost_update()), tell);
    for told in ["1. com.example.Box.m0(): lost update by get and put", "read of HashMap (field Box.map) by get"] {
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[test]
fn a_json_report_has_the_documented_form() {
    let text = report("format=json", &record(&lost_update()), |_| ());
    let (before, after) = text.split_once("\"seconds\":").expect("seconds");
    assert!(after.ends_with("},\"warnings\":[]}\n"), "{after}");
    let set = "\"method\":\"com.example.Box.set(int)\",\"location\":\"Box.java:12\",\"access\":\"write com.example.Box.value\"";
    let get =
        "\"method\":\"com.example.Box.get()\",\"location\":\"Box.java:11\",\"access\":\"read com.example.Box.value\"";
    let expected = format!(
        "{{\"schema\":1,\"verdict\":\"non-serializable\",\"engine\":\"reach\",\"violated\":1,\"apart\":0,\"violations\":[\
         {{\"id\":\"92827e04049b\",\"method\":\"com.example.Box.m0()\",\"kind\":\"lost update\",\"variables\":[\"Box.value\"],\"count\":1,\"instances\":2,\"thread\":\"worker-1\",\"begin\":\"Box.java:20\",\
         \"edges\":[\
         {{\"from\":{{\"thread\":\"worker-1\",{get}}},\"to\":{{\"thread\":\"worker-2\",{set}}}}},\
         {{\"from\":{{\"thread\":\"worker-2\",{set}}},\"to\":{{\"thread\":\"worker-1\",{set}}}}}],\
         \"table\":{{\"columns\":[{{\"thread\":\"worker-1\",\"block\":\"Box.m0\",\"is_block\":true,\"lane\":0}},\
         {{\"thread\":\"worker-2\",\"block\":\"Box.set\",\"is_block\":false,\"lane\":1}}],\"rows\":[\
         {{\"column\":0,\"operation\":\"begin(Box.m0)\",\"location\":\"Box.java:20\",\"method\":\"com.example.Box.m0()\"}},\
         {{\"column\":0,\"operation\":\"read Box.value\",\"location\":\"Box.java:11\",\"method\":\"com.example.Box.get()\"}},\
         {{\"column\":1,\"operation\":\"write Box.value\",\"location\":\"Box.java:12\",\"method\":\"com.example.Box.set(int)\"}},\
         {{\"column\":0,\"operation\":\"write Box.value\",\"location\":\"Box.java:12\",\"method\":\"com.example.Box.set(int)\"}}],\
         \"ends\":[[1,2],[2,3]],\"first\":0}}}}],\
         \"waits_inside\":[],\"cycle\":[],\
         \"stats\":{{\"classes\":{{\"instrumented\":0,\"skipped\":0,\"failed\":0}},\"threads\":2,\"blocks\":2,\
         \"events\":{{\"accesses\":null,\"filtered\":null,\"recorded\":7,\"dependencies\":2,\"lost\":0}},\"unmodelled\":0,"
    );
    assert_eq!(before, expected);
}

#[test]
fn a_verbose_report_counts_every_access() {
    let json = report("format=json,verbose", &record(&lost_update()), |_| ());
    assert!(json.contains("\"events\":{\"accesses\":12,\"filtered\":9,\"recorded\":7,"), "{json}");
    let text = report("verbose", &record(&lost_update()), |_| ());
    assert!(text.contains("12 accesses, 75.00 % of them redundant and not recorded; 3 checked in full"), "{text}");
}

#[test]
fn losses_make_a_run_without_violation_incomplete_and_are_listed_with_violations() {
    let lose = |session: &Session| {
        session.describe(What::Failed, 1, "com.example.Huge: too large");
        session.describe(What::Lost, 2, "threads beyond 1048575");
        session.describe(What::Tolerated, 1, "release of a monitor that was not observed");
    };
    let quiet = report("", &record(&lost_update()[..4]), lose);
    let expected = "\
regiontrack: no violation found, incomplete: 1 class or method not instrumented; not observed: threads beyond 1048575 (2)
  0 of 2 blocks violated; 4 events, 1 thread; engine reach
  warning: not instrumented: com.example.Huge: too large
  warning: tolerated: release of a monitor that was not observed (1): what is reported is true, but a violation can be hidden
";
    assert_eq!(quiet, expected);
    let violated = report("max_reports=0", &record(&lost_update()), lose);
    let expected = "\
regiontrack: non-serializable
  1 of 2 blocks violated; 7 events, 2 threads; engine reach
  warning: incomplete: 1 class or method not instrumented
  warning: incomplete: not observed: threads beyond 1048575 (2)
  warning: not instrumented: com.example.Huge: too large
  warning: tolerated: release of a monitor that was not observed (1): what is reported is true, but a violation can be hidden

  1 more finding: see max_reports=, or format=json
";
    assert_eq!(violated, expected);
}

#[test]
fn findings_from_before_a_failure_of_the_analysis_are_kept() {
    let mut trace = lost_update();
    trace.insert(6, Event::new(ThreadId(0), Op::Read(VarId(1))));
    let text = report("fail_after=7", &record(&trace), |_| ());
    let head = "\
regiontrack: non-serializable
  1 of 2 blocks violated; 7 events, 2 threads; engine reach
  warning: incomplete: the analysis failed: asked to fail after 7 events
";
    assert!(text.starts_with(head), "{text}");
    assert!(text.contains("1. com.example.Box.m0(): lost update"), "{text}");
}

#[test]
fn a_block_that_joins_a_thread_is_listed_apart_under_the_default_specification_alone() {
    let (one, two, x) = (ThreadId(0), ThreadId(1), VarId(0));
    let trace = [
        Event::new(one, Op::Begin(LabelId(1))),
        Event::new(one, Op::Fork(two)),
        Event::new(two, Op::Write(x)),
        Event::new(one, Op::Join(two)),
        Event::new(one, Op::End),
    ];
    let text = report("", &record(&trace), |_| ());
    let expected = "\
regiontrack: non-serializable
  0 of 1 block violated; 5 events, 2 threads; engine reach
  nothing counts here: the only violated block waits inside for other threads, so it is listed apart and changes no exit code

waits inside: violated too, but they start or wait for other threads, so they are not counted
   com.example.Box.m1(): 1 of 1 instance
";
    assert_eq!(text, expected);
    let folder = tempfile::tempdir().expect("a folder");
    let spec = folder.path().join("app.spec");
    std::fs::write(&spec, "+ **\n").expect("written");
    let text = report(&format!("spec={}", spec.display()), &record(&trace), |_| ());
    assert!(text.contains("1. com.example.Box.m1(): waits for a thread that it started"), "{text}");
    let edges = "     worker-1 in Thread.start at Thread.java: fork of worker-2
       before worker-2 in Box.set at Box.java:12: write of com.example.Box.value
     worker-2 in Box.set at Box.java:12: end of the thread
       before worker-1 in Thread.join at Thread.java: join of worker-2
";
    assert!(text.contains(edges), "{text}");
}

#[test]
fn the_exit_code_is_set_only_if_something_is_violated() {
    let ending = |agent: &str, trace: &[Event]| {
        let session = Session::start(options(&format!("report=/dev/null,{agent}"))).expect("it starts");
        describe(&session);
        play(&session, &record(trace));
        session.finish().expect("the first finish").exit_code
    };
    assert_eq!(ending("exitcode=66", &lost_update()), Some(66));
    assert_eq!(ending("", &lost_update()), None);
    assert_eq!(ending("exitcode=66", &lost_update()[..4]), None);
    let (one, two, x, y) = (ThreadId(0), ThreadId(1), VarId(0), VarId(1));
    let blameless = [
        Event::new(one, Op::Begin(LabelId(0))),
        Event::new(two, Op::Begin(LabelId(0))),
        Event::new(one, Op::Write(x)),
        Event::new(two, Op::Write(y)),
        Event::new(one, Op::Read(y)),
        Event::new(two, Op::Read(x)),
    ];
    assert_eq!(ending("exitcode=66", &blameless), Some(66), "a cycle without a block to blame counts");
    let waits = [
        Event::new(one, Op::Begin(LabelId(1))),
        Event::new(one, Op::Fork(two)),
        Event::new(two, Op::Write(x)),
        Event::new(one, Op::Join(two)),
        Event::new(one, Op::End),
    ];
    assert_eq!(ending("exitcode=66", &waits), None, "a block that waits is not meant to be atomic");
}

#[test]
fn a_finding_that_is_suppressed_or_known_sets_no_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let suppressing = file("app.supp", "field:com.example.Box.value  # on purpose\nlock:com.example.Box\n");
    let other = file("other.supp", "method:com.example.Box.other()\n");
    let known = file("known", "regiontrack-baseline 1\n92827e04049b\tcom.example.Box.m0()\n");
    let none = file("none", "regiontrack-baseline 1\n000000000000\tcom.example.Box.m0()\n");
    let report = folder.path().join("report");
    for (agent, code, said) in [
        (format!("suppressions={suppressing}"), None, "but its only finding is suppressed"),
        (
            format!("suppressions={other},suppressions={suppressing}"),
            None,
            ":1: method:com.example.Box.other(): matches nothing",
        ),
        (format!("suppressions={other}"), Some(66), "findings: 1 left, 0 suppressed"),
        (format!("baseline={known}"), None, "but its only finding is known"),
        (format!("baseline={none}"), Some(66), "not seen in this run"),
        (format!("baseline={none}"), Some(66), "1  lost update  Box.m0  Box.value  1 of 2, new  Box.java:20"),
        (format!("baseline={none},suppressions={suppressing}"), None, "0 new, 0 known by "),
        (format!("baseline={none},suppressions={suppressing}"), None, "(on purpose)"),
    ] {
        let session = Session::start(options(&format!("report={},exitcode=66,{agent}", report.display())));
        let session = session.expect("it starts");
        describe(&session);
        play(&session, &record(&lost_update()));
        let ending = session.finish().expect("the first finish");
        let text = std::fs::read_to_string(&report).expect("a report");
        assert_eq!((ending.exit_code, ending.verdict), (code, Verdict::NonSerializable), "{agent}: {text}");
        assert!(text.contains(said), "{agent}: {said:?} is not in {text}");
    }
}

#[test]
fn what_is_said_of_a_method_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let spec = folder.path().join("app.spec");
    std::fs::write(&spec, "default\n- com.example.Box.gte()\n- com.example.Box.get()\n+ org.**\n- flag:unlabelled\n")
        .expect("written");
    let tell = |session: &Session| {
        session.describe(What::Instrumented, 1, "com.example.Box");
        let class = "class\t1\tcom/example/Box\tjava/lang/Object\tBox.java\t\nmethod\t1\tget\t()V\t\t\n";
        session.select(class).expect("a class");
    };
    let excluded = "exclude-method=com.example.Box.get,exclude-method=com.example.Bx.get(int)";
    let options = format!("spec={},{excluded}", spec.display());
    let no_match = "matches no method of a class that was loaded and watched";
    let expected = [
        format!("exclude-method=com.example.Bx.get(int) {no_match}"),
        format!("spec={}: line 2, '- com.example.Box.gte()', {no_match}", spec.display()),
        format!("spec={}: line 4, '+ org.**', {no_match}", spec.display()),
    ];
    let text = report(&options, &record(&lost_update()), tell);
    let told: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  warning: ")).collect();
    assert_eq!(told, expected);
    let json = report(&format!("{options},format=json"), &record(&lost_update()), tell);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["warnings"], serde_json::json!(expected));
    // The rules of the default specification are not written for this program.
    assert!(!report("", &record(&lost_update()), tell).contains("warning"));
}

#[test]
fn a_run_without_a_block_is_no_answer_and_says_what_could_have_been_watched() {
    let session = |agent: &str, tell: &dyn Fn(&Session)| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("report");
        let session = Session::start(options(&format!("report={},{agent}", file.display()))).expect("it starts");
        tell(&session);
        let ending = session.finish().expect("the first finish");
        (std::fs::read_to_string(&file).expect("a report"), ending.exit_code)
    };
    let skip = |session: &Session| {
        let classes = ["com.example.shop.Cart", "com.example.shop.Price", "org.junit.Test", "Main"];
        classes.iter().for_each(|class| session.describe(What::Skipped, 0, class));
    };
    let (text, code) = session("include=com.exmaple.*,exitcode=66", &skip);
    let expected = "\
regiontrack: no answer, because there was no block to judge
  0 of 0 blocks violated; 0 events, 0 threads; engine reach
  warning: no class was watched: include=com.exmaple.* matches none of the 4 that were loaded outside the platform, in \
com.example.shop (2), org.junit (1), the unnamed package (1)
  hint: test frameworks and build tools are not watched unless they are named, as by include=*:org.junit.*: classes of org.junit (1)
";
    assert_eq!((text.as_str(), code), (expected, Some(2)));
    let (json, code) = session("format=json,exclude=x.*", &|session| {
        skip(session);
        session.describe(What::Instrumented, 1, "com.example.Box");
    });
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let warning = json["warnings"][0].as_str().expect("a warning");
    let said =
        "no block was entered: the specification calls no method atomic that has run; by include=* and exclude=x.*, ";
    assert!(warning.starts_with(said) && json["verdict"] == "undecided" && code.is_none(), "{json}");
    let (text, _) = session("", &|_| ());
    assert!(text.contains("no class was watched: none was loaded but those of the platform"), "{text}");
}

#[test]
fn what_is_tolerated_is_told_with_what_it_means_for_the_answer() {
    let tell = |session: &Session| {
        for what in [
            "names of keys, left out of the report because there were more than 65536",
            "accesses to a.B.c in a.D: the JVM refuses them",
            "what a.B.big, too large for hooks, did before the program started a second thread",
            "latches with a count above 1024",
        ] {
            session.describe(What::Tolerated, 1, what);
        }
    };
    let text = report("", &record(&lost_update()), tell);
    let told =
        |ending: &str| text.lines().filter(|line| line.contains("tolerated: ") && line.ends_with(ending)).count();
    let exact = told("(1): the answer is exact all the same");
    assert_eq!((exact, told("what is reported is true, but a violation can be hidden")), (3, 1), "{text}");
}

#[test]
fn a_run_of_which_something_was_not_seen_is_not_called_serializable() {
    let folder = tempfile::tempdir().expect("a folder");
    let (report, trace) = (folder.path().join("report.json"), folder.path().join("run.rtb"));
    let one = ThreadId(0);
    let events = [Op::Begin(LabelId(0)), Op::Read(VarId(0)), Op::End].map(|op| Event::new(one, op));
    for (what, verdict) in [
        (None, "serializable"),
        (Some("names of keys, left out"), "serializable"),
        (Some("operations of the library that overlapped, so that their order is not known"), "undecided"),
    ] {
        let agent = format!("report={},record={}", report.display(), trace.display());
        let session = Session::start(options(&agent)).expect("it starts");
        describe(&session);
        what.iter().for_each(|what| session.describe(What::Tolerated, 1, what));
        play(&session, &record(&events));
        session.finish();
        let (told, _) = reported(&report);
        assert_eq!(told["verdict"], verdict, "{what:?}: {told}");
        let input = Input::open(&trace).expect("a trace");
        let mut reader = TraceReader::open(&input, Mode::Strict).expect("a trace");
        while reader.read_batch(&mut Vec::new(), 100).expect("events") > 0 {}
        let unseen = reader.symbols().notes.values(notes::UNSEEN).count();
        assert_eq!(unseen, usize::from(verdict == "undecided"), "{what:?}");
    }
}
