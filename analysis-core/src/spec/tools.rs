//! Test frameworks and build tools: programs that run the user's code, and that nobody wants to hear of unless they name them.

use super::ClassPatterns;

/// What the names of their classes begin with.
const TOOLS: [&str; 17] = [
    // Test frameworks.
    "org.junit.",
    "junit.",
    "org.testng.",
    "org.opentest4j.",
    "org.apiguardian.",
    "org.hamcrest.",
    // Maven, with Surefire, and what it is made of.
    "org.apache.maven.",
    "org.codehaus.plexus.",
    "org.codehaus.classworlds.",
    "org.eclipse.aether.",
    "org.eclipse.sisu.",
    // Gradle and its workers.
    "org.gradle.",
    "worker.org.gradle.",
    "net.rubygrapefruit.platform.",
    // Ant, and what starts tests in development environments.
    "org.apache.tools.ant.",
    "com.intellij.rt.",
    "org.eclipse.jdt.internal.junit",
];

/// The beginning of the name of a tool's class, or of a package of one, without its last dot.
pub fn of(name: &str) -> Option<&'static str> {
    TOOLS
        .iter()
        .find(|tool| name.starts_with(**tool) || name == tool.trim_end_matches('.'))
        .map(|tool| tool.trim_end_matches('.'))
}

/// True if a class of this name belongs to a tool that these patterns do not name: one that matches it only together with
/// others, as `*` and `org.*` do, names none.
pub fn is_unnamed(name: &str, include: &ClassPatterns) -> bool {
    of(name).is_some_and(|tool| !include.reach_into(name, tool))
}

/// Of packages with `:` between them, those of no tool that these patterns leave out. `None` if there is no other: then a tool's
/// class was started, and the user's code is elsewhere.
pub fn without(packages: &str, include: &ClassPatterns) -> Option<String> {
    // Patterns are of classes.
    let is_users = |package: &&str| !is_unnamed(&format!("{package}.Any"), include);
    let others: Vec<&str> = packages.split(':').filter(is_users).collect();
    (!others.is_empty()).then(|| others.join(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_watched_only_if_it_is_named() {
        let unnamed = |name: &str, include: &str| is_unnamed(name, &ClassPatterns::parse(include));
        for name in
            ["org.junit.Test", "junit.framework.TestCase", "org.gradle.api.internal.X", "org.apache.maven.surefire.Y"]
        {
            for include in ["*", "org.*", "org.apache.*:com.acme.*", "*.Test", "*junit*"] {
                assert!(unnamed(name, include), "{name} {include}");
            }
        }
        for include in ["org.junit.*", "org.junit.Te?t", "com.acme.*:org.junit*", "org.junit.Test"] {
            assert!(!unnamed("org.junit.Test", include), "{include}");
        }
        assert!(unnamed("org.junit.Test", "org.junit.Rule"));
        for name in ["org.junitpioneer.X", "com.acme.org.junit.X", "junitx.Y", "org.apache.mavenx.Z", "org.junit"] {
            assert!(name == "org.junit" || !unnamed(name, "*"), "{name}");
        }
        assert_eq!(
            (of("org.junit"), of("org.junit.platform.engine"), of("org.junitpioneer")),
            (Some("org.junit"), Some("org.junit"), None)
        );
    }

    #[test]
    fn a_tool_that_was_started_is_not_the_users_own() {
        let own = |packages: &str, include: &str| without(packages, &ClassPatterns::parse(include));
        assert_eq!(own("org.apache.maven.surefire.booter:org.apache.maven.plugin", "*"), None);
        assert_eq!(own("com.acme:org.junit", "*").as_deref(), Some("com.acme"));
        assert_eq!(own(":com.acme", "*").as_deref(), Some(":com.acme"));
        assert_eq!(own("org.gradle.cli", "org.gradle.cli.*").as_deref(), Some("org.gradle.cli"), "it is watched");
    }
}
