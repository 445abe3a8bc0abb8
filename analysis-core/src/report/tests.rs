//! The printed reports of small traces, and the names of the kinds of violation. `tests/documents.rs` tests the formats that others
//! read, `tests/kept.rs` reports that were saved, `tests/layout.rs` terminals.
//!
//! Each `snapshots/NAME.std` is a trace whose report is in `NAME.txt` beside it. Comments in the trace say how it is
//! read: `# lenient`, `# max-reports: N`, and a line of the specification in each `# spec: LINE`. A new case is a new
//! file. To change the reports deliberately, run this test with `REGIONTRACK_BLESS=1`, and read the result before keeping
//! it.

mod documents;
mod kept;
mod layout;

use std::path::{Path, PathBuf};

use super::model::call::tests::call;
use super::{
    Context, Details, Ends, EventDetail, Explanation, Found, Instances, Kind, OpenBlocks, Report, Summary, json, svg,
    text,
};
use crate::engine::{BlameClaim, Claim, Cycle, Edge, EngineSpec, Findings, Sites, VerdictClaim, Violation};
use crate::engines;
use crate::event::{Event, LabelId, LockId, Op, Stamp, ThreadId, VarId};
use crate::spec::{Specification, TraceFilter};
use crate::trace::input::Input;
use crate::trace::symbols::Symbols;
use crate::trace::{Mode, TraceReader};

/// The snapshots whose first finding is also drawn, into `NAME.svg`.
const PICTURES: [&str; 6] =
    ["blames-nobody", "long-names", "lost-update", "three-threads", "unicode", "without-locations"];

/// The snapshots that are also there in every other format: `NAME.html` without the parts that are the same in every
/// page.
const DOCUMENTS: [&str; 4] = ["blames-nobody", "incomplete-and-violated", "lost-update", "serializable"];

/// A terminal of usual width, which shows all that wider ones show of these traces.
const LAYOUT: text::Layout = text::Layout { width: 160, details: usize::MAX, has_colours: false };

const BLESS: &str = "REGIONTRACK_BLESS";

fn snapshots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/snapshots")
}

/// The traces of the snapshots, by name.
fn cases() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(snapshots()).expect("the folder of the snapshots");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut traces: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "std")).collect();
    traces.sort();
    traces
}

/// The printed result of the default engine on a trace that says itself how to read it.
fn report_of(name: &str, trace: &str) -> String {
    printed(name, trace, |summary, symbols, input, spec, most| {
        let details = Details::of_findings(input, summary, taking_out(spec)).expect("read again");
        text::render(&Report::new(summary, symbols, &details, most), &LAYOUT)
    })
}

/// The picture of the first finding, by the engine's own witness.
fn picture_of(name: &str, trace: &str) -> String {
    printed(name, trace, |summary, symbols, input, spec, _| {
        let details = Details::of_findings(input, summary, taking_out(spec)).expect("read");
        let all = Found::all(summary, symbols, &details);
        let Some(found) = all.first() else { return String::new() };
        let details = Details::read(input, &found.events(), taking_out(spec)).expect("read again");
        svg::render(name, &Explanation::new(found, (1, all.len()), summary, symbols, &details))
    })
}

fn printed(
    name: &str,
    trace: &str,
    print: impl Fn(&Summary, &Symbols, &Input, Option<&Specification>, usize) -> String,
) -> String {
    let asked = |key: &'static str| trace.lines().filter_map(move |line| line.strip_prefix("# ")?.strip_prefix(key));
    let mode = if asked("lenient").next().is_some() { Mode::Lenient } else { Mode::Strict };
    let most = asked("max-reports: ").next().map_or(10, |number| number.parse().expect("a number"));
    let rules = asked("spec: ").fold(String::new(), |rules, line| rules + line + "\n");
    let spec = Specification::parse(&rules, "spec").expect("a specification");
    let spec = (!rules.is_empty()).then_some(&spec);
    let input = Input::spool(name, trace.as_bytes()).expect("spooled");
    let mut reader = TraceReader::open(&input, mode).expect("opened");
    let mut engine = (engines::default().build)();
    let mut instances = Instances::default();
    let mut batch = Vec::new();
    let mut take_out = taking_out(spec);
    while reader.read_batch(&mut batch, 3).unwrap_or_else(|error| panic!("{error}")) > 0 {
        take_out(&mut batch, &reader);
        instances.count(&batch);
        engine.feed(&batch);
    }
    let warnings = reader.diagnostics().warnings();
    let summary = Summary {
        trace: name,
        engine: engines::default(),
        events: reader.events(),
        threads: reader.symbols().threads.len() as u64,
        is_incomplete: reader.diagnostics().is_incomplete(),
        context: &Context::default(),
        findings: engine.findings(),
        instances: &instances,
        saved: &[],
        warnings: &warnings,
    };
    print(&summary, reader.symbols(), &input, spec, most)
}

fn taking_out(spec: Option<&Specification>) -> impl FnMut(&mut Vec<Event>, &TraceReader) {
    let mut filter = spec.map(TraceFilter::new);
    move |batch, reader| {
        if let Some(filter) = &mut filter {
            filter.apply(batch, reader.symbols());
        }
    }
}

#[test]
fn reports_are_what_their_snapshots_say() {
    let mut differences = String::new();
    for path in cases() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let trace = std::fs::read_to_string(&path).expect("a trace");
        let mut snapshots = vec![("txt", report_of(&name, &trace))];
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        if PICTURES.contains(&stem) {
            snapshots.push(("svg", picture_of(&name, &trace)));
        }
        if DOCUMENTS.contains(&stem) {
            snapshots.extend(documents::snapshots_of(&name, &trace));
        }
        for (extension, report) in snapshots {
            let snapshot = path.with_extension(extension);
            if std::env::var_os(BLESS).is_some() {
                std::fs::write(&snapshot, &report).expect("written");
            } else if std::fs::read_to_string(&snapshot).ok().as_ref() != Some(&report) {
                differences += &format!("{name}: the {extension} is now (bless it with {BLESS}=1)\n{report}\n");
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn every_snapshot_has_its_trace() {
    for entry in std::fs::read_dir(snapshots()).expect("the folder of the snapshots") {
        let path = entry.expect("an entry").path();
        assert!(path.with_extension("std").exists(), "{}: its trace is gone; remove it", path.display());
    }
}

#[test]
fn no_report_has_control_characters_or_blanks_at_the_end_of_a_line() {
    for path in cases() {
        let report = report_of("a.std", &std::fs::read_to_string(&path).expect("a trace"));
        for line in report.lines() {
            assert_eq!(line, line.trim_end(), "{}", path.display());
            assert!(!line.chars().any(char::is_control), "{}: {line:?}", path.display());
        }
    }
}

#[test]
fn a_line_that_takes_a_method_out_takes_it_out() {
    for path in cases() {
        let trace = std::fs::read_to_string(&path).expect("a trace");
        let report = report_of("a.std", &trace);
        let asks = |line: &str| Some(line.split_once("with the line  - ")?.1.split_once("  in a spec")?.0.to_owned());
        for method in report.lines().filter_map(asks) {
            let has_spec = if trace.contains("\n# spec: ") { "" } else { "# spec: default\n" };
            let without = report_of("a.std", &format!("{trace}{has_spec}# spec: - {method}\n"));
            assert!(!without.contains(&format!("  - {method}  ")), "{}: {method}", path.display());
        }
    }
}

#[test]
fn a_picture_is_balanced_xml_with_both_ends_of_each_edge_and_a_size() {
    for path in cases() {
        let picture = picture_of("a<b>&\"c\".std", &std::fs::read_to_string(&path).expect("a trace"));
        let mut open: Vec<&str> = Vec::new();
        for tag in picture.split('<').skip(1) {
            let (inside, _) = tag.split_once('>').expect("no < or > but those of tags");
            let name = inside.split([' ', '/']).next().expect("a name");
            match inside.strip_prefix('/') {
                Some(end) => assert_eq!(open.pop(), Some(end), "{}", path.display()),
                None if !inside.ends_with('/') => open.push(name),
                None => {}
            }
        }
        assert!(open.is_empty(), "{}: {open:?}", path.display());
        assert!(!picture.contains("&\""), "{}", path.display());
        let arrows = picture.matches("class=\"arrow\"").count();
        assert!((1..=arrows).all(|number| picture.contains(&format!(">{number}. "))), "{}", path.display());
        assert!(picture.is_empty() || picture.contains(" viewBox=\"0 0 "), "{}", path.display());
    }
}

/// Operations of every sort, on two objects each.
fn operations() -> Vec<Op> {
    let on = |n| {
        let (var, lock, thread) = (VarId(n), LockId(n), ThreadId(n));
        [Op::Read(var), Op::Write(var), Op::Acquire(lock), Op::Release(lock), Op::Fork(thread), Op::Join(thread)]
    };
    let others = [Op::Begin(LabelId::NONE), Op::Begin(LabelId(0)), Op::End, Op::Fence, Op::Commit(VarId(1)), Op::Nop];
    on(1).into_iter().chain(on(2)).chain(others).collect()
}

#[test]
fn the_kind_of_a_violation_depends_on_the_way_out_and_the_way_back() {
    let (x, y, l, k, t) = (VarId(1), VarId(2), LockId(1), LockId(2), ThreadId(1));
    let named = [
        (Op::Read(x), Op::Write(x), Kind::LostUpdate),
        (Op::Read(x), Op::Read(x), Kind::UnrepeatableRead),
        (Op::Read(x), Op::Read(y), Kind::InconsistentView),
        (Op::Read(x), Op::Write(y), Kind::InconsistentView),
        (Op::Write(x), Op::Read(x), Kind::OverwrittenWrite),
        (Op::Write(x), Op::Write(x), Kind::TornUpdate),
        (Op::Write(x), Op::Write(y), Kind::TornUpdate),
        (Op::Release(l), Op::Acquire(l), Kind::StaleCheckThenAct),
        (Op::Release(l), Op::Acquire(k), Kind::TwoLocks),
        (Op::Fork(t), Op::Join(t), Kind::WaitsForChild),
    ];
    for (out, back, kind) in named {
        assert_eq!(Kind::of(out, back), kind, "{out:?} {back:?}");
    }
    // Only whether the two objects are the same matters; every other pair has no name of its own.
    let mirrored = |op| match op {
        Op::Read(v) => Op::Read(VarId(3 - v.0)),
        Op::Write(v) => Op::Write(VarId(3 - v.0)),
        Op::Acquire(m) => Op::Acquire(LockId(3 - m.0)),
        Op::Release(m) => Op::Release(LockId(3 - m.0)),
        Op::Fork(u) => Op::Fork(ThreadId(3 - u.0)),
        Op::Join(u) => Op::Join(ThreadId(3 - u.0)),
        other => other,
    };
    for out in operations() {
        for back in operations() {
            let is =
                |(a, b, _): &&(Op, Op, Kind)| (*a, *b) == (out, back) || (*a, *b) == (mirrored(out), mirrored(back));
            let expected = named.iter().find(is).map_or(Kind::Interference, |(_, _, kind)| *kind);
            assert_eq!(Kind::of(out, back), expected, "{out:?} {back:?}");
        }
    }
}

/// An event that is a call on an object of this class, which has number 7.
fn called(op: Op, class: &str, method: &str) -> EventDetail {
    let call = call(class, method, None);
    EventDetail {
        stamp: Stamp::new(ThreadId(0), 1),
        number: None,
        thread: ThreadId(0),
        thread_name: String::new(),
        op,
        operation: String::new(),
        access: String::new(),
        call: Some(call),
        locks: None,
        location: String::new(),
        transaction: None,
        method: None,
        transaction_method: None,
    }
}

/// Two events, as the ends of any edge.
struct Both(EventDetail, EventDetail);

impl Ends for Both {
    fn begin(&self, _: &Violation) -> EventDetail {
        self.0.clone()
    }

    fn from(&self, _: &Edge) -> EventDetail {
        self.0.clone()
    }

    fn to(&self, _: &Edge) -> EventDetail {
        self.1.clone()
    }
}

/// The kind of a violation whose witness leaves its block at `out` and returns at `back`.
fn kind_of(out: EventDetail, back: EventDetail) -> Kind {
    let (here, there) = (Stamp::new(ThreadId(0), 2), Stamp::new(ThreadId(1), 3));
    let edge = |from, to| Edge { from, to, sites: Sites::default() };
    let violation = Violation {
        thread: ThreadId(0),
        label: LabelId::NONE,
        begin: 1,
        event: 4,
        depth: 0,
        other: there,
        edges: vec![edge(here, there), edge(there, Stamp::new(ThreadId(0), 4))],
    };
    Kind::of_violation(&violation, &Both(out, back))
}

#[test]
fn two_calls_on_one_object_of_the_library_have_kinds_of_their_own() {
    let (x, y) = (VarId(1), VarId(2));
    let (read, write, other) = (Op::Read(x), Op::Write(x), Op::Write(y));
    let expected = [
        ("ConcurrentHashMap", "containsKey", "put", write, Kind::StaleCollectionCheck),
        ("ConcurrentHashMap", "get", "remove", write, Kind::StaleCollectionCheck),
        ("ConcurrentHashMap", "get", "put", write, Kind::LostPut),
        // The keys of what was read and of what is put differ, or are not known.
        ("ConcurrentHashMap", "get", "put", other, Kind::StaleCollectionCheck),
        ("ConcurrentHashMap", "isEmpty", "put", other, Kind::StaleCollectionCheck),
        ("ConcurrentHashMap", "containsKey", "get", read, Kind::StaleCollectionCheck),
        ("ConcurrentHashMap", "get", "get", read, Kind::UnrepeatableRead),
        ("ConcurrentHashMap", "size", "size", Op::Read(y), Kind::InconsistentView),
        ("ArrayList", "get", "set", write, Kind::LostSet),
        ("Collections$SynchronizedList", "contains", "add", write, Kind::StaleCollectionCheck),
        ("Vector", "size", "elementAt", read, Kind::StaleCollectionCheck),
        ("AtomicInteger", "get", "set", write, Kind::LostSet),
        ("VarHandle", "getVolatile", "setRelease", write, Kind::LostSet),
        ("AtomicInteger", "get", "incrementAndGet", write, Kind::StaleAtomicCheck),
        ("AtomicInteger", "get", "get", read, Kind::UnrepeatableRead),
        ("StringBuffer", "length", "insert", write, Kind::LostUpdate),
        ("Unsafe", "getInt", "getAndAddInt", write, Kind::StaleAtomicCheck),
        ("Unsafe", "getLongVolatile", "compareAndSwapLong", write, Kind::StaleAtomicCheck),
        ("Unsafe", "getInt", "putInt", write, Kind::LostUpdate),
    ];
    for (class, first, last, back, kind) in expected {
        assert_eq!(kind_of(called(read, class, first), called(back, class, last)), kind, "{class}.{first} {last}");
    }
    // What a field had may be read as such.
    for (method, kind) in [("getAndAdd", Kind::StaleAtomicCheck), ("set", Kind::LostUpdate)] {
        let changes = called(write, "AtomicIntegerFieldUpdater", method);
        let reads = EventDetail { call: None, ..called(read, "AtomicIntegerFieldUpdater", "get") };
        assert_eq!(kind_of(reads, changes), kind, "{method}");
    }
    let step = |op, method| {
        let mut step = called(op, "ArrayList", method);
        step.call.as_mut().expect("a call").owner = "Iterator".to_owned();
        step
    };
    assert_eq!(kind_of(step(read, "next"), step(read, "hasNext")), Kind::NonAtomicIteration);
    assert_eq!(kind_of(step(write, "remove"), step(read, "next")), Kind::NonAtomicIteration);
    assert_eq!(kind_of(step(read, "hasNext"), called(write, "ArrayList", "clear")), Kind::StaleCollectionCheck);
    assert_eq!(kind_of(called(write, "HashMap", "put"), called(read, "HashMap", "get")), Kind::OverwrittenWrite);
}

#[test]
fn two_sections_have_kinds_by_their_locks() {
    let lock = |class: &str, op| called(op, class, "lock");
    let (read, write) = (Op::Read(VarId(1)), Op::Write(VarId(1)));
    for class in ["ReentrantReadWriteLock", "StampedLock"] {
        assert_eq!(kind_of(lock(class, read), lock(class, write)), Kind::StaleRead, "{class}");
        for (out, back) in [(read, read), (write, read), (write, write)] {
            assert_eq!(
                kind_of(lock(class, out), lock(class, back)),
                Kind::StaleCheckThenAct,
                "{class} {out:?} {back:?}"
            );
        }
    }
    let shared = || lock("StampedLock", read);
    let mut other = lock("StampedLock", Op::Write(VarId(2)));
    other.call.as_mut().expect("a call").receiver = Some(8);
    assert_eq!(kind_of(shared(), other), Kind::TwoLocks);
    let monitor = |op| EventDetail { call: None, ..called(op, "Object", "wait") };
    assert_eq!(kind_of(monitor(Op::Release(LockId(1))), shared()), Kind::TwoLocks);
    assert_eq!(kind_of(shared(), monitor(Op::Acquire(LockId(1)))), Kind::TwoLocks);
    // An access to a field is not an access to a lock.
    assert_eq!(kind_of(monitor(Op::Read(VarId(2))), shared()), Kind::InconsistentView);
}

#[test]
fn calls_on_objects_that_may_differ_are_accesses_like_any_others() {
    let mut other = called(Op::Write(VarId(2)), "ConcurrentHashMap", "put");
    let check = || called(Op::Read(VarId(1)), "ConcurrentHashMap", "isEmpty");
    for receiver in [Some(8), None] {
        other.call.as_mut().expect("a call").receiver = receiver;
        assert_eq!(kind_of(check(), other.clone()), Kind::InconsistentView);
    }
    other.call = None;
    assert_eq!(kind_of(check(), other), Kind::InconsistentView, "an access to a field");
}

#[test]
fn kinds_differ_in_name_and_in_meaning() {
    let mut kinds = vec![
        Kind::StaleRead,
        Kind::TwoLocks,
        Kind::StaleCollectionCheck,
        Kind::StaleAtomicCheck,
        Kind::LostPut,
        Kind::LostSet,
        Kind::NonAtomicIteration,
    ];
    assert!(kinds.iter().all(|kind| kind.is_pattern()));
    for kind in operations().iter().flat_map(|out| operations().into_iter().map(|back| Kind::of(*out, back))) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    for (index, kind) in kinds.iter().enumerate() {
        for other in &kinds[..index] {
            assert!(kind.name() != other.name() && kind.meaning() != other.meaning(), "{kind:?} {other:?}");
        }
    }
}

/// Findings of an engine that keeps no edges, on a trace of one block.
fn without_edges(blames: bool) -> Findings {
    let (begin, event, other) = (1, 4, Stamp::new(ThreadId(1), 3));
    let violation =
        Violation { thread: ThreadId(0), label: LabelId::NONE, begin, event, depth: 0, other, edges: Vec::new() };
    let cycle = Cycle { event: Stamp::new(ThreadId(0), 4), edges: Vec::new() };
    Findings {
        cycle: Some(cycle),
        violations: if blames { vec![violation] } else { Vec::new() },
        ..Findings::default()
    }
}

/// An engine that decides once blocks are closed, with this claim of blame.
fn some_engine(blame: BlameClaim) -> EngineSpec {
    let claim = Claim { verdict: VerdictClaim::OnceBlocksClose, blame };
    EngineSpec { name: "some", claim, ..*engines::default() }
}

/// The printed report on a trace for which an engine that blames nobody found this.
fn printed_of_silent(findings: &Findings) -> String {
    let engine = some_engine(BlameClaim::Silent);
    let mut instances = Instances::default();
    instances.count(&[Event::new(ThreadId(0), Op::Begin(LabelId::NONE))]);
    let summary = Summary {
        trace: "a.std",
        engine: &engine,
        events: 4,
        threads: 2,
        is_incomplete: false,
        context: &Context::default(),
        findings,
        instances: &instances,
        saved: &[],
        warnings: &[],
    };
    let details = Details::default();
    text::render(&Report::new(&summary, &Symbols::default(), &details, 10), &LAYOUT)
}

#[test]
fn an_engine_that_blames_nobody_does_not_say_that_no_block_is_violated() {
    let expected = "\
a.std: non-serializable from event 4 on
  1 block; 4 events, 2 threads; engine some, which blames no blocks

a cycle of transactions, and this engine does not say which blocks are violated
   run one after the other, in no order could these have seen what they saw

   what to do next
     - use engine reach: it says which blocks are violated, and how
";
    assert_eq!(printed_of_silent(&without_edges(false)), expected);
    let expected = "a.std: serializable\n  1 block; 4 events, 2 threads; engine some, which blames no blocks\n";
    assert_eq!(printed_of_silent(&Findings::default()), expected);
}

#[test]
fn blocks_open_at_the_end_are_named_where_an_engine_decides_once_they_are_closed() {
    let begin = Event::new(ThreadId(1), Op::Begin(LabelId::NONE));
    let end = Event::new(ThreadId(1), Op::End);
    let warning = |events: &[Event], spec: &EngineSpec, findings: &Findings| {
        let mut open = OpenBlocks::default();
        open.count(events);
        open.warning(spec, findings)
    };
    let (late, clean) = (some_engine(BlameClaim::Silent), Findings::default());
    let expected = "1 block was open at the end: engine some may not have noticed a cycle through it";
    assert_eq!(warning(&[end, begin, end, begin], &late, &clean).as_deref(), Some(expected));
    assert_eq!(warning(&[begin, end], &late, &clean), None);
    assert_eq!(warning(&[begin], engines::default(), &clean), None, "it knows at every event");
    assert_eq!(warning(&[begin], &late, &without_edges(false)), None, "there is nothing to miss any more");
}

#[test]
fn an_engine_that_keeps_no_edges_gets_a_report_without_a_table() {
    for (blames, says) in [(true, "1. a block without a label: interference"), (false, "a cycle of transactions")] {
        let input = Input::spool("a.std", "T0|begin|\nT0|r(x)|\nT1|w(x)|\nT0|w(x)|\n".as_bytes()).expect("spooled");
        let mut instances = Instances::default();
        instances.count(&[Event::new(ThreadId(0), Op::Begin(LabelId::NONE))]);
        let findings = without_edges(blames);
        let summary = Summary {
            trace: "a.std",
            engine: &some_engine(BlameClaim::Subset),
            events: 4,
            threads: 2,
            is_incomplete: false,
            context: &Context::default(),
            findings: &findings,
            instances: &instances,
            saved: &[],
            warnings: &[],
        };
        let details = Details::of_findings(&input, &summary, |_, _| {}).expect("read");
        let report = text::render(&Report::new(&summary, &Symbols::default(), &details, 10), &LAYOUT);
        assert!(report.contains(says), "{report}");
        assert!(!report.contains("->") && !report.contains(" | ") && !report.contains("in the order"), "{report}");
    }
}

#[test]
fn json_keeps_names_as_they_are() {
    let mut symbols = Symbols::default();
    symbols.threads.intern("\u{1b}[31m \"線\"".as_bytes());
    let summary = Summary {
        trace: "a\"b.std",
        engine: &some_engine(BlameClaim::Subset),
        events: 4,
        threads: 1,
        is_incomplete: false,
        context: &Context::default(),
        findings: &without_edges(true),
        instances: &Instances::default(),
        saved: &[],
        warnings: &["one".to_owned()],
    };
    let input = Input::spool("a.std", "T0|begin|\nT0|r(x)|\nT1|w(x)|\nT0|w(x)|\n".as_bytes()).expect("spooled");
    let details = Details::of_findings(&input, &summary, |_, _| {}).expect("read");
    assert_eq!(
        json::line(&summary, &symbols, &Report::new(&summary, &symbols, &details, 10)),
        "{\"schema\":1,\"trace\":\"a\\\"b.std\",\"engine\":\"some\",\"events\":4,\"threads\":1,\
         \"verdict\":\"non-serializable\",\"first_event\":4,\"violations\":[{\"begin\":1,\"event\":4,\
         \"method\":null,\"thread\":\"\\u001b[31m \\\"線\\\"\",\"depth\":0,\"other_event\":3}],\
         \"findings\":[{\"id\":\"f407b497add9\",\"method\":null,\"kind\":\"interference\",\"variables\":[],\
         \"count\":1,\"instances\":0}],\"warnings\":[\"one\"]}"
    );
}
