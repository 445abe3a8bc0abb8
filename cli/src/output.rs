//! Standard output and standard error, whose readers may go away at any time.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Stdout, Write};

use analysis_core::report;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::Outcome;

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// The parser of the name of a report's format.
pub(crate) fn report_format_parser() -> impl TypedValueParser<Value = report::Format> {
    PossibleValuesParser::new(report::Format::ALL.map(report::Format::name))
        .map(|name| report::Format::named(&name).expect("clap takes the names of formats alone"))
}

/// Where results and complaints go: to the process's own streams, or into memory until it is their turn.
///
/// Standard output is buffered. Once its reader is gone, further output is discarded, so that the answer still reaches
/// the exit code; any other write error makes the run a failed one.
pub(crate) struct Output {
    target: Target,
    failure: Option<io::Error>,
    /// Parts of documents, in the order of the traces; they are written after the last trace is read.
    parts: Vec<(report::Format, String)>,
}

enum Target {
    Stdout(BufWriter<Stdout>),
    Kept(Vec<Piece>),
}

enum Piece {
    Result(String),
    Complaint(String),
}

impl Output {
    /// Writes to the process's own streams.
    pub(crate) fn stdout() -> Output {
        Output { target: Target::Stdout(BufWriter::new(io::stdout())), failure: None, parts: Vec::new() }
    }

    /// Keeps everything in memory, for [`Output::append`].
    pub(crate) fn kept() -> Output {
        Output { target: Target::Kept(Vec::new()), failure: None, parts: Vec::new() }
    }

    /// Writes `text`.
    pub(crate) fn print(&mut self, text: &str) {
        match &mut self.target {
            Target::Stdout(stdout) if self.failure.is_none() => self.failure = stdout.write_all(text.as_bytes()).err(),
            Target::Stdout(_) => {}
            Target::Kept(pieces) => pieces.push(Piece::Result(text.to_owned())),
        }
    }

    /// Writes `message` to standard error, after everything printed so far.
    pub(crate) fn complain(&mut self, message: &str) {
        self.flush();
        match &mut self.target {
            Target::Stdout(_) => complain(message),
            Target::Kept(pieces) => pieces.push(Piece::Complaint(message.to_owned())),
        }
    }

    /// Writes everything that `kept` has kept.
    pub(crate) fn append(&mut self, kept: Output) {
        self.parts.extend(kept.parts);
        let Target::Kept(pieces) = kept.target else { return };
        for piece in pieces {
            match piece {
                Piece::Result(text) => self.print(&text),
                Piece::Complaint(message) => self.complain(&message),
            }
        }
    }

    /// Keeps a part of a document, if `wanted` has its format.
    pub(crate) fn keep_part(
        &mut self,
        wanted: &BTreeSet<report::Format>,
        format: report::Format,
        part: impl FnOnce() -> String,
    ) {
        if wanted.contains(&format) {
            self.parts.push((format, part()));
        }
    }

    /// The kept parts of a document.
    pub(crate) fn parts(&self, format: report::Format) -> Vec<String> {
        self.parts.iter().filter(|(of, _)| *of == format).map(|(_, part)| part.clone()).collect()
    }

    /// Writes the buffered output: the next result may take long.
    pub(crate) fn flush(&mut self) {
        if let (Target::Stdout(stdout), None) = (&mut self.target, &self.failure) {
            self.failure = stdout.flush().err();
        }
    }

    /// Ends the output, and returns whether all of it was written.
    pub(crate) fn finish(mut self) -> Outcome {
        self.flush();
        if let Target::Stdout(stdout) = self.target {
            // Dropping the buffer would try again to write what could not be written.
            let (_, _) = stdout.into_parts();
        }
        match self.failure {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                complain(&format!("standard output: {error}"));
                Outcome::Failed
            }
            _ => Outcome::Clean,
        }
    }
}

/// Writes a long text to standard error as it is.
pub(crate) fn tell(text: &str) {
    _ = io::stderr().write_all(text.as_bytes());
}

/// Writes `message` to standard error, each line prefixed with the command's name. If that fails, only the exit code
/// reports the error.
pub(crate) fn complain(message: &str) {
    let text = message.lines().fold(String::new(), |text, line| text + "regiontrack: " + line + "\n");
    _ = io::stderr().write_all(text.as_bytes());
}
