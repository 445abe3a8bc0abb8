//! The table of a witness: a column for each transaction, a line for each event, time going down.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::model::{Row, Witness};
use crate::event::Op;

/// The most columns of text that one transaction gets.
const WIDEST: usize = 48;
/// The most of them that a location gets where there is not room enough.
const WIDEST_LOCATION: usize = 24;
/// Stands for what was left out.
const LEFT_OUT: &str = "...";

/// The lines of the table, without line breaks.
pub(super) fn lines(witness: &Witness) -> Vec<String> {
    let cells: Vec<(usize, String)> = witness.rows.iter().map(|row| (row.column, cell(row))).collect();
    let heads: Vec<String> = witness.columns.iter().map(|column| fit(&column.name(), WIDEST)).collect();
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| {
            let cells = cells.iter().filter(|(at, _)| *at == column).map(|(_, text)| text.width());
            cells.chain([heads[column].width()]).max().unwrap_or(0)
        })
        .collect();
    let numbers: Vec<String> =
        witness.rows.iter().filter_map(|row| row.event).map(|number| number.to_string()).collect();
    // Without numbers, there is no column for them.
    let number_width = numbers.iter().map(|number| number.len().max("event".len())).max();
    let head = line("event", number_width, heads.iter().map(String::as_str), &widths);
    let rules: Vec<String> = number_width.iter().chain(&widths).map(|width| "-".repeat(*width)).collect();
    let rule = rules.join("-+-");
    let mut lines = vec![head, rule];
    for (row, (column, text)) in witness.rows.iter().zip(&cells) {
        let texts = (0..widths.len()).map(|at| if at == *column { text.as_str() } else { "" });
        lines.push(line(&row.event.map_or(String::new(), |number| number.to_string()), number_width, texts, &widths));
    }
    lines
}

/// The operation and the location. Where both are too long, the folders go first, then what is inside of each.
fn cell(row: &Row) -> String {
    let whole = if row.location.is_empty() { row.operation.clone() } else { join(&row.operation, &row.location) };
    if row.location.is_empty() || whole.width() <= WIDEST {
        return fit(&whole, WIDEST);
    }
    let file = row.location.rsplit('/').next().unwrap_or(&row.location);
    let room = WIDEST.saturating_sub(row.operation.width() + 2).max(WIDEST_LOCATION);
    let location = fit(file, room);
    join(&fit(&row.operation, WIDEST - 2 - location.width()), &location)
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
    let cells = cells.zip(widths).map(|(text, width)| format!("{text}{}", " ".repeat(width - text.width())));
    let mut line = number.into_iter().chain(cells).collect::<Vec<_>>().join(" | ");
    line.truncate(line.trim_end().len());
    line
}

/// `text` in `width` columns at most. Where it is longer, something before its end is left out: names differ most there.
pub(super) fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let room = width - LEFT_OUT.len();
    let head = prefix(text.chars(), room / 3);
    let tail: String = prefix(text.chars().rev(), room - room / 3).chars().rev().collect();
    format!("{head}{LEFT_OUT}{tail}")
}

/// As many of the first of `chars` as fit.
fn prefix(chars: impl Iterator<Item = char>, width: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|char| {
            used += char.width().unwrap_or(0);
            used <= width
        })
        .collect()
}

/// What an event did, in words: `read V1` for `r(V1)`.
pub(super) fn spoken(op: Op, operation: &str) -> String {
    let operand = operation.split_once('(').map_or("", |(_, rest)| rest.strip_suffix(')').unwrap_or(rest));
    let verb = match op {
        Op::Read(_) => "read",
        Op::Write(_) => "write",
        Op::Acquire(_) => "acquire",
        Op::Release(_) => "release",
        Op::Fork(_) => "fork",
        Op::Join(_) => "join",
        Op::Begin(_) => return "begin".into(),
        Op::End => return "end".into(),
        Op::Fence | Op::Commit(_) | Op::Nop => return operation.to_owned(),
    };
    format!("{verb} {operand}")
}
