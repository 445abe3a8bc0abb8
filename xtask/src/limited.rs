//! Runs a command, and all processes that it starts, for a limited time.
//!
//! The command can start other processes (`cargo test` starts test binaries): at the limit the whole process group is
//! killed. If xtask dies first (Ctrl-C does not reach another group), a limit on processor time ends endless loops.

use std::fs::File;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Returns the exit status of the command, or `None` if it had to be killed. The command gets no input; its output goes
/// to the files.
pub(crate) fn status(command: &Command, limit: Duration, out: File, err: File) -> io::Result<Option<ExitStatus>> {
    let mut command = grouped(command, limit);
    let mut child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let elapsed = start.elapsed();
        if elapsed >= limit {
            kill(&mut child)?;
            child.wait()?;
            return Ok(None);
        }
        // Runs are timed: the polling interval falsifies the time of a short run by at most half a percent.
        thread::sleep((elapsed / 200).clamp(Duration::from_millis(1), Duration::from_millis(20)));
    }
}

/// Returns the command in a separate process group, with a limit on the processor time of each of its processes.
#[cfg(unix)]
fn grouped(command: &Command, limit: Duration) -> Command {
    use std::os::unix::process::CommandExt;
    let cores = thread::available_parallelism().map_or(1, usize::from) as u64;
    let seconds = limit.as_secs().max(1) * cores;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("ulimit -t {seconds}; exec \"$@\"")).arg("sh");
    shell.process_group(0);
    wrap(shell, command)
}

#[cfg(not(unix))]
fn grouped(command: &Command, _: Duration) -> Command {
    let mut shell = Command::new("cmd");
    shell.arg("/C");
    wrap(shell, command)
}

/// Appends the words of `command` to those of `outer`, and gives it the same folder and environment.
fn wrap(mut outer: Command, command: &Command) -> Command {
    outer.arg(command.get_program()).args(command.get_args());
    outer.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    if let Some(folder) = command.get_current_dir() {
        outer.current_dir(folder);
    }
    outer
}

/// Kills the process group of the child; on platforms without groups, the child.
fn kill(child: &mut Child) -> io::Result<()> {
    if cfg!(unix) {
        // The shell's built-in `kill`, because not every system has the program.
        Command::new("sh").arg("-c").arg(format!("kill -s KILL -- -{}", child.id())).status().map(drop)
    } else {
        child.kill()
    }
}
