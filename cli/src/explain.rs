//! `regiontrack explain`: one finding at length, with its shortest witness, and a picture of it.

use std::path::PathBuf;

use analysis_core::event::Op;
use analysis_core::report::{Explanation, explain, svg};
use analysis_core::trace::Mode;
use anyhow::{Context, Result};

use crate::Outcome;
use crate::one::{Choice, Trace};
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
    let explanation = match arguments.choice.found(&trace, &analysed, &summary)? {
        None => None,
        Some((mut found, number, total)) => {
            trace.shorten(&mut found)?;
            let details = trace.details(&found)?;
            Some(Explanation::new(&found, (number, total), &summary, analysed.symbols(), &details))
        }
    };
    output.print(&match arguments.format {
        Format::Text => explain::text(&summary, explanation.as_ref(), crate::table::width()),
        Format::Json => explain::json(&summary, explanation.as_ref()) + "\n",
    });
    if arguments.format == Format::Text && explanation.is_none() && has_buffers(&trace)? {
        let command = "regiontrack tso check --svg picture.svg";
        output.print(&format!("  where writes wait in store buffers, something can be: {command} {}\n", summary.trace));
    }
    if let (Some(path), Some(explanation)) = (&arguments.svg, &explanation) {
        let picture = svg::render(summary.trace, explanation);
        std::fs::write(path, picture).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(Outcome::of(&summary.answer()))
}

/// True if the trace says where store buffers are emptied.
fn has_buffers(trace: &Trace) -> Result<bool> {
    let mut has_buffers = false;
    trace.each(|_, event| {
        has_buffers = matches!(event.op, Op::Fence | Op::Commit(_));
        !has_buffers
    })?;
    Ok(has_buffers)
}
