//! Tests of specifications. Method names are those of the DaCapo and Java Grande programs where suitable.

mod decisions;
mod lists;
mod matching;
mod messages;
mod methods;

use super::{Method, Pattern, Specification};

fn spec(text: &str) -> Specification {
    Specification::parse(text, "spec.txt").unwrap_or_else(|errors| panic!("{errors}"))
}

fn method(text: &str) -> Method {
    Method::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn pattern(text: &str) -> Pattern {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn matches(pattern_text: &str, method_text: &str) -> bool {
    pattern(pattern_text).matches(method(method_text).signature())
}
