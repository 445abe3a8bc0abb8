//! Runs the command as a user would: in a folder of its own, with files, standard input and a look at all that it leaves.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use tempfile::TempDir;

/// A lost update: non-serializable at event 4, the block violated there.
pub(crate) const VIOLATED: &str = "T0|begin(a.B.c)|1\nT0|r(x)|2\nT1|w(x)|3\nT0|w(x)|4\nT0|end|5\n";
/// Nothing to find.
pub(crate) const CLEAN: &str = "T0|begin(a.B.c)|1\nT0|r(x)|2\nT0|end|3\nT1|w(x)|4\n";
/// A cycle that blames nobody.
pub(crate) const BLAMELESS: &str = "T0|begin|1\nT1|begin|2\nT0|w(x)|3\nT1|w(y)|4\nT0|r(y)|5\nT1|r(x)|6\n";

/// An empty folder in which the command runs.
pub(crate) struct Folder(TempDir);

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(TempDir::new().expect("a temporary folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// With this file in it.
    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Folder {
        std::fs::write(self.path().join(name), content).expect("written");
        self
    }

    /// The command, not yet run, with nothing on standard input.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_regiontrack"));
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    /// Runs the command with these arguments.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().expect("the command runs"))
    }

    /// The same with this on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], stdin: impl AsRef<[u8]>) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command runs");
        // A command that refuses its arguments reads nothing.
        _ = child.stdin.take().expect("piped").write_all(stdin.as_ref());
        Ran::of(child.wait_with_output().expect("the command ends"))
    }

    /// `regiontrack check --format json` with these arguments.
    pub(crate) fn json(&self, arguments: &[&str]) -> Ran {
        self.run(&[&["check", "--format", "json"], arguments].concat())
    }
}

impl Ran {
    fn of(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).expect("output in UTF-8");
        let code = output.status.code().expect("ended by itself");
        Ran { stdout: text(output.stdout), stderr: text(output.stderr), code }
    }

    /// Each line of standard output as JSON.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
    }

    /// The only line.
    #[track_caller]
    pub(crate) fn line(&self) -> Value {
        let lines = self.lines();
        assert_eq!(lines.len(), 1, "{}{}", self.stdout, self.stderr);
        lines.into_iter().next().expect("one")
    }

    /// The run failed with exactly this on standard error, and no result.
    #[track_caller]
    pub(crate) fn failed_with(&self, message: &str) {
        assert_eq!((self.stderr.as_str(), self.code, self.stdout.as_str()), (&*format!("{message}\n"), 2, ""));
    }

    /// The run went without a message and ended in this code.
    #[track_caller]
    pub(crate) fn ended(&self, code: i32) -> &Ran {
        assert_eq!((self.stderr.as_str(), self.code), ("", code), "{}", self.stdout);
        self
    }
}

/// `text`, or other bytes, compressed.
pub(crate) fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_ref()).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}
