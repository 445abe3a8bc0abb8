//! The mixed graph of a trace and its orientations, as the paper prints them (section 5).

use analysis_core::event::{Event, Op};

use super::definition::{Execution, Program, is_acyclic, is_fence};

/// Two events, by their positions in the trace.
type Pair = (usize, usize);

/// The maximum number of undirected edges that are tried in all ways.
const MOST: usize = 12;

/// Whether some acyclic orientation has a cycle of transactions, the condition of Theorem 5. `None` if there are too many
/// orientations, or threads are ordered by anything except accesses and fences.
pub fn has_cycle_of_transactions(trace: &[Event]) -> Option<bool> {
    let is_other = |event: &Event| is_fence(event.op) && event.op != Op::Fence;
    let (directed, undirected) = edges(trace);
    if undirected.len() > MOST || trace.iter().any(is_other) {
        return None;
    }
    let execution = Execution::new(trace);
    let units = |(a, b): (usize, usize)| (execution.transaction(a), execution.transaction(b));
    let found = (0..1u32 << undirected.len()).any(|choice| {
        let turned =
            undirected.iter().enumerate().map(|(i, &(a, b))| if choice >> i & 1 == 1 { (b, a) } else { (a, b) });
        let all: Vec<(usize, usize)> = directed.iter().copied().chain(turned).collect();
        is_acyclic(trace.len(), all.iter().copied()) && !is_acyclic(trace.len(), all.into_iter().map(units))
    });
    Some(found)
}

/// Returns the directed and the undirected edges, each with the earlier event first.
fn edges(trace: &[Event]) -> (Vec<Pair>, Vec<Pair>) {
    let execution = Execution::new(trace);
    let (mut directed, mut undirected) = (Vec::new(), Vec::new());
    for b in 0..trace.len() {
        for a in 0..b {
            let (first, second) = (trace[a], trace[b]);
            if first.thread == second.thread {
                if execution.conflict(a, b, Program::Tso) {
                    directed.push((a, b));
                }
                continue;
            }
            let is_conflict = match (first.op, second.op) {
                (Op::Write(x), Op::Write(y) | Op::Read(y)) | (Op::Read(x), Op::Write(y)) => x == y,
                _ => false,
            };
            let is_fenced = trace[a..b].iter().any(|event| event.thread == first.thread && event.op == Op::Fence);
            let is_read_first = matches!(first.op, Op::Read(_)) && !execution.is_buffered(a);
            match is_conflict {
                true if is_fenced || is_read_first => directed.push((a, b)),
                true => undirected.push((a, b)),
                false => {}
            }
        }
    }
    (directed, undirected)
}
