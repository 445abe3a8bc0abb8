//! The reader of every format that writes one event per line: lines, names, faults. A format adds its
//! [`Syntax`](syntax::Syntax).

mod lines;
mod parser;
pub(super) mod reader;
pub(super) mod syntax;

#[cfg(test)]
mod tests;
