//! `regiontrack spec`: prints, checks and queries atomicity specifications.

use std::path::{Path, PathBuf};

use analysis_core::spec::{DEFAULT_TEXT, Method, Rule, Specification, list};
use anyhow::{Result, anyhow};

use crate::Outcome;
use crate::output::{Output, complain};

/// The arguments of `spec`.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Arguments {
    /// Print the specification that applies if none is given.
    #[arg(long)]
    default: bool,
    /// Say whether FILE is a specification, and which parts of it can never decide anything.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// Print, as a specification, a list of methods that are not atomic in the format of DoubleChecker, RAPID or
    /// RoadRunner.
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,
    /// Say whether METHOD is atomic by FILE, and which line decides: `--match app.spec 'com.example.Cache.get(int)'`.
    #[arg(long = "match", value_names = ["FILE", "METHOD"], num_args = 2)]
    matching: Option<Vec<String>>,
}

/// Prints, checks or queries specifications.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    if arguments.default {
        output.print(DEFAULT_TEXT);
    }
    if let Some(path) = &arguments.check {
        let spec = read(path)?;
        let (default, own): (Vec<&Rule>, Vec<&Rule>) = spec.rules().iter().partition(|rule| rule.is_default());
        let beside = if default.is_empty() { "" } else { " and the default specification" };
        let plural = if own.len() == 1 { "" } else { "s" };
        output.print(&format!("{}: {} rule{plural}{beside}\n", path.display(), own.len()));
        for warning in spec.warnings() {
            output.print(&format!("warning: {warning}\n"));
        }
    }
    if let Some(path) = &arguments.import {
        let name = path.display().to_string();
        let imported = list::import(&text(path)?, &name).ok_or_else(|| {
            anyhow!("{name}: no list of exclusions; expected lines like Lpkg/C;.method (I)V:12(0) or pkg/C.method(I)V")
        })??;
        output.print(&imported.text);
        output.flush();
        imported.warnings.iter().for_each(|warning| complain(&format!("warning: {warning}")));
    }
    if let Some([file, method]) = arguments.matching.as_deref() {
        let spec = read(Path::new(file))?;
        let method = Method::parse(method)?;
        let decision = spec.decide(&method);
        let atomic = if decision.atomic { "atomic" } else { "not atomic" };
        let why = decision.reason(file);
        output.print(&format!("{atomic}: {why}\n"));
    }
    Ok(Outcome::Clean)
}

/// Reads the specification in a file.
pub(crate) fn read(path: &Path) -> Result<Specification> {
    Ok(Specification::parse(&text(path)?, &path.display().to_string())?)
}

/// The text of a specification or a list of exclusions.
pub(crate) fn text(path: &Path) -> Result<String> {
    let what = "an atomicity specification";
    let name = path.display();
    crate::sieve::text(path, what)?.ok_or_else(|| anyhow!("{name}: no such file; expected a file with {what}"))
}
