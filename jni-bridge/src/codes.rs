//! The codes of records, as `java-agent/event-codes.txt` has them.
#![allow(missing_docs, reason = "the file's columns are the documentation")]

include!(concat!(env!("OUT_DIR"), "/codes.rs"));
