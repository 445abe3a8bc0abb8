//! A section that runs concurrently with others. Its output goes to a log, which is shown if it fails.

use std::fs::{self, File};
use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{Section, verdict};
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome};

/// A running section.
pub(super) struct Background {
    name: &'static str,
    log: PathBuf,
    /// Its result and duration, or why it could not be started.
    running: Result<JoinHandle<(Outcome, Duration)>, Failure>,
}

impl Background {
    /// Starts the section, with a message.
    pub(super) fn start(
        name: &'static str,
        workspace: &Workspace,
        run: impl FnOnce(&Output) -> Outcome + Send + 'static,
    ) -> Background {
        let log = workspace.target.join(format!("test/{}.log", name.replace(' ', "-")));
        println!("{name} runs in the background; log {}", workspace.relative(&log).display());
        let running = create(&log).map(|file| {
            thread::spawn(move || {
                let start = Instant::now();
                (run(&Output::Log(file)), start.elapsed())
            })
        });
        Background { name, log, running }
    }

    /// Waits for the end of the section.
    pub(super) fn finish(self) -> Section {
        println!("\n==== {} ====", self.name);
        let (outcome, took) = match self.running {
            Err(failure) => (Err(failure), Duration::ZERO),
            Ok(running) => running.join().expect("a section does not panic"),
        };
        if outcome.is_err() {
            print!("{}", fs::read_to_string(&self.log).unwrap_or_default());
        }
        Section { name: self.name, verdict: verdict(outcome), took }.said()
    }
}

fn create(log: &PathBuf) -> Result<File, Failure> {
    let folder = log.parent().expect("a log lies in a folder");
    fs::create_dir_all(folder)
        .and_then(|()| File::create(log))
        .map_err(|e| Failure(format!("the log {}: {e}", log.display())))
}
