//! `conformance`: checks the command line on random traces against the reference.
//!
//! Writes random traces of the well-formed families as STD files, has `regiontrack check --format json` judge them in
//! batches, and checks every line of its output against the claim of the engine. Prints totals per family, and every
//! difference with a shrunk trace. The exit code is 1 if there is a difference, 2 if the check itself failed.
//!
//!     cargo build --release && cargo run --release --bin conformance -- --count 100000 --seed 1

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Context as _, Result};
use clap::Parser;

use analysis_core::engine::EngineSpec;
use analysis_core::engines;
use analysis_core::event::Event;
use rayon::prelude::*;
use regiontrack_tests::compare::{self, Answer};
use regiontrack_tests::generate::{CONFORMANCE, Family};
use regiontrack_tests::{shrink, text, world};

mod command;
mod totals;

use command::Command;
use totals::FamilyTotals;

/// The number of traces in one run of the command.
const BATCH: u64 = 300;
/// The number of differences that are shrunk and reported in full.
const TOLD: usize = 10;

/// Checks the `regiontrack` command against the reference engine on random traces.
#[derive(Parser)]
struct Options {
    /// The number of traces over all families.
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// The seed of the first trace; each further trace has the next seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The command to check [default: the `regiontrack` next to this program].
    #[arg(long, value_name = "PATH")]
    command: Option<PathBuf>,
    /// The engines to check [default: all].
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    engines: Vec<String>,
    /// Save the shrunk trace of each difference in this folder.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("conformance: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// One trace, one engine, and how the command's answer breaks the engine's claim.
struct Difference {
    sample: Sample,
    engine: &'static EngineSpec,
    faults: Vec<String>,
}

/// Identifies a trace.
#[derive(Clone, Copy)]
struct Sample {
    family: &'static Family,
    seed: u64,
}

impl Sample {
    fn of(options: &Options, number: u64) -> Sample {
        let family = &CONFORMANCE[number as usize % CONFORMANCE.len()];
        Sample { family, seed: options.seed.wrapping_add(number) }
    }

    /// Numbered as the command's reader numbers it.
    fn trace(self) -> Vec<Event> {
        shrink::renumbered(&self.family.trace(self.seed))
    }

    fn name(self) -> String {
        format!("{}-{}", self.family.name, self.seed)
    }
}

/// Returns whether there is no difference.
fn run(options: &Options) -> Result<bool> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let command = Command::new(options.command.clone(), engines_of(options)?, folder.path())?;
    let found = Mutex::new((FamilyTotals::default(), Vec::new()));
    (0..options.count.div_ceil(BATCH)).into_par_iter().try_for_each(|batch| {
        let numbers = batch * BATCH..((batch + 1) * BATCH).min(options.count);
        let samples: Vec<Sample> = numbers.map(|number| Sample::of(options, number)).collect();
        let (tally, differences) = check_batch(&command, &samples)?;
        let mut found = found.lock().expect("no worker panics with the lock held");
        found.0.add(&tally);
        found.1.extend(differences);
        Ok::<(), anyhow::Error>(())
    })?;
    let (tally, mut differences) = found.into_inner().expect("no worker panics with the lock held");
    print!("{tally}");
    differences.sort_by_key(|difference| difference.sample.seed);
    for difference in differences.iter().take(TOLD) {
        println!("{}", tell(&command, difference, options.keep.as_deref())?);
    }
    println!("{} differences", differences.len());
    Ok(differences.is_empty())
}

fn engines_of(options: &Options) -> Result<Vec<&'static EngineSpec>> {
    if options.engines.is_empty() {
        return Ok(engines::ENGINES.iter().collect());
    }
    let find = |name: &String| engines::find(name).with_context(|| format!("no engine is called `{name}`"));
    options.engines.iter().map(find).collect()
}

fn check_batch(command: &Command, samples: &[Sample]) -> Result<(FamilyTotals, Vec<Difference>)> {
    let traces: Vec<Vec<Event>> = samples.iter().map(|sample| sample.trace()).collect();
    let answers = command.judge(&traces)?;
    let mut tally = FamilyTotals::default();
    let mut differences = Vec::new();
    for ((sample, trace), answers) in samples.iter().zip(&traces).zip(answers) {
        let right = Answer::of_reference(trace);
        tally.count(sample.family, &right);
        for (engine, answer) in command.engines().iter().zip(answers) {
            let faults = faults(engine, trace, &answer, &right);
            if !faults.is_empty() {
                differences.push(Difference { sample: *sample, engine, faults });
            }
        }
    }
    Ok((tally, differences))
}

/// Returns what is wrong with the command's answer. An error is what the command printed instead of an answer.
fn faults(engine: &EngineSpec, trace: &[Event], answer: &Result<Answer, String>, right: &Answer) -> Vec<String> {
    match answer {
        Ok(answer) => {
            let is_quiet = world::after(trace).is_quiet();
            compare::broken_promises(engine.claim, answer.whole(), right.whole(), is_quiet)
        }
        Err(message) => vec![message.clone()],
    }
}

/// Reports the difference in full, with the smallest trace for which the command still gives the engine's wrong answer.
fn tell(command: &Command, difference: &Difference, keep: Option<&Path>) -> Result<String> {
    let Difference { sample, engine, .. } = difference;
    let ask = |trace: &[Event]| match command.judge_one(engine, trace) {
        Ok(answer) => faults(engine, trace, &answer, &Answer::of_reference(trace)),
        Err(error) => vec![format!("{error:#}")],
    };
    let whole = sample.trace();
    // An answer that depends on the rest of the batch cannot be shrunk, but is still reported.
    let is_repeatable = !ask(&whole).is_empty();
    let smallest = if is_repeatable { shrink::shrink(&whole, |trace| !ask(trace).is_empty()) } else { whole };
    let mut told = format!("# family `{}`, seed {}, engine `{}`\n", sample.family.name, sample.seed, engine.name);
    let faults = if is_repeatable { ask(&smallest) } else { difference.faults.clone() };
    for fault in faults {
        writeln!(told, "# {}", fault.replace('\n', "\n# "))?;
    }
    told += &text::to_std(&smallest);
    if let Some(folder) = keep {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let file = folder.join(format!("{}-{}.std", sample.name(), engine.name));
        std::fs::write(&file, &told).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(told)
}
