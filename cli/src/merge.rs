//! `regiontrack merge`: merges the reports of several JVMs, or of the shards of a build, into one.

use std::fs::File;
use std::path::{Path, PathBuf};

use analysis_core::report::saved::{Saved, Twice};
use analysis_core::report::text::{self, DETAILS, Layout};
use analysis_core::report::{Format, Kept, Sources};
use anyhow::{Context, Result, anyhow, bail};

use crate::Outcome;
use crate::output::{Output, report_format_parser};
use crate::sieve::{Known, unmarked};
use crate::written::is_same_file;

/// The arguments of `merge`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Reports of the agent in JSON (format=json), or folders of such reports, whose names end in .json.
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// How to print: text for a person, json, which can be merged again, html for a browser, sarif for code scanning, junit for
    /// build servers, markdown for a comment, github for annotations of a workflow.
    #[arg(long, value_name = "NAME", value_parser = report_format_parser(), default_value = "text")]
    format: Format,
    /// Write the report to this file instead of standard output, in the format of the name's ending (.html, .sarif,
    /// .xml for JUnit, .md, .json), otherwise in that of --format; repeatable. It may be one of the inputs.
    #[arg(short, long, value_name = "OUT")]
    output: Vec<PathBuf>,
    /// The most findings to describe in detail (text only); `regiontrack explain REPORT N` describes the others.
    #[arg(long, value_name = "N", default_value_t = DETAILS)]
    details: usize,
    /// A source folder, with files in the folders of their packages, from which HTML shows lines; repeatable; none:
    /// show no source. By default src/main/java and the like, in the current folder and the folders in it.
    #[arg(long, value_name = "FOLDER")]
    sources: Vec<PathBuf>,
    #[command(flatten)]
    known: Known,
}

/// Merges the reports.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let mut paths = Vec::new();
    for path in &arguments.reports {
        match path.is_dir() {
            true => {
                let mut inside = crate::agent::reports(path)?;
                inside.retain(|file| is_report(file, &arguments.output));
                if inside.is_empty() {
                    bail!(
                        "{}: no report in this folder; expected files that end in .json, as the agent writes them with format=json",
                        path.display()
                    );
                }
                paths.extend(inside);
            }
            false => paths.push(path.clone()),
        }
    }
    let sieve = arguments.known.read()?;
    let (paths, reports) = once(paths, output)?;
    let mut merged = all(reports.into_iter().map(Ok))?;
    merged.sift(&sieve);
    if !arguments.sources.is_empty() {
        let named = arguments.sources.iter().filter(|folder| *folder != Path::new(Sources::NONE));
        merged.look_in(Sources::In(named.cloned().collect()));
    }
    match arguments.output.is_empty() {
        true => {
            let kept = match paths.as_slice() {
                [one] => Kept::In(one.display().to_string()),
                _ => Kept::By("-o FILE.json"),
            };
            output.print(&printed(&merged, arguments.format, &crate::table::layout(arguments.details), kept));
        }
        false => write(&merged, &arguments.output, arguments.format, arguments.details)?,
    }
    Ok(Outcome::of(merged.answer()))
}

/// Whether a file of a folder counts as a report of the agent: it is neither what this command is to write there, which would
/// count its own sum again, nor a document that only ends in the same way, such as `all.sarif.json`.
fn is_report(file: &Path, written: &[PathBuf]) -> bool {
    let is_document = matches!(Format::of_file(file), Some(Format::Document(_)));
    file.is_file() && !is_document && !written.iter().any(|output| is_same_file(file, output))
}

/// Reads the reports, and leaves out those that would count runs again: an earlier merger in the folder of its reports, or reports that
/// are already in one.
fn once(paths: Vec<PathBuf>, output: &mut Output) -> Result<(Vec<PathBuf>, Vec<Saved>)> {
    let name = |path: &Path| path.display().to_string();
    let reports: Vec<Saved> = paths.iter().map(|path| read(path, &name(path))).collect::<Result<_>>()?;
    let found = Saved::twice(&reports);
    let mut kept = (Vec::new(), Vec::new());
    for ((path, report), found) in paths.iter().zip(reports).zip(found) {
        let why = match found {
            None => None,
            Some(Twice::Whole) => {
                Some("left out, because each of its runs is in another of these reports, too".to_owned())
            }
            Some(Twice::Part(of)) => {
                Some(format!("left out, because {} contains its run, and others", name(&paths[of])))
            }
            Some(Twice::Partly(with)) => {
                let with = name(&paths[with]);
                Some(format!(
                    "some of its runs are also in {with}, and count twice; merge the reports of single runs instead"
                ))
            }
        };
        if let Some(why) = why {
            output.complain(&format!("{}: {why}", name(path)));
        }
        if matches!(found, None | Some(Twice::Partly(_))) {
            kept.0.push(path.clone());
            kept.1.push(report);
        }
    }
    Ok(kept)
}

/// Merges reports, each called by a name. There must be at least one.
pub(crate) fn of(paths: &[PathBuf], name: impl Fn(&Path) -> String) -> Result<Saved> {
    all(paths.iter().map(|path| read(path, &name(path))))
}

/// The same for the JVMs of a run: of one whose report cannot be read, nothing is known.
pub(crate) fn of_runs(paths: &[PathBuf], name: impl Fn(&Path) -> String) -> Result<Saved> {
    let report = |name: String, path| read(path, &name).unwrap_or_else(|why| Saved::unknown(&name, format!("{why:#}")));
    all(paths.iter().map(|path| Ok(report(name(path), path))))
}

fn all(reports: impl Iterator<Item = Result<Saved>>) -> Result<Saved> {
    let mut merged = None;
    for report in reports {
        merged = both(merged, Some(report?))?;
    }
    merged.context("no report")
}

/// Merges two reports, either of which may be missing.
pub(crate) fn both(one: Option<Saved>, two: Option<Saved>) -> Result<Option<Saved>> {
    match (one, two) {
        (Some(one), Some(two)) => one.merge(two).map(Some).map_err(|why| anyhow!(why)),
        (one, two) => Ok(one.or(two)),
    }
}

/// Reads a report, which is called `name`.
pub(crate) fn read(path: &Path, name: &str) -> Result<Saved> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Saved::parse(name, unmarked(&text)).map_err(|why| anyhow!(why))
}

/// Checks that files that are written only after many runs can be written; a missing folder may be one that the command
/// creates.
///
/// # Errors
/// If one is a folder or cannot be written, with a line for the user.
pub(crate) fn check_writable(option: &str, paths: &[PathBuf]) -> Result<()> {
    for path in paths {
        if path.is_dir() {
            bail!("{option} {}: it is a folder; name a file", path.display());
        }
        let checked = match path.is_file() {
            true => File::options().append(true).open(path).map(drop).context("it cannot be written"),
            // A pipe or a terminal is taken as it is.
            false if path.exists() => Ok(()),
            false => std::path::absolute(path)
                .map_err(Into::into)
                .and_then(|whole| check_folder(whole.parent().unwrap_or(&whole))),
        };
        checked.with_context(|| format!("{option} {}", path.display()))?;
    }
    Ok(())
}

/// Checks that files can be created in a folder, or that the folder itself can be created.
pub(crate) fn check_folder(folder: &Path) -> Result<()> {
    let folder = std::path::absolute(folder)?;
    let there = folder.ancestors().find(|above| above.exists()).unwrap_or(&folder);
    if !there.is_dir() {
        bail!("{} is no folder; name another one", there.display());
    }
    tempfile::tempfile_in(there).with_context(|| format!("nothing can be written into {}", there.display()))?;
    Ok(())
}

/// Writes a report to files, each in the format of its name's ending, or else in `format`.
pub(crate) fn write(saved: &Saved, paths: &[PathBuf], format: Format, details: usize) -> Result<()> {
    let format_of = |path: &Path| Format::of_file(path).unwrap_or(format);
    let json = paths.iter().find(|path| format_of(path) == Format::Json);
    let kept = json.map_or(Kept::By("-o FILE.json"), |path| Kept::In(path.display().to_string()));
    for path in paths {
        let printed = printed(saved, format_of(path), &Layout::of_file(details), kept.clone());
        crate::written::write(path, &printed)?;
    }
    Ok(())
}

/// The report as it is printed, with a line break at the end.
pub(crate) fn printed(saved: &Saved, format: Format, layout: &Layout, kept: Kept) -> String {
    match format {
        Format::Text => {
            let mut report = saved.report();
            report.head.kept = kept;
            text::render(&report, layout)
        }
        Format::Json => saved.json() + "\n",
        Format::Document(document) => document.whole(&[document.part(&saved.report(), &[])]),
    }
}
