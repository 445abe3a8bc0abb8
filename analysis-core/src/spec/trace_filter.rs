//! A specification applied to a recorded trace: blocks that are not atomic are removed.
//!
//! The begin and the end of such a block become events without effect, so that the events keep their numbers and the
//! events inside belong to the enclosing block, or to none.

use std::collections::HashMap;

use super::Specification;
use crate::event::{Event, LabelId, Op, ThreadId};
use crate::trace::symbols::Symbols;

/// A specification, the decisions so far, and the open blocks.
#[derive(Debug)]
pub struct TraceFilter<'a> {
    spec: &'a Specification,
    /// By label: the decision.
    is_atomic: HashMap<LabelId, bool>,
    /// By thread: for each open block, whether it was kept.
    open: HashMap<ThreadId, Vec<bool>>,
}

impl<'a> TraceFilter<'a> {
    /// Creates a filter for the start of a trace.
    pub fn new(spec: &'a Specification) -> TraceFilter<'a> {
        TraceFilter { spec, is_atomic: HashMap::new(), open: HashMap::new() }
    }

    /// Processes the next events of the trace. `symbols` has the names of their labels.
    pub fn apply(&mut self, events: &mut [Event], symbols: &Symbols) {
        for event in events {
            match event.op {
                Op::Begin(label) => {
                    let is_kept = self.is_atomic(label, symbols);
                    self.open.entry(event.thread).or_default().push(is_kept);
                    if !is_kept {
                        event.op = Op::Nop;
                    }
                }
                Op::End => {
                    let is_kept = self.open.get_mut(&event.thread).and_then(Vec::pop);
                    if is_kept == Some(false) {
                        event.op = Op::Nop;
                    }
                }
                _ => {}
            }
        }
    }

    fn is_atomic(&mut self, label: LabelId, symbols: &Symbols) -> bool {
        *self.is_atomic.entry(label).or_insert_with(|| self.spec.keeps_block(symbols.label(label).as_deref()))
    }
}
