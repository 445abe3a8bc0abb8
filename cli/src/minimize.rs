//! `regiontrack minimize`: the smallest sub-trace with the same finding, as an STD trace.

use std::path::PathBuf;

use analysis_core::minimize::{Cone, Goal, Piece, smallest};
use analysis_core::report::Answer;
use analysis_core::trace::rapid::Writer;
use analysis_core::trace::{Mode, lookup};
use anyhow::{Result, bail};

use crate::Outcome;
use crate::one::{Choice, Chosen, Trace};
use crate::output::Output;
use crate::written::refuse_inputs;

/// The arguments of `minimize`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// Write the events that are kept to this file, in STD; compressed if its name ends in `.gz`.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
}

/// Minimizes the trace of a finding.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    refuse_inputs("-o", [&arguments.output], &[arguments.choice.path().to_owned()])?;
    // An ill-formed trace cannot be made well-formed by removing events.
    let trace = arguments.choice.open(Mode::Strict)?;
    let analysed = trace.analyse()?;
    let context = analysed.context(&trace);
    let summary = analysed.summary(&trace, &context);
    let Chosen { found, sifted } = arguments.choice.found(&trace, &analysed, &summary)?;
    let is_excused = sifted.as_ref().is_some_and(|sifted| sifted.is_excused);
    let outcome = Outcome::of(&Answer { is_excused, ..summary.answer() });
    let Some((mut found, number, _)) = found else {
        let nothing = if is_excused { "is left" } else { "was found" };
        output.print(&format!("{}: nothing {nothing}, so nothing was written\n", summary.trace));
        return Ok(outcome);
    };
    let goal = found.goal(&trace.details(&found)?);
    let own = Cone::of(found.events(), found.is_cycle());
    trace.shorten(&mut found)?;
    let shortest = Cone::of(found.events(), found.is_cycle());
    let kept = minimized(&trace, &goal, [shortest, own, Cone::up_to(found.event())])?;
    let numbers: Vec<u64> = kept.iter().map(|piece| piece.number).collect();
    let mut writer = Writer::create(&arguments.output)?;
    for (piece, detail) in kept.iter().zip(lookup(&trace.input, &numbers)?) {
        writer.write(piece.event, analysed.symbols(), &detail.location)?;
    }
    writer.finish()?;
    output.print(&format!(
        "{}: {} of {} events show finding {number} of {}\n",
        arguments.output.display(),
        kept.len(),
        summary.events,
        summary.trace
    ));
    Ok(if is_excused { outcome } else { outcome.max(Outcome::Violated) })
}

/// Minimizes the first of these parts of the trace that shows the finding. That of the shortest witness nearly always
/// does, but it may look like another kind of finding; then that of the engine's own witness is tried, and finally
/// everything that came before.
fn minimized(trace: &Trace, goal: &Goal, cones: [Cone; 3]) -> Result<Vec<Piece>> {
    for mut cone in cones {
        trace.each(|number, event| {
            cone.step(number, event);
            true
        })?;
        if let Some(kept) = smallest(cone.units(), goal) {
            return Ok(kept);
        }
    }
    bail!("{}: engine {} finds what the default engine does not; use that", trace.input.name(), trace.engine.name)
}
