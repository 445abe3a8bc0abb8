//! Markdown for a comment on a pull request: the verdict, a table of the first findings, details of a few.

use super::escape::{visible, visible_lines};
use super::item::{Item, What, items};
use super::names::cut;
use super::table::fit;
use super::text;
use crate::report::model::report::Report;
use crate::report::model::words::{name, noun};

/// How many findings have a row, and how many of these have details.
const MOST_ROWS: usize = 10;
const MOST_DETAILS: usize = 3;
/// How wide a name or a place is in a table.
const WIDEST: usize = 80;
/// The width of the table of a witness.
const WIDTH: usize = 100;
/// The longest details, in bytes: a comment takes 65 536 characters.
const MOST_BYTES: usize = 12_000;

/// The section of one report.
pub(super) fn part(report: &Report, predicted: &[String]) -> String {
    let head = &report.head;
    let said = text::headlines(head);
    let (verdict, facts) = said.split_first().expect("there is a verdict");
    let mut out = format!("### {}\n\n", prose(verdict));
    facts.iter().for_each(|fact| out += &format!("{}\n", prose(fact)));
    let hints = head.hints.iter().map(|hint| format!("hint: {hint}"));
    let lists: Vec<String> = text::warned(head).into_iter().chain(hints).collect();
    if !lists.is_empty() {
        out.push('\n');
        lists.iter().for_each(|line| out += &format!("- {}\n", prose(line)));
    }
    let all = items(report);
    let listed = report.listed(MOST_ROWS);
    let items: Vec<Item> = match listed.is_empty() {
        // The cycle that blames nobody, if there is one.
        true => all.clone(),
        false => listed.iter().map(|listed| all[listed.number - 1]).collect(),
    };
    table(&mut out, &items, all.len());
    items.iter().take(MOST_DETAILS).for_each(|item| details(&mut out, item));
    if !report.waits_inside.is_empty() {
        let count = report.waits_inside.len();
        let methods = report.waits_inside.iter().take(MOST_ROWS).map(|finding| code(name(finding.method.as_deref())));
        let methods = methods.collect::<Vec<_>>().join(", ");
        let more = if count > MOST_ROWS { format!(" and {} more", count - MOST_ROWS) } else { String::new() };
        out += &format!("\n{count} {} wait inside, {}: {methods}{more}\n", noun(count, "method"), text::UNCOUNTED);
    }
    for predicted in predicted {
        let summary = predicted.lines().next().unwrap_or_default();
        folded(&mut out, &prose(summary), predicted);
    }
    out
}

/// The section for a missing report.
pub(super) fn missing(subject: &str, why: &str) -> String {
    format!("### {}: {}\n", prose(subject), prose(why))
}

/// The table of these items, out of `all`.
fn table(out: &mut String, items: &[Item], all: usize) {
    if items.is_empty() {
        return;
    }
    out.push_str("\n| | finding | method | variable or lock | instances | place |\n|-:|---|---|---|---|---|\n");
    for item in items {
        let place = item.place().map_or(String::new(), |place| {
            let line = place.line.map_or(String::new(), |line| format!(":{line}"));
            code(&(place.file + &line))
        });
        let status = item.status().map_or(String::new(), |status| format!(", {}", status.name()));
        let (number, kind, often) = (item.number, prose(item.kind()) + &status, item.often());
        let about = match item.what {
            What::Finding(finding) => code(&text::about(finding)),
            What::Cycle(_) => String::new(),
        };
        *out += &format!("| {number} | {kind} | {} | {about} | {often} | {place} |\n", code(item.name()));
    }
    if all > items.len() {
        let more = all - items.len();
        *out += &format!("\n{more} more {}\n", noun(more, "finding"));
    }
}

fn details(out: &mut String, item: &Item) {
    let summary = format!("{}. {}: {}", item.number, code(item.name()), prose(item.kind()));
    folded(out, &summary, &item.text(WIDTH));
}

/// Details that are initially closed: preformatted text, in which no character has a special meaning.
fn folded(out: &mut String, summary: &str, text: &str) {
    let mut text = visible_lines(text);
    if text.len() > MOST_BYTES {
        let end = (0..=MOST_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
        text.push_str("\n... cut here: other formats have all of it");
    }
    let fence = "`".repeat(3.max(1 + longest_run(&text, '`')));
    *out += &format!("\n<details><summary>{summary}</summary>\n\n{fence}text\n{text}\n{fence}\n\n</details>\n");
}

fn longest_run(text: &str, of: char) -> usize {
    text.split(|char| char != of).map(str::len).max().unwrap_or(0)
}

/// A name as code, so that it neither mentions a person nor refers to anything.
fn code(text: &str) -> String {
    format!("<code>{}</code>", prose(&fit(&cut(&visible(text), WIDEST), 2 * WIDEST)))
}

/// Text in which no character has a special meaning.
fn prose(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in visible(text).chars() {
        match char {
            '&' | '<' | '>' | '"' | '\'' | '`' | '|' | '*' | '_' | '[' | ']' | '\\' | '~' | '!' | '#' | '@' | '{'
            | '}' | '$' | '/' => {
                escaped += &format!("&#{};", u32::from(char));
            }
            char => escaped.push(char),
        }
    }
    escaped.replace("www.", "www&#46;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_mentions_and_links_are_text() {
        let name = code("<b>|`@all` [x](http://y) www.z #1");
        assert!(
            !name.contains(['|', '`', '@', '[', ']']) && !name.contains("http://") && !name.contains("www."),
            "{name}"
        );
        assert!(name.starts_with("<code>&#60;b&#62;&#124;"), "{name}");
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        let mut out = String::new();
        folded(&mut out, "s", "a\n````\nb");
        assert!(out.contains("\n`````text\na\n````\nb\n`````\n"), "{out}");
    }

    #[test]
    fn long_details_are_cut_between_characters() {
        let mut out = String::new();
        folded(&mut out, "s", &"ü".repeat(MOST_BYTES));
        assert!(out.len() < MOST_BYTES + 200 && out.contains("cut here"), "{}", out.len());
    }
}
