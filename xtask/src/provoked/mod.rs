//! `cargo xtask provoked`: programs with a rare window, and their correct twins (`tests/programs/rare`), under
//! `regiontrack provoke`; for comparison, plain runs under the agent, random priorities alone, and a controlled
//! scheduler, Lincheck's model checker.
//!
//! A program has two threads that do something once, the second some milliseconds after the first. A plain run is one
//! such execution, with a new object and new threads: a thousand of them share one JVM, because otherwise an event rare
//! enough could not be shown in minutes. All other runs are JVMs in which the threads do it once.
//!
//! For a twin, nothing may be reported in any run, its output must be as usual, and it must not take more than three
//! times as long. A run that hangs ends after a minute, with the stacks of its threads and another exit code.

mod runs;

use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, Table, presets};

use crate::java::{self, Toolchain};
use crate::tables::{self, Named};
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome, dist};
use runs::{Runs, Twin, Window};

/// The folder of the build, and its task.
const PROJECT: &str = "programs";
const TASK: &str = "install-controlled";
/// The sources of the pairs, relative to the root.
const SOURCES: &str = "tests/programs/rare";
/// The comment in the source of a pair for which there is no candidate, followed by the reason.
const NO_CANDIDATE: &str = "// no candidate: ";
/// A twin may take at most this many times as long as plainly.
const MOST: f64 = 3.0;

/// The arguments of `provoked`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The pairs, by the names of the sources in tests/programs/rare; by default all.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The number of plain runs of each program with a window.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    plain: u32,
    /// The number of its runs under provoke, and the most with random priorities alone.
    #[arg(long, value_name = "N", default_value_t = 10)]
    runs: u32,
    /// The number of runs of each twin under provoke.
    #[arg(long, value_name = "N", default_value_t = 46)]
    twins: u32,
    /// The version of Java to run them on; by default that of the JDK used for building.
    #[arg(long, value_name = "VERSION")]
    jvm: Option<u32>,
}

/// A program with a rare window, and its twin.
struct Pair {
    name: String,
    /// Why there is no candidate for it, if there is none.
    why: Option<String>,
}

impl Named for Pair {
    const KIND: &str = "pair";

    fn name(&self) -> &str {
        &self.name
    }
}

/// Returns all pairs: the sources that have both.
fn all(root: &Path) -> Result<Vec<Pair>, Failure> {
    let folder = root.join(SOURCES);
    let failed = |path: &Path, e: std::io::Error| Failure(format!("{}: {e}", path.display()));
    let mut pairs = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(|e| failed(&folder, e))? {
        let path: PathBuf = entry.map_err(|e| failed(&folder, e))?.path();
        let text = std::fs::read_to_string(&path).map_err(|e| failed(&path, e))?;
        if text.contains("class Wrong ") && text.contains("class Right ") {
            let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            let why = text.lines().find_map(|line| line.strip_prefix(NO_CANDIDATE)).map(str::to_owned);
            pairs.push(Pair { name, why });
        }
    }
    pairs.sort_by(|a, b| (a.why.is_some(), &a.name).cmp(&(b.why.is_some(), &b.name)));
    Ok(pairs)
}

/// Runs the named pairs, or all.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    let chosen = tables::choose(all(&workspace.root)?, &arguments.names)?;
    let toolchain = Toolchain::ensure()?;
    let jvm = java::find_jvm(&java::every_jvm(workspace), &toolchain.jdk, arguments.jvm)?;
    dist::run(workspace, &dist::Arguments::optimised())?;
    toolchain.gradle(workspace, PROJECT, &[TASK], &[], &Output::Shown)?;
    println!("JDK {}", jvm.version);
    let runs = Runs::new(workspace, &jvm, arguments.runs);
    let (mut windows, mut twins) = (table(&Window::HEADING), table(&Twin::HEADING));
    let mut wrong = Vec::new();
    for pair in &chosen {
        let window = runs.window(&pair.name, arguments.plain)?;
        let twin = runs.twin(&pair.name, arguments.twins)?;
        for row in [window.row(&pair.name, arguments), twin.row(&pair.name)] {
            println!("{}", row.join("  "));
        }
        windows.add_row(window.row(&pair.name, arguments));
        twins.add_row(twin.row(&pair.name));
        let is_confirmed = window.provoked.is_some() || pair.why.is_some();
        if !is_confirmed || !window.is_rare(arguments.plain) || !twin.is_right(MOST) {
            wrong.push(pair.name.clone());
        }
    }
    println!("\n{windows}\n\n{twins}");
    for pair in &chosen {
        if let Some(why) = &pair.why {
            println!("{}: {why}", pair.name);
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure(format!("not as expected: {}", wrong.join(", ")))) }
}

/// A table in Markdown, with figures from the second column on.
fn table(heading: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(heading);
    for column in 1..heading.len() {
        table.column_mut(column).expect("a column of the heading").set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_twenty_pairs_and_more_and_each_can_be_made() {
        let root = Workspace::find().expect("the workspace").root;
        let all = all(&root).expect("sources");
        assert!(all.iter().filter(|pair| pair.why.is_none()).count() >= 20);
        let made = std::fs::read_to_string(root.join(SOURCES).join("Pairs.java")).expect("a source");
        for pair in &all {
            for which in ["Wrong", "Right"] {
                let entry = format!("Map.entry(\"{0}${which}\", () -> new {0}.{which}())", pair.name);
                assert!(made.contains(&entry), "{entry}");
            }
        }
    }
}
