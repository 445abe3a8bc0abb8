//! Standard output and standard error, whose readers may go at any time.

use std::io::{self, BufWriter, Stdout, Write};

use clap::ValueEnum;

use crate::Outcome;

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Standard output, buffered. After the reader has gone it swallows what is written, so that the answer still reaches
/// the exit code; any other failure to write makes the run a failed one.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
    failure: Option<io::Error>,
}

impl Output {
    /// The process's own.
    pub(crate) fn stdout() -> Output {
        Output { stdout: BufWriter::new(io::stdout()), failure: None }
    }

    /// Writes `text`.
    pub(crate) fn print(&mut self, text: &str) {
        if self.failure.is_none() {
            self.failure = self.stdout.write_all(text.as_bytes()).err();
        }
    }

    /// Writes what is buffered: before a message on standard error, and where the next result may take long.
    pub(crate) fn flush(&mut self) {
        if self.failure.is_none() {
            self.failure = self.stdout.flush().err();
        }
    }

    /// Ends the output, and says whether it went well.
    pub(crate) fn finish(mut self) -> Outcome {
        self.flush();
        // What could not be written must not be tried again when the buffer is dropped.
        let (_, _) = self.stdout.into_parts();
        match self.failure {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                complain(&format!("standard output: {error}"));
                Outcome::Failed
            }
            _ => Outcome::Clean,
        }
    }
}

/// Writes `message` to standard error, each of its lines with the command's name. If nobody can be told, the exit code
/// still says it.
pub(crate) fn complain(message: &str) {
    let text = message.lines().fold(String::new(), |text, line| text + "regiontrack: " + line + "\n");
    _ = io::stderr().write_all(text.as_bytes());
}
