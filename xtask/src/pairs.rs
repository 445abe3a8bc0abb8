//! `cargo xtask pairs`: collection methods in pairs, as in the experiments of Wang and Stoller.
//!
//! "Accurate and Efficient Runtime Detection of Atomicity Errors in Concurrent Programs", PPoPP 2006, Table 1. Each
//! pair of methods runs in two threads, one after the other, under the agent. The number of methods that each algorithm
//! warns about is printed beside the report's table, and must match programs/pairs.json.

use std::collections::BTreeSet;
use std::path::Path;

use comfy_table::{Table, presets};
use serde::Deserialize;

use crate::java::Toolchain;
use crate::predicted::{self, Answer, Prediction};
use crate::tables::{self, Named};
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome, dist};

/// The table, and the folder of the build.
const TABLE: &str = "programs/pairs.json";
const PROJECT: &str = "programs";
/// The folder for the built classes.
const BUILT: &str = "programs/build/pairs/pairs/classes";

/// The arguments of `pairs`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The classes, by the names in programs/pairs.json; by default all.
    #[arg(value_name = "CLASS")]
    names: Vec<String>,
}

/// A class whose methods run in pairs.
#[derive(Deserialize)]
struct Subject {
    name: String,
    /// The classes to watch: our own unless others are named.
    #[serde(default = "own")]
    include: String,
    algorithms: Vec<Expected>,
}

/// The expected result of an algorithm for a class.
#[derive(Deserialize)]
struct Expected {
    name: String,
    /// The number of methods that it warns about.
    methods: usize,
    /// The number of these with a confirming schedule.
    confirmed: usize,
    /// What Table 1 of the reports has for the class of JDK 1.4.2: bugs, benign warnings, false alarms; for the online
    /// algorithm also what it missed.
    published: String,
}

fn own() -> String {
    "jdk14.*".to_owned()
}

impl Named for Subject {
    const KIND: &str = "class";

    fn name(&self) -> &str {
        &self.name
    }
}

/// Runs the named classes, or all, and prints the table.
pub(crate) fn run(workspace: &Workspace, Arguments { names }: &Arguments) -> Outcome {
    let chosen: Vec<Subject> = tables::choose(tables::read(&workspace.root, TABLE)?, names)?;
    let toolchain = Toolchain::ensure()?;
    dist::run(workspace, &dist::Arguments::optimised())?;
    toolchain.gradle(workspace, PROJECT, &["install-pairs"], &[], &Output::Shown)?;
    let folder = predicted::folder(workspace, "pairs")?;
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["class", "algorithm", "methods warned of", "confirmed by a schedule", "Table 1"]);
    let mut wrong = Vec::new();
    for subject in &chosen {
        let trace = folder.join(format!("{}.rtb", subject.name));
        record(workspace, &toolchain, subject, &trace)?;
        for Expected { name, methods, confirmed, published } in &subject.algorithms {
            let found = warned(workspace, name, &trace)?;
            table.add_row([&subject.name, name, &found.0.to_string(), &found.1.to_string(), published]);
            if found != (*methods, *confirmed) {
                wrong.push(format!("{}, {name}: {found:?}", subject.name));
            }
        }
    }
    println!("{table}");
    if wrong.is_empty() { Ok(()) } else { Err(Failure(format!("not as in {TABLE}: {}", wrong.join("; ")))) }
}

/// Runs the pairs under the agent, which writes the trace.
fn record(workspace: &Workspace, toolchain: &Toolchain, subject: &Subject, trace: &Path) -> Outcome {
    let options = format!("arrays=all,exclude=pairs.*,include={}", subject.include);
    let classes = workspace.root.join(BUILT);
    let program = ["pairs.Pairs", &subject.name];
    predicted::record(workspace, toolchain, &options, classes.as_os_str(), &program, trace).map(|_| ())
}

/// Returns the number of methods that the algorithm warns about, and the number of these with a schedule. Transactions
/// are compared in pairs, as in the report.
fn warned(workspace: &Workspace, algorithm: &str, trace: &Path) -> Result<(usize, usize), Failure> {
    let answer = predicted::predict(workspace, &["--pairs", "--algorithm", algorithm], trace)?;
    if !answer.is_finished() {
        return Err(Failure(format!("{algorithm} did not finish on {}", trace.display())));
    }
    Ok(counted(&answer))
}

fn counted(answer: &Answer) -> (usize, usize) {
    let methods = |predictions: &mut dyn Iterator<Item = &Prediction>| {
        predictions.map(|prediction| &prediction.method).collect::<BTreeSet<_>>().len()
    };
    let mut confirmed = answer.predictions.iter().filter(|prediction| prediction.confirmed);
    (methods(&mut answer.predictions.iter()), methods(&mut confirmed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_the_same_algorithms_and_confirmed_methods_are_among_the_others() {
        let all: Vec<Subject> = tables::read(&Workspace::find().expect("the workspace").root, TABLE).expect("a table");
        let names = |subject: &Subject| subject.algorithms.iter().map(|of| of.name.clone()).collect::<Vec<_>>();
        for subject in &all {
            assert_eq!(names(subject), names(&all[0]), "{}", subject.name);
            assert!(subject.algorithms.iter().all(|of| of.confirmed <= of.methods), "{}", subject.name);
        }
    }

    #[test]
    fn methods_are_counted_once() {
        let prediction = |method: &str, confirmed| Prediction { method: Some(method.to_owned()), confirmed };
        let predictions = vec![prediction("a", true), prediction("a", false), prediction("b", false)];
        let answer = Answer { verdict: String::new(), predictions };
        assert_eq!(counted(&answer), (2, 1));
    }
}
