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
    let others = projects(folder);
    let Some((path, find)) = file(folder) else {
        return without_file(arguments, &others, output);
    };
    let name = path.display();
    let text = std::fs::read_to_string(&path).with_context(|| name.to_string())?;
    let insertion = find(&text, is_above(folder)).map_err(|why| anyhow::anyhow!("{name}: {why}"))?;
    if arguments.write {
        let all = format!("{}{}{}", &text[..insertion.at], insertion.text, &text[insertion.until..]);
        std::fs::write(&path, all).with_context(|| name.to_string())?;
        output.print(&format!("{name}: written\n"));
    } else {
        output.print(&format!("add to {name}, or let regiontrack init --write do it:\n\n{}\n", insertion.shown));
    }
    if !others.is_empty() {
        output.print(&format!("this is for one project; {}\n", by_project(folder, &others)));
    }
    Ok(Outcome::Clean)
}

/// Says what to do where the folder has no build file; with `--write`, that is an error.
fn without_file(arguments: &Arguments, others: &[String], output: &mut Output) -> Result<Outcome> {
    let folder = &arguments.folder;
    let (name, line) = (folder.display(), by_command(folder));
    let told = match (others.is_empty(), arguments.write) {
        (false, _) => format!("{name}: no build.gradle of its own; {}", by_project(folder, others)),
        (_, true) => {
            format!("{name}: no pom.xml and no build.gradle, so there is nothing to write; run the tests with  {line}")
        }
        _ => format!("no pom.xml and no build.gradle in {name}: run the tests, or the program, with\n\n    {line}"),
    };
    if arguments.write {
        bail!(told);
    }
    output.print(&(told + "\n"));
    Ok(Outcome::Clean)
}

/// Finds the place in a build file, or says why it cannot; the flag says whether a Gradle project above has the plugin.
type Find = fn(&str, bool) -> Result<Insertion, String>;

/// The build file for the folder: the `pom.xml` of the outermost project to which it belongs, whose plugins its modules
/// have, too; with Gradle that of the project itself, because a plugin is for the project that has it.
fn file(folder: &Path) -> Option<(PathBuf, Find)> {
    let pom = folder.join("pom.xml");
    if pom.is_file() { Some((maven::root(pom), |text, _| maven::find(text))) } else { script(folder) }
}

/// The build script of a Gradle project.
fn script(folder: &Path) -> Option<(PathBuf, Find)> {
    let groovy = folder.join("build.gradle");
    let kotlin = folder.join("build.gradle.kts");
    let all: [(PathBuf, Find); 2] = [(groovy, gradle::find_groovy), (kotlin, gradle::find_kotlin)];
    all.into_iter().find(|(path, _)| path.is_file())
}

/// The folders, as paths from this one, of the Gradle projects that its settings include and that have a build script.
fn projects(folder: &Path) -> Vec<String> {
    let settings = gradle::settings(folder).filter(|_| !folder.join("pom.xml").is_file());
    let text = settings.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let included = gradle::included(&text).into_iter();
    included.filter(|project| script(&folder.join(project)).is_some()).collect()
}

/// Whether a Gradle project above, up to the one with the settings, has the plugin.
fn is_above(folder: &Path) -> bool {
    let Ok(absolute) = std::path::absolute(folder) else { return false };
    let up = absolute.ancestors().position(|above| gradle::settings(above).is_some());
    let scripts = absolute.ancestors().skip(1).take(up.unwrap_or(0)).filter_map(script);
    let mut texts = scripts.filter_map(|(path, _)| std::fs::read_to_string(path).ok());
    texts.any(|text| gradle::has_plugin(&text))
}

/// How to add the plugin to other projects of a Gradle build.
fn by_project(folder: &Path, projects: &[String]) -> String {
    let folders: Vec<String> = projects.iter().map(|project| folder.join(project).display().to_string()).collect();
    format!("each project that has tests needs the plugin; run regiontrack init for {}", folders.join(", "))
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
