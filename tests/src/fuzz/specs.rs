//! Any text as a specification, a list of exclusions, a pattern, a method.

use analysis_core::spec::{ClassPattern, Method, Pattern, Specification, list};

/// An accepted specification is printed so that it means the same; every error for a rejected one names a line.
pub fn specification(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Specification::parse(text, "spec") {
        Ok(spec) => accepted(&spec, text),
        Err(errors) => {
            assert!(!errors.lines().is_empty());
            let lines = text.lines().count();
            assert!(errors.lines().iter().all(|error| (1..=lines).contains(&error.line)), "{errors}");
            assert_eq!(errors.to_string().lines().count(), errors.lines().len(), "{errors}");
        }
    }
    match list::import(text, "list") {
        None => {}
        Some(Err(errors)) => assert_eq!(Specification::parse(text, "list").err(), Some(errors)),
        Some(Ok(imported)) => {
            let read = Specification::parse(text, "list").expect("a list that can be imported can be read");
            let again = Specification::parse(&imported.text, "imported");
            let again = again.unwrap_or_else(|errors| panic!("{errors}\n{}", imported.text));
            assert_eq!(rules(&again), rules(&read), "{}", imported.text);
        }
    }
}

fn accepted(spec: &Specification, text: &str) {
    let printed = rules(spec);
    let again = Specification::parse(&printed.join("\n"), "printed");
    let again = again.unwrap_or_else(|errors| panic!("{errors}\n{printed:?}"));
    assert_eq!(rules(&again), printed);
    for warning in spec.warnings() {
        assert_eq!(warning.to_string().lines().count(), 1, "{warning}");
    }
    // The names in the text are those that its rules may match.
    for label in text.lines().map(|line| line.trim_start_matches(['+', '-', ' '])).chain(["a.B.c", "a.B.c(int)"]) {
        assert_eq!(spec.keeps_block(Some(label)), again.keeps_block(Some(label)), "{label}");
        let Ok(method) = Method::parse(label) else { continue };
        let last = spec.rules().iter().rev().find(|rule| rule.selector().matches(&method));
        assert_eq!(spec.decide(&method).rule.map(|rule| rule.line()), last.map(|rule| rule.line()), "{label}");
    }
    assert_eq!(spec.keeps_block(None), again.keeps_block(None));
}

/// The rules as [`analysis_core::spec::Rule`] prints them.
fn rules(spec: &Specification) -> Vec<String> {
    spec.rules().iter().map(ToString::to_string).collect()
}

/// Methods and patterns, one per line: an accepted one reads back equal, and a method is matched by its own name.
pub fn methods(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let patterns: Vec<Pattern> = text.lines().filter_map(pattern).collect();
    for line in text.lines() {
        if let Ok(class) = line.parse::<ClassPattern>() {
            let again = class.to_string().parse::<ClassPattern>().expect("a printed class pattern is one");
            assert_eq!(again.to_string(), class.to_string());
            assert_eq!(again.matches(line), class.matches(line), "{line}");
        }
        let method = match Method::parse(line) {
            Ok(method) => method,
            Err(error) => {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
                continue;
            }
        };
        // A class file may give a class a name that no source can, such as `my class` or `a,b`.
        if !line.contains(';') {
            let again = Method::parse(&method.to_string()).unwrap_or_else(|error| panic!("{error}, printed of {line}"));
            assert_eq!(again, method, "{line}");
        }
        assert!(Pattern::naming(method.signature()).matches(method.signature()), "{line}");
        for pattern in &patterns {
            let again = pattern.to_string().parse::<Pattern>().expect("a printed pattern is one");
            assert_eq!(again.matches(method.signature()), pattern.matches(method.signature()), "{pattern} {line}");
        }
    }
}

fn pattern(text: &str) -> Option<Pattern> {
    let pattern = text.parse::<Pattern>().ok()?;
    let printed = pattern.to_string();
    let again = printed.parse::<Pattern>().unwrap_or_else(|error| panic!("{printed}, printed of {text}: {error}"));
    assert_eq!(again.to_string(), printed, "{text}");
    Some(pattern)
}
