//! The environment of the tests: the agent's jar, JVMs and compiled programs; and functions that run programs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// The agent, the JVMs and the compiled programs of `tests/programs`.
pub(crate) struct Machine {
    pub(crate) jar: PathBuf,
    pub(crate) jvms: Vec<Jvm>,
    pub(crate) classes: PathBuf,
    /// The output of the task `fixtures` of the agent's own build.
    pub(crate) fixtures: PathBuf,
}

/// A JVM to test on.
pub(crate) struct Jvm {
    pub(crate) version: String,
    java: PathBuf,
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Returns the machine. The programs are compiled once for all tests.
pub(crate) fn machine() -> &'static Machine {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    MACHINE.get_or_init(|| {
        let jvms = variable("REGIONTRACK_JVMS");
        let jvms = std::env::split_paths(&jvms).map(|entry| {
            let entry = entry.to_string_lossy().into_owned();
            let (version, java) = entry.split_once('=').expect("VERSION=JAVA");
            Jvm { version: version.into(), java: java.into() }
        });
        let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
        compile(&classes);
        let fixtures = variable("REGIONTRACK_FIXTURES").into();
        Machine { jar: variable("REGIONTRACK_JAR").into(), jvms: jvms.collect(), classes, fixtures }
    })
}

/// The command `regiontrack`.
pub(crate) fn command() -> PathBuf {
    variable("REGIONTRACK_COMMAND").into()
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set; run these tests by `cargo xtask test`"))
}

/// The folder of the programs' sources.
pub(crate) fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// Returns the sources in one of its folders, in order.
pub(crate) fn programs(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(sources().join(folder)).expect("a folder of programs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    files
}

/// The class of a source: `folder.Name`.
pub(crate) fn class_of(source: &Path) -> String {
    let folder = source.parent().and_then(Path::file_name).expect("a folder").to_string_lossy();
    format!("{folder}.{}", source.file_stem().expect("a name").to_string_lossy())
}

/// Returns the classes of the programs that force their schedule: all in a full run, otherwise one of `every`, beginning
/// with number `first`. For tests that compare whole runs and run each program several times; the findings of every
/// program are checked in any case.
pub(crate) fn scripted(every: usize, first: usize) -> Vec<String> {
    let every = if is_full() { 1 } else { every };
    let sources: Vec<PathBuf> = ["atomic", "violating"].into_iter().flat_map(programs).collect();
    sources.iter().skip(first % every).step_by(every).map(|source| class_of(source)).collect()
}

/// The folder of the compiling JDK. Its compiler reports the folder by starting a JVM, so it is asked only once.
pub(crate) fn jdk() -> &'static Path {
    static JDK: OnceLock<PathBuf> = OnceLock::new();
    JDK.get_or_init(|| {
        let mut javac = Command::new(variable("REGIONTRACK_JAVAC"));
        let output = javac.args(["-J-XshowSettings:properties", "-version"]).output().expect("javac starts");
        let text = String::from_utf8_lossy(&output.stderr);
        let home = text.lines().find_map(|line| line.trim().strip_prefix("java.home = "));
        PathBuf::from(home.expect("javac tells its home"))
    })
}

/// Runs a tool of that JDK. The tool must succeed.
pub(crate) fn tool(name: &str, arguments: &[&str]) {
    let mut command = Command::new(jdk().join("bin").join(name));
    command.args(arguments);
    let run = finish(command);
    assert!(run.code == Some(0), "{name} {}: {run:?}", arguments.join(" "));
}

pub(crate) fn utf8(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// The Java version for which the programs in `newer` are compiled.
pub(crate) const NEWER: u32 = 17;
/// The Java version for the programs in `sequenced`, which need a JDK of this version.
pub(crate) const SEQUENCED: u32 = 21;

fn compile(classes: &Path) {
    std::fs::create_dir_all(classes).expect("a folder for classes");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/Prices.java");
    let sources = [
        "schedule",
        "atomic",
        "advised",
        "violating",
        "life",
        "marked",
        "modelled",
        "uses",
        "unmodelled",
        "called",
        "played",
        "tso",
        "lucky",
        "platform",
        "sampled",
        "profiled",
        "altered",
        "scoped",
        "attached",
        "provoked",
        "rare",
        "rounds",
    ]
    .into_iter()
    .flat_map(programs)
    .chain([example]);
    // No option or annotation suppresses the warnings about `sun.misc.Unsafe`.
    let is_warned_of = |source: &PathBuf| utf8(source).contains("/Unsafe");
    let (with_warnings, sources): (Vec<_>, Vec<_>) = sources.partition(is_warned_of);
    tool(
        "javac",
        &[&["--release", "11", "-Xlint:all,-options", "-Werror", "-d", utf8(classes)], &paths(&sources)[..]].concat(),
    );
    let apart = |release: &str, sources: &[PathBuf]| {
        let known = ["--release", release, "-cp", utf8(classes), "-d", utf8(classes)];
        tool("javac", &[&known, &paths(sources)[..]].concat());
    };
    apart("11", &with_warnings);
    apart(&NEWER.to_string(), &programs("newer"));
}

fn paths(sources: &[PathBuf]) -> Vec<&str> {
    sources.iter().map(|source| utf8(source)).collect()
}

/// Compiles the programs in `sequenced` with the compiler of one of the JVMs. Returns false if none can.
pub(crate) fn compile_sequenced() -> bool {
    static IS_COMPILED: OnceLock<bool> = OnceLock::new();
    *IS_COMPILED.get_or_init(|| {
        let compilers = machine().jvms.iter().filter(|jvm| jvm.feature() >= SEQUENCED);
        let Some(javac) = compilers.map(|jvm| jvm.java.with_file_name("javac")).find(|javac| javac.exists()) else {
            return false;
        };
        let classes = utf8(&machine().classes);
        let mut command = Command::new(javac);
        command.args(["--release", &SEQUENCED.to_string(), "-Xlint:all", "-Werror", "-cp", classes, "-d", classes]);
        command.args(programs("sequenced"));
        let run = finish(command);
        assert!(run.code == Some(0), "{run:?}");
        true
    })
}

/// Returns the class path of the programs and these jars of the fixtures.
pub(crate) fn with_jars(jars: &str) -> String {
    let Machine { classes, fixtures, .. } = machine();
    let class_path = std::env::join_paths([classes, &fixtures.join(jars)]).expect("paths without separators");
    class_path.into_string().expect("a path in UTF-8")
}

/// Compiles a program in `libraries` against the released libraries in a folder of the fixtures. Returns the class path to run it, and its
/// method names without parameters and result.
pub(crate) fn compile_libraries(class: &str, folder: &str) -> (String, Vec<String>) {
    let class_path = with_jars(&format!("{folder}/*"));
    let source = sources().join(class.replace('.', "/")).with_extension("java");
    tool("javac", &["--release", "11", "-cp", &class_path, "-d", utf8(&machine().classes), utf8(&source)]);
    let text = std::fs::read_to_string(source).expect("the source was compiled");
    let methods =
        text.lines().filter_map(|line| Some(line.strip_prefix("    void ")?.strip_suffix("() {")?.to_owned()));
    (class_path, methods.collect())
}

impl Run {
    /// Standard error without the JVM's own warnings about an agent: that it changed the boot class path and, since
    /// Java 24, that it called a restricted method, with an empty line.
    pub(crate) fn said(&self) -> Vec<&str> {
        let is_jvms = |line: &str| line.contains("VM warning: ") || line.starts_with("WARNING: ") || line.is_empty();
        self.err.lines().filter(|line| !is_jvms(line)).collect()
    }
}

impl Jvm {
    /// The JVM of a runtime image of any version.
    pub(crate) fn of_image(folder: &Path) -> Jvm {
        Jvm { version: "image".to_owned(), java: folder.join("bin/java") }
    }

    /// Its feature version: 11 or higher.
    pub(crate) fn feature(&self) -> u32 {
        self.version.parse().expect("a version of Java is a number")
    }

    /// Flags for a small program with loops that must be compiled for the program to end soon.
    pub(crate) const COMPILED: [&str; 2] = ["-Xmixed", "-XX:TieredStopAtLevel=1"];

    /// Whether this is the machine's newest JVM, which runs most of the tests.
    pub(crate) fn is_newest(&self) -> bool {
        machine().jvms.iter().all(|other| other.feature() <= self.feature())
    }

    /// Returns a call of this JVM, with the agent if options for it are given. A class path among the arguments
    /// replaces the programs' class path.
    pub(crate) fn command(&self, agent: Option<&str>, arguments: &[&str]) -> Command {
        let machine = machine();
        let mut command = Command::new(&self.java);
        if let Some(options) = agent {
            let options = if options.is_empty() { String::new() } else { format!("={options}") };
            command.arg(format!("-javaagent:{}{options}", machine.jar.display()));
        }
        command.arg("-cp").arg(&machine.classes).args(arguments).stdin(Stdio::null());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("REGIONTRACK_")) {
            command.env_remove(name);
        }
        command
    }

    /// Returns a call of a small program for a command that runs it repeatedly and adds the agent. The compilers and
    /// the collector's threads take more than half of the processor time of such runs, so only a full run has all of them.
    pub(crate) fn started(&self, arguments: &[&str]) -> Command {
        let flags: &[&str] = if is_full() { &[] } else { &["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] };
        self.command(None, &[flags, arguments].concat())
    }

    /// Runs a call to its end.
    pub(crate) fn run(&self, agent: Option<&str>, arguments: &[&str]) -> Run {
        finish(self.command(agent, arguments))
    }

    /// The same for a small program that ends before compiled code matters.
    pub(crate) fn run_small(&self, agent: Option<&str>, arguments: &[&str]) -> Run {
        self.run(agent, &[self.flags_of_small(), arguments].concat())
    }

    /// The flags that [`Jvm::run_small`] adds. Compilers take two fifths of the time of a small program under the agent. The newest
    /// JVM runs without them, the others with the first one; in a full run all have both.
    pub(crate) fn flags_of_small(&self) -> &'static [&'static str] {
        if is_full() {
            &[]
        } else if self.is_newest() {
            &["-Xint"]
        } else {
            &["-XX:TieredStopAtLevel=1"]
        }
    }

    /// Runs a small program with the agent. Also returns its report.
    pub(crate) fn reported(&self, options: &str, arguments: &[&str]) -> Result<(Run, Value), String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("report.json");
        let options = format!("format=json,report={},{options}", path.display());
        let run = self.run_small(Some(&options), arguments);
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{arguments:?}: no report: {e}; {run:?}"))?;
        let report = serde_json::from_str(&text).map_err(|e| format!("{arguments:?}: {e} in {text}"))?;
        Ok((run, report))
    }
}

/// Prints a line for a person who watches the tests; the test harness does not capture it.
pub(crate) fn say(line: &str) {
    // Standard error may be closed.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Runs a command to its end. The platform's `timeout` ends a command that hangs, so that the test just fails; ten minutes
/// are enough on any machine.
pub(crate) fn finish(command: Command) -> Run {
    let mut limited = Command::new("timeout");
    limited.args(["--signal=KILL", "600"]).arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    let Output { status, stdout, stderr } = limited.output().expect("the platform has `timeout`");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// Runs `check` on every JVM and reports all failures together.
pub(crate) fn on_all_jvms(check: impl FnMut(&Jvm) -> Result<(), String>) {
    on_jvms(|_| true, check);
}

/// The same on the newest JVM and on one of the others, which take turns from test to test; on all in a full run.
pub(crate) fn on_two_jvms(check: impl FnMut(&Jvm) -> Result<(), String>) {
    let mut older: Vec<u32> = machine().jvms.iter().filter(|jvm| !jvm.is_newest()).map(Jvm::feature).collect();
    older.sort_unstable();
    // The test's thread is named after the test.
    let test = std::thread::current().name().map_or(0, |name| name.bytes().map(usize::from).sum());
    let turn = older.get(test % older.len().max(1)).copied();
    on_jvms(|jvm| is_full() || jvm.is_newest() || Some(jvm.feature()) == turn, check);
}

/// The same for checks that take long or hardly depend on the JVM: on the newest JVM, on all in a full run.
pub(crate) fn on_newest_jvm(check: impl FnMut(&Jvm) -> Result<(), String>) {
    on_jvms(|jvm| is_full() || jvm.is_newest(), check);
}

/// Divides slow cases between the JVMs of [`on_two_jvms`]: each gets every second case, the newest JVM the first one; both get all in a full run.
pub(crate) fn shared_out<'a, T>(jvm: &Jvm, all: &'a [T]) -> impl Iterator<Item = &'a T> {
    let (first, step) = if is_full() { (0, 1) } else { (usize::from(!jvm.is_newest()), 2) };
    // If there is only one JVM, it gets all.
    let step = if machine().jvms.len() == 1 { 1 } else { step };
    all.iter().skip(first).step_by(step)
}

/// Chooses one of several ways to run the program number `number`, so that each has its turn; all in a full run.
pub(crate) fn by_turn<T>(number: usize, ways: &[T]) -> &[T] {
    if is_full() { ways } else { &ways[number % ways.len()..][..1] }
}

/// Whether everything runs in full size: `cargo xtask test --full`.
pub(crate) fn is_full() -> bool {
    std::env::var("REGIONTRACK_FLAGS").is_ok_and(|which| which == "all")
}

fn on_jvms(is_wanted: impl Fn(&Jvm) -> bool, mut check: impl FnMut(&Jvm) -> Result<(), String>) {
    let machine = machine();
    assert!(!machine.jvms.is_empty(), "no JVM to test on");
    let wrong: Vec<String> = machine
        .jvms
        .iter()
        .filter(|jvm| is_wanted(jvm))
        .filter_map(|jvm| check(jvm).err().map(|why| format!("JDK {}: {why}", jvm.version)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
