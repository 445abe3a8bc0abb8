//! The bill of materials of a release, with versions, licences and check sums, and the dependencies: CycloneDX 1.5, in
//! JSON.
//!
//! The Rust half is what cargo resolves for the platforms of the release, the Java half the libraries whose classes are
//! in the jar.

use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, UNIX_EPOCH};

use cyclonedx_bom::models::component::Classification;
use cyclonedx_bom::models::dependency::{Dependencies, Dependency};
use cyclonedx_bom::models::hash::{Hash, HashAlgorithm, HashValue, Hashes};
use cyclonedx_bom::models::license::{LicenseChoice, Licenses};
use cyclonedx_bom::prelude::*;

use super::Release;
use crate::linked::{self, Linked};
use crate::publish::{self, VERSION};
use crate::workspace::Workspace;
use crate::{Failure, Outcome, java};

/// The file with the versions of Java libraries.
const VERSIONS: &str = "gradle/versions.gradle";
/// The libraries whose classes are in the jar, by the name of their version there: the contents of the configuration
/// `embedded` of the agent's build.
const IN_JAR: [(&str, &str, &str, &str); 4] = [
    ("org.ow2.asm", "asm", "asmVersion", "BSD-3-Clause"),
    ("org.ow2.asm", "asm-tree", "asmVersion", "BSD-3-Clause"),
    ("org.ow2.asm", "asm-analysis", "asmVersion", "BSD-3-Clause"),
    ("org.ow2.asm", "asm-commons", "asmVersion", "BSD-3-Clause"),
];
/// The published artifact that contains all of that.
const JAR: &str = "regiontrack-agent";
const OURS: &str = "Apache-2.0";
/// The part that the compiler links into every binary.
const STANDARD_LIBRARY: (&str, &str) = ("rust-std", "MIT OR Apache-2.0");

/// Writes the list for a release on these platforms, by cargo's names.
pub(super) fn write(release: &Release, platforms: &[String], file: &Path) -> Outcome {
    let bom = list(release.workspace, platforms, release.time)?;
    let checked = bom.validate_version(SpecVersion::V1_5);
    if checked.has_errors() {
        return Err(Failure(format!("the list of contents is not what CycloneDX 1.5 asks for: {checked:?}")));
    }
    let mut bytes = Vec::new();
    let written = bom.output_as_json_v1_5(&mut bytes).map_err(|e| e.to_string());
    bytes.push(b'\n');
    written
        .and_then(|()| fs::write(file, bytes).map_err(|e| e.to_string()))
        .map_err(|why| Failure(format!("{}: {why}", file.display())))
}

fn list(workspace: &Workspace, platforms: &[String], time: u64) -> Result<Bom, Failure> {
    let mut contents = Contents::default();
    let lock = workspace.lock()?;
    let compiler = compiler(workspace)?;
    let (name, licence) = STANDARD_LIBRARY;
    let standard = contents.add(Part::of("generic", None, name, &compiler, licence))?;
    for Linked { package, uses } in linked::all(workspace, &java::IN_JAR, platforms)? {
        let locked = lock
            .packages
            .iter()
            .find(|one| one.name.as_str() == package.name && one.version.to_string() == package.version);
        let licence = package.license.as_deref().unwrap_or("NOASSERTION");
        let mut part = Part::of("cargo", None, &package.name, &package.version, licence);
        part.description = package.description.as_deref();
        part.sum = locked.and_then(|one| one.checksum.as_ref()).map(ToString::to_string);
        part.uses = uses.iter().map(|(name, version)| purl("cargo", None, name, version)).collect();
        part.uses.push(standard.clone());
        contents.add(part)?;
    }
    let mut in_jar: Vec<String> = java::IN_JAR.iter().map(|name| purl("cargo", None, name, VERSION)).collect();
    for (group, name, version, licence) in IN_JAR {
        let version = version_of(workspace, version)?;
        in_jar.push(contents.add(Part::of("maven", Some(group), name, &version, licence))?);
    }
    let group = publish::GROUP;
    for artifact in publish::ARTIFACTS {
        let mut part = Part::of("maven", Some(group), artifact.id, VERSION, OURS);
        part.description = Some(artifact.description);
        part.uses = artifact.dependencies.iter().map(|other| purl("maven", Some(group), other, VERSION)).collect();
        if artifact.id == JAR {
            part.uses.append(&mut in_jar);
        }
        contents.add(part)?;
    }
    contents.bom(time)
}

/// A contained part, as it is described in the list.
struct Part<'a> {
    kind: &'a str,
    group: Option<&'a str>,
    name: &'a str,
    version: &'a str,
    licence: &'a str,
    description: Option<&'a str>,
    /// SHA-256 of its source package, if its registry states that.
    sum: Option<String>,
    uses: Vec<String>,
}

impl<'a> Part<'a> {
    fn of(kind: &'a str, group: Option<&'a str>, name: &'a str, version: &'a str, licence: &'a str) -> Part<'a> {
        Part { kind, group, name, version, licence, description: None, sum: None, uses: Vec::new() }
    }
}

/// Returns the address of a package, by the kind of its registry.
fn purl(kind: &str, group: Option<&str>, name: &str, version: &str) -> String {
    let group = group.map(|group| format!("{group}/")).unwrap_or_default();
    format!("pkg:{kind}/{group}{name}@{version}").replace('+', "%2B")
}

/// The parts so far, and their dependencies.
#[derive(Default)]
struct Contents {
    parts: Vec<Component>,
    uses: Vec<Dependency>,
}

impl Contents {
    /// Adds a part. Returns its address, which is its name in the list.
    fn add(&mut self, part: Part) -> Result<String, Failure> {
        let Part { kind, group, name, version, licence, description, sum, uses } = part;
        let address = purl(kind, group, name, version);
        let mut component = Component::new(Classification::Library, name, version, Some(address.clone()));
        component.group = group.map(NormalizedString::new);
        component.description = description.map(|text| NormalizedString::new(text.trim()));
        let expression = SpdxExpression::parse_lax(licence.to_owned())
            .map_err(|e| Failure(format!("the licence of {name} {version}, {licence}: {e}")))?;
        component.licenses = Some(Licenses(vec![LicenseChoice::Expression(expression)]));
        component.purl = Purl::from_str(&address).ok();
        component.hashes = sum.map(|sum| Hashes(vec![Hash { alg: HashAlgorithm::SHA_256, content: HashValue(sum) }]));
        self.parts.push(component);
        self.uses.push(Dependency { dependency_ref: address.clone(), dependencies: uses });
        Ok(address)
    }

    fn bom(self, time: u64) -> Result<Bom, Failure> {
        let timestamp = humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(time)).to_string();
        let timestamp = timestamp.try_into().map_err(|e| Failure(format!("{time} seconds since 1970: {e}")))?;
        let mut whole =
            Component::new(Classification::Application, "regiontrack", VERSION, Some("regiontrack".to_owned()));
        whole.licenses = Some(Licenses(vec![LicenseChoice::Expression(SpdxExpression::new(OURS))]));
        let published = publish::ARTIFACTS.iter().map(|one| purl("maven", Some(publish::GROUP), one.id, VERSION));
        let all = Dependency { dependency_ref: "regiontrack".to_owned(), dependencies: published.collect() };
        Ok(Bom {
            version: 1,
            // Optional in the specification; a random number would differ each time.
            serial_number: None,
            metadata: Some(Metadata { timestamp: Some(timestamp), component: Some(whole), ..Metadata::default() }),
            components: Some(Components(self.parts)),
            dependencies: Some(Dependencies([all].into_iter().chain(self.uses).collect())),
            spec_version: SpecVersion::V1_5,
            services: None,
            external_references: None,
            compositions: None,
            properties: None,
            vulnerabilities: None,
            signature: None,
            annotations: None,
            formulation: None,
        })
    }
}

/// Returns the version of the compiler.
fn compiler(workspace: &Workspace) -> Result<String, Failure> {
    let said = std::process::Command::new("rustc").arg("--version").current_dir(&workspace.root).output();
    let said = said.map_err(|e| Failure(format!("rustc did not start: {e}")))?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    text.split_whitespace().nth(1).map(str::to_owned).ok_or_else(|| Failure(format!("`rustc --version` says {text}")))
}

/// Returns the value of a version in the builds, such as `asmVersion`.
fn version_of(workspace: &Workspace, name: &str) -> Result<String, Failure> {
    let file = workspace.root.join(VERSIONS);
    let text = fs::read_to_string(&file).map_err(|e| Failure(format!("{}: {e}", file.display())))?;
    let version =
        text.lines().find_map(|line| line.trim().strip_prefix(name)?.trim().strip_prefix("= '")?.strip_suffix('\''));
    version.map(str::to_owned).ok_or_else(|| Failure(format!("{} has no {name}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_both_halves_with_licences_and_what_uses_what_and_is_valid() {
        let workspace = Workspace::find().expect("a workspace");
        let platforms = ["x86_64-unknown-linux-gnu".to_owned(), "aarch64-unknown-linux-gnu".to_owned()];
        let bom = list(&workspace, &platforms, 1_700_000_000).unwrap_or_else(|Failure(why)| panic!("{why}"));
        assert!(bom.validate_version(SpecVersion::V1_5).passed(), "{:?}", bom.validate_version(SpecVersion::V1_5));
        let mut bytes = Vec::new();
        bom.output_as_json_v1_5(&mut bytes).expect("written");
        let json: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        assert_eq!(json["metadata"]["timestamp"], "2023-11-14T22:13:20Z");
        let components = json["components"].as_array().expect("components");
        let of = |name: &str| components.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(of("asm-tree")["licenses"][0]["expression"], "BSD-3-Clause");
        assert_eq!(of("dashmap")["licenses"][0]["expression"], "MIT");
        assert_eq!(of("dashmap")["hashes"][0]["alg"], "SHA-256");
        assert!(of("regiontrack-maven-plugin")["purl"].as_str().is_some_and(|purl| purl.starts_with("pkg:maven/dev.")));
        assert!(!components.iter().any(|one| one["name"] == "criterion" || one["name"] == "syn"));
        let uses = json["dependencies"].as_array().expect("dependencies");
        let names: Vec<&str> = uses.iter().filter_map(|one| one["ref"].as_str()).collect();
        let used = uses.iter().flat_map(|one| one["dependsOn"].as_array().into_iter().flatten());
        for name in used.filter_map(|one| one.as_str()) {
            assert!(names.contains(&name), "{name} is used and not listed");
        }
    }

    #[test]
    fn the_java_libraries_of_the_list_are_those_that_the_build_puts_into_the_jar() {
        let workspace = Workspace::find().expect("a workspace");
        let build = fs::read_to_string(workspace.root.join("java-agent/build.gradle")).expect("the build");
        let (_, rest) = build.split_once("    embedded \"").expect("what is embedded");
        let (embedded, _) = rest.split_once("    testImplementation").expect("the end of it");
        let mut built: Vec<&str> = embedded.split('"').filter(|part| part.contains(':')).collect();
        let mut listed = IN_JAR.map(|(group, name, version, _)| format!("{group}:{name}:${version}"));
        built.sort_unstable();
        listed.sort();
        assert_eq!(built, listed);
    }
}
