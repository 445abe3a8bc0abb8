//! What all commands that read traces share: options, formats, the rule for standard input, specifications.

use std::path::{Path, PathBuf};

use analysis_core::event::Event;
use analysis_core::spec::TraceFilter;
use analysis_core::trace::input::Input;
use analysis_core::trace::{Format, Mode, TraceError, TraceReader};
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::Outcome;
use crate::output::{Output, complain};

/// How many events are read at once.
pub(crate) const BATCH: usize = 1 << 14;

/// How traces are read.
#[derive(clap::Args)]
pub(crate) struct Reading {
    /// The format of the traces. Without it, their first bytes tell.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    /// Skip lines and records that cannot be read and keep ill-formed events, and count both; what is skipped makes the
    /// result "incomplete".
    #[arg(long)]
    lenient: bool,
}

/// The parser of a format's name.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| Format::named(&name).expect("clap takes the names of formats alone"))
}

impl Reading {
    /// The trace at `path`.
    pub(crate) fn open(&self, path: &Path) -> Result<Input, TraceError> {
        Ok(Input::open(path)?.with_format(self.from))
    }

    /// What to do about what is wrong in it.
    pub(crate) fn mode(&self) -> Mode {
        if self.lenient { Mode::Lenient } else { Mode::Strict }
    }
}

/// Does `what` for each trace in turn. A trace that cannot be read is an error message, and the others go on.
pub(crate) fn each(
    traces: &[PathBuf],
    output: &mut Output,
    mut what: impl FnMut(&Path, &mut Output) -> Result<Outcome>,
) -> Outcome {
    let mut worst = Outcome::Clean;
    for (index, path) in traces.iter().enumerate() {
        let outcome = first_reading(path, &traces[..index]).and_then(|()| what(path, output));
        // The next trace may take long.
        output.flush();
        worst = worst.max(outcome.unwrap_or_else(|error| {
            complain(&format!("{error:#}"));
            Outcome::Failed
        }));
    }
    worst
}

/// Standard input is empty the second time, and an empty trace is serializable.
fn first_reading(path: &Path, before: &[PathBuf]) -> Result<()> {
    if path.as_os_str() == "-" && before.iter().any(|known| known == path) {
        bail!("<stdin>: was read already; give - once");
    }
    Ok(())
}

/// Takes the blocks that are not atomic out of the events that `reader` gave.
pub(crate) fn restrict(filter: &mut Option<TraceFilter>, batch: &mut [Event], reader: &TraceReader) {
    if let Some(filter) = filter {
        filter.apply(batch, reader.symbols());
    }
}
