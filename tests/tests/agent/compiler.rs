//! A large program works as before: the Eclipse compiler, fully instrumented, compiles the agent's instrumenter.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::machine::{Jvm, Run, jdk, machine, on_newest_jvm, say};

const MAIN: &str = "org.eclipse.jdt.internal.compiler.batch.Main";
/// The minimum number of classes that the agent must instrument.
const CLASSES: u64 = 500;

/// Returns every file below a folder by its path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let relative = path.strip_prefix(folder).expect("it lies below").to_owned();
                files.insert(relative, std::fs::read(path).expect("a file"));
            }
        }
    }
    files
}

/// Compiles into a folder, under the agent if `agent` has options for it.
fn compile(jvm: &Jvm, agent: Option<&str>, to: &Path) -> Run {
    let fixtures = &machine().fixtures;
    let compiler = fixtures.join(if jvm.feature() < 17 { "ecj/ecj11.jar" } else { "ecj/ecj.jar" });
    let libraries = files(&fixtures.join("libraries")).into_keys().map(|name| fixtures.join("libraries").join(name));
    let libraries = std::env::join_paths(libraries).expect("paths without separators");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java-agent/instrument/src/main/java");
    let jdk = jdk();
    let paths = [compiler.as_os_str(), libraries.as_os_str(), jdk.as_os_str(), to.as_os_str(), sources.as_os_str()];
    let [compiler, libraries, jdk, to, sources] = paths.map(|path| path.to_str().expect("a path in UTF-8"));
    // C2 takes half of the time and checks nothing here, because classes are verified when they are loaded.
    let program = ["-XX:TieredStopAtLevel=1", "-cp", compiler, MAIN];
    let what = ["-11", "-warn:+all", "-proc:none", "-encoding", "UTF-8", "--system", jdk];
    let places = ["-cp", libraries, "-d", to, sources];
    jvm.run(agent, &[&program[..], &what, &places].concat())
}

/// The report's counts of classes: instrumented, skipped, failed.
fn classes(report: &Path) -> Result<[u64; 3], String> {
    let text = std::fs::read_to_string(report).map_err(|e| format!("no report: {e}"))?;
    let report: Value = serde_json::from_str(&text).map_err(|e| format!("{e} in {text}"))?;
    let classes = &report["stats"]["classes"];
    let count = |name: &str| classes[name].as_u64().ok_or_else(|| format!("no number of classes {name} in {text}"));
    Ok([count("instrumented")?, count("skipped")?, count("failed")?])
}

#[test]
fn a_fully_instrumented_compiler_compiles_the_same() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [plain_files, watched_files, report] =
            ["plain", "watched", "report.json"].map(|name| folder.path().join(name));
        let plain = compile(jvm, None, &plain_files);
        let options = format!("include=*,arrays=all,format=json,report={}", report.display());
        let watched = compile(jvm, Some(&options), &watched_files);
        let [instrumented, skipped, failed] = classes(&report).map_err(|e| format!("{e}; {}", watched.err))?;
        say(&format!(
            "JDK {}: compiler: {instrumented} classes instrumented, {skipped} skipped, {failed} failed",
            jvm.version
        ));
        if plain.code != Some(0) || files(&plain_files).len() < 10 {
            return Err(format!("the compiler does not work without the agent: {plain:?}"));
        }
        let is_same = (plain.code, &plain.out, plain.said()) == (watched.code, &watched.out, watched.said());
        if !is_same || files(&plain_files) != files(&watched_files) {
            return Err(format!("plain {plain:?}, watched {watched:?}"));
        }
        if instrumented < CLASSES || failed > 0 || watched.err.contains("VerifyError") {
            return Err(format!("{instrumented} instrumented, {skipped} skipped, {failed} failed: {}", watched.err));
        }
        Ok(())
    });
}
