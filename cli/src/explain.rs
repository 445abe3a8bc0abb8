//! `regiontrack explain`: describes one finding in detail, with its shortest witness and a picture; or draws a
//! schedule.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use analysis_core::report::delays::Delayed;
use analysis_core::report::{self, Explanation, explain, svg};
use analysis_core::trace::Mode;
use analysis_core::tso::{self, Answer, WORK};
use anyhow::{Result, bail};

use crate::Outcome;
use crate::one::{Choice, Chosen, Trace, no_number};
use crate::output::{Format, Output};
use crate::written::{refuse_inputs, write};

/// The first bytes of a schedule.
const SCHEDULE: &[u8] = b"regiontrack schedule ";

/// The arguments of `explain`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// Skip lines that cannot be parsed and keep ill-formed events, and count both.
    #[arg(long)]
    lenient: bool,
    /// How to print: for a person, or as one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Draw the finding to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Explains a finding of a trace or report, or draws a schedule.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    refuse_inputs("--svg", &arguments.svg, &[arguments.choice.path().to_owned()])?;
    let start = start(arguments.choice.path());
    if start.trim_ascii_start().starts_with(b"{") {
        return of_report(arguments, output);
    }
    if start.starts_with(SCHEDULE) {
        return of_schedule(arguments, output);
    }
    let mode = if arguments.lenient { Mode::Lenient } else { Mode::Strict };
    let trace = arguments.choice.open(mode)?;
    let analysed = trace.analyse()?;
    let context = analysed.context(&trace);
    let summary = analysed.summary(&trace, &context);
    let Chosen { found, sifted } = arguments.choice.found(&trace, &analysed, &summary)?;
    let is_excused = sifted.as_ref().is_some_and(|sifted| sifted.is_excused);
    let (explanation, note) = match found {
        None if analysed.has_buffers && !is_excused => buffered(&trace)?,
        None => (None, None),
        Some((mut found, number, total)) => {
            trace.shorten(&mut found)?;
            let details = trace.details(&found)?;
            (Some(Explanation::new(&found, (number, total), &summary, analysed.symbols(), &details)), None)
        }
    };
    match arguments.format {
        Format::Text => {
            output.print(&explain::text(&summary, sifted.as_ref(), explanation.as_ref(), &crate::table::layout(1)));
            note.iter().for_each(|note| output.print(&format!("  {note}\n")));
        }
        Format::Json => output.print(&(explain::json(&summary, sifted.as_ref(), explanation.as_ref()) + "\n")),
    }
    draw(arguments, summary.trace, explanation.as_ref())?;
    let outcome = Outcome::of(&report::Answer { is_excused, ..summary.answer() });
    Ok(if explanation.is_some() && !is_excused { outcome.max(Outcome::Violated) } else { outcome })
}

/// Draws the picture, if one was requested.
fn draw(arguments: &Arguments, subject: &str, explanation: Option<&Explanation>) -> Result<()> {
    let (Some(path), Some(explanation)) = (&arguments.svg, explanation) else { return Ok(()) };
    let picture = svg::render(subject, explanation);
    write(path, &picture)
}

/// The first bytes of a file: no trace begins like a report in JSON or like a schedule.
fn start(path: &Path) -> Vec<u8> {
    let mut start = [0; 64];
    let read =
        std::fs::metadata(path).is_ok_and(|data| data.is_file()).then(|| File::open(path).ok()?.read(&mut start).ok());
    let start = &start[..read.flatten().unwrap_or(0)];
    // What reads the whole file accepts a byte order mark, too.
    start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start).to_vec()
}

/// Draws a schedule.
fn of_schedule(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let choice = &arguments.choice;
    let name = choice.path().display().to_string();
    let is_json = matches!(arguments.format, Format::Json).then_some("--format json");
    let given = choice.of_traces().or(arguments.lenient.then_some("--lenient")).or(is_json);
    if let Some(option) = given.or(arguments.svg.as_ref().map(|_| "--svg")) {
        bail!("{name}: is a schedule, which is drawn as text; leave out {option}");
    }
    if let Some(number) = choice.given_number() {
        bail!("{name}: is a schedule, which is drawn as a whole; leave out the number {number}");
    }
    output.print(&crate::replay::read(choice.path())?.drawn());
    Ok(Outcome::Clean)
}

/// Explains a finding of a report from the report alone.
fn of_report(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let choice = &arguments.choice;
    let name = choice.path().display().to_string();
    let given = choice.of_traces().or(arguments.lenient.then_some("--lenient"));
    if let Some(option) = given {
        bail!("{name}: is a report of a run, which is explained as it is; {option} is for traces");
    }
    let saved = crate::merge::read(choice.path(), &name)?;
    let report = saved.report();
    let explanation = Explanation::of_report(&report, choice.number());
    if explanation.is_none() && (!report.findings.is_empty() || report.cycle.is_some()) {
        bail!("{}", no_number(&name, choice.number(), report.findings.len().max(1), "merge"));
    }
    match arguments.format {
        Format::Text => {
            output.print(&explain::text_of_report(&report, explanation.as_ref(), &crate::table::layout(1)));
        }
        Format::Json => output.print(&(explain::json_of_report(&report, explanation.as_ref()) + "\n")),
    }
    draw(arguments, &name, explanation.as_ref())?;
    Ok(Outcome::of(saved.answer()))
}

/// What store buffers can make of a trace, or why there is nothing to show.
fn buffered(trace: &Trace) -> Result<(Option<Explanation>, Option<String>)> {
    let events = trace.buffered()?;
    let algorithm = tso::default_for(&events);
    let note = match algorithm.check(&events, WORK) {
        Answer::Violation(found) => {
            let witness = found.witness();
            let details = trace.read_details(&Delayed::events(witness))?;
            let delayed = Delayed::new(witness, &details, algorithm.is_of_transactions);
            return Ok((Some(Explanation::from(delayed)), None));
        }
        Answer::Clean => "nor where writes wait in store buffers (TSO)".to_owned(),
        Answer::Undecided(why) | Answer::Unsuitable(why) => {
            format!("undecided where writes wait in store buffers (TSO): {why}")
        }
    };
    Ok((None, Some(note)))
}
