//! Patterns for names that are not methods: fields, locks, words.

use std::fmt;
use std::str::FromStr;

use super::glob::Glob;
use super::pattern::PatternError;

/// A pattern for names: `com.example.Cache.*`, `**.Cache.size`, `int[] element`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern(Glob);

impl NamePattern {
    /// Returns whether all of `name` matches.
    pub fn matches(&self, name: &str) -> bool {
        self.0.matches(name)
    }

    /// Returns the pattern of the last `segments` segments alone, for names that are known without what comes before.
    /// `None` if these segments can match more than that many.
    pub fn last_segments(&self, segments: usize) -> Option<NamePattern> {
        let text = self.0.text();
        let at = text.rmatch_indices('.').nth(segments - 1).map_or(0, |(at, _)| at + 1);
        let end = &text[at..];
        (!end.contains("**")).then(|| NamePattern(Glob::new(end)))
    }
}

impl FromStr for NamePattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<NamePattern, PatternError> {
        let text = text.trim();
        if let Some(separator) = ["/", "::"].into_iter().find(|separator| text.contains(separator)) {
            return Err(PatternError::Separator { separator, name: text.to_owned() });
        }
        match text {
            _ if text.split('.').any(str::is_empty) => Err(PatternError::EmptySegment(text.to_owned())),
            _ if text.contains("***") => Err(PatternError::Stars(text.to_owned())),
            _ => Ok(NamePattern(Glob::new(text))),
        }
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> NamePattern {
        text.parse().expect("a pattern")
    }

    #[test]
    fn names_may_hold_what_no_name_of_a_method_does() {
        assert!(pattern("int[] element").matches("int[] element"));
        assert!(pattern("stale *").matches("stale read") && !pattern("stale*").matches("a stale read"));
        assert!(pattern("**.Cache.size").matches("com.example.Cache.size"));
        assert!(!pattern("com.*.size").matches("com.example.Cache.size"));
    }

    #[test]
    fn the_last_segments_match_names_without_a_package() {
        let end = |text: &str| pattern(text).last_segments(2).map(|end| end.to_string());
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(end("com.example.Cache.size"), some("Cache.size"));
        assert_eq!(end("**.Cache.*"), some("Cache.*"));
        assert_eq!(end("size"), some("size"));
        assert_eq!([end("com.example.**"), end("**")], [None, None]);
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for text in ["", "a..b", "a.***", "a/B.c", "a::b"] {
            assert!(text.parse::<NamePattern>().is_err(), "{text}");
        }
    }
}
