//! Suppressions: findings that the user does not want to see, one per line, in the manner of ThreadSanitizer's.
//!
//! ```text
//! # a comment
//! method:com.acme.Metrics.**          # off by one is good enough
//! field:com.acme.Shop.lastSeen
//! class:com.acme.legacy.**
//! kind:unrepeatable read
//! lock:com.acme.Registry
//! ```
//!
//! The patterns are those of specifications. A recorded trace does not have the packages of fields and locks. For
//! traces, the last two segments of a `field:` line decide, and the last one of a `lock:` line. A line that ends in
//! `**` then matches nothing, since it would match everything.

use crate::report::model::identity::{Identity, Touched};
use crate::report::model::sifted::SuppressionUse;
use crate::spec::{ClassPattern, Method, NamePattern, Pattern, PatternError};

/// The words that may stand before a colon.
const WORDS: &str = "method:, field:, class:, kind: or lock:";
/// What precedes a reason.
const REASON: &str = " #";
/// How many segments of a field's name a trace has.
const OF_FIELD: usize = 2;
/// And how many of a lock's.
const OF_LOCK: usize = 1;

/// The lines of all files, in order.
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    lines: Vec<Line>,
}

/// A line.
#[derive(Clone, Debug)]
struct Line {
    file: String,
    number: usize,
    text: String,
    reason: Option<String>,
    what: What,
}

/// What a finding must have.
#[derive(Clone, Debug)]
enum What {
    /// This method.
    Method(Pattern),
    /// A method of this class.
    Class(ClassPattern),
    /// This variable among those of its witness.
    Field(Name),
    /// This lock among those of its witness.
    Lock(Name),
    /// This kind.
    Kind(NamePattern),
}

/// A pattern, and the pattern for names without a package.
#[derive(Clone, Debug)]
struct Name {
    whole: NamePattern,
    end: Option<NamePattern>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {reason}")]
pub struct BadLine {
    /// The file.
    pub file: String,
    /// The line's number.
    pub line: usize,
    /// What is wrong, and the fix.
    pub reason: String,
}

impl Suppressions {
    /// Adds the lines of a file. `file` is its name in reports and errors.
    ///
    /// # Errors
    /// The first line that cannot be read, with what is wrong and the fix.
    pub fn add(&mut self, text: &str, file: &str) -> Result<(), BadLine> {
        for (number, line) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (text, reason) = line.split_once(REASON).map_or((line, ""), |(text, reason)| (text.trim_end(), reason));
            let what = What::parse(text).map_err(|reason| BadLine { file: file.to_owned(), line: number, reason })?;
            let reason = Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty());
            self.lines.push(Line { file: file.to_owned(), number, text: text.to_owned(), reason, what });
        }
        Ok(())
    }

    /// True if there is no line.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The index of the first line that suppresses a finding.
    pub(super) fn first_for(&self, identity: &Identity, kind: &str) -> Option<usize> {
        let method = identity.method.as_deref().and_then(|method| Method::parse(method).ok());
        self.lines.iter().position(|line| line.what.matches(method.as_ref(), identity, kind))
    }

    /// The file and number of a line, and its reason.
    pub(super) fn place_of(&self, line: usize) -> (String, Option<String>) {
        let Line { file, number, reason, .. } = &self.lines[line];
        (format!("{file}:{number}"), reason.clone())
    }

    /// All lines, none of which has suppressed anything yet.
    pub(super) fn uses(&self) -> Vec<SuppressionUse> {
        let of = |Line { file, number, text, reason, .. }: &Line| SuppressionUse {
            file: file.clone(),
            line: *number,
            rule: text.clone(),
            reason: reason.clone(),
            findings: 0,
        };
        self.lines.iter().map(of).collect()
    }
}

impl What {
    fn parse(text: &str) -> Result<What, String> {
        let Some((word, pattern)) = text.split_once(':') else {
            return Err(format!("expected {WORDS} before '{text}'"));
        };
        let pattern = pattern.trim();
        if pattern.is_empty() {
            return Err(format!(
                "'{word}:' names nothing; write a pattern behind it, such as {word}:{}",
                example(word)
            ));
        }
        let wrong = |error: PatternError| error.to_string();
        match word {
            "method" => Ok(What::Method(pattern.parse().map_err(wrong)?)),
            "class" => Ok(What::Class(pattern.parse().map_err(wrong)?)),
            "field" => Name::parse(pattern, OF_FIELD).map(What::Field).map_err(wrong),
            "lock" => Name::parse(pattern, OF_LOCK).map(What::Lock).map_err(wrong),
            "kind" => Ok(What::Kind(pattern.parse().map_err(wrong)?)),
            _ => Err(format!("unknown word '{word}'; expected {WORDS}")),
        }
    }

    fn matches(&self, method: Option<&Method>, identity: &Identity, kind: &str) -> bool {
        let signature = method.map(Method::signature);
        let touches =
            |name: &Name, is_lock| identity.touched.iter().any(|it| it.is_lock == is_lock && name.matches(it));
        match self {
            What::Method(pattern) => signature.is_some_and(|signature| pattern.matches(signature)),
            What::Class(pattern) => signature.is_some_and(|signature| pattern.matches(signature.class())),
            What::Field(name) => touches(name, false),
            What::Lock(name) => touches(name, true),
            What::Kind(pattern) => pattern.matches(kind),
        }
    }
}

fn example(word: &str) -> &'static str {
    match word {
        "method" => "com.example.Cache.get(...)",
        "field" => "com.example.Cache.size",
        "kind" => "unrepeatable read",
        _ => "com.example.Cache",
    }
}

impl Name {
    fn parse(pattern: &str, segments: usize) -> Result<Name, PatternError> {
        let whole: NamePattern = pattern.parse()?;
        let end = whole.last_segments(segments);
        Ok(Name { whole, end })
    }

    fn matches(&self, Touched { name, full, .. }: &Touched) -> bool {
        match full {
            Some(full) => self.whole.matches(full) || self.whole.matches(name),
            None => self.whole.matches(name) || self.end.as_ref().is_some_and(|end| end.matches(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn finding(touched: &[(bool, &str, Option<&str>)]) -> Identity {
        let of = |&(is_lock, name, full): &(bool, &str, Option<&str>)| Touched {
            is_lock,
            name: name.to_owned(),
            full: full.map(str::to_owned),
        };
        let method = Some("com.acme.Shop.sell(int)".to_owned());
        Identity { method, touched: touched.iter().map(of).collect(), before: Vec::new(), places: BTreeSet::new() }
    }

    fn all(text: &str) -> Suppressions {
        let mut suppressions = Suppressions::default();
        suppressions.add(text, "app.supp").expect("lines");
        suppressions
    }

    fn suppresses(line: &str, identity: &Identity) -> bool {
        all(line).first_for(identity, "lost update").is_some()
    }

    #[test]
    fn each_word_asks_for_another_part_of_a_finding() {
        let full =
            finding(&[(false, "Shop.total", Some("com.acme.Shop.total")), (true, "Shop", Some("com.acme.Shop"))]);
        let traces = finding(&[(false, "Shop.total", None), (true, "Shop", None)]);
        for line in [
            "method:com.acme.**",
            "method:**.sell(int)",
            "class:com.acme.Shop",
            "class:com.acme.*",
            "field:com.acme.Shop.total",
            "field:Shop.total",
            "field:**.Shop.*",
            "lock:com.acme.Shop",
            "lock:Shop",
            "kind:lost update",
            "kind:lost*",
        ] {
            assert!(suppresses(line, &full) && suppresses(line, &traces), "{line}");
        }
        for line in [
            "method:com.acme.**(long)",
            "method:com.other.**",
            "class:com.*",
            "field:com.acme.Shop.count",
            "field:Shop",
            "lock:com.acme.Shops",
            "kind:stale*",
        ] {
            assert!(!suppresses(line, &full) && !suppresses(line, &traces), "{line}");
        }
        assert!(suppresses("field:com.acme.**", &full) && !suppresses("field:com.acme.**", &traces));
        assert!(!suppresses("field:com.other.Shop.total", &full) && suppresses("field:com.other.Shop.total", &traces));
    }

    #[test]
    fn what_holds_an_object_of_the_library_is_its_field() {
        let count = finding(&[(false, "AtomicInteger (field Cache.count)", Some("com.acme.Cache.count"))]);
        for line in ["field:com.acme.Cache.count", "field:AtomicInteger (field Cache.count)", "field:com.acme.**"] {
            assert!(suppresses(line, &count), "{line}");
        }
    }

    #[test]
    fn the_first_line_that_matches_does_it_and_comments_are_none() {
        let lines = all("\u{feff}# a comment\n\n  field:other # no\nmethod:**.sell(...)  # one # two\nkind:**\n");
        assert_eq!(lines.first_for(&finding(&[]), "lost update"), Some(1));
        assert_eq!(lines.place_of(1), ("app.supp:4".to_owned(), Some("one # two".to_owned())));
        let uses = lines.uses();
        assert_eq!((uses[2].rule.as_str(), uses[2].line, &uses[2].reason), ("kind:**", 5, &None));
    }

    #[test]
    fn a_block_without_a_method_has_a_kind_and_variables_alone() {
        let nobody = Identity { method: None, ..finding(&[(false, "x", None)]) };
        assert!(!suppresses("method:**", &nobody) && !suppresses("class:**", &nobody));
        assert!(suppresses("kind:**", &nobody) && suppresses("field:x", &nobody));
    }

    #[test]
    fn a_bad_line_is_named_with_what_is_expected() {
        for (line, words) in [
            ("com.acme.Shop", "expected method:, field:, class:, kind: or lock: before 'com.acme.Shop'"),
            ("fild:a.B.c", "unknown word 'fild'"),
            ("field:", "'field:' names nothing; write a pattern behind it, such as field:com.example.Cache.size"),
            ("method:get", "names a class or a method, not both"),
            ("class:a/B", "write dots, a.B"),
            ("lock:a..B", "empty segment"),
        ] {
            let refused = Suppressions::default().add(&format!("# one\n{line}\n"), "app.supp").expect_err("refused");
            let text = refused.to_string();
            assert!(text.starts_with("app.supp:2: ") && text.contains(words), "{text}");
        }
    }
}
