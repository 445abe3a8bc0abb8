//! The findings of a run as a table for manual inspection: method, kind, how often, the events that show it.

use comfy_table::{Table, presets};

use super::report::{Call, End, Finding, Report};

/// The heading of the table.
const HEADING: [&str; 5] = ["#", "method", "kind", "how often", "events"];

/// What its columns mean.
pub(super) const LEGEND: &str = "method: with how many callers that were violated by the same events; \
                                 events: → to another thread, ⋯ later in the same one";

/// Returns a table of all findings, numbered, and after those the methods that wait inside. Methods around a finding
/// that the same events violate share its line. `None` if there are none.
pub(super) fn table(report: &Report) -> Option<Table> {
    let findings = report.violations.iter().filter(|finding| !finding.caller).map(|finding| Line {
        finding,
        callers: finding.enclosing.len(),
        kind: finding.kind.clone(),
    });
    let mut lines: Vec<Line> = findings.collect();
    let mut waiting: Vec<Line> = Vec::new();
    for finding in &report.waits_inside {
        match waiting.iter_mut().find(|line| line.finding.edges == finding.edges) {
            Some(line) => line.callers += 1,
            None => waiting.push(Line { finding, callers: 0, kind: format!("waits inside: {}", finding.kind) }),
        }
    }
    lines.extend(waiting);
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(HEADING);
    for (number, line) in (1..).zip(&lines) {
        table.add_row(line.cells(number));
    }
    (!lines.is_empty()).then_some(table)
}

/// A line of the table.
struct Line<'r> {
    finding: &'r Finding,
    callers: usize,
    kind: String,
}

impl Line<'_> {
    fn cells(&self, number: usize) -> [String; 5] {
        let Finding { method, count, instances, edges, .. } = self.finding;
        let callers = if self.callers > 0 { format!(" (+{})", self.callers) } else { String::new() };
        let mut events = String::new();
        let mut last: Option<&End> = None;
        for edge in edges {
            if last != Some(&edge.from) {
                let later = if last.is_some() { " ⋯ " } else { "" };
                events += &format!("{later}{}", told(&edge.from));
            }
            events += &format!(" → {}", told(&edge.to));
            last = Some(&edge.to);
        }
        let method = format!("{}{callers}", short(method.split('(').next().unwrap_or_default()));
        [number.to_string(), method, self.kind.clone(), format!("{count} of {instances}"), events]
    }
}

/// Returns the text of an event: its place and its access.
fn told(end: &End) -> String {
    let place = if end.location.is_empty() { String::new() } else { format!("{} ", end.location) };
    let access = match (end.access.split_once(' '), &end.call) {
        (Some((verb, _)), Some(Call { class, method })) => format!("{verb} {class}.{method}()"),
        // Other verbs have a thread's name after them, or are whole phrases.
        (Some((verb @ ("read" | "write" | "acquire" | "release"), what)), None) => format!("{verb} {}", short(what)),
        _ => end.access.clone(),
    };
    place + &access
}

/// Returns a method or field without its package and parameters.
fn short(name: &str) -> &str {
    let end = name.find('(').unwrap_or(name.len());
    let is_path = !name[..end].contains(' ');
    let dots = name[..end].rmatch_indices('.').nth(1).filter(|_| is_path);
    let start = dots.map_or(0, |(at, _)| at + 1);
    if name[end..].starts_with("()") { &name[start..] } else { &name[start..end] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_without_packages_and_parameters() {
        assert_eq!(short("a.b.Box.value"), "Box.value");
        assert_eq!(short("a.b.Box.set(int,java.lang.String)"), "Box.set");
        assert_eq!(short("a.b.Map.get()"), "Map.get()");
        assert_eq!(short("run"), "run");
        assert_eq!(short("task given to an executor."), "task given to an executor.");
    }

    #[test]
    fn calls_of_the_library_are_told_by_class_and_method() {
        let text = r#"{"location":"A.java:1","access":"read of key \"k\" of HashMap (field A.map) by get",
            "call":{"class":"HashMap","method":"get","field":"p.A.map","part":"key \"k\""}}"#;
        let end: End = serde_json::from_str(text).expect("an end");
        assert_eq!(told(&end), "A.java:1 read HashMap.get()");
    }

    #[test]
    fn a_line_has_the_events_in_their_order_and_the_callers_that_they_violate_too() {
        let end = |location: &str, access: &str| format!(r#"{{"location":"{location}","access":"{access}"}}"#);
        let edge = |from: &str, to: &str| format!(r#"{{"from":{from},"to":{to}}}"#);
        let (read, write) = (end("A.java:1", "read a.b.C.f"), end("B.java:2", "write a.b.C.f"));
        let straight = [edge(&read, &write), edge(&write, &read)].join(",");
        let apart = [edge(&read, &write), edge(&end("", "end of the thread"), &end("T.java", "join t"))].join(",");
        let finding = |method: &str, edges: &str, rest: &str| {
            format!(r#"{{"method":"{method}","kind":"k","count":1,"instances":9,"edges":[{edges}]{rest}}}"#)
        };
        let inner = finding("p.C.inner()", &straight, r#","enclosing":[{"method":"p.C.outer()","count":1}]"#);
        let outer = finding("p.C.outer()", &straight, r#","caller":true"#);
        let (waits, around) = (finding("p.C.waits()", &apart, ""), finding("p.C.around()", &apart, ""));
        let text = format!(
            r#"{{"verdict":"v","violations":[{inner},{outer}],"waits_inside":[{waits},{around}],"warnings":[],
            "stats":{{"blocks":1,"threads":2,"classes":{{"instrumented":1,"skipped":0,"failed":0}},"events":{{"lost":0}}}}}}"#
        );
        let report: Report = serde_json::from_str(&text).expect("a report");
        let shown = table(&report).expect("findings").to_string();
        let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let lines: Vec<_> = shown.lines().skip(2).map(cells).collect();
        let first = "A.java:1 read C.f → B.java:2 write C.f → A.java:1 read C.f";
        assert_eq!(lines[0], ["", "1", "C.inner (+1)", "k", "1 of 9", first, ""]);
        let second = "A.java:1 read C.f → B.java:2 write C.f ⋯ end of the thread → T.java join t";
        assert_eq!(lines[1], ["", "2", "C.waits (+1)", "waits inside: k", "1 of 9", second, ""]);
        assert_eq!(lines.len(), 2);
    }
}
