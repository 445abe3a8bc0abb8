//! `regiontrack explain`: one finding at length, with its shortest witness, and a picture of it.

use std::path::PathBuf;

use analysis_core::report::delays::Delayed;
use analysis_core::report::{self, Explanation, explain, svg};
use analysis_core::trace::Mode;
use analysis_core::tso::{self, Answer, WORK};
use anyhow::{Context, Result};

use crate::Outcome;
use crate::one::{Choice, Chosen, Trace};
use crate::output::{Format, Output};

/// Which finding, and how.
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
    /// Draw the finding into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Explains it.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
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
            output.print(&explain::text(&summary, sifted.as_ref(), explanation.as_ref(), crate::table::width()));
            note.iter().for_each(|note| output.print(&format!("  {note}\n")));
        }
        Format::Json => output.print(&(explain::json(&summary, sifted.as_ref(), explanation.as_ref()) + "\n")),
    }
    if let (Some(path), Some(explanation)) = (&arguments.svg, &explanation) {
        let picture = svg::render(summary.trace, explanation);
        std::fs::write(path, picture).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    let outcome = Outcome::of(&report::Answer { is_excused, ..summary.answer() });
    Ok(if explanation.is_some() && !is_excused { outcome.max(Outcome::Violated) } else { outcome })
}

/// What can be where writes wait in store buffers, or why there is nothing to show.
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
