//! One page for a browser: all findings, initially closed, with their events as a table and as a picture.
//!
//! The page needs nothing else: no network, no fonts, no script, although a small one can filter the findings. All parts
//! of names are text: the templates escape them, and the page's own policy forbids everything that is not in it.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::escape::{visible, visible_lines};
use super::excerpts::Excerpts;
use super::item::{Item, What, items};
use super::lanes::{Lane, Lanes, Line};
use super::names::cut;
use super::place::Place;
use super::sifted;
use super::svg;
use super::table::fit;
use super::text;
use super::watched;
use crate::report::judgement::explanation::{Explained, Explanation};
use crate::report::model::finding::Finding;
use crate::report::model::report::{Head, Report, Source};
use crate::report::model::sifted::Status;
use crate::report::model::summary::Verdict;
use crate::report::model::witness::{Row, Witness};
use crate::report::model::words::{name, noun, package, place_of};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// Nothing is loaded from anywhere.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The width of a method in the list, and of a thread above its column.
const WIDEST_METHOD: usize = 72;
const WIDEST_THREAD: usize = 40;
/// Findings are initially open if there are at most this many.
const FEW: usize = 2;
/// The width of the preformatted texts.
const WIDTH: usize = 120;

/// The section of one report.
pub(super) fn part(report: &Report, predicted: &[String]) -> String {
    let head = &report.head;
    let items = items(report);
    let excerpts = Excerpts::of(&head.sources);
    let is_few = items.len() <= FEW;
    let section = html! {
        section.report {
            (summary(head))
            @if !items.is_empty() {
                h3 { (items.len()) " " (noun(items.len(), "finding")) }
            }
            @for items in by_method(&items) { (method(&items, is_few, &excerpts)) }
            (others("violated only around the findings above, by the same events", &report.callers))
            (others(&format!("waits inside: violated too, {}", text::UNCOUNTED), &report.waits_inside))
            @if head.watched.is_some() { (folded("how many instances of each method were watched", &watched_text(head))) }
            @for predicted in predicted {
                (folded(predicted.lines().next().unwrap_or_default(), predicted))
            }
        }
    };
    section.into_string() + "\n"
}

/// The page with these sections.
pub(super) fn whole(parts: &[String]) -> String {
    page(html! {
        form.filter hidden {
            label { "Package " select data-key="package" { option value="" { "all" } } }
            label { "Kind " select data-key="kind" { option value="" { "all" } } }
            label { "Status " select data-key="status" { option value="" { "all" } } }
            button type="button" { "Open all" }
            output aria-live="polite" {}
        }
        (PreEscaped(parts.concat()))
        script { (PreEscaped(SCRIPT)) }
    })
}

/// The section for a missing report.
pub(super) fn missing(subject: &str, why: &str) -> String {
    let section = html! { section.report { h2.verdict.unsure { (visible(subject)) ": " (visible(why)) } } };
    section.into_string() + "\n"
}

fn page(main: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "RegionTrack report" }
                style { (PreEscaped(STYLE)) (PreEscaped(svg::STYLE)) }
            }
            body {
                header { h1 { "RegionTrack" } }
                main { (main) }
            }
        }
    };
    page.into_string() + "\n"
}

/// The verdict, what was watched, counts, warnings, hints.
fn summary(head: &Head) -> Markup {
    let said = text::headlines(head);
    let (verdict, facts) = said.split_first().expect("there is a verdict");
    let hints = head.hints.iter().map(|hint| format!("hint: {hint}"));
    let notes = head.saved.iter().map(|saved| saved.to_string()).chain(head.notes.iter().cloned());
    let lines: Vec<String> =
        text::warned(head).into_iter().chain(hints).chain(notes).chain(sifted::lines_told(head)).collect();
    let class = match head.answer.verdict() {
        Verdict::Serializable => "good",
        Verdict::NonSerializable => "bad",
        Verdict::Incomplete | Verdict::Undecided => "unsure",
    };
    html! {
        h2 class={ "verdict " (class) } { (visible(verdict)) }
        @for fact in facts { p.fact { (visible(fact)) } }
        @if !lines.is_empty() {
            ul.remarks { @for line in &lines { li { (visible(line)) } } }
        }
    }
}

/// The items grouped by method, in the order of the first items.
fn by_method<'a>(items: &[Item<'a>]) -> Vec<Vec<Item<'a>>> {
    let mut methods: Vec<Vec<Item>> = Vec::new();
    for item in items {
        match methods.iter_mut().find(|known| known[0].method() == item.method()) {
            Some(known) => known.push(*item),
            None => methods.push(vec![*item]),
        }
    }
    methods
}

/// The first item of a method, and the others folded behind one line.
fn method(items: &[Item], is_few: bool, excerpts: &Excerpts) -> Markup {
    let (first, others) = items.split_first().expect("a method has one");
    html! {
        (finding(first, is_few, excerpts))
        @if !others.is_empty() {
            details.causes open[is_few] {
                summary { (others.len()) " more " (noun(others.len(), "cause")) " of " code { (bare_name(first)) } }
                @for item in others { (finding(item, is_few, excerpts)) }
            }
        }
    }
}

fn finding(item: &Item, is_open: bool, excerpts: &Excerpts) -> Markup {
    let witness = item.witness();
    let full = visible(item.name());
    let place = short_place(item);
    let package = item.method().map_or("", package);
    html! {
        @let status = item.status().map(Status::name);
        details.finding data-package=(visible(package)) data-kind=(item.kind()) data-status=[status] open[is_open] {
            summary {
                span.number { (item.number) } " "
                span.kind { (item.kind()) @if let Some(status) = status { ", " (status) } } " "
                code.name title=(full) { (breakable(&bare_name(item))) } " "
                @if let What::Finding(finding) = item.what { code.about { (breakable(&visible(&text::about(finding)))) } " " }
                span.often { (item.often()) } " "
                span.place { (visible(&fit(&place, WIDEST_METHOD))) }
            }
            div.body {
                p.whole { code { (breakable(&full)) } }
                p { strong { (item.meaning()) } }
                @for remark in item.remarks() { p { (visible(&remark)) } }
                @if let Some(pair) = &witness.pair {
                    p { "two of its events that do not move together:" }
                    ul { @for event in pair { li { (visible(&super::lines::end(event))) } } }
                }
                @if !witness.edges.is_empty() {
                    (events(witness, item.source(), excerpts))
                    (picture(item))
                    h4 { "Events that conflict, each pair in the order in which it happened" }
                    ol.edges { @for [from, to] in item.edges() { li { (visible(&from)) br; (visible(&to)) } } }
                }
                @if !item.stack().is_empty() {
                    h4 { "Where " (visible(witness.begin.as_ref().map_or("it", |begin| &begin.thread))) " was then" }
                    ul.stack { @for frame in item.stack() { li { code { (breakable(&visible(frame))) } } } }
                }
                @if let What::Finding(finding) = item.what { (enclosing(finding)) }
                @let steps = item.steps();
                @if !steps.is_empty() {
                    h4 { "What to do next" }
                    ul { @for step in &steps { li { (visible(step)) } } }
                }
            }
        }
    }
}

/// Lets a line end behind each dot and comma of a name rather than within a word.
fn breakable(name: &str) -> Markup {
    html! {
        @for (at, part) in name.split_inclusive(['.', ',']).enumerate() {
            @if at > 0 { wbr; }
            (part)
        }
    }
}

/// The name of its method without parameters.
fn bare_name(item: &Item) -> String {
    let full = visible(item.name());
    cut(full.split('(').next().unwrap_or(&full), WIDEST_METHOD)
}

/// The file without its folder, which the method shows; or what else is known of the place of the item's begin.
fn short_place(item: &Item) -> String {
    let location = || item.witness().begin.as_ref().map_or(String::new(), |begin| place_of(&begin.location));
    let place = item.place().map(|Place { file, line }| format!("{file}:{}", line.unwrap_or_default()));
    place.unwrap_or_else(location).rsplit('/').next().unwrap_or_default().to_owned()
}

/// The methods around it.
fn enclosing(finding: &Finding) -> Markup {
    html! {
        @if !finding.enclosing.is_empty() {
            h4 { "Callers that the same events violate, the outermost first" }
            ul {
                @for caller in &finding.enclosing {
                    li { code { (breakable(&visible(name(caller.method.as_deref())))) } ": " (caller.count) " " (noun(caller.count, "time")) }
                }
            }
        }
    }
}

/// A column for each thread, a row for each event, time going down. On a narrow screen the columns become one, and each
/// cell names its thread. If the source is found, a cell has the line.
fn events(witness: &Witness, source: Source, excerpts: &Excerpts) -> Markup {
    let has_numbers = witness.rows.iter().any(|row| row.event.is_some());
    let lanes = Lanes::of(witness);
    html! {
        div.scroll tabindex="0" role="region" aria-label="events" {
            table.events {
                thead {
                    tr {
                        @if has_numbers { th.count scope="col" { "event" } }
                        @for lane in &lanes.lanes { th scope="col" title=(visible(&lane.name())) { (heading(lane)) } }
                    }
                }
                tbody {
                    @for line @ Line { lane, row, .. } in lanes.lines(witness).iter() {
                        tr {
                            @if has_numbers { td.count { (row.event.map_or(String::new(), |event| event.to_string())) } }
                            @for at in 0..lanes.lanes.len() {
                                @if at == *lane {
                                    td.did data-of=(heading(&lanes.lanes[at])) {
                                        @if let Some(block) = line.announces() { span.at { "in " (visible(block)) } br; }
                                        code { (breakable(&visible(&row.operation))) }
                                        @if !row.location.is_empty() { " " span.at { (visible(&place_of(&row.location))) } }
                                        @if let Some(line) = excerpt(row, source, excerpts) { code.source { (visible(&line)) } }
                                    }
                                } @else {
                                    td {}
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn excerpt(row: &Row, source: Source, excerpts: &Excerpts) -> Option<String> {
    excerpts.line(&Place::of(&row.location, row.method.as_deref(), source)?)
}

fn heading(lane: &Lane) -> String {
    let [thread, block] = [lane.thread, &lane.did()].map(visible);
    format!("{}: {}", fit(&thread, WIDEST_THREAD), cut(&block, WIDEST_METHOD))
}

fn picture(item: &Item) -> Markup {
    let witness = item.witness();
    let what = match item.what {
        What::Finding(finding) => Explained::Block(finding.clone()),
        What::Cycle(cycle) => Explained::Cycle(cycle.clone()),
    };
    let explanation = Explanation {
        number: item.number,
        total: item.number,
        id: Some(item.identity().id()),
        status: item.status(),
        transactions: witness.columns.len(),
        source: item.source(),
        what,
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="picture" { (PreEscaped(svg::inline(&explanation))) }
    }
}

/// Methods, one per line.
fn others(title: &str, findings: &[Finding]) -> Markup {
    html! {
        @if !findings.is_empty() {
            details.others {
                summary { (title) " (" (findings.len()) ")" }
                ul {
                    @for finding in findings {
                        li {
                            code { (breakable(&visible(name(finding.method.as_deref())))) }
                            ": " (finding.count) " of " (finding.instances) " " (noun(finding.instances, "instance"))
                        }
                    }
                }
            }
        }
    }
}

fn folded(title: &str, text: &str) -> Markup {
    html! {
        details.others {
            summary { (visible(title)) }
            pre tabindex="0" { (visible_lines(text)) }
        }
    }
}

fn watched_text(head: &Head) -> String {
    let mut out = String::new();
    let whole = Head { most: usize::MAX, ..head.clone() };
    watched::render(&mut out, &whole, WIDTH);
    out
}
