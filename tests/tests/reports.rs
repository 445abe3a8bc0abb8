//! Reports of random traces: every trace gives a report, which shows everything that it mentions.

use std::collections::{BTreeSet, HashMap};

use analysis_core::engine::EngineSpec;
use analysis_core::engines::ENGINES;
use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use analysis_core::report::{Context, Data, Datum, Details, Did, End, Instances, Report, Summary, Witness, text};
use analysis_core::spec::{Specification, TraceFilter};
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceReader};
use regiontrack_tests::{generate, text as std_text};

const TRACES_PER_FAMILY: u64 = 100;

/// Takes out the blocks `m1` everywhere.
const SPEC: &str = "+ **\n- **.m1\n";

/// Writes a trace as text with methods as labels.
fn written(trace: &[Event]) -> String {
    std_text::to_std(trace).replace("begin(m", "begin(some.Class.m")
}

/// Reads `input` in batches of `most`, without the blocks that `spec` takes out.
fn read(input: &Input, spec: Option<&Specification>, most: usize, mut take: impl FnMut(&[Event])) -> TraceReader {
    let mut reader = TraceReader::open(input, Mode::Lenient).expect("opened");
    let mut filter = spec.map(TraceFilter::new);
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch, most).expect("read") > 0 {
        if let Some(filter) = &mut filter {
            filter.apply(&mut batch, reader.symbols());
        }
        take(&batch);
    }
    reader
}

/// Returns the faults of the report of `engine` on `trace`, its number of edges, and its number of data.
fn judge(engine: &EngineSpec, trace: &[Event], spec: Option<&Specification>, most: usize) -> (Vec<String>, [usize; 2]) {
    let input = Input::spool("random.std", written(trace).as_bytes()).expect("spooled");
    let mut running = (engine.build)();
    let mut instances = Instances::default();
    let reader = read(&input, spec, 7, |batch| {
        instances.count(batch);
        running.feed(batch);
    });
    let warnings = reader.diagnostics().warnings();
    let summary = Summary {
        trace: input.name(),
        engine,
        events: reader.events(),
        threads: reader.symbols().threads.len() as u64,
        is_incomplete: reader.diagnostics().is_incomplete(),
        context: &Context::default(),
        findings: running.findings(),
        instances: &instances,
        saved: &[],
        warnings: &warnings,
    };
    let mut filter = spec.map(TraceFilter::new);
    let blocks = |batch: &mut Vec<Event>, reader: &TraceReader| {
        if let Some(filter) = &mut filter {
            filter.apply(batch, reader.symbols());
        }
    };
    let details = Details::of_findings(&input, &summary, blocks).expect("read again");
    let report = Report::new(&summary, reader.symbols(), &details, most);
    let printed = text::render(&report, &text::Layout { details: usize::MAX, ..text::Layout::of_file(0) });
    let mut faults = [misprints(&printed), faults(&summary, &report, &printed)].concat();
    let mut count = 0;
    for witness in witnesses(&report) {
        for datum in data(witness) {
            count += 1;
            faults.extend(misplaced(datum, witness, trace));
        }
    }
    (faults, [witnesses(&report).map(|witness| witness.edges.len()).sum(), count])
}

fn data(witness: &Witness) -> &[Datum] {
    match &witness.data {
        Data::Known(data) => data,
        Data::None | Data::Unknown => &[],
    }
}

/// Returns the reported data that did not happen. A place in the trace is the number of its event.
fn misplaced(datum: &Datum, witness: &Witness, trace: &[Event]) -> Vec<String> {
    let own = &witness.begin.as_ref().expect("a finding has a block").thread;
    let at = |place: &Option<String>| -> usize {
        place.as_ref().and_then(|place| place.parse().ok()).expect("an access of a trace has a place")
    };
    let parts = [
        (datum.first, &datum.at.first, true),
        (Some(datum.between), &datum.at.between, false),
        (datum.last, &datum.at.last, true),
    ];
    let happened = |did: Did, number: usize, is_own: bool| {
        let event = trace[number - 1];
        let is_of = event.op.variable().is_some_and(|x| format!("V{}", x.0) == datum.variable);
        let is_done = if matches!(event.op, Op::Write(_)) { did.writes } else { did.reads };
        is_of && is_done && (format!("T{}", event.thread.0) == *own) == is_own
    };
    let is_so = parts.iter().all(|(did, place, is_own)| did.is_none_or(|did| happened(did, at(place), *is_own)));
    let from_first = datum.first.map(|_| at(&datum.at.first));
    let to_last = datum.last.map(|_| at(&datum.at.last));
    let is_after =
        from_first.is_none_or(|first| first < at(&datum.at.between) && to_last.is_none_or(|last| first < last));
    if is_so && is_after { Vec::new() } else { vec![format!("{datum:?} is not so, of {own}")] }
}

fn witnesses<'a>(report: &'a Report<'a>) -> impl Iterator<Item = &'a Witness> {
    let told = report.findings.iter().take(report.head.most);
    told.map(|finding| &finding.witness).chain(&report.cycle)
}

/// Returns what is impossible in `report`, and what `printed` does not show of it.
fn faults(summary: &Summary, report: &Report, printed: &str) -> Vec<String> {
    let mut faults: Vec<String> = witnesses(report).flat_map(|witness| unseen(witness, printed)).collect();
    for finding in &report.findings {
        if !(1..=finding.instances).contains(&finding.count) {
            faults.push(format!("{:?}: {} of {} instances", finding.method, finding.count, finding.instances));
        }
    }
    let has_found = if summary.engine.claim.only_warns() {
        !summary.findings.violations.is_empty()
    } else {
        summary.findings.is_non_serializable()
    };
    if has_found != (!report.findings.is_empty() || report.cycle.is_some()) {
        faults.push("the report does not say why".to_owned());
    }
    faults
}

/// Returns the events of the edges that neither the table nor the list under it shows.
fn unseen(witness: &Witness, printed: &str) -> Vec<String> {
    if let Some(pair) = &witness.pair {
        // A warning has no table.
        let line = |end: &End| format!("     event {}: {}", number(end), end.thread);
        let is_told = |end: &&End| printed.lines().any(|told| told.starts_with(&line(end)));
        let untold = pair.iter().filter(|end| !is_told(end));
        return untold.map(|end| format!("event {} of a warning is not listed", number(end))).collect();
    }
    let ends: Vec<_> = witness.edges.iter().flat_map(|edge| [&edge.from, &edge.to]).chain(&witness.begin).collect();
    let mut faults = Vec::new();
    for end in ends {
        let number = number(end);
        let row = witness.rows.iter().find(|row| row.event == end.event);
        let Some(row) = row.filter(|row| row.column < witness.columns.len()) else {
            faults.push(format!("event {number} is in no column"));
            continue;
        };
        if witness.columns[row.column].thread != end.thread {
            faults.push(format!(
                "event {number} of {} is in column {}",
                end.thread,
                witness.columns[row.column].name()
            ));
        }
        let is_row = |line: &str| line.split_once(" | ").is_some_and(|(head, _)| head.trim() == number.to_string());
        if !printed.lines().any(|line| is_row(line) && line.contains(&row.operation)) {
            faults.push(format!("event {number} is not in the table"));
        }
    }
    for edge in &witness.edges {
        let line = |end: &End| format!("event {}: {}", number(end), end.thread);
        let both = format!("     {}", line(&edge.from));
        let pair = printed.lines().zip(printed.lines().skip(1)).any(|(first, second)| {
            first.starts_with(&both) && second.starts_with(&format!("       before {}", line(&edge.to)))
        });
        if !pair {
            faults.push(format!("edge {} {} is not listed", number(&edge.from), number(&edge.to)));
        }
    }
    faults
}

/// Returns the number of an event: the events of a trace have one.
fn number(end: &End) -> u64 {
    end.event.expect("an event of a trace has a number")
}

/// Returns tables with misaligned columns, and lines that end in blanks.
fn misprints(printed: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut columns: Option<Vec<usize>> = None;
    for line in printed.lines() {
        if line != line.trim_end() {
            faults.push(format!("blanks at the end of '{line}'"));
        }
        // All names here are ASCII.
        let bars: Vec<usize> = line.match_indices(" | ").map(|(at, _)| at + 1).collect();
        let crosses: Vec<usize> = line.match_indices("-+-").map(|(at, _)| at + 1).collect();
        if line.trim_start().starts_with("event | ") {
            columns = Some(bars);
        } else if let Some(columns) = columns.as_ref().filter(|_| !(bars.is_empty() && crosses.is_empty())) {
            let found = if crosses.is_empty() { bars } else { crosses };
            if !columns.starts_with(&found) {
                faults.push(format!("'{line}' is not under its columns"));
            }
        }
    }
    faults
}

#[test]
fn every_report_shows_both_ends_of_every_edge() {
    let spec = Specification::parse(SPEC, "spec").expect("a specification");
    let mut edges = 0;
    for family in generate::FAMILIES {
        for seed in 0..TRACES_PER_FAMILY {
            let trace = family.trace(seed);
            for engine in ENGINES {
                for (spec, most) in [(None, 10), (Some(&spec), 10), (None, 1), (None, 0)] {
                    let (faults, shown) = judge(engine, &trace, spec, most);
                    assert!(faults.is_empty(), "{} {seed} {}: {faults:#?}", family.name, engine.name);
                    edges += shown[0];
                }
            }
        }
    }
    assert!(edges > 10_000, "{edges}");
}

/// Returns blocks of critical sections, each of which ends before another thread continues.
fn sections(seed: u64) -> Vec<Event> {
    let mut state = seed;
    // The generator of Knuth's MMIX; the higher bits are random.
    let mut roll = |sides: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % sides
    };
    let mut open = [false; 3];
    let mut trace = Vec::new();
    for _ in 0..14 {
        let number = roll(3);
        let mut act = |op| trace.push(Event::new(ThreadId(number), op));
        if !std::mem::replace(&mut open[number as usize], true) {
            act(Op::Begin(LabelId(number)));
        }
        let lock = LockId(roll(2));
        act(Op::Acquire(lock));
        for _ in 0..roll(4) {
            let variable = VarId(roll(3));
            act(if roll(2) == 0 { Op::Read(variable) } else { Op::Write(variable) });
        }
        act(Op::Release(lock));
        if roll(4) == 0 {
            act(Op::End);
            open[number as usize] = false;
        }
    }
    trace
}

#[test]
fn the_data_of_critical_sections_were_accessed_as_is_said() {
    let mut data = 0;
    for seed in 0..300 {
        let (faults, shown) = judge(analysis_core::engines::default(), &sections(seed), None, 10);
        assert!(faults.is_empty(), "{seed}: {faults:#?}");
        data += shown[1];
    }
    assert!(data > 300, "{data}");
}

/// Returns the trace without the blocks called `m1`; begins and ends are paired here.
fn without_m1(trace: &[Event], m1: LabelId) -> Vec<Event> {
    let mut open: HashMap<ThreadId, Vec<LabelId>> = HashMap::new();
    let take_out = |event: &Event| {
        let stack = open.entry(event.thread).or_default();
        let label = match event.op {
            Op::Begin(label) => {
                stack.push(label);
                Some(label)
            }
            Op::End => stack.pop(),
            _ => None,
        };
        if label == Some(m1) { Event::new(event.thread, Op::Nop) } else { *event }
    };
    trace.iter().map(take_out).collect()
}

#[test]
fn a_specification_changes_nothing_but_the_blocks_that_it_takes_out() {
    let spec = Specification::parse(SPEC, "spec").expect("a specification");
    let mut taken_out = 0;
    for family in generate::FAMILIES {
        for seed in 0..TRACES_PER_FAMILY {
            let input = Input::spool("random.std", written(&family.trace(seed)).as_bytes()).expect("spooled");
            let (mut whole, mut filtered) = (Vec::new(), Vec::new());
            let reader = read(&input, None, 64, |batch| whole.extend_from_slice(batch));
            read(&input, Some(&spec), 5, |batch| filtered.extend_from_slice(batch));
            let labels: BTreeSet<u32> = (0..reader.symbols().labels.len() as u32).collect();
            let m1 = labels.into_iter().find(|id| reader.symbols().labels.name(*id) == "some.Class.m1");
            let expected = m1.map_or(whole.clone(), |m1| without_m1(&whole, LabelId(m1)));
            assert_eq!(filtered, expected, "{} {seed}", family.name);
            taken_out += usize::from(filtered != whole);
        }
    }
    assert!(taken_out > 50, "{taken_out}");
}
