//! `regiontrack baseline`: makes baselines, the known findings of a project, from reports, and prints them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use analysis_core::kept;
use analysis_core::report::identity::NO_METHOD;
use analysis_core::report::{Baseline, Entry};
use anyhow::{Context, Result, anyhow, bail};
use clap::Subcommand;
use serde_json::Value;

use crate::Outcome;
use crate::output::Output;
use crate::sieve::{read_baseline, text};
use crate::written::write;

/// The arguments of `baseline`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Add the findings of reports to a baseline, which is created if missing: reports of the agent (format=json) and
    /// lines of `regiontrack check --format json`. Suppressed findings are not added.
    #[command(after_help = EXIT_CODES)]
    Update(Update),
    /// Print the findings of a baseline, by method.
    #[command(after_help = EXIT_CODES)]
    Show(Show),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  2  an error";

#[derive(clap::Args)]
struct Update {
    /// The baseline to change.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The reports.
    #[arg(required = true, value_name = "REPORT.json")]
    reports: Vec<PathBuf>,
    /// Remove findings that none of these reports has. A run can miss a finding because of its schedule, so give the
    /// reports of several runs.
    #[arg(long)]
    prune: bool,
}

#[derive(clap::Args)]
struct Show {
    /// The baseline.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Updates or prints a baseline.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    match &arguments.command {
        Command::Update(arguments) => update(arguments, output)?,
        Command::Show(Show { file }) => show(file, output)?,
    }
    Ok(Outcome::Clean)
}

fn show(file: &Path, output: &mut Output) -> Result<()> {
    let baseline = read_baseline(file)?;
    let entries = baseline.entries();
    output.print(&format!("{}: {}\n", file.display(), count(entries.len())));
    for Entry { method, id, variables, kind } in entries {
        let kind = if kind.is_empty() { String::new() } else { format!(": {kind}") };
        let variables = if variables.is_empty() { String::new() } else { format!(" ({variables})") };
        output.print(&format!("  {id}  {method}{kind}{variables}\n"));
    }
    Ok(())
}

fn update(arguments: &Update, output: &mut Output) -> Result<()> {
    // Several modules of a build can update one file at the same time.
    kept::alone(&arguments.file, || add(arguments, output))
}

/// Adds the findings of the reports to the baseline, which may be missing.
fn add(arguments: &Update, output: &mut Output) -> Result<()> {
    let file = &arguments.file;
    let name = file.display().to_string();
    let mut baseline = match text(file, "a baseline")? {
        Some(text) => Baseline::parse(&text, &name)?,
        None => Baseline::empty(&name),
    };
    let mut found = BTreeSet::new();
    let mut added = 0;
    for path in &arguments.reports {
        for entry in entries_of(path)? {
            found.insert(entry.id.clone());
            added += usize::from(baseline.insert(entry));
        }
    }
    let dropped = if arguments.prune { baseline.prune(&found) } else { 0 };
    write(file, &baseline.to_text())?;
    let all = count(baseline.entries().len());
    output.print(&format!("{name}: {all}, {added} added, {dropped} dropped\n"));
    Ok(())
}

/// `1 finding`, `2 findings`.
fn count(number: usize) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} finding{plural}")
}

/// The findings of all reports in a file.
fn entries_of(path: &Path) -> Result<Vec<Entry>> {
    let name = path.display().to_string();
    let text = text(path, "a report")?.ok_or_else(|| {
        anyhow!("{name}: no such file; expected a report of the agent with format=json, or of check --format json")
    })?;
    let mut entries = Vec::new();
    let mut reports = 0;
    for report in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
        let report = report.map_err(|error| {
            let line = error.line();
            anyhow!("{name}:{line}: no JSON: {error}; expected a report with format=json, or of check --format json")
        })?;
        entries.extend(entries_in(&report).with_context(|| name.clone())?);
        reports += 1;
    }
    if reports == 0 {
        bail!("{name}: is empty; expected a report with format=json, or of check --format json");
    }
    Ok(entries)
}

/// The findings of a report: of the agent, from its lists of violations and suspects; of `check`, from its list of
/// findings.
fn entries_in(report: &Value) -> Result<Vec<Entry>> {
    match report["verdict"].as_str() {
        None => bail!("no report of regiontrack; expected one with format=json, or of check --format json"),
        Some("running") => bail!("its run has not ended, or was killed; run it again"),
        Some(_) => {}
    }
    let list = |key: &str| report[key].as_array().map_or(&[][..], Vec::as_slice);
    let is_checks = !report["trace"].is_null();
    if is_checks && list("findings").is_empty() && !list("violations").is_empty() {
        bail!("{OLD}");
    }
    let own = if is_checks { vec!["findings"] } else { vec!["violations", "suspected"] };
    let all = own.into_iter().flat_map(list).filter(|finding| finding["caller"] != true);
    all.chain(report.get("cycle_finding")).map(entry).collect()
}

const OLD: &str = "its findings have no id; make the report again by this version of regiontrack";

fn entry(finding: &Value) -> Result<Entry> {
    let word = |key: &str| finding[key].as_str().map(str::to_owned);
    let variables = finding["variables"].as_array().map_or(&[][..], Vec::as_slice);
    let variables: Vec<&str> = variables.iter().filter_map(Value::as_str).collect();
    Ok(Entry {
        method: word("method").filter(|method| !method.is_empty()).unwrap_or_else(|| NO_METHOD.to_owned()),
        id: word("id").ok_or_else(|| anyhow!(OLD))?,
        variables: variables.join("; "),
        kind: word("kind").unwrap_or_default(),
    })
}
