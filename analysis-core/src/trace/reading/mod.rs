//! What a driver does with a trace: open it, recognise its format, check it, look up events, count.

pub mod input;
pub(super) mod lookup;
pub(super) mod reader;
pub mod statistics;
pub mod wellformed;
