//! What is particular to reach: memory that follows live state, and edges alone. Right answers are held by `tests/`.
