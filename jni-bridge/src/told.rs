//! The findings that a scope gets when it ends, in the form of the report. Only findings that set `exitcode=` count; a test can expect
//! the others, too.

use std::fmt::Write;

use analysis_core::report::{Application, Finding, Instances, Sieve, Source, text};
use analysis_core::trace::Position;

use crate::feed::Feed;
use crate::report::finding;
use crate::tally::{self, CauseId};

/// The findings of a scope that has ended.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Why there may be more findings; empty if these are all.
    incomplete: String,
    findings: Vec<One>,
}

/// A finding of a scope.
#[derive(Debug)]
struct One {
    cause: CauseId,
    /// False if it is suppressed or known.
    counts: bool,
    finding: Finding,
}

/// What the findings of a scope depend on.
pub(crate) struct Asked {
    pub(crate) scope: u32,
    pub(crate) sieve: Sieve,
    pub(crate) application: Application,
}

/// The width of tables in messages.
const WIDTH: usize = 120;
/// Separators between findings, and between the parts of one. `dev.regiontrack.runtime.api.Scopes` splits the text.
const FINDINGS: char = '\u{1e}';
const PARTS: char = '\u{1f}';
/// The part of a finding that counts.
const COUNTS: &str = "counts";

impl Told {
    /// No findings are known, for this reason.
    pub(crate) fn nothing(reason: &str) -> Told {
        Told { incomplete: reason.to_owned(), findings: Vec::new() }
    }

    /// Ends the scope and returns its findings. `instances` says how often each method ran.
    pub(crate) fn of(asked: &Asked, feed: &mut Feed, instances: Instances) -> Told {
        let tally = feed.end_scope(asked.scope);
        let groups = tally::told(&tally.violations, &feed.causes).findings;
        let found = groups.iter().map(|(label, group)| {
            let finding = finding(feed, *label, group, &instances, &asked.application);
            One { cause: group.cause, counts: asked.sieve.counts(&finding), finding }
        });
        let mut findings: Vec<One> = found.collect();
        findings.sort_by(|one, other| one.finding.compare(&other.finding));
        Told { incomplete: String::new(), findings }
    }

    /// The same findings; there may be more, for this reason.
    pub(crate) fn incomplete(self, reason: &str) -> Told {
        Told { incomplete: reason.to_owned(), ..self }
    }

    /// Returns the findings as text: why they are incomplete; for each finding the number of its cause, whether it counts, its method, its
    /// kind, its text in a report without the stack, and the name and the stack of the violated block's thread; and for each other thread
    /// that took part its name and its places.
    pub(crate) fn text(&self) -> String {
        let mut out = part(&self.incomplete);
        for One { cause, counts, finding } in &self.findings {
            let (cause, counts) = (cause.number().to_string(), if *counts { COUNTS } else { "" });
            let thread = finding.witness.begin.as_ref().map_or("", |begin| &begin.thread);
            let (own, others): (Vec<_>, Vec<_>) = sides(finding).into_iter().partition(|(side, _)| *side == thread);
            // Where the run is recorded, the stack is not known, but the places are.
            let places = own.into_iter().next().map_or_else(Vec::new, |(_, places)| places);
            let stack = if finding.stack.is_empty() { places } else { finding.stack.clone() };
            let method = finding.method.as_deref().unwrap_or_default();
            let told = text::finding(&Finding { stack: Vec::new(), ..finding.clone() }, Source::Run, WIDTH);
            let head = [&cause, counts, method, finding.kind.name(), &told, thread, &stack.join("\n")].map(part);
            let _ = write!(out, "{FINDINGS}{}", head.join(&PARTS.to_string()));
            for (other, places) in others {
                let _ = write!(out, "{PARTS}{}{PARTS}{}", part(other), part(&places.join("\n")));
            }
        }
        out
    }
}

/// Removes the separators, because names of the program can contain any character.
fn part(text: &str) -> String {
    text.replace([FINDINGS, PARTS], " ")
}

/// The threads of a witness, and the places of their events, the last one first.
fn sides(finding: &Finding) -> Vec<(&str, Vec<String>)> {
    let mut sides: Vec<(&str, Vec<String>)> = Vec::new();
    for end in finding.witness.edges.iter().flat_map(|edge| [&edge.from, &edge.to]) {
        let method = end.method.as_deref().unwrap_or_default();
        let name = method.split('(').next().unwrap_or_default();
        // In the format of stack frames.
        let at = Position::split_index(&end.location).map(|(_, index)| format!("bytecode {index}"));
        let place = format!("{name}({})", at.unwrap_or_else(|| end.location.clone()));
        let at = sides.iter().position(|(thread, _)| *thread == end.thread).unwrap_or_else(|| {
            sides.push((&end.thread, Vec::new()));
            sides.len() - 1
        });
        if !name.is_empty() && !sides[at].1.contains(&place) {
            sides[at].1.insert(0, place);
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_the_program_ends_a_part() {
        assert_eq!(Told::nothing("a\u{1e}b\u{1f}c").text(), "a b c");
    }
}
