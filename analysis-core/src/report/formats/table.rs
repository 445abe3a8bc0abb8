//! The table of a witness: a column for each thread, a line for each event, time going down.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::lanes::{Lane, Lanes, Line};
use super::names::{cut, cut_operation};
use crate::report::model::witness::{Row, Witness};

/// The most columns of text that one thread gets for names that cannot be cut in their packages.
const WIDEST: usize = 60;
/// The most of them for a location if there is not enough room.
const WIDEST_LOCATION: usize = 24;
/// Stands for what was left out.
const LEFT_OUT: &str = "...";

/// The lines of the table, without line breaks, in `width` columns at most.
pub(super) fn lines(witness: &Witness, width: usize) -> Vec<String> {
    let numbers: Vec<String> =
        witness.rows.iter().filter_map(|row| row.event).map(|number| number.to_string()).collect();
    // Without numbers, they have no column.
    let number_width = numbers.iter().map(|number| number.len().max(NUMBER.len())).max();
    let lanes = Lanes::of(witness);
    let rows = lanes.lines(witness);
    let columns = lanes.lanes.len();
    let room = width.saturating_sub(number_width.map_or(0, |number| number + BAR.len()));
    let cells = |lane: usize| rows.iter().filter(move |line| line.lane == lane).map(|line| line.row);
    let narrowest: Vec<usize> =
        (0..columns).map(|lane| cells(lane).map(narrowest).max().unwrap_or(0).max(NARROWEST_LANE)).collect();
    if narrowest.iter().map(|width| width + BAR.len()).sum::<usize>() > room + BAR.len() {
        return listed(&lanes, &rows, number_width, room);
    }
    let room = room - columns.saturating_sub(1) * BAR.len();
    let mut widths: Vec<usize> = (0..columns)
        .map(|lane| {
            let name = lanes.lanes[lane].name().width();
            cells(lane).map(|row| cell(row, usize::MAX).width()).chain([name]).max().unwrap_or(0)
        })
        .collect();
    shrink_evenly(&mut widths, &narrowest, room);
    let heads = lanes.lanes.iter().zip(&widths).map(|(lane, width)| heading(lane, *width));
    let mut lines = head(number_width, &heads.collect::<Vec<_>>(), &widths);
    for told in rows {
        let Line { lane, row, .. } = told;
        let mut add = |number: &str, text: &str| {
            let texts = (0..columns).map(|at| if at == lane { text } else { "" });
            lines.push(line(number, number_width, texts, &widths));
        };
        if let Some(block) = told.announces() {
            add("", &fit(&cut(&format!("in {block}"), widths[lane]), widths[lane]));
        }
        add(&number_of(row), &cell(row, widths[lane]));
    }
    lines
}

/// The heading of the column of the events' numbers, and what separates columns.
const NUMBER: &str = "event";
const BAR: &str = " | ";
/// The least width of a shortened column of text.
const NARROWEST: usize = 16;
/// The least width of a thread's column in a table with one per thread: below that, accesses and locations become
/// indistinguishable.
const NARROWEST_LANE: usize = 30;

/// The table if there is no room for all threads side by side: one column names the transaction.
fn listed(lanes: &Lanes, rows: &[Line], number_width: Option<usize>, room: usize) -> Vec<String> {
    let room = room.saturating_sub(BAR.len());
    let cells = rows.iter().map(|line| cell(line.row, usize::MAX).width()).max().unwrap_or(0);
    let mut inside: Vec<&str> = lanes.lanes.iter().map(|lane| lane.blocks[0]).collect();
    let named = rows.iter().map(|Line { lane, enters, .. }| {
        inside[*lane] = enters.unwrap_or(inside[*lane]);
        Lane { thread: lanes.lanes[*lane].thread, blocks: vec![inside[*lane]] }
    });
    let named: Vec<Lane> = named.collect();
    let names = named.iter().map(|lane| lane.name().width()).max().unwrap_or(0);
    let mut widths = [names, cells];
    shrink_evenly(&mut widths, &[NARROWEST, NARROWEST_LANE], room);
    let mut lines = head(number_width, &["transaction".to_owned(), "what it did".to_owned()], &widths);
    for (name, Line { row, .. }) in named.iter().zip(rows) {
        let texts = [heading(name, widths[0]), cell(row, widths[1])];
        lines.push(line(&number_of(row), number_width, texts.iter().map(String::as_str), &widths));
    }
    lines
}

fn number_of(row: &Row) -> String {
    row.event.map_or(String::new(), |number| number.to_string())
}

/// The headings and the rule under them.
fn head(number_width: Option<usize>, heads: &[String], widths: &[usize]) -> Vec<String> {
    let heads: Vec<String> = heads.iter().zip(widths).map(|(head, width)| fit(head, *width)).collect();
    let rules: Vec<String> = number_width.iter().chain(widths).map(|width| "-".repeat(*width)).collect();
    vec![line(NUMBER, number_width, heads.iter().map(String::as_str), widths), rules.join("-+-")]
}

/// The heading of a column, in at most `width` columns of text: the thread tells columns apart, so the methods are cut
/// first.
fn heading(lane: &Lane, width: usize) -> String {
    const SHORTEST: usize = 8;
    let thread = lane.thread.width() + ": ".len();
    if lane.name().width() <= width || width < thread + SHORTEST {
        return fit(&lane.name(), width);
    }
    let left = width - thread;
    format!("{}: {}", lane.thread, fit(&cut(&lane.did(), left), left))
}

/// Narrows columns until all fit into `room`: those in `order`, one after the other, down to the least readable width.
pub(super) fn shrink(widths: &mut [usize], order: &[usize], room: usize) {
    for &at in order {
        let excess = widths.iter().sum::<usize>().saturating_sub(room);
        widths[at] = widths[at].saturating_sub(excess).max(NARROWEST.min(widths[at]));
    }
}

/// Takes the excess from the widest columns, as long as they have more than they need, and then from all.
fn shrink_evenly(widths: &mut [usize], narrowest: &[usize], room: usize) {
    let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
    while excess > 0 {
        let has_more = |column: &usize| widths[*column] > narrowest[*column];
        let widest =
            (0..widths.len()).max_by_key(|column| (has_more(column), widths[*column])).expect("a table has columns");
        widths[widest] -= 1;
        excess -= 1;
    }
}

/// The width that a row needs for its names without packages and folders, up to [`WIDEST`].
fn narrowest(row: &Row) -> usize {
    let file = file(row);
    let location = if file.is_empty() { 0 } else { file.width() + 2 };
    (cut_operation(&row.operation, 0).width() + location).min(WIDEST)
}

/// The location without folders.
fn file(row: &Row) -> &str {
    row.location.rsplit('/').next().unwrap_or(&row.location)
}

/// The operation and the location in `width` columns. If both are too long, the folders go first, then the packages, then what is
/// inside of each.
fn cell(row: &Row, width: usize) -> String {
    let whole = if row.location.is_empty() { row.operation.clone() } else { join(&row.operation, &row.location) };
    if whole.width() <= width {
        return whole;
    }
    if row.location.is_empty() {
        return fit(&cut_operation(&whole, width), width);
    }
    let file = file(row);
    let needed = cut_operation(&row.operation, 0).width();
    let room = width.saturating_sub(needed + 2).max(WIDEST_LOCATION.min(width / 2));
    let location = fit(file, room);
    let left = width - 2 - location.width();
    join(&fit(&cut_operation(&row.operation, left), left), &location)
}

fn join(operation: &str, location: &str) -> String {
    format!("{operation}  {location}")
}

fn line<'a>(
    number: &str,
    number_width: Option<usize>,
    cells: impl Iterator<Item = &'a str>,
    widths: &[usize],
) -> String {
    let number = number_width.map(|width| format!("{number:>width$}"));
    let cells =
        cells.zip(widths).map(|(text, width)| format!("{text}{}", " ".repeat(width.saturating_sub(text.width()))));
    let mut line = number.into_iter().chain(cells).collect::<Vec<_>>().join(BAR);
    line.truncate(line.trim_end().len());
    line
}

/// `text` in at most `width` columns. In longer text something before its end is left out, because names differ most
/// there.
pub(super) fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(LEFT_OUT.len()) else { return prefix(text.chars(), width) };
    let head = prefix(text.chars(), room / 3);
    let tail: String = prefix(text.chars().rev(), room - room / 3).chars().rev().collect();
    format!("{head}{LEFT_OUT}{tail}")
}

/// As many of the first characters as fit.
fn prefix(chars: impl Iterator<Item = char>, width: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|char| {
            used += char.width().unwrap_or(0);
            used <= width
        })
        .collect()
}
