//! Reading and writing the bytes of traces, independent of their format.

pub(super) mod data;
pub(super) mod output;
