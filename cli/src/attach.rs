//! `regiontrack attach`: attaches the agent to a running JVM.
//!
//! It uses the JDK's attach API, in a JVM of its own: `dev.regiontrack.attach.Attach` in the agent's jar, which finds
//! obstacles without asking the process.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::Outcome;
use crate::agent::Agent;
use crate::output::Output;

/// The class that attaches the agent.
const CLASS: &str = "dev.regiontrack.attach.Attach";
/// The exit code of [`CLASS`] when it says why it cannot attach.
const REFUSED: i32 = 2;
/// The start of its message if this `java` cannot attach, but another one may.
const NO_MODULE: &str = "regiontrack: the Java runtime ";

/// The arguments of `attach`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's jar; by default the jar that contains this command, or regiontrack.jar beside it.
    #[arg(long, value_name = "JAR")]
    agent: Option<PathBuf>,
    /// Options for the agent: `include=com.example.*,report=report.html`. File names are relative to the folder in
    /// which the process runs.
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    options: String,
    /// The java that attaches, or the folder of its JDK; by default that of the process, of JAVA_HOME, or on the path.
    #[arg(long, value_name = "JAVA")]
    java: Option<PathBuf>,
    /// The process; without it, the visible JVMs are listed.
    #[arg(value_name = "PID")]
    process: Option<u32>,
}

/// Attaches the agent, or lists the JVMs.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let agent = Agent::of(arguments.agent.as_deref(), &arguments.options)?;
    let mut words = Vec::new();
    if let Some(process) = arguments.process {
        words = vec![process.to_string().into(), agent.jar().into(), OsString::from(&arguments.options)];
    } else if !arguments.options.is_empty() {
        bail!("--options: no process is named; name one, as in regiontrack attach --options OPTIONS PID");
    }
    let mut unable = None;
    for java in crate::java::candidates(arguments.java.as_deref(), arguments.process)? {
        let ran = crate::java::run(&java, agent.jar(), CLASS, &words);
        let ran = ran.with_context(|| format!("{}: cannot be started", java.display()))?;
        let [said, told] = [&ran.stdout, &ran.stderr].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
        match ran.status.code() {
            Some(0) if said.is_empty() => {
                output.print("no JVM of this user runs that lets others attach\n");
                return Ok(Outcome::Clean);
            }
            Some(0) => {
                output.print(&(said + "\n"));
                return Ok(Outcome::Clean);
            }
            Some(REFUSED) if !told.starts_with(NO_MODULE) => {
                bail!("{}", told.lines().last().unwrap_or_default().trim_start_matches("regiontrack: "))
            }
            _ => unable = Some(format!("{}: {}", java.display(), told.lines().next().unwrap_or("ended early"))),
        }
    }
    bail!("no java can attach to others; name that of a JDK 11 or newer with --java ({})", unable.unwrap_or_default())
}
