//! Reports, as they are written.
