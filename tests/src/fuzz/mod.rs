//! The fuzz targets: for each, a function that takes any bytes and panics if a promise is broken.
//!
//! `fuzz/` passes these functions to libFuzzer, which generates the bytes (`cargo xtask fuzz`). Every `cargo test` runs
//! them on the files of `tests/corpus/<target>/` (`tests/tests/corpus.rs`).
//!
//! | target | promise |
//! |---|---|
//! | `std` `roadrunner` `records` `binary` | [`traces`]: strict and lenient agree, errors name a place, what is read can be written |
//! | `input` | [`traces`]: the format is recognised, gzip changes nothing, a cut is noticed |
//! | `spec` `methods` | [`specs`]: what is accepted is printed so that it reads back the same |
//! | `profiles` | [`profiles`]: what is accepted is written so that it reads back the same |
//! | `engines` `filters` `witnesses` | [`executions`]: engines keep their claims, filters keep the answers, witnesses are valid |
//!
//! # To add a target
//! Add a function, its row in [`TARGETS`], a file in `fuzz/fuzz_targets/` with its name in `fuzz/Cargo.toml`, and a seed or two.

pub mod executions;
pub mod profiles;
pub mod specs;
pub mod traces;

/// A target by its name.
pub struct Target {
    /// Its name in `fuzz/` and in the folders of the corpus.
    pub name: &'static str,
    /// Panics if `bytes` show a broken promise.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "std", run: |bytes| traces::format("std", bytes) },
    Target { name: "roadrunner", run: |bytes| traces::format("roadrunner", bytes) },
    Target { name: "records", run: |bytes| traces::format("records", bytes) },
    Target { name: "binary", run: traces::binary },
    Target { name: "input", run: traces::input },
    Target { name: "spec", run: specs::specification },
    Target { name: "methods", run: specs::methods },
    Target { name: "profiles", run: profiles::profile },
    Target { name: "engines", run: executions::engines },
    Target { name: "filters", run: executions::filters },
    Target { name: "witnesses", run: executions::witnesses },
];

/// Runs the target called `name`.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.unwrap_or_else(|| panic!("no fuzz target `{name}`")).run)(bytes);
}
