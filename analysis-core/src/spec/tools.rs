//! Test frameworks and build tools: programs that run the user's code, and that are not reported unless the user names
//! them.

use super::ClassPatterns;

/// The prefixes of their class names.
const TOOLS: [&str; 25] = [
    // Test frameworks.
    "org.junit.",
    "junit.",
    "org.testng.",
    "org.opentest4j.",
    "org.apiguardian.",
    "org.hamcrest.",
    // Mock frameworks with what they are made of, and BlockHound. They put calls of themselves into classes of the JDK that
    // the agent's hooks use, so a watched one would be called from hooks, and call hooks.
    "org.mockito.",
    "net.bytebuddy.",
    "org.objenesis.",
    "io.mockk.",
    "org.easymock.",
    "org.powermock.",
    "mockit.",
    "reactor.blockhound.",
    // Maven, with Surefire, and its components.
    "org.apache.maven.",
    "org.codehaus.plexus.",
    "org.codehaus.classworlds.",
    "org.eclipse.aether.",
    "org.eclipse.sisu.",
    // Gradle and its workers.
    "org.gradle.",
    "worker.org.gradle.",
    "net.rubygrapefruit.platform.",
    // Ant, and the test launchers of development environments.
    "org.apache.tools.ant.",
    "com.intellij.rt.",
    "org.eclipse.jdt.internal.junit",
];

/// Returns the name prefix of the tool to which a class or package belongs, without its last dot.
pub fn of(name: &str) -> Option<&'static str> {
    TOOLS
        .iter()
        .find(|tool| name.starts_with(**tool) || name == tool.trim_end_matches('.'))
        .map(|tool| tool.trim_end_matches('.'))
}

/// Returns whether a class with this name belongs to a tool that these patterns do not name. A pattern that matches the
/// class only together with others, such as `*` or `org.*`, does not name the tool.
pub fn is_unnamed(name: &str, include: &ClassPatterns) -> bool {
    of(name).is_some_and(|tool| !include.reach_into(name, tool))
}

/// Drops from packages separated by `:` those of tools that these patterns do not name. `None` if no other is left:
/// then a tool's class was started, and the user's code is elsewhere.
pub fn without(packages: &str, include: &ClassPatterns) -> Option<String> {
    // The patterns are for classes, not packages.
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
            ["org.junit.Test", "junit.framework.TestCase", "org.gradle.api.internal.X", "org.mockito.internal.Y"]
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
