//! Reports of small traces, as they are printed.
