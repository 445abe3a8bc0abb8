//! The progress of a long pass over a trace, on standard error, if that is a terminal; otherwise nothing is shown.

use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Passes that take less are not worth a line.
const PATIENCE: Duration = Duration::from_millis(500);

/// All lines of this process, so that traces that are read at the same time do not overwrite each other's.
static LINES: std::sync::LazyLock<MultiProgress> =
    std::sync::LazyLock::new(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr()));

/// One progress line: a name, the number of events read, and the rate per second.
pub(crate) struct Progress {
    name: String,
    started: Instant,
    line: Option<ProgressBar>,
}

impl Progress {
    /// Starts the progress of what is called `name`. The line appears only if it takes long.
    pub(crate) fn new(name: &str) -> Progress {
        Progress { name: name.to_owned(), started: Instant::now(), line: None }
    }

    /// Reports the number of events read so far.
    pub(crate) fn at(&mut self, events: u64) {
        match &self.line {
            Some(line) => line.set_position(events),
            None if self.started.elapsed() >= PATIENCE => self.show(events),
            None => {}
        }
    }

    fn show(&mut self, events: u64) {
        let style = ProgressStyle::with_template("{prefix}: {human_pos} events, {per_sec}, {elapsed}");
        let line = LINES.add(ProgressBar::no_length().with_style(style.expect("a template")));
        line.set_prefix(self.name.clone());
        line.set_position(events);
        self.line = Some(line);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
            LINES.remove(line);
        }
    }
}
