//! Patterns of classes in JaCoCo's syntax, separated by `:`. `*` matches any characters, dots included; `?` matches
//! one.

/// A list of patterns of classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassPatterns(Vec<Box<str>>);

impl ClassPatterns {
    /// Reads `com.example.*:org.Other`.
    pub fn parse(text: &str) -> ClassPatterns {
        ClassPatterns(text.split(':').map(str::trim).filter(|word| !word.is_empty()).map(Into::into).collect())
    }

    /// Returns whether one of the patterns matches all of `name`.
    pub fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| matches(pattern.as_bytes(), name.as_bytes()))
    }

    /// Returns whether one of the patterns matches all of `name`, or of the name of a class in which it is nested, and
    /// names more than its package: the text before the first wildcard extends into the simple name.
    pub fn name(&self, name: &str) -> bool {
        let package = name.rfind('.').map_or(0, |dot| dot + 1);
        let outer = name.match_indices('$').map(|(end, _)| &name[..end]);
        let names: Vec<&str> = outer.chain([name]).collect();
        self.0.iter().any(|pattern| {
            let literal = pattern.find(['*', '?']).unwrap_or(pattern.len());
            literal > package && names.iter().any(|name| matches(pattern.as_bytes(), name.as_bytes()))
        })
    }

    /// Returns whether a pattern matches all of `name`, and the text before its first wildcard begins with `start`.
    pub fn reach_into(&self, name: &str, start: &str) -> bool {
        self.0.iter().any(|pattern| {
            let literal = pattern.split(['*', '?']).next().unwrap_or_default();
            literal.starts_with(start) && matches(pattern.as_bytes(), name.as_bytes())
        })
    }

    /// Returns the patterns in the form that [`ClassPatterns::parse`] reads.
    pub fn text(&self) -> String {
        self.0.join(":")
    }
}

/// Backtracks to the last star only: whatever an earlier star could match, the last one can match as well.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte == name[n] => (p, n) = (p + 1, n + 1),
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                (p, n) = (at + 1, taken + 1);
            }
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}
