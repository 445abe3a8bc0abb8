//! OSGi frameworks: a bundle's class loader finds the agent's runtime only if it decides so, by name or by who asks.

use crate::machine::{Jvm, compile_libraries, on_two_jvms, shared_out, sources, utf8, with_jars};
use crate::programs::check_excluding;

/// The jars of the frameworks.
const FRAMEWORKS: [&str; 2] = ["felix", "equinox"];

#[test]
fn a_bundle_starts_and_its_classes_are_observed() {
    const CLASS: &str = "libraries.Bundles";
    compile_libraries(CLASS, "osgi");
    let folder = tempfile::tempdir().expect("a folder");
    on_two_jvms(|jvm| {
        shared_out(jvm, &FRAMEWORKS).try_for_each(|framework| {
            let arguments = ["-cp", &with_jars(&format!("osgi/{framework}.jar")), CLASS, utf8(folder.path())];
            let arguments = [&Jvm::COMPILED[..], &arguments].concat();
            // The frameworks are of these packages. Watched, they take most of the time, and have findings of their own.
            let excluded = "schedule.*:org.apache.felix.*:org.eclipse.*:org.osgi.*";
            check_excluding(jvm, &sources().join("libraries/Bundles.java"), excluded, &arguments)
                .map_err(|why| format!("{framework}: {why}"))
        })
    });
}
