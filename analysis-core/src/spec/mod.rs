//! Atomicity specifications: which methods are meant to be atomic.
