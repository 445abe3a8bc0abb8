//! Progress: periodic lines on standard error, for a person who waits.
//!
//! A separate thread prints what the analysis knows, so a slow reader of standard error delays nothing else.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use analysis_core::report::Size;

use crate::stderr;

/// The default number of seconds between lines: a person who has waited for a minute wants to know.
const ON_A_TERMINAL: u64 = 60;

/// The progress of a run.
pub(crate) struct Reached {
    /// How many blocks have begun.
    pub(crate) blocks: u64,
    /// How much was analysed.
    pub(crate) size: Size,
    /// How many methods are known to be violated.
    pub(crate) findings: u64,
}

/// Starts a thread that prints a line every `seconds`; 0 means never. Without the option, it prints only if standard
/// error is a terminal. `look` returns the progress of the run, or `None` once the run has ended.
pub(crate) fn start<T: Send + Sync + 'static>(
    seconds: Option<u64>,
    started: Instant,
    source: &Arc<T>,
    look: fn(&T) -> Option<Reached>,
) {
    let on_its_own = || if std::io::stderr().is_terminal() { ON_A_TERMINAL } else { 0 };
    let seconds = seconds.unwrap_or_else(on_its_own);
    if seconds == 0 {
        return;
    }
    let source = Arc::clone(source);
    let print = move || loop {
        std::thread::sleep(Duration::from_secs(seconds));
        let Some(reached) = look(&source) else { return };
        stderr::line(line(started.elapsed(), &reached));
    };
    // Without the thread there is no progress output, but nothing is lost.
    let _ = std::thread::Builder::new().name("regiontrack-progress".into()).spawn(print);
}

fn line(time: Duration, Reached { blocks, size, findings }: &Reached) -> String {
    let findings = match findings {
        1 => "1 method violated".to_owned(),
        _ => format!("{findings} methods violated"),
    };
    format!("regiontrack: {} s: {blocks} blocks, {size}, {findings}", time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_time_the_blocks_and_the_findings() {
        let reached = Reached { blocks: 40, size: Size::Events(900), findings: 1 };
        let text = line(Duration::from_millis(61_500), &reached);
        assert_eq!(text, "regiontrack: 61 s: 40 blocks, 900 events, 1 method violated");
    }
}
