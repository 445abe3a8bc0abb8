//! `regiontrack profile`: what earlier runs under the agent saw threads share.

mod show;

use std::path::{Path, PathBuf};

use analysis_core::profile::{self, Fact, Profile};
use analysis_core::spec::ClassPatterns;
use anyhow::{Context, Result, anyhow, bail};
use clap::Subcommand;

use crate::Outcome;
use crate::output::Output;

/// The arguments of `profile`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the contents of profiles: how much of the program is watched, and each fact, by class.
    #[command(after_help = EXIT_CODES)]
    Show(show::Arguments),
    /// Write the union of profiles, also of two that a version control system could not merge.
    #[command(after_help = EXIT_CODES)]
    Merge(Merge),
    /// Remove classes from a profile, which the next run watches whole again, or single facts.
    #[command(after_help = EXIT_CODES)]
    Drop(Drop),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  2  an error";

#[derive(clap::Args)]
struct Merge {
    /// The profiles, all from runs with the same settings.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write; it may be one of the inputs.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
}

#[derive(clap::Args)]
#[command(override_usage = "regiontrack profile drop <FILE> <--class <PATTERN>...|--fact <FACT>...>")]
struct Drop {
    /// The profile to change.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    dropped: Dropped,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Dropped {
    /// Classes, with the facts of their members, by patterns as in the agent's include: * matches any characters,
    /// including dots, and ? matches one: `com.example.*:org.Other`.
    #[arg(long, value_name = "PATTERN", num_args = 1..)]
    class: Vec<String>,
    /// Facts as `show` prints them, each in quotes: `'field com.example.Cache.size'`.
    #[arg(long, value_name = "FACT", num_args = 1..)]
    fact: Vec<String>,
}

/// Prints, merges or changes profiles.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    match &arguments.command {
        Command::Show(arguments) => return show::run(arguments, output),
        Command::Merge(arguments) => merge(arguments)?,
        Command::Drop(arguments) => drop(arguments, output)?,
    }
    Ok(Outcome::Clean)
}

/// Reads the profile in an existing file.
fn read(path: &Path) -> Result<Profile> {
    profile::read(path)?.ok_or_else(|| no_file(path))
}

fn no_file(path: &Path) -> anyhow::Error {
    anyhow!("{}: no such file; expected a profile, as the agent writes it with profile=FILE", path.display())
}

/// Merges under the lock of the output, which may be one of the inputs and is then not lost if a run ends meanwhile. An
/// existing output need not be a profile: it may be what a merge with conflicts has left.
fn merge(arguments: &Merge) -> Result<()> {
    profile::write(&arguments.output, || {
        let mut merged: Option<Profile> = None;
        for path in &arguments.files {
            let next = read(path)?;
            match &mut merged {
                None => merged = Some(next),
                Some(merged) => merged.merge(&next).with_context(|| path.display().to_string())?,
            }
        }
        Ok(merged.expect("clap asks for a file"))
    })
}

fn drop(arguments: &Drop, output: &mut Output) -> Result<()> {
    let path = &arguments.file;
    // Before the lock is taken: if there is no file, nothing is created.
    read(path)?;
    let mut told = String::new();
    profile::update(path, |profile| {
        let mut profile = profile.ok_or_else(|| no_file(path))?;
        let (classes, facts) = take_out(&mut profile, &arguments.dropped)
            .map_err(|error| anyhow!("{}: {error:#}; regiontrack profile show lists what is there", path.display()))?;
        told = format!("{}: {} and {} dropped\n", path.display(), count(classes, "class"), count(facts, "fact"));
        anyhow::Ok(profile)
    })?;
    output.print(&told);
    Ok(())
}

/// Removes classes and facts, and returns how many there were.
fn take_out(profile: &mut Profile, dropped: &Dropped) -> Result<(usize, usize)> {
    let mut sums = (0, 0);
    for class in &dropped.class {
        let patterns = ClassPatterns::parse(class);
        let (classes, facts) = profile.forget_classes(|name| patterns.matches(name));
        if classes + facts == 0 {
            bail!("no class matches '{class}'");
        }
        sums = (sums.0 + classes, sums.1 + facts);
    }
    for fact in &dropped.fact {
        let (kind, text) = Fact::parse(fact).with_context(|| format!("'{fact}'"))?;
        if !profile.forget_fact(kind, &text) {
            bail!("no fact '{fact}'");
        }
        sums.1 += 1;
    }
    Ok(sums)
}

/// `1 class`, `2 classes`.
fn count(number: usize, word: &str) -> String {
    let plural = match word {
        _ if number == 1 => "",
        "class" => "es",
        _ => "s",
    };
    format!("{number} {word}{plural}")
}
