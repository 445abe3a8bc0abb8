//! The interface to the Java side: selected methods, names of places, monitors whose exit is not observed.

use std::fs;

use analysis_core::report::{Hand, Verdict};

use super::program::{describe, options};
use crate::codes;
use crate::names::{Site, SiteKind};
use crate::observed::What;
use crate::rings::Record;
use crate::session::Session;

#[test]
fn one_call_selects_the_methods_of_a_class() {
    let class = "class\t21\tcom/example/Cache\tjava/lang/Object\tCache.java\t\n\
                 method\t1\tget\t(Ljava/lang/Object;)Ljava/lang/Object;\t\t\n\
                 method\t100a\tlambda$get$0\t()V\t\t\n\
                 method\t9\tmain\t([Ljava/lang/String;)V\t\tcom/example/Cache.get(Ljava/lang/Object;)Ljava/lang/Object;\n\
                 method\t1\tawait\t()V\t\tjava/lang/Object.wait()V com/example/Cache.get(I)V\n";
    let session = Session::start(options("report=/dev/null")).expect("it starts");
    assert_eq!(session.select(class).as_deref(), Ok("1001"));
    let folder = tempfile::tempdir().expect("a folder");
    let spec = folder.path().join("app.spec");
    fs::write(&spec, "+ com.example.**\n- call:java.lang.Object.wait\n").expect("written");
    let agent = format!("report=/dev/null,spec={}", spec.display());
    let session = Session::start(options(&agent)).expect("it starts");
    assert_eq!(session.select(class).as_deref(), Ok("1110"));
    assert!(session.select("method\t1\tget\t()V\t\t\n").is_err());
    assert!(session.select("class\t1\tA\tB\t\t\nmethod\t1\tget\tnonsense\t\t\n").is_err());
}

#[test]
fn rules_on_annotations_see_those_of_the_class_and_of_the_method() {
    let class = |annotations: &str| {
        format!(
            "class\t21\tcom/example/Cache\tjava/lang/Object\tCache.java\t{annotations}\n\
             method\t1\tget\t()V\tjava/lang/Deprecated com/example/Atomic\t\n\
             method\t1\tput\t()V\t\t\n"
        )
    };
    let folder = tempfile::tempdir().expect("a folder");
    let spec = folder.path().join("app.spec");
    fs::write(&spec, "+@ com.example.Atomic\n").expect("written");
    let agent = format!("report=/dev/null,spec={}", spec.display());
    let session = Session::start(options(&agent)).expect("it starts");
    assert_eq!(session.select(&class("")).as_deref(), Ok("10"));
    assert_eq!(session.select(&class("com/example/Other")).as_deref(), Ok("10"));
    assert_eq!(session.select(&class("com/example/Other com/example/Atomic")).as_deref(), Ok("11"));
}

#[test]
fn an_annotation_of_our_own_decides_over_the_default_and_lines_of_the_user_over_it() {
    let [atomic, not] = ["dev/regiontrack/annotations/Atomic", "dev/regiontrack/annotations/NotAtomic"];
    let class = |of_class: &str| {
        format!(
            "class\t21\tcom/example/Task\tjava/lang/Object\tTask.java\t{of_class}\n\
             method\t1\trun\t()V\t\t\n\
             method\t1\tget\t()I\t\t\n\
             method\t1\tput\t(I)V\t{atomic}\t\n\
             method\t1\tsize\t()I\tjava/lang/Deprecated {not}\t\n\
             method\t100a\tlambda$get$0\t()V\t{atomic}\t\n\
             method\t8\t<clinit>\t()V\t\t\n"
        )
    };
    let select = |agent: &str, of_class: &str| {
        let session = Session::start(options(&format!("report=/dev/null,{agent}"))).expect("it starts");
        session.select(&class(of_class)).expect("it can be read")
    };
    assert_eq!([select("", ""), select("", atomic), select("", not)], ["011000", "111000", "001000"]);
    assert_eq!(select("exclude-method=com.example.Task.put", ""), "010000");
    let folder = tempfile::tempdir().expect("a folder");
    let spec = |text: &str, of_class: &str| {
        let file = folder.path().join("app.spec");
        fs::write(&file, text).expect("written");
        select(&format!("spec={}", file.display()), of_class)
    };
    assert_eq!(spec("default\n+ com.example.Task.size\n- com.example.Task.put\n", ""), "010100");
    assert_eq!(spec("- com.example.Other.*\n", atomic), "111000");
    assert_eq!(spec("+ com.example.*.get\n", not), "011000");
}

#[test]
fn a_method_that_waits_counts_if_it_is_annotated() {
    let session = Session::start(options("report=/dev/null")).expect("it starts");
    let class = "class\t21\tcom/example/Box\tjava/lang/Object\tBox.java\t\n\
                 method\t1\tm0\t()V\tdev/regiontrack/annotations/Atomic\t\n\
                 method\t1\tm1\t()V\t\t\n";
    assert_eq!(session.select(class).as_deref(), Ok("11"));
    assert!(session.is_named("com.example.Box.m0()") && !session.is_named("com.example.Box.m1()"));
}

#[test]
fn the_text_of_a_site_gives_its_names_for_people_and_traces() {
    let site =
        Site::parse("write\tcom.example.Cache\tput\t(Ljava/lang/Object;I)V\tCache.java\t14\tcom.example.Cache.size");
    let expected = Site {
        kind: SiteKind::Write,
        method: "com.example.Cache.put(java.lang.Object,int)".into(),
        location: "Cache.java:14".into(),
        place: "com.example.Cache.put:14".into(),
        what: "com.example.Cache.size".into(),
        call: None,
    };
    assert_eq!(site, expected);
    let call =
        Site::parse("read\tcom.example.Cache\tget\t()V\tCache.java\t14\tjava.util.Map.get()\tcom.example.Cache.map");
    assert_eq!(call.place, "com.example.Cache.get:14 [Map.get of com.example.Cache.map]");
    assert_eq!(
        call.call.map(|call| (call.owner, call.field)),
        Some(("Map".into(), Some("com.example.Cache.map".into())))
    );
    let stripped = Site::parse("method\tjava.util.Vector\tclear\t()V\t\t0\t");
    assert_eq!((&*stripped.location, &*stripped.place), ("Vector.clear", "java.util.Vector.clear"));
    let inside = Site::parse("wait\tjava.util.concurrent.Future\tget\t()V\t-\t0\tresult of a future");
    assert_eq!((&*inside.location, &*inside.method), ("", ""));
    let bare = Site::parse("method\tcom.example.Cache\trun\t()V\t\t0\t");
    assert_eq!((&*bare.location, &*bare.place), ("Cache.run", "com.example.Cache.run"));
}

/// What the agent calls handed over, according to its table of the JDK's sites.
#[test]
fn whatever_the_agent_says_is_handed_over_is_known_to_reports() {
    let table = include_str!("../../../java-agent/runtime/src/main/java/dev/regiontrack/runtime/sites/JdkSites.java");
    let words =
        table.lines().filter_map(|line| line.trim().strip_suffix("\"},")?.rsplit_once('"').map(|(_, last)| last));
    let words: Vec<&str> = words.filter(|words| !words.is_empty()).collect();
    assert_eq!(words.len(), 30, "{words:?}");
    for words in words {
        assert!(Hand::of(words).is_some(), "{words}");
    }
}

#[test]
fn a_trace_has_the_releases_that_were_not_observed_and_readable_unique_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.std");
    let session = Session::start(options(&format!("report=/dev/null,record={}", file.display()))).expect("it starts");
    describe(&session);
    let tell = |number, text: &str| session.describe(What::Site, number, text);
    tell(50, "array-write\tcom.example.Box\tfill\t()V\tBox.java\t30\t");
    tell(51, "write\tcom.other.Box\tset\t()V\tBox.java\t31\tcom.other.Box.value");
    session.describe(What::Type, 8, "com.example.Box[]");
    session.describe(What::Thread, 1, "#odd|name");
    let record = |code, site, extra, word| Record { code, site, extra, word };
    let main = session.open(1, 0, "main");
    session.ring(main).write(&[
        record(codes::ACQUIRE, 3, 7, 17),
        record(codes::FORK, 4, 1, 2),
        record(codes::WRITE, 50, 3, 8 << 44 | 18),
        record(codes::WRITE, 2, 0, 17),
        record(codes::WRITE, 51, 1, 17),
        record(codes::END, 0, 0, 0),
    ]);
    let child = session.open(2, 0, "#odd|name");
    session.ring(child).write(&[
        record(codes::DEPEND, 4, 0, 1 << 43 | 2),
        record(codes::UNSEEN, 0, 0, 1),
        record(codes::DEPEND, 0, 0, 1 << 43 | 1),
        record(codes::ACQUIRE, 3, 7, 17),
    ]);
    session.close(child);
    session.ring(main).write(&[
        record(codes::DEPEND, 0, 0, 2 << 43 | 1),
        record(codes::JOIN, 5, 0, 2),
        record(codes::RELEASE, 3, 7, 17),
    ]);
    session.finish();
    let text = fs::read_to_string(&file).expect("a trace");
    let expected = "\
# regiontrack: specification=default
main|acq(Box@17)|com.example.Box.lock:13
main|fork(_#odd_name)|java.lang.Thread.start
main|w(Box[]@18[3])|com.example.Box.fill:30
main|w(Box.value@17)|com.example.Box.set:12
main|w(Box.value@17#2)|com.other.Box.set:31
main|rel(Box@17)|
_#odd_name|acq(Box@17)|com.example.Box.lock:13
_#odd_name|rel(Box@17)|
main|join(_#odd_name)|java.lang.Thread.join
";
    assert_eq!(text, expected);
}

/// A trace with sections that write nothing, recorded with this additional option.
fn trace_of_sections(option: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.std");
    let recording = format!("report=/dev/null,record={}{option}", file.display());
    let session = Session::start(options(&recording)).expect("it starts");
    describe(&session);
    session.describe(What::Site, 50, "section\tcom.example.Box\tget\t()I\tBox.java\t30\t");
    let reading = 1 << 31 | 7;
    let record = |code, site, extra, word| Record { code, site, extra, word };
    let main = session.open(1, 0, "main");
    session.ring(main).write(&[
        record(codes::ACQUIRE, 3, 7, 17),
        record(codes::RELEASE, 3, 7, 17),
        record(codes::FORK, 4, 1, 2),
    ]);
    let child = session.open(2, 0, "worker-1");
    session.ring(child).write(&[
        record(codes::DEPEND, 4, 0, 1 << 43 | 3),
        record(codes::ACQUIRE, 50, reading, 17),
        record(codes::RELEASE, 50, reading, 17),
        record(codes::ACQUIRE, 50, reading, 17),
        record(codes::ACQUIRE, 50, 7, 17),
        record(codes::RELEASE, 50, 7, 17),
    ]);
    session.close(child);
    session.ring(main).write(&[
        record(codes::DEPEND, 50, 0, 2 << 43 | 5),
        record(codes::ACQUIRE, 3, 7, 17),
        record(codes::RELEASE, 3, 7, 17),
    ]);
    session.finish();
    fs::read_to_string(&file).expect("a trace")
}

#[test]
fn a_trace_has_a_variable_for_the_sections_that_write_nothing() {
    let expected = "\
# regiontrack: specification=default
main|acq(Box@17)|com.example.Box.lock:13
main|w(Box@17.lock)|com.example.Box.lock:13
main|rel(Box@17)|com.example.Box.lock:13
main|fork(worker-1)|java.lang.Thread.start
worker-1|r(Box@17.lock)|com.example.Box.get:30
worker-1|r(Box@17.lock)|com.example.Box.get:30
worker-1|r(Box@17.lock)|com.example.Box.get:30
worker-1|w(Box@17.lock)|com.example.Box.get:30
worker-1|acq(Box@17)|com.example.Box.get:30
worker-1|w(Box@17.lock)|com.example.Box.get:30
worker-1|rel(Box@17)|com.example.Box.get:30
main|acq(Box@17)|com.example.Box.lock:13
main|w(Box@17.lock)|com.example.Box.lock:13
main|rel(Box@17)|com.example.Box.lock:13
";
    assert_eq!(trace_of_sections(""), expected);
}

#[test]
fn to_those_who_look_at_other_orders_each_section_holds_its_lock() {
    let expected = "\
# regiontrack: specification=default
main|acq(Box@17)|com.example.Box.lock:13
main|rel(Box@17)|com.example.Box.lock:13
main|fork(worker-1)|java.lang.Thread.start
worker-1|acq(Box@17)|com.example.Box.get:30
worker-1|rel(Box@17)|com.example.Box.get:30
worker-1|acq(Box@17)|com.example.Box.get:30
worker-1|rel(Box@17)|com.example.Box.get:30
main|acq(Box@17)|com.example.Box.lock:13
main|rel(Box@17)|com.example.Box.lock:13
";
    assert_eq!(trace_of_sections(",redundant=true"), expected);
}

/// Two sections of a block that write nothing, and between them one of another thread, which is read first and in this way shows that it
/// comes later.
fn between_two_sections(extra: u32) -> (Verdict, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.std");
    let recording = format!("report=/dev/null,redundant=true,record={}", file.display());
    let session = Session::start(options(&recording)).expect("it starts");
    describe(&session);
    let record = |code, site, extra, word| Record { code, site, extra, word };
    let stamp = |thread: u64, position: u64| thread << 43 | position;
    let end = |code| record(code, 3, 1 << 31 | 7, 17);
    let section = [end(codes::ACQUIRE), end(codes::RELEASE)];
    let main = session.open(1, 0, "main");
    session.ring(main).write(&[record(codes::FORK, 4, 1, 2)]);
    let child = session.open(2, 0, "worker-1");
    let after = |stamp| record(codes::DEPEND, 3, extra, stamp);
    session.ring(child).write(&[record(codes::DEPEND, 4, 0, stamp(1, 1)), after(stamp(1, 4))]);
    session.ring(child).write(&section);
    session.ring(main).write(&[record(codes::BEGIN, 100, 0, 0)]);
    session.ring(main).write(&section);
    session.ring(main).write(&[after(stamp(2, 2))]);
    session.ring(main).write(&section);
    session.ring(main).write(&[record(codes::END, 100, 0, 0)]);
    session.close(child);
    let verdict = session.finish().expect("the first finish").verdict;
    (verdict, fs::read_to_string(&file).expect("a trace"))
}

#[test]
fn what_only_comes_later_is_in_its_order_and_depends_on_nothing() {
    let (verdict, ordered) = between_two_sections(1);
    assert_eq!(verdict, Verdict::Serializable, "{ordered}");
    assert_eq!(between_two_sections(0), (Verdict::NonSerializable, ordered));
}
