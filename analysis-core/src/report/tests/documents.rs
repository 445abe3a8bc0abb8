//! The formats that browsers, build servers and reviews read: read back, also with hostile names in them.

use roxmltree::{Document as Xml, Node};
use scraper::{ElementRef, Html, Selector};
use serde_json::Value;
use serde_sarif::sarif::Sarif;

use super::kept::{as_of_a_run, saved};
use super::{cases, printed, taking_out};
use crate::report::formats::escape::visible;
use crate::report::model::sources::Sources;
use crate::report::saved::Saved;
use crate::report::{Details, Document, Enclosing, Finding, Report, Status};

const ALL: [Document; 5] = [Document::Html, Document::Sarif, Document::Junit, Document::Markdown, Document::Github];

/// The result of the default engine on a trace, printed by `print`.
fn of_report(name: &str, trace: &str, print: impl Fn(&Report) -> String) -> String {
    printed(name, trace, |summary, symbols, input, spec, most| {
        let details = Details::of_findings(input, summary, taking_out(spec)).expect("read again");
        print(&Report::new(summary, symbols, &details, most))
    })
}

fn document_of(format: Document, name: &str, trace: &str) -> String {
    of_report(name, trace, |report| format.whole(&[format.part(report, &[])]))
}

/// The snapshots of a trace. A page has the same head and script in all of them.
pub(super) fn snapshots_of(name: &str, trace: &str) -> Vec<(&'static str, String)> {
    let ends = [
        ("html", Document::Html),
        ("sarif", Document::Sarif),
        ("xml", Document::Junit),
        ("md", Document::Markdown),
        ("github", Document::Github),
    ];
    let snapshot = |(end, format): (&'static str, Document)| match format {
        Document::Html => (end, of_report(name, trace, |report| format.part(report, &[]))),
        _ => (end, document_of(format, name, trace)),
    };
    ends.map(snapshot).to_vec()
}

fn trace(name: &str) -> String {
    let path = super::snapshots().join(name).with_extension("std");
    std::fs::read_to_string(path).expect("a trace")
}

/// Reads a page as a browser does, and expects no errors.
fn page(text: &str) -> Html {
    let page = Html::parse_document(text);
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    page
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).expect("a selector")).collect()
}

fn text(element: ElementRef) -> String {
    element.text().collect()
}

fn xml(text: &str) -> Xml<'_> {
    Xml::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn elements<'a>(xml: &'a Xml, name: &'static str) -> Vec<Node<'a, 'a>> {
    xml.descendants().filter(|node| node.has_tag_name(name)).collect()
}

/// SARIF, by its own types and as JSON.
fn sarif(text: &str) -> Value {
    serde_json::from_str::<Sarif>(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    serde_json::from_str(text).expect("JSON")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn every_report_can_be_read_back_in_every_format() {
    for path in cases() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let trace = std::fs::read_to_string(&path).expect("a trace");
        let count = of_report(&name, &trace, |report| {
            (report.findings.len() + usize::from(report.cycle.is_some())).to_string()
        });
        let count: usize = count.parse().expect("a number");
        let html = page(&document_of(Document::Html, &name, &trace));
        assert_eq!(all(&html, "details.finding").len(), count, "{name}");
        let log = sarif(&document_of(Document::Sarif, &name, &trace));
        assert_eq!(list(&log["runs"][0]["results"]).len(), count, "{name}");
        let junit = document_of(Document::Junit, &name, &trace);
        let junit = xml(&junit);
        let suite = elements(&junit, "testsuite")[0];
        let counted = |attribute, tag| {
            let count = elements(&junit, tag).len();
            assert_eq!(suite.attribute(attribute), Some(&*count.to_string()), "{name}");
            count
        };
        counted("tests", "testcase");
        counted("errors", "error");
        counted("skipped", "skipped");
        assert_eq!(counted("failures", "failure"), count, "{name}");
        let github = document_of(Document::Github, &name, &trace);
        assert_eq!(github.lines().count(), count + 1, "{github}");
        let markdown = document_of(Document::Markdown, &name, &trace);
        assert_eq!(markdown.matches("<details>").count(), count.min(3), "{markdown}");
    }
}

#[test]
fn a_table_has_a_column_for_each_transaction_and_a_picture_beside_it() {
    let html = page(&document_of(Document::Html, "a.std", &trace("three-threads")));
    let heads: Vec<String> = all(&html, "table.events th").into_iter().map(text).collect();
    assert_eq!(heads, ["event", "T1: Chain.walk", "T2: Chain.hop", "T3: outside blocks"]);
    assert_eq!(all(&html, "table.events tbody tr").len(), 7);
    let third = all(&html, "table.events tbody tr:nth-child(3) td");
    let cells: Vec<String> = third.into_iter().map(text).collect();
    assert_eq!(cells, ["4", "", "r(Chain.a) Chain.java:21", ""]);
    assert_eq!(all(&html, "svg path.arrow").len(), 3);
    assert_eq!(all(&html, "script").len(), 1);
    assert!(all(&html, "link, img, iframe, object, [src], [href], [onclick]").is_empty());
}

#[test]
fn a_flow_for_each_thread_leads_through_files_below_their_packages() {
    let log = sarif(&document_of(Document::Sarif, "a.std", &trace("lost-update")));
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"lost-update".into(), &"error".into()));
    let flows = list(&result["codeFlows"][0]["threadFlows"]);
    let told: Vec<(&str, Vec<(u64, u64)>)> = flows
        .iter()
        .map(|flow| {
            let steps = list(&flow["locations"]).iter().map(|step| {
                let physical = &step["location"]["physicalLocation"];
                assert_eq!(physical["artifactLocation"]["uri"], "bank/Account.java");
                let line = physical["region"]["startLine"].as_u64().expect("a line");
                (step["executionOrder"].as_u64().expect("an order"), line)
            });
            (flow["id"].as_str().expect("a thread"), steps.collect())
        })
        .collect();
    assert_eq!(told, [("teller-1", vec![(1, 20), (2, 21), (4, 22)]), ("teller-2", vec![(3, 22)])]);
    let rules = list(&log["runs"][0]["tool"]["driver"]["rules"]);
    assert!(rules.iter().any(|rule| rule["id"] == "lost-update" && rule["help"]["text"].is_string()));
}

/// The fingerprint of the first result.
fn mark(trace: &str) -> String {
    let log = sarif(&document_of(Document::Sarif, "a.std", trace));
    let marks = &log["runs"][0]["results"][0]["partialFingerprints"];
    marks["regiontrack/v1"].as_str().unwrap_or_else(|| panic!("{log}")).to_owned()
}

#[test]
fn a_mark_lasts_where_lines_move_and_is_another_for_other_methods_and_variables() {
    let trace = trace("lost-update");
    let whole = mark(&trace);
    for (before, after) in [("java:2", "java:9"), ("teller-", "pool-7-thread-"), ("Bank.java", "Main.java")] {
        assert_eq!(mark(&trace.replace(before, after)), whole, "{after}");
    }
    for (before, after) in [("deposit", "withdraw"), ("balance", "total")] {
        assert_ne!(mark(&trace.replace(before, after)), whole, "{after}");
    }
    let calls = self::trace("library-calls");
    let renumbered = calls.replace("@16", "@616").replace("blue", "red").replace("@23", "@99");
    assert_eq!(mark(&calls), mark(&renumbered));
    // Another kind with the same identity: it reads twice.
    let other = trace.replace("teller-1|w(bank.Account.balance)", "teller-1|r(bank.Account.balance)");
    assert_eq!(mark(&other), whole);
}

#[test]
fn an_incomplete_run_passes_nowhere() {
    for (name, count) in [("incomplete", 0), ("incomplete-and-violated", 1)] {
        let trace = trace(name);
        let log = sarif(&document_of(Document::Sarif, "a.std", &trace));
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
        let junit = document_of(Document::Junit, "a.std", &trace);
        let junit = xml(&junit);
        assert_eq!((elements(&junit, "error").len(), elements(&junit, "testcase").len()), (1, 1 + count));
        let github = document_of(Document::Github, "a.std", &trace);
        assert!(github.lines().any(|line| line.starts_with("::error title=RegionTrack::")), "{github}");
        assert!(document_of(Document::Markdown, "a.std", &trace).starts_with("### a.std: "));
    }
    let log = sarif(&document_of(Document::Sarif, "a.std", &trace("serializable")));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn what_a_baseline_knows_fails_nothing_and_is_told_as_known() {
    let told = |format: Document, status: Option<Status>| {
        let print = |report: &Report| {
            let mut report = report.clone();
            report.findings.iter_mut().for_each(|finding| finding.status = status);
            format.whole(&[format.part(&report, &[])])
        };
        of_report("a.std", &trace("lost-update"), print)
    };
    for (status, level, state) in [
        (None, "error", None),
        (Some(Status::New), "error", Some("new")),
        (Some(Status::Known), "note", Some("unchanged")),
    ] {
        let is_known = status == Some(Status::Known);
        let log = sarif(&told(Document::Sarif, status));
        let result = &log["runs"][0]["results"][0];
        assert_eq!((result["level"].as_str(), result["baselineState"].as_str()), (Some(level), state));
        let junit = told(Document::Junit, status);
        let junit = xml(&junit);
        let count = |tag| elements(&junit, tag).len();
        assert_eq!((count("failure"), count("skipped")), if is_known { (0, 1) } else { (1, 0) });
        let github = told(Document::Github, status);
        assert_eq!(github.starts_with("::warning "), !is_known, "{github}");
        let html = page(&told(Document::Html, status));
        let finding = all(&html, "details.finding")[0];
        assert_eq!(finding.attr("data-status"), status.map(Status::name));
        let markdown = told(Document::Markdown, status);
        assert_eq!(markdown.contains("lost update, known |"), is_known, "{markdown}");
    }
}

#[test]
fn what_was_saved_as_json_makes_the_same_documents() {
    for name in ["lost-update", "three-threads", "blames-nobody", "serializable"] {
        let (json, _) = saved(&trace(name)).expect("a report");
        let read = Saved::parse("it", &json).expect("what it writes");
        for format in ALL {
            let before =
                of_report("regiontrack", &trace(name), |report| format.part(&as_of_a_run(report.clone()), &[]));
            assert_eq!(format.part(&read.report(), &[]), before, "{name} {format:?}");
        }
    }
}

#[test]
fn several_reports_make_one_document() {
    let both = |format: Document| {
        let part = |name: &str| of_report(name, &trace(name), |report| format.part(report, &[]));
        let missing = format.missing("c.std", "it cannot be read");
        format.whole(&[part("lost-update"), part("serializable"), missing])
    };
    assert_eq!(all(&page(&both(Document::Html)), "section.report").len(), 3);
    assert_eq!(list(&sarif(&both(Document::Sarif))["runs"]).len(), 3);
    let junit = both(Document::Junit);
    assert_eq!(elements(&xml(&junit), "testsuite").len(), 3);
    assert_eq!(both(Document::Github).lines().count(), 4);
    assert_eq!(both(Document::Markdown).lines().filter(|line| line.starts_with("### ")).count(), 3);
    for format in ALL {
        assert!(both(format).contains("c.std"), "{format:?}");
    }
}

#[test]
fn a_document_is_valid_as_long_as_there_is_no_report() {
    let running = |format: Document| format.running(17, "2026-01-02T03:04:05Z");
    page(&running(Document::Html));
    assert_eq!(sarif(&running(Document::Sarif))["runs"][0]["invocations"][0]["executionSuccessful"], false);
    let junit = running(Document::Junit);
    assert_eq!(elements(&xml(&junit), "error").len(), 1);
    assert!(running(Document::Github).starts_with("::error title=RegionTrack::regiontrack: still running (process 17"));
    for format in ALL {
        assert!(running(format).contains("process 17, started 2026"), "{format:?}");
    }
}

#[test]
fn what_is_predicted_is_in_every_document() {
    for format in ALL {
        let predicted = ["a b c: 1 violation predicted\n  <more>".to_owned()];
        let document =
            of_report("a.std", &trace("serializable"), |report| format.whole(&[format.part(report, &predicted)]));
        assert!(document.contains("1 violation predicted") && document.contains("more"), "{document}");
    }
}

/// Names that mean something to one format or another.
fn hostile() -> Vec<String> {
    let short = [
        "<script>alert(1)</script>",
        "\"'><img src=x onerror=alert(1)>",
        "a\u{0}\u{1b}[31m\r\n::error::x\u{85}\u{2028}",
        "]]>&amp;--><!--",
        "\u{202e}evil\u{feff}\u{fffe}\u{ffff}\u{1fffe}",
        "`````|*_[x](http://y)@all #1 ~~",
        "%0A::warning file=a,line=1::,:",
        "</style></script></svg></code></details>",
        "\\\\|\\`",
        "{0}${{ secrets.X }}$(x)",
        " ",
    ];
    let long = ["m".repeat(10_000), format!("{}.Range.set", ["com"; 2_500].join(".")), "<&\"\u{7}".repeat(2_500)];
    short.into_iter().map(str::to_owned).chain(long).collect()
}

/// A finding in which everything has this name.
fn renamed(finding: &Finding, to: &str) -> Finding {
    let mut finding = finding.clone();
    let name = || to.to_owned();
    finding.method = Some(name());
    finding.stack = vec![name()];
    finding.enclosing = vec![Enclosing { method: Some(name()), count: 1 }];
    let witness = &mut finding.witness;
    for column in &mut witness.columns {
        (column.thread, column.block) = (name(), name());
    }
    for row in &mut witness.rows {
        (row.operation, row.location, row.method) = (name(), name(), Some(name()));
    }
    let edges = witness.edges.iter_mut().flat_map(|edge| [&mut edge.from, &mut edge.to]);
    for end in edges.chain(&mut witness.begin) {
        (end.thread, end.method, end.location, end.access) = (name(), Some(name()), format!("{to}.java:7"), name());
        end.locks = Some(vec![name()]);
    }
    finding
}

/// The documents in which everything has the name `name`, one for each format.
fn documents_called(name: &str) -> [String; 5] {
    ALL.map(|format| {
        of_report("a.std", &trace("lost-update"), |report| {
            let mut report = report.clone();
            let findings = report.findings.iter().map(|finding| renamed(finding, name)).collect::<Vec<_>>();
            report.waits_inside.clone_from(&findings);
            report.callers.clone_from(&findings);
            report.findings = findings;
            report.head.subject = name;
            for said in [&mut report.head.warnings, &mut report.head.hints, &mut report.head.notes] {
                *said = vec![name.to_owned()];
            }
            format.whole(&[format.part(&report, &[name.to_owned()])])
        })
    })
}

/// The names of the elements of a page, except for the places where a name may be broken.
fn shape(page: &Html) -> Vec<String> {
    all(page, ":not(wbr)").iter().map(|element| element.value().name().to_owned()).collect()
}

#[test]
fn hostile_names_are_text_in_every_format() {
    let [plain, ..] = documents_called("name");
    // Text that does not fit into the picture has a tooltip of its own.
    let without_titles =
        |page: &Html| -> Vec<String> { shape(page).into_iter().filter(|name| name != "title").collect() };
    let plain = without_titles(&page(&plain));
    for name in hostile() {
        let [html, log, junit, markdown, github] = documents_called(&name);
        let written = visible(&name);
        let html = page(&html);
        assert_eq!(without_titles(&html), plain, "{name:?}");
        assert_eq!(text(all(&html, "p.whole code")[0]), written, "{name:?}");

        let log = sarif(&log);
        let method = &log["runs"][0]["results"][0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
        assert_eq!(method, &written, "{name:?}");

        let junit = xml(&junit);
        let suite = elements(&junit, "testsuite")[0];
        assert_eq!(suite.attribute("name"), Some(&*written), "{name:?}");
        assert_eq!(elements(&junit, "failure").len(), 1, "{name:?}");

        assert_eq!(github.lines().count(), 3, "{github}");
        let is_command = |line: &str| line.starts_with("::warning file=") || line.starts_with("::notice title=");
        assert!(github.lines().all(is_command), "{github}");
        let properties = github.lines().next().and_then(|line| line.split("::").nth(1)).expect("properties");
        assert_eq!(properties.matches(',').count(), 2, "{properties}");

        is_inert(&markdown);
        for document in [&github, &markdown] {
            assert!(document.chars().all(|char| char == '\n' || !char.is_control()), "{document:?}");
        }
    }
}

/// Outside of preformatted text there is no markup but our own.
fn is_inert(markdown: &str) {
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        match fence {
            Some(open) => {
                if line == open {
                    fence = None;
                }
            }
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("text")),
            None => {
                let own = ["<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>"];
                let rest = own.iter().fold(line.to_owned(), |line, tag| line.replace(tag, ""));
                assert!(!rest.contains(['<', '>', '@', '`', '[', '*', '$', '\\']), "{line}");
                let bars = rest.matches('|').count();
                assert!(bars == 0 || bars == 7, "{line}");
            }
        }
    }
    assert_eq!(fence, None, "{markdown}");
}

#[test]
fn a_thousand_findings_are_closed_and_each_is_there_once() {
    let html = of_report("a.std", &trace("lost-update"), |report| {
        let mut report = report.clone();
        let first = report.findings[0].clone();
        let called = |number: usize| Finding { method: Some(format!("bank.Account.m{number}()")), ..first.clone() };
        report.findings = (0..1000).map(called).collect();
        Document::Html.whole(&[Document::Html.part(&report, &[])])
    });
    assert!(html.len() < 12_000_000, "{}", html.len());
    let html = page(&html);
    assert_eq!((all(&html, "details.finding").len(), all(&html, "details[open]").len()), (1000, 0));
    assert_eq!(all(&html, "body > main > form[hidden]").len(), 1);
}

#[test]
fn the_causes_of_a_method_are_together_behind_its_first_one() {
    let html = of_report("a.std", &trace("lost-update"), |report| {
        let mut report = report.clone();
        let first = report.findings[0].clone();
        let called = |name: &str| Finding { method: Some(format!("bank.Account.{name}()")), ..first.clone() };
        report.findings = ["a", "b", "a", "c", "a"].map(called).to_vec();
        Document::Html.whole(&[Document::Html.part(&report, &[])])
    });
    let html = page(&html);
    let numbers = |selector: &str| all(&html, selector).into_iter().map(text).collect::<Vec<_>>();
    assert_eq!(numbers("details.finding .number"), ["1", "3", "5", "2", "4"]);
    assert_eq!(numbers("details.causes .number"), ["3", "5"]);
    assert_eq!(numbers("details.causes > summary"), ["2 more causes of bank.Account.a"]);
    assert_eq!(numbers("details.finding .about")[0], "Account.balance");
}

#[test]
fn an_event_has_its_line_where_the_source_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("bank")).expect("a folder");
    let text = "package bank;\n".to_owned() + &"\n".repeat(19) + "    balance = <balance> + 1;\n";
    std::fs::write(folder.path().join("bank/Account.java"), text).expect("a file");
    let lines = |folders: Vec<std::path::PathBuf>| {
        let html = of_report("a.std", &trace("lost-update"), |report| {
            let mut report = report.clone();
            report.head.sources = Sources::In(folders.clone());
            Document::Html.whole(&[Document::Html.part(&report, &[])])
        });
        all(&page(&html), "td.did code.source").into_iter().map(self::text).collect::<Vec<_>>()
    };
    assert_eq!(lines(vec![folder.path().to_owned()]), ["balance = <balance> + 1;"]);
    assert!(lines(Vec::new()).is_empty());
}
