//! Whatever the JVM's flags, the program runs as without the agent, and the report is right and complete.
//!
//! The program is `life.AllSorts`, with accesses of all kinds. By default the newest JVM runs every row except the slow one;
//! with `REGIONTRACK_FLAGS=all` every JVM runs all. Flags that a JVM does not support are printed.

use crate::machine::{Jvm, is_full, on_newest_jvm, say, sources};
use crate::programs::check_with;

/// Flags to run the program with.
struct Row {
    flags: &'static [&'static str],
    /// The oldest Java version that has them.
    since: u32,
    /// Whether builds of the JVM may lack them: a collector.
    is_optional: bool,
    /// Whether it is slow, so that only a full run has it.
    is_slow: bool,
}

const fn row(flags: &'static [&'static str]) -> Row {
    Row { flags, since: 11, is_optional: false, is_slow: false }
}

/// A collector that builds may lack.
const fn collector(flags: &'static [&'static str]) -> Row {
    Row { is_optional: true, ..row(flags) }
}

const ROWS: &[Row] = &[
    // Its warnings go to standard output, which is compared.
    row(&["-Xcheck:jni"]),
    row(&["-Xverify:all"]),
    row(&["-Xint"]),
    // Every method is compiled at its first call by the first of the JVM's two compilers.
    row(&["-Xcomp", "-XX:TieredStopAtLevel=1"]),
    // By both compilers, which takes half a minute.
    Row { is_slow: true, ..row(&["-Xcomp"]) },
    row(&["-XX:+UseSerialGC"]),
    row(&["-XX:+UseParallelGC"]),
    collector(&["-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC"]),
    collector(&["-XX:+UnlockExperimentalVMOptions", "-XX:+UseShenandoahGC"]),
    row(&["-XX:-UseCompressedOops"]),
    Row { since: 24, ..row(&["-XX:+UnlockExperimentalVMOptions", "-XX:+UseCompactObjectHeaders"]) },
    row(&["-Xmx64m"]),
    row(&["-Xss256k"]),
    row(&["-XX:+UseSerialGC", "-Xmx64m", "-Xss256k", "-Xint"]),
];

impl Row {
    /// Asks the JVM whether it has the flags. Returns why not, if it lacks them.
    fn refusal(&self, jvm: &Jvm) -> Option<String> {
        let run = jvm.run(None, &[self.flags, &["-version"]].concat());
        (run.code != Some(0)).then(|| format!("{}{}", run.out, run.err).lines().next().unwrap_or_default().to_owned())
    }

    fn check(&self, jvm: &Jvm) -> Result<(), String> {
        let flags = self.flags.join(" ");
        match self.refusal(jvm) {
            Some(why) if self.is_optional || jvm.feature() < self.since => {
                say(&format!("JDK {}: skipped {flags}: {why}", jvm.version));
                Ok(())
            }
            Some(why) => Err(format!("there is no {flags}: {why}")),
            None => {
                let arguments = [self.flags, &["-Dregiontrack.arrays=all", "life.AllSorts"]].concat();
                check_with(jvm, &sources().join("life/AllSorts.java"), &arguments)
                    .map_err(|why| format!("{flags}: {why}"))
            }
        }
    }
}

#[test]
fn a_program_runs_as_without_the_agent_whatever_flags_the_jvm_has() {
    let rows: Vec<&Row> = ROWS.iter().filter(|row| is_full() || !row.is_slow).collect();
    on_newest_jvm(|jvm| {
        let wrong: Vec<String> = rows.iter().filter_map(|row| row.check(jvm).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}
