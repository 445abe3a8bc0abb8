//! `regiontrack init`: prints the lines to add to a build, or writes them into the build file.

mod gradle;
mod maven;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::Outcome;
use crate::output::Output;

/// The version of the plugins: that of this command.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The arguments of `init`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the lines into the build file instead of printing them.
    #[arg(long)]
    write: bool,
    /// The folder of the project; by default the current one.
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

/// The text to insert into a build file, and where.
#[derive(Debug, PartialEq, Eq)]
struct Insertion {
    /// The byte before which the text is inserted.
    at: usize,
    /// The byte up to which existing text is replaced; `at` if none is.
    until: usize,
    text: String,
    /// The lines that matter, as they are printed.
    shown: String,
}

/// Prints the lines to add, or adds them.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let folder = &arguments.folder;
    if !folder.is_dir() {
        bail!("{}: no such folder; name that of the project", folder.display());
    }
    let Some((path, find)) = file(folder) else {
        let line = by_command(folder);
        if arguments.write {
            bail!(
                "{}: no pom.xml and no build.gradle, so there is nothing to write; run the tests with  {line}",
                folder.display()
            );
        }
        output.print(&format!(
            "no pom.xml and no build.gradle in {}: run the tests, or the program, with\n\n    {line}\n",
            folder.display()
        ));
        return Ok(Outcome::Clean);
    };
    let name = path.display();
    let text = std::fs::read_to_string(&path).with_context(|| name.to_string())?;
    let insertion = find(&text).map_err(|why| anyhow::anyhow!("{name}: {why}"))?;
    if arguments.write {
        let all = format!("{}{}{}", &text[..insertion.at], insertion.text, &text[insertion.until..]);
        std::fs::write(&path, all).with_context(|| name.to_string())?;
        output.print(&format!("{name}: written\n"));
    } else {
        output.print(&format!("add to {name}, or let regiontrack init --write do it:\n\n{}\n", insertion.shown));
    }
    Ok(Outcome::Clean)
}

/// Finds the place in a build file, or says why it cannot.
type Find = fn(&str) -> Result<Insertion, String>;

/// The build file of the outermost project to which the folder belongs.
fn file(folder: &Path) -> Option<(PathBuf, Find)> {
    let pom = folder.join("pom.xml");
    if pom.is_file() {
        return Some((maven::root(pom), maven::find));
    }
    let found = |folder: &Path| {
        let groovy = folder.join("build.gradle");
        let kotlin = folder.join("build.gradle.kts");
        let all: [(PathBuf, Find); 2] = [(groovy, gradle::find_groovy), (kotlin, gradle::find_kotlin)];
        all.into_iter().find(|(path, _)| path.is_file())
    };
    let own = found(folder);
    // A subproject belongs to the nearest folder with settings.
    let absolute = std::path::absolute(folder).ok()?;
    let has_settings =
        |folder: &Path| folder.join("settings.gradle").is_file() || folder.join("settings.gradle.kts").is_file();
    let root = own.as_ref().and_then(|_| absolute.ancestors().find(|above| has_settings(above)));
    match root {
        Some(root) if root != absolute => found(root).or(own),
        _ => own,
    }
}

/// The command line that runs another build, or a program.
fn by_command(folder: &Path) -> String {
    let command = if folder.join("build.xml").is_file() {
        "ant test"
    } else if ["Makefile", "makefile", "GNUmakefile"].iter().any(|name| folder.join(name).is_file()) {
        "make test"
    } else if folder.join("build.sbt").is_file() {
        "sbt test"
    } else {
        "java -jar app.jar"
    };
    format!("regiontrack run -- {command}")
}

/// The lines with `by` in front of each.
fn indented(lines: &str, by: &str) -> String {
    lines.lines().map(|line| format!("{by}{line}\n")).collect()
}

/// The white space at the start of the line that contains this byte.
fn indentation(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
