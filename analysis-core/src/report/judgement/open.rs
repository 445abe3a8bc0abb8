//! Blocks that are open at the end of a trace, and their effect on an engine's verdict.

use crate::engine::{EngineSpec, Findings, VerdictClaim};
use crate::event::{Event, Op};
use crate::graph::accesses::at;
use crate::report::model::words::noun;

/// How many blocks each thread has open.
#[derive(Clone, Debug, Default)]
pub struct OpenBlocks {
    depths: Vec<u64>,
}

impl OpenBlocks {
    /// True if the verdict of some of these engines depends on open blocks.
    pub fn matter_to<'a>(engines: impl IntoIterator<Item = &'a EngineSpec>) -> bool {
        engines.into_iter().any(|spec| spec.claim.verdict == VerdictClaim::OnceBlocksClose)
    }

    /// Takes the next events.
    pub fn count(&mut self, events: &[Event]) {
        for event in events {
            match event.op {
                Op::Begin(_) => *at(&mut self.depths, event.thread.index()) += 1,
                Op::End => {
                    let depth = at(&mut self.depths, event.thread.index());
                    *depth = depth.saturating_sub(1);
                }
                _ => {}
            }
        }
    }

    /// The warning about an engine that calls the trace serializable and decides only once blocks are closed.
    pub fn warning(&self, spec: &EngineSpec, findings: &Findings) -> Option<String> {
        let open: u64 = self.depths.iter().sum();
        if open == 0 || findings.is_non_serializable() || !OpenBlocks::matter_to([spec]) {
            return None;
        }
        let (blocks, were, them) =
            (noun(open, "block"), if open == 1 { "was" } else { "were" }, if open == 1 { "it" } else { "them" });
        let name = spec.name;
        Some(format!(
            "{open} {blocks} {were} open at the end: engine {name} may not have noticed a cycle through {them}"
        ))
    }
}
