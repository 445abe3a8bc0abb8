//! JUnit's XML, which every build server reads: a failed test for each finding, or a passed one if nothing was found.

use std::fmt::Write;

use super::escape::{visible, visible_lines, xml};
use super::item::{Item, Weight, items};
use super::place::class_of;
use super::text;
use crate::report::model::report::{Head, Report};
use crate::report::model::summary::Loss;

/// The width of tables.
const WIDTH: usize = 120;
/// The class of tests about the whole report.
const WHOLE: &str = "regiontrack";

/// The suite of one report.
pub(super) fn part(report: &Report, predicted: &[String]) -> String {
    let head = &report.head;
    let mut suite = Suite::default();
    items(report).iter().for_each(|item| suite.item(item));
    match head.answer.loss {
        Loss::Hides | Loss::Misleads => suite.error("the run was observed in full", &all_lines(head)),
        Loss::Blocks if suite.tests == 0 => suite.skipped(WHOLE, NOTHING_FOUND, "there was no block to judge", ""),
        Loss::Nothing | Loss::Unwatched if suite.tests == 0 => suite.passed(NOTHING_FOUND),
        Loss::Nothing | Loss::Unwatched | Loss::Blocks => {}
    }
    suite.whole(head.subject, &[&[all_lines(head)][..], predicted].concat().join("\n"))
}

/// The name of the test that passes.
const NOTHING_FOUND: &str = "no block was violated";

/// The file with these suites.
pub(super) fn whole(parts: &[String]) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{}</testsuites>\n", parts.concat())
}

/// The suite for a missing report.
pub(super) fn missing(subject: &str, why: &str) -> String {
    let mut suite = Suite::default();
    suite.error("there is a report", why);
    suite.whole(subject, "")
}

/// The headline, and other remarks about the whole.
fn all_lines(head: &Head) -> String {
    let lines = [text::headlines(head), text::warned(head)].concat();
    lines.iter().map(|line| visible(line)).collect::<Vec<_>>().join("\n")
}

#[derive(Default)]
struct Suite {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
    cases: String,
}

impl Suite {
    fn item(&mut self, item: &Item) {
        let class = item.method().and_then(class_of);
        // The method with its arguments, which can have dots of their own.
        let name = item.method().map(|method| {
            let end = method.find('(').unwrap_or(method.len());
            let start = method[..end].rfind('.').map_or(0, |at| at + 1);
            &method[start..]
        });
        let (class, name) = (class.as_deref().unwrap_or(WHOLE), name.unwrap_or(item.name()));
        let body = item.text(WIDTH);
        let message = format!("{}: {}", item.kind(), item.meaning());
        match item.weight() {
            Weight::Error | Weight::Warning => {
                self.failures += 1;
                self.case(class, name, Some(("failure", item.kind(), &message, &body)));
            }
            Weight::Note => self.skipped(class, name, &message, &body),
        }
    }

    fn passed(&mut self, name: &str) {
        self.case(WHOLE, name, None);
    }

    fn error(&mut self, name: &str, says: &str) {
        self.errors += 1;
        self.case(WHOLE, name, Some(("error", "incomplete", says.lines().next().unwrap_or_default(), says)));
    }

    fn skipped(&mut self, class: &str, name: &str, message: &str, body: &str) {
        self.skipped += 1;
        self.case(class, name, Some(("skipped", "", message, body)));
    }

    /// Adds a test with the element of its result: name, type, message, text.
    fn case(&mut self, class: &str, name: &str, result: Option<(&str, &str, &str, &str)>) {
        self.tests += 1;
        let [class, name] = [class, name].map(attribute);
        self.put(&format!("  <testcase classname=\"{class}\" name=\"{name}\""));
        match result {
            None => self.put("/>\n"),
            Some((element, kind, message, body)) => {
                let kind = if kind.is_empty() { String::new() } else { format!(" type=\"{}\"", attribute(kind)) };
                let (message, body) = (attribute(message), xml(&visible_lines(body)));
                self.put(&format!(">\n    <{element}{kind} message=\"{message}\">{body}</{element}>\n  </testcase>\n"));
            }
        }
    }

    fn put(&mut self, text: &str) {
        self.cases.push_str(text);
    }

    fn whole(&self, name: &str, says: &str) -> String {
        let Suite { tests, failures, errors, skipped, cases } = self;
        let mut out = String::new();
        let name = attribute(name);
        writeln!(
            out,
            "<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">"
        )
        .expect("a string takes all that is written");
        out.push_str(cases);
        if !says.is_empty() {
            out.push_str(&format!("  <system-out>{}</system-out>\n", xml(&visible_lines(says))));
        }
        out + "</testsuite>\n"
    }
}

fn attribute(text: &str) -> String {
    xml(&visible(text))
}
