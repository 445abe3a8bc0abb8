//! What the README and CI call.

fn main() {}
