//! `regiontrack convert`: writes a trace in another format, event by event.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use analysis_core::trace::{Format, TraceReader, TraceWriter, WriteError};
use anyhow::{Result, anyhow, bail};

use crate::Outcome;
use crate::output::complain;
use crate::reading::{Reading, format_parser};
use crate::written::is_same_file;

/// The arguments of `convert`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    reading: Reading,
    /// The format to write; by default that of TO's name: .std, .rtb, .rr or .txt (roadrunner), .rtr (records), each
    /// also with .gz.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<&'static Format>,
    /// Drop events that the format cannot express, and say how many. A violation may depend on them.
    #[arg(long)]
    lossy: bool,
    /// The trace to read, in any format, plain or gzip; - is standard input.
    #[arg(value_name = "FROM")]
    source: PathBuf,
    /// The file to write, with gzip if its name ends in .gz; - is standard output.
    #[arg(value_name = "TO")]
    target: PathBuf,
}

/// Converts a trace.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome> {
    let Arguments { source, target, .. } = arguments;
    let Some(format) = arguments.to.or_else(|| Format::of_path(target)) else {
        let known = Format::names();
        bail!("{}: its name tells no format; expected --to with one of {known}", target.display());
    };
    let input = arguments.reading.open(source)?;
    let mut reader = TraceReader::open_located(&input, arguments.reading.mode())?;
    if is_same_file(source, target) {
        bail!("{}: is the trace to read; expected another file to write", target.display());
    }
    let mut writer = TraceWriter::create(target, format)?;
    if arguments.lossy {
        writer = writer.lossy();
    }
    let copied = copy(&mut reader, &mut writer).map_err(|error| match is_reader_gone(&error, target) {
        // No reader is left to learn that the trace is cut off.
        true => error,
        false => anyhow!("{error:#}\n{}: holds only what comes before that", target.display()),
    });
    let left_out = writer.left_out();
    let finished = copied.and_then(|()| Ok(writer.finish()?));
    if let Err(error) = finished {
        return if is_reader_gone(&error, target) { Ok(Outcome::Clean) } else { Err(error) };
    }
    if left_out > 0 {
        let plural = if left_out == 1 { "" } else { "s" };
        complain(&format!("{}: {left_out} event{plural} left out, for which {format} has no form", target.display()));
    }
    for warning in reader.diagnostics().warnings() {
        complain(&format!("{}: {warning}", input.name()));
    }
    Ok(if reader.diagnostics().is_incomplete() { Outcome::Failed } else { Outcome::Clean })
}

/// Copies one event at a time, to get the location of each.
fn copy(reader: &mut TraceReader, writer: &mut TraceWriter) -> Result<()> {
    let mut batch = Vec::with_capacity(1);
    let mut noted = 0;
    loop {
        let read = reader.read_batch(&mut batch, 1)?;
        for note in &reader.symbols().notes.lines()[noted..] {
            writer.note(note)?;
            noted += 1;
        }
        if read == 0 {
            return Ok(());
        }
        writer.write(batch[0], reader.symbols(), &reader.written().location)?;
    }
}

fn is_reader_gone(error: &anyhow::Error, target: &Path) -> bool {
    let is_pipe =
        |error: &WriteError| matches!(error, WriteError::Io { error, .. } if error.kind() == ErrorKind::BrokenPipe);
    target.as_os_str() == "-" && error.downcast_ref().is_some_and(is_pipe)
}
