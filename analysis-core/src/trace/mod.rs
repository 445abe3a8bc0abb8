//! Traces: names, formats, well-formedness.

pub mod symbols;
