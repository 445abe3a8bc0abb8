//! What the user has written, as opposed to libraries.

use super::words::package;

/// The packages of the application, where they are known: those of the main class's jar or folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Application(Vec<String>);

impl Application {
    /// Parses packages separated by `:`; an empty one is the package without a name.
    pub fn parse(packages: &str) -> Application {
        Application(packages.split(':').map(|package| package.trim().to_owned()).collect())
    }

    /// The application with these packages.
    pub fn of(packages: impl IntoIterator<Item = String>) -> Application {
        Application(packages.into_iter().collect())
    }

    /// True if nothing is known: then no class counts as a library.
    pub fn is_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the packages of another one. If one of the two is unknown, the other is what is known.
    pub fn merge(&mut self, other: &Application) {
        self.0.extend(other.0.iter().cloned());
        self.0.sort();
        self.0.dedup();
    }

    /// The packages.
    pub fn packages(&self) -> &[String] {
        &self.0
    }

    /// True if the application is known and this method's class is not in one of its packages or below.
    pub fn excludes(&self, method: &str) -> bool {
        let its = package(method);
        let is_in = |own: &String| {
            its == own || (!own.is_empty() && its.strip_prefix(own.as_str()).is_some_and(|rest| rest.starts_with('.')))
        };
        !self.is_unknown() && !self.0.iter().any(is_in)
    }
}
