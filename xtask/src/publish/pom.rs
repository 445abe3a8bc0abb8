//! The metadata that Maven and Gradle read: an artifact's POM, and the lists of versions and plugins of a repository.

use std::fmt::Write;

use super::artifacts::{Artifact, GROUP, MAVEN_PLUGIN};

/// The project's page.
const PAGE: &str = "https://regiontrack.dev";
/// Where the sources are.
const SOURCES: &str = "https://regiontrack.dev/source";
/// The oldest Maven that runs the plugin.
const OLDEST_MAVEN: &str = "3.6.3";
const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The POM of an artifact.
pub(super) fn pom(artifact: &Artifact, version: &str) -> String {
    let Artifact { id, name, description, packaging, dependencies, .. } = artifact;
    let mut others = String::new();
    for dependency in *dependencies {
        let _ = write!(
            others,
            "    <dependency>\n      <groupId>{GROUP}</groupId>\n      <artifactId>{dependency}</artifactId>\n      \
             <version>{version}</version>\n    </dependency>\n"
        );
    }
    if !others.is_empty() {
        others = format!("  <dependencies>\n{others}  </dependencies>\n");
    }
    let prerequisites = match *packaging {
        MAVEN_PLUGIN => format!("  <prerequisites>\n    <maven>{OLDEST_MAVEN}</maven>\n  </prerequisites>\n"),
        _ => String::new(),
    };
    format!(
        "{XML}<project xmlns=\"http://maven.apache.org/POM/4.0.0\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd\">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{GROUP}</groupId>
  <artifactId>{id}</artifactId>
  <version>{version}</version>
  <packaging>{packaging}</packaging>
  <name>{name}</name>
  <description>{description}</description>
  <url>{PAGE}</url>
  <licenses>
    <license>
      <name>Apache-2.0</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
      <distribution>repo</distribution>
    </license>
  </licenses>
  <developers>
    <developer>
      <name>The RegionTrack developers</name>
      <url>{PAGE}</url>
    </developer>
  </developers>
  <scm>
    <connection>scm:git:{SOURCES}</connection>
    <url>{SOURCES}</url>
  </scm>
{prerequisites}{others}</project>
"
    )
}

/// Returns the versions of an artifact in a repository, from the oldest.
pub(super) fn versions(id: &str, versions: &[String]) -> String {
    let newest = versions.last().map_or("", String::as_str);
    let list: String = versions.iter().map(|version| format!("      <version>{version}</version>\n")).collect();
    format!(
        "{XML}<metadata>\n  <groupId>{GROUP}</groupId>\n  <artifactId>{id}</artifactId>\n  <versioning>\n    \
         <latest>{newest}</latest>\n    <release>{newest}</release>\n    <versions>\n{list}    </versions>\n  </versioning>\n</metadata>\n"
    )
}

/// Returns the plugins of the group, by their prefixes: `mvn regiontrack:report`.
pub(super) fn plugins(artifacts: &[Artifact]) -> String {
    let mut list = String::new();
    for Artifact { id, name, .. } in artifacts.iter().filter(|artifact| artifact.packaging == MAVEN_PLUGIN) {
        let prefix = id.strip_suffix("-maven-plugin").unwrap_or(id);
        let _ = write!(
            list,
            "    <plugin>\n      <name>{name}</name>\n      <prefix>{prefix}</prefix>\n      <artifactId>{id}</artifactId>\n    \
             </plugin>\n"
        );
    }
    format!("{XML}<metadata>\n  <plugins>\n{list}  </plugins>\n</metadata>\n")
}

#[cfg(test)]
mod tests {
    use super::super::artifacts::ARTIFACTS;
    use super::*;

    #[test]
    fn a_pom_has_what_a_public_repository_asks_for() {
        for artifact in ARTIFACTS {
            let pom = pom(artifact, "1.2.3");
            for part in ["name", "description", "url", "license", "developer", "scm"] {
                assert!(pom.contains(&format!("<{part}>")), "{}: {part}", artifact.id);
            }
            for dependency in artifact.dependencies {
                let known = ARTIFACTS.iter().position(|other| other.id == *dependency);
                let own = ARTIFACTS.iter().position(|other| other.id == artifact.id);
                assert!(known < own && known.is_some(), "{dependency} is published before {}", artifact.id);
                assert!(
                    pom.contains(&format!("<artifactId>{dependency}</artifactId>\n      <version>1.2.3<")),
                    "{pom}"
                );
            }
        }
    }

    #[test]
    fn a_plugin_is_found_by_its_prefix() {
        let plugins = plugins(ARTIFACTS);
        assert!(
            plugins.contains("<prefix>regiontrack</prefix>\n      <artifactId>regiontrack-maven-plugin<"),
            "{plugins}"
        );
        assert_eq!(plugins.matches("<plugin>").count(), 1);
    }
}
