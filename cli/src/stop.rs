//! Being asked to stop: by Ctrl-C, by `kill`, by the end of the terminal.
//!
//! A command that runs a program many times does not end at once then, which would lose what the runs so far have shown: the program is
//! asked to end, no further run begins, and results are written as when the time is over. Who asks again does not want to wait: the program is
//! killed. A program that takes too long is ended in the same way.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// How often it looks whether a program has ended.
const LOOK: Duration = Duration::from_millis(10);
/// A program that has not ended so long after it was asked is killed: something may keep it from ending.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(30);

#[cfg(unix)]
pub(crate) use unix::Stop;

#[cfg(not(unix))]
pub(crate) use elsewhere::Stop;

#[cfg(unix)]
mod unix {
    use std::os::unix::process::CommandExt;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::{Command, Duration, ExitStatus, Instant, LOOK, PATIENCE, io};

    const SIGNALS: [(i32, &str); 3] = [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")];

    /// Whether this command was asked to stop.
    #[derive(Clone, Default)]
    pub(crate) struct Stop(Arc<Asked>);

    #[derive(Default)]
    struct Asked {
        times: AtomicUsize,
        /// The first signal; 0 if there was none.
        first: AtomicUsize,
    }

    /// True for a signal that is not meant to reach this command, as after `nohup`; not known but on Linux.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
        u64::from_str_radix(ignored.trim(), 16).is_ok_and(|ignored| ignored >> (signal - 1) & 1 == 1)
    }

    impl Stop {
        /// From now on signals only ask.
        ///
        /// # Errors
        /// If the system refuses that.
        pub(crate) fn listen() -> io::Result<Stop> {
            let mut signals =
                Signals::new(SIGNALS.map(|(signal, _)| signal).into_iter().filter(|signal| !is_ignored(*signal)))?;
            let stop = Stop::default();
            let asked = Arc::clone(&stop.0);
            thread::Builder::new().name("signals".to_owned()).spawn(move || {
                for signal in signals.forever() {
                    let number = usize::try_from(signal).unwrap_or_default();
                    let _ = asked.first.compare_exchange(0, number, Ordering::SeqCst, Ordering::SeqCst);
                    asked.times.fetch_add(1, Ordering::SeqCst);
                }
            })?;
            Ok(stop)
        }

        /// The signal by which it was asked; `None` if it was not.
        pub(crate) fn by(&self) -> Option<&'static str> {
            let first = self.0.first.load(Ordering::SeqCst);
            SIGNALS.iter().find(|(signal, _)| usize::try_from(*signal) == Ok(first)).map(|(_, name)| *name)
        }

        /// Runs a program with all that it starts, which are asked to end when this command is, or after so long a time. True if it was that.
        ///
        /// # Errors
        /// If it cannot be started, or waited for.
        pub(crate) fn status(&self, command: &mut Command, limit: Option<Duration>) -> io::Result<(ExitStatus, bool)> {
            // A group of its own: what the terminal sends to this command must not reach it twice.
            let mut child = command.process_group(0).spawn()?;
            let group = Pid::from_child(&child);
            let started = Instant::now();
            let (mut asked, mut ended, mut is_killed): (Option<Instant>, _, _) = (None, None, false);
            let mut took_too_long = false;
            loop {
                if ended.is_none() {
                    ended = child.try_wait()?;
                }
                let times = self.0.times.load(Ordering::SeqCst);
                took_too_long |= times == 0 && ended.is_none() && limit.is_some_and(|limit| started.elapsed() >= limit);
                let is_to_end = times > 0 || took_too_long;
                // A shell ends at once when it is asked to; the JVMs that it has started write their reports.
                let is_over = !is_to_end || is_killed || test_kill_process_group(group).is_err();
                if let Some(status) = ended.filter(|_| is_over) {
                    return Ok((status, took_too_long));
                }
                // A group whose processes have all ended is no error.
                match asked {
                    None if is_to_end => {
                        asked = Some(Instant::now());
                        let _ = kill_process_group(group, Signal::TERM);
                    }
                    Some(since) if times > 1 || since.elapsed() > PATIENCE => {
                        let _ = kill_process_group(group, Signal::KILL);
                        is_killed = true;
                    }
                    _ => {}
                }
                thread::sleep(LOOK);
            }
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use super::{Command, Duration, ExitStatus, Instant, LOOK, io};

    /// Nobody can ask.
    #[derive(Clone, Default)]
    pub(crate) struct Stop;

    impl Stop {
        /// Nothing changes.
        ///
        /// # Errors
        /// None.
        pub(crate) fn listen() -> io::Result<Stop> {
            Ok(Stop)
        }

        /// Never.
        pub(crate) fn by(&self) -> Option<&'static str> {
            None
        }

        /// Runs a program, which is killed after so long a time. True if it was.
        ///
        /// # Errors
        /// If it cannot be started, or waited for.
        pub(crate) fn status(&self, command: &mut Command, limit: Option<Duration>) -> io::Result<(ExitStatus, bool)> {
            let Some(limit) = limit else { return Ok((command.status()?, false)) };
            let mut child = command.spawn()?;
            let started = Instant::now();
            loop {
                match child.try_wait()? {
                    Some(status) => return Ok((status, false)),
                    None if started.elapsed() >= limit => break,
                    None => std::thread::sleep(LOOK),
                }
            }
            child.kill()?;
            Ok((child.wait()?, true))
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn a_program_that_takes_too_long_is_asked_to_end_and_another_one_is_left() {
        let run = |script: &str, limit: Duration| {
            let mut command = Command::new("sh");
            Stop::default().status(command.args(["-c", script]), Some(limit)).expect("it is run")
        };
        let (status, took_too_long) = run("exec sleep 600", Duration::from_millis(20));
        assert_eq!((status.signal(), took_too_long), (Some(15), true));
        let (status, took_too_long) = run("exit 3", Duration::from_secs(600));
        assert_eq!((status.code(), took_too_long), (Some(3), false));
        // One that writes what it has, and then ends as it likes.
        let trapped = "trap 'exit 5' TERM; while :; do sleep 0.01; done";
        let (status, took_too_long) = run(trapped, Duration::from_millis(200));
        assert!(took_too_long && (status.code() == Some(5) || status.signal() == Some(15)), "{status}");
    }
}
