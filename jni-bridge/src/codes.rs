//! The codes of records, as defined in `java-agent/event-codes.txt`.
#![allow(missing_docs, reason = "the file's columns are the documentation")]

include!(concat!(env!("OUT_DIR"), "/codes.rs"));
