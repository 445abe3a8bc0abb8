//! The verdict and the violated blocks, inner ones too, follow from program order and recorded dependencies alone.
//!
//! Events are named by recorded positions, so a violation may be shown by another event than in the whole trace; the
//! blocks are the same.

use std::collections::HashMap;

use analysis_core::engine::{DependencyEngine, Findings};
use analysis_core::engines::ENGINES;
use analysis_core::engines::reach::Edges;
use analysis_core::event::{Event, LabelId, Op, Stamp, ThreadId};
use analysis_core::graph::law::{Law, Role};

use super::{Entry, Recorded};
use crate::compare::{self, Answer, reference};
use crate::world;

/// The part of the answer that does not depend on the order of the events.
#[derive(PartialEq, Eq, Debug)]
struct Verdict {
    is_non_serializable: bool,
    /// Thread, number of the begin in the trace, depth and label of each violated block, sorted.
    violated: Vec<(ThreadId, u64, u32, LabelId)>,
}

impl Verdict {
    /// `number` maps the stamp of a begin to its number in the trace.
    fn of(findings: &Findings, number: impl Fn(Stamp) -> u64) -> Verdict {
        let block =
            |v: &analysis_core::engine::Violation| (v.thread, number(Stamp::new(v.thread, v.begin)), v.depth, v.label);
        let mut violated: Vec<_> = findings.violations.iter().map(block).collect();
        violated.sort_unstable();
        Verdict { is_non_serializable: findings.is_non_serializable(), violated }
    }

    /// The verdict by brute force on the whole trace.
    fn of_reference(trace: &[Event], number: impl Fn(Stamp) -> u64) -> Verdict {
        let mut engine = (reference().build)();
        engine.feed(trace);
        Verdict::of(engine.findings(), number)
    }
}

/// Checks the answers for the merged streams of the law, on an explicit graph, and of reach, on its edges.
pub fn check(recorded: &Recorded<'_>) -> Result<(), String> {
    let right = Verdict::of_reference(recorded.trace, |stamp| stamp.position());
    let number = |stamp| recorded.number(stamp).expect("a recorded begin");
    expect(&right, "the law on recorded dependencies", Verdict::of(law(&recorded.merged).findings(), number))?;
    expect(&right, "reach on recorded dependencies", Verdict::of(edges(&recorded.merged).findings(), number))
}

fn expect(right: &Verdict, who: &str, got: Verdict) -> Result<(), String> {
    if got == *right { Ok(()) } else { Err(format!("{who} says {got:?}, but it is {right:?}")) }
}

/// Runs every engine on the merged events as a trace, and checks its claim there. On that trace the reference must find
/// what it finds on the whole one. Only for well-formed traces: in others the order of two events that do not conflict
/// can decide whether they do, such as `T0|join(T1) T1|w(x)` in the reverse order.
pub fn check_engines(recorded: &Recorded<'_>) -> Result<(), String> {
    if !world::is_well_formed(recorded.trace) {
        return Ok(());
    }
    let merged: Vec<Event> = recorded.merged.iter().map(|entry| Event::new(entry.stamp.thread(), entry.op)).collect();
    let number = |stamp: Stamp| {
        let entry = &recorded.merged[stamp.position() as usize - 1];
        recorded.number(entry.stamp).expect("a recorded begin")
    };
    let right = Verdict::of_reference(recorded.trace, |stamp| stamp.position());
    expect(&right, "the reference on the merged trace", Verdict::of_reference(&merged, number))?;
    let right = Answer::of_reference(&merged);
    ENGINES.iter().try_for_each(|spec| {
        compare::check(spec, &merged, &right).map_err(|difference| format!("on the merged trace {difference}"))
    })
}

fn law(merged: &[Entry]) -> Law {
    let mut law = Law::default();
    let mut indices: HashMap<Stamp, usize> = HashMap::new();
    for Entry { stamp, op, dependencies } in merged {
        let role = match op {
            Op::Begin(label) => Role::Begin(*label),
            Op::End => Role::End,
            _ => Role::Inside,
        };
        indices.insert(*stamp, law.len());
        law.push(*stamp, role, dependencies.iter().map(|stamp| indices[stamp]).collect::<Vec<_>>());
    }
    law
}

fn edges(merged: &[Entry]) -> Edges {
    let mut edges = Edges::default();
    for Entry { stamp, op, dependencies } in merged {
        let (thread, now) = (stamp.thread(), stamp.position());
        match op {
            Op::Begin(label) => edges.begin(thread, now, *label, sources(dependencies)),
            Op::End => edges.end(thread, now, sources(dependencies)),
            _ if dependencies.is_empty() => {}
            _ => edges.inside(thread, now, sources(dependencies)),
        }
        // What the edges forget must never be missed, so they forget as early as possible.
        for stamp in dependencies.iter().chain([stamp]) {
            edges.forget(stamp.thread());
        }
    }
    edges
}

/// Converts stamps to what `Edges` takes.
fn sources<D: From<Stamp>>(dependencies: &[Stamp]) -> impl Iterator<Item = D> + Clone {
    dependencies.iter().map(|stamp| D::from(*stamp))
}
