//! The table of a witness: a column for each transaction, a line for each event, time going down.

use super::model::Witness;
use crate::event::Op;

/// The most columns of text that one transaction gets.
const WIDEST: usize = 44;

/// The lines of the table, without line breaks.
pub(super) fn lines(witness: &Witness) -> Vec<String> {
    let cells: Vec<(usize, String)> = witness.rows.iter().map(|row| (row.column, cell(row))).collect();
    let widths: Vec<usize> = (0..witness.columns.len())
        .map(|column| {
            let cells = cells.iter().filter(|(at, _)| *at == column).map(|(_, text)| width(text));
            cells.chain([width(&witness.columns[column])]).max().unwrap_or(0).min(WIDEST)
        })
        .collect();
    let numbers: Vec<String> =
        witness.rows.iter().filter_map(|row| row.event).map(|number| number.to_string()).collect();
    // Without numbers, there is no column for them.
    let number_width = numbers.iter().map(|number| number.len().max("event".len())).max();
    let head = line("event", number_width, witness.columns.iter().map(String::as_str), &widths);
    let rules: Vec<String> = number_width.iter().chain(&widths).map(|width| "-".repeat(*width)).collect();
    let rule = rules.join("-+-");
    let mut lines = vec![head, rule];
    for (row, (column, text)) in witness.rows.iter().zip(&cells) {
        let texts = (0..widths.len()).map(|at| if at == *column { text.as_str() } else { "" });
        lines.push(line(&row.event.map_or(String::new(), |number| number.to_string()), number_width, texts, &widths));
    }
    lines
}

fn cell(row: &super::model::Row) -> String {
    if row.location.is_empty() { row.operation.clone() } else { format!("{}  {}", row.operation, row.location) }
}

fn line<'a>(
    number: &str,
    number_width: Option<usize>,
    cells: impl Iterator<Item = &'a str>,
    widths: &[usize],
) -> String {
    let number = number_width.map(|width| format!("{number:>width$}"));
    let cells = cells.zip(widths).map(|(text, width)| fit(text, *width));
    let mut line = number.into_iter().chain(cells).collect::<Vec<_>>().join(" | ");
    line.truncate(line.trim_end().len());
    line
}

/// `text` in exactly `width` characters; where it is longer its middle is left out.
fn fit(text: &str, width: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= width {
        return format!("{text:width$}");
    }
    let head = (width - 3) / 2;
    let tail = width - 3 - head;
    chars[..head].iter().chain("...".chars().collect::<Vec<_>>().iter()).chain(&chars[chars.len() - tail..]).collect()
}

fn width(text: &str) -> usize {
    text.chars().count()
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
