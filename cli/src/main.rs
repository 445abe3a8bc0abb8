//! The `regiontrack` command.

fn main() {}
