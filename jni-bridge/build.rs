//! Generates Rust constants from `java-agent/event-codes.txt`, the single definition of the record codes.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const CODES: &str = "../java-agent/event-codes.txt";

fn main() {
    println!("cargo:rerun-if-changed={CODES}");
    let text = fs::read_to_string(CODES).unwrap_or_else(|error| panic!("{CODES}: {error}"));
    let mut constants = String::new();
    let mut counting = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let mut columns = line.split_whitespace();
        let (code, name, counts) = (columns.next(), columns.next(), columns.next());
        let (Some(code), Some(name), Some(counts)) = (code, name, counts) else {
            panic!("{CODES}: `{line}` has less than three columns");
        };
        let meaning = columns.collect::<Vec<_>>().join(" ");
        writeln!(constants, "/// {meaning}\npub const {name}: u8 = {code};").expect("a string takes all");
        if counts == "1" {
            counting.push(name.to_owned());
        }
    }
    writeln!(
        constants,
        "/// True if a record with this code is an event and takes its thread's next position.\n\
         pub const fn is_event(code: u8) -> bool {{\n    matches!(code, {})\n}}",
        counting.join(" | ")
    )
    .expect("a string takes all");
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("codes.rs"), constants).expect("cargo's folder can be written");
}
