//! Progress: periodic lines on standard error, for a person who waits.
//!
//! A separate thread prints what the analysis stores in a few atomics, so a slow reader of standard error delays
//! nothing else.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::shared::Shared;

/// The default number of seconds between lines: a person who has waited for a minute wants to know.
const ON_A_TERMINAL: u64 = 60;

/// Starts to print every `seconds`; if the option is not set, only when standard error is a terminal. 0 is never.
pub(crate) fn start(seconds: Option<u64>, shared: &Arc<Shared>, started: Instant) {
    let on_its_own = || if std::io::stderr().is_terminal() { ON_A_TERMINAL } else { 0 };
    let seconds = seconds.unwrap_or_else(on_its_own);
    if seconds == 0 {
        return;
    }
    let shared = Arc::clone(shared);
    let print = move || loop {
        std::thread::sleep(Duration::from_secs(seconds));
        if !shared.is_running() {
            return;
        }
        eprintln!("{}", line(started.elapsed(), shared.progress.get()));
    };
    // Without the thread there is no progress output, but nothing is lost.
    let _ = std::thread::Builder::new().name("regiontrack-progress".into()).spawn(print);
}

fn line(time: Duration, [events, blocks, findings]: [u64; 3]) -> String {
    let findings = match findings {
        1 => "1 method violated".to_owned(),
        _ => format!("{findings} methods violated"),
    };
    format!("regiontrack: {} s: {blocks} blocks, {events} events, {findings}", time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_time_the_blocks_and_the_findings() {
        let text = line(Duration::from_millis(61_500), [900, 40, 1]);
        assert_eq!(text, "regiontrack: 61 s: 40 blocks, 900 events, 1 method violated");
    }
}
