//! The target `profiles`; what it asks is in `regiontrack_tests::fuzz`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| regiontrack_tests::fuzz::run("profiles", bytes));
