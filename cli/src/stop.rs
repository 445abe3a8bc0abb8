//! Requests to stop: by Ctrl-C, by `kill`, by the end of the terminal.
//!
//! A command that runs a program many times does not end at once, which would lose the results so far: the program is
//! asked to end, no further run begins, and results are written as when the time is over. A second request kills the
//! program. A program that takes too long is ended in the same way.
//!
//! A command that runs a program once, in the foreground, waits for it: it ends when the program does.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// How often to check whether a program has ended.
const LOOK: Duration = Duration::from_millis(10);
/// A program that has not ended this long after the request is killed: something may keep it from ending.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(30);

#[cfg(unix)]
pub(crate) use unix::{Stop, end, is_running};

#[cfg(not(unix))]
pub(crate) use elsewhere::{Stop, end, is_running};

#[cfg(unix)]
mod unix {
    use std::io::IsTerminal;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process, test_kill_process_group};
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
        /// The last one.
        last: AtomicUsize,
    }

    /// True for a signal that is not meant to reach this command, as after `nohup`; known only on Linux.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
        u64::from_str_radix(ignored.trim(), 16).is_ok_and(|ignored| ignored >> (signal - 1) & 1 == 1)
    }

    /// Whether there is a process of this number.
    pub(crate) fn is_running(process: i32) -> bool {
        Pid::from_raw(process).is_some_and(|process| test_kill_process(process).is_ok())
    }

    /// Asks a process to end if a variable of its environment is this path, so that it is no other one that has got its
    /// number; known only on Linux.
    pub(crate) fn end(process: i32, path: &Path) {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        let path = path.as_os_str().as_bytes();
        if environment
            .split(|byte| *byte == 0)
            .any(|variable| variable.strip_suffix(path).is_some_and(|name| name.ends_with(b"=")))
        {
            // One that has ended meanwhile is no error.
            let _ = Pid::from_raw(process).map(|process| kill_process(process, Signal::TERM));
        }
    }

    impl Stop {
        /// From now on, signals only request a stop.
        ///
        /// # Errors
        /// If the system refuses this.
        pub(crate) fn listen() -> io::Result<Stop> {
            let mut signals =
                Signals::new(SIGNALS.map(|(signal, _)| signal).into_iter().filter(|signal| !is_ignored(*signal)))?;
            let stop = Stop::default();
            let asked = stop.clone();
            thread::Builder::new()
                .name("signals".to_owned())
                .spawn(move || signals.forever().for_each(|signal| asked.ask(signal)))?;
            Ok(stop)
        }

        /// Notes a signal.
        pub(super) fn ask(&self, signal: i32) {
            let number = usize::try_from(signal).unwrap_or_default();
            let _ = self.0.first.compare_exchange(0, number, Ordering::SeqCst, Ordering::SeqCst);
            self.0.last.store(number, Ordering::SeqCst);
            self.0.times.fetch_add(1, Ordering::SeqCst);
        }

        /// The signal that requested the stop; `None` if there was none.
        pub(crate) fn by(&self) -> Option<&'static str> {
            let first = self.0.first.load(Ordering::SeqCst);
            SIGNALS.iter().find(|(signal, _)| usize::try_from(*signal) == Ok(first)).map(|(_, name)| *name)
        }

        /// Runs a program in the foreground, and waits for it however often this command is asked to stop: its results are
        /// wanted. The program gets each such signal, too, and `others` is called, because a shell does not pass it on. Ctrl-C in
        /// a terminal reaches all of them without that.
        ///
        /// # Errors
        /// If it cannot be started, or waited for.
        pub(crate) fn foreground(&self, command: &mut Command, others: &dyn Fn()) -> io::Result<ExitStatus> {
            let has_terminal = io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal();
            let mut child = command.spawn()?;
            let process = Pid::from_child(&child);
            let mut passed = 0;
            loop {
                if let Some(status) = child.try_wait()? {
                    return Ok(status);
                }
                let times = self.0.times.load(Ordering::SeqCst);
                if times > passed {
                    passed = times;
                    let signal = match i32::try_from(self.0.last.load(Ordering::SeqCst)).unwrap_or_default() {
                        SIGINT => (!has_terminal).then_some(Signal::INT),
                        SIGHUP => Some(Signal::HUP),
                        _ => Some(Signal::TERM),
                    };
                    if let Some(signal) = signal {
                        // One that has ended meanwhile is no error.
                        let _ = kill_process(process, signal);
                        others();
                    }
                }
                thread::sleep(LOOK);
            }
        }

        /// Runs a program. It and all that it starts are asked to end when this command is, or once it has
        /// taken longer than `limit`, which is asked for again and again. Returns its status, and whether it took too long.
        ///
        /// # Errors
        /// If it cannot be started, or waited for.
        pub(crate) fn status(
            &self,
            command: &mut Command,
            limit: &dyn Fn() -> Option<Duration>,
        ) -> io::Result<(ExitStatus, bool)> {
            // A process group of its own: signals from the terminal to this command must not reach it twice.
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
                took_too_long |=
                    times == 0 && ended.is_none() && limit().is_some_and(|limit| started.elapsed() >= limit);
                let is_to_end = times > 0 || took_too_long;
                // A shell ends at once when asked to, while the JVMs that it started still write their reports.
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
    use std::path::Path;

    use super::{Command, Duration, ExitStatus, Instant, LOOK, io};

    /// There are no requests to stop.
    #[derive(Clone, Default)]
    pub(crate) struct Stop;

    /// That cannot be told.
    pub(crate) fn is_running(_: i32) -> bool {
        false
    }

    /// That cannot be done.
    pub(crate) fn end(_: i32, _: &Path) {}

    impl Stop {
        /// Does nothing.
        ///
        /// # Errors
        /// None.
        pub(crate) fn listen() -> io::Result<Stop> {
            Ok(Stop)
        }

        /// Always `None`.
        pub(crate) fn by(&self) -> Option<&'static str> {
            None
        }

        /// Runs a program and waits for it.
        ///
        /// # Errors
        /// If it cannot be started, or waited for.
        pub(crate) fn foreground(&self, command: &mut Command, _: &dyn Fn()) -> io::Result<ExitStatus> {
            command.status()
        }

        /// Runs a program, which is killed once it has taken longer than `limit`. Returns its status, and whether it was killed.
        ///
        /// # Errors
        /// If it cannot be started, or waited for.
        pub(crate) fn status(
            &self,
            command: &mut Command,
            limit: &dyn Fn() -> Option<Duration>,
        ) -> io::Result<(ExitStatus, bool)> {
            let mut child = command.spawn()?;
            let started = Instant::now();
            loop {
                match child.try_wait()? {
                    Some(status) => return Ok((status, false)),
                    None if limit().is_some_and(|limit| started.elapsed() >= limit) => break,
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
    fn a_program_in_the_foreground_is_waited_for_and_gets_the_signals() {
        let stop = Stop::default();
        let later = stop.clone();
        let asks = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            later.ask(signal_hook::consts::SIGTERM);
        });
        let trapped = "trap 'exit 5' TERM; while :; do sleep 0.01; done";
        let status = stop.foreground(Command::new("sh").args(["-c", trapped]), &|| {}).expect("it is run");
        assert!(status.code() == Some(5) || status.signal() == Some(15), "{status}");
        assert_eq!(stop.by(), Some("SIGTERM"));
        asks.join().expect("asked");
    }

    #[test]
    fn a_program_that_takes_too_long_is_asked_to_end_and_another_one_is_left() {
        let run = |script: &str, limit: Duration| {
            let mut command = Command::new("sh");
            Stop::default().status(command.args(["-c", script]), &|| Some(limit)).expect("it is run")
        };
        let (status, took_too_long) = run("exec sleep 600", Duration::from_millis(20));
        assert_eq!((status.signal(), took_too_long), (Some(15), true));
        let (status, took_too_long) = run("exit 3", Duration::from_secs(600));
        assert_eq!((status.code(), took_too_long), (Some(3), false));
        // A program that writes its results, then ends as it likes.
        let trapped = "trap 'exit 5' TERM; while :; do sleep 0.01; done";
        let (status, took_too_long) = run(trapped, Duration::from_millis(200));
        assert!(took_too_long && (status.code() == Some(5) || status.signal() == Some(15)), "{status}");
    }
}
