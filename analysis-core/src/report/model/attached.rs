//! What the agent could not see, if it was attached to a program that ran already.

use serde::{Deserialize, Serialize};

/// How many packages are named.
const MOST: usize = 5;

/// The classes of the program that were loaded before the agent was attached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// How many of them are watched, each method from its next call on.
    pub hooked: u64,
    /// How many are not watched.
    pub left: u64,
    /// The packages with most of the latter, and how many each has.
    pub packages: Vec<(String, u64)>,
}

impl Attached {
    /// Parses what the Java side reports: the number of classes that have hooks, then on each line a package, a tab, and how many of
    /// its classes have none. What cannot be read counts as none.
    pub fn parse(text: &str) -> Attached {
        let mut lines = text.lines();
        let hooked = lines.next().and_then(|first| first.parse().ok()).unwrap_or_default();
        let package = |line: &str| {
            let (name, count) = line.split_once('\t')?;
            let name = if name.is_empty() { "the unnamed package" } else { name };
            Some((name.to_owned(), count.parse().ok()?))
        };
        let packages: Vec<(String, u64)> = lines.filter_map(package).collect();
        let left = packages.iter().map(|(_, count)| count).sum();
        Attached { hooked, left, packages: largest(packages) }
    }

    /// What was missing in both runs.
    pub fn and(self, other: Attached) -> Attached {
        let mut packages = self.packages;
        for (name, count) in other.packages {
            match packages.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += count,
                None => packages.push((name, count)),
            }
        }
        Attached { hooked: self.hooked + other.hooked, left: self.left + other.left, packages: largest(packages) }
    }
}

fn largest(mut packages: Vec<(String, u64)>) -> Vec<(String, u64)> {
    packages.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    packages.truncate(MOST);
    packages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_with_most_classes_come_first() {
        let attached = Attached::parse("12\ncom.acme\t3\n\t1\norg.lib\t7\n");
        let packages = [("org.lib", 7), ("com.acme", 3), ("the unnamed package", 1)];
        let packages = packages.map(|(name, count)| (name.to_owned(), count)).to_vec();
        assert_eq!(attached, Attached { hooked: 12, left: 11, packages });
    }

    #[test]
    fn runs_are_summed() {
        let sum = Attached::parse("2\na\t1\n").and(Attached::parse("3\nb\t5\na\t1\n"));
        assert_eq!((sum.hooked, sum.left), (5, 7));
        assert_eq!(sum.packages, [("b".to_owned(), 5), ("a".to_owned(), 2)]);
    }
}
