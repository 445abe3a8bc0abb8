//! A picture of a finding, as SVG: a lane for each transaction, time going down, an arrow for each cross-thread edge.
//!
//! Every row holds one event, so an arrow leaves its event sideways along an empty row, goes down in the space beside the
//! lane of the other end, and enters there: it crosses no text. All text is in a font of fixed width, so that what does
//! not fit can be shortened beforehand; the whole of it is in a `<title>`. Colours follow the reader's light or dark
//! scheme; where a viewer does not know the scheme, the picture is light on its own background.

use std::fmt::Write;

use super::escape::xml;
use super::lines::end;
use super::table::fit;
use crate::report::judgement::explanation::Explanation;
use crate::report::model::witness::{Row, Witness};
use crate::report::model::words::place_of;

/// The width of a lane, and of a digit of the numbers left of the first.
const LANE: usize = 330;
const DIGIT: usize = 8;
/// The space beside a lane, and how much of it each arrow takes.
const GAP: usize = 44;
const TRACK: usize = 20;
/// Heights: above the rows, of a row, of an event in it, of a line of the list below.
const HEAD: usize = 156;
const ROW: usize = 62;
const EVENT: usize = 44;
const LINE: usize = 20;
/// The margin around the picture.
const MARGIN: usize = 24;

/// The style of the drawing.
pub(super) const STYLE: &str = "
text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328 }
.page { fill: #ffffff } .title { font-size: 18px; font-weight: bold } .note { font-size: 12px; fill: #59636e }
.method { font-size: 14px } .lane { font-size: 13px; font-weight: bold } .op { font-size: 13px; font-weight: bold } .at { font-size: 11px; fill: #59636e }
.axis { stroke: #d1d9e0; stroke-width: 2 } .block { fill: #f3f5f8; stroke: #b4bfca }
.violated { fill: #fff0ee; stroke: #cf222e; stroke-width: 2 } .event { fill: #ffffff; stroke: #818b98 }
.arrow { fill: none; stroke: #0b5fc0; stroke-width: 2 } .order { fill: none; stroke: #59636e; stroke-width: 2; stroke-dasharray: 5 4 } .order-tip { fill: #59636e } .tip { fill: #0b5fc0 } .badge { font-size: 11px; font-weight: bold; fill: #ffffff }
.delay { fill: none; stroke: #bf8700; stroke-width: 12; stroke-opacity: 0.5 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .page { fill: #0d1117 } .note, .at { fill: #9ea7b3 } .axis { stroke: #3d444d }
.block { fill: #161b22; stroke: #4b535d } .violated { fill: #2d1417; stroke: #ff7b72 } .event { fill: #0d1117; stroke: #767f89 }
.arrow { stroke: #6cb6ff } .order { stroke: #9ea7b3 } .order-tip { fill: #9ea7b3 } .tip { fill: #6cb6ff } .badge { fill: #0d1117 } }
";

/// The space above the lanes if it only holds their names.
const ABOVE: usize = 52;

/// The picture, ending in a line break.
pub fn render(subject: &str, explanation: &Explanation) -> String {
    drawn(explanation, Some(subject))
}

/// The lanes and arrows alone, for a page that has [`STYLE`] and the remaining text.
pub(super) fn inline(explanation: &Explanation) -> String {
    drawn(explanation, None)
}

fn drawn(explanation: &Explanation, subject: Option<&str>) -> String {
    let witness = explanation.witness();
    let arrows = arrows(witness);
    let gap = GAP + TRACK * arrows.len();
    let digits = witness.rows.iter().filter_map(|row| row.event).map(|number| number.to_string().len()).max();
    let numbers = 2 * MARGIN + DIGIT * digits.unwrap_or(0);
    let mut picture = Picture { explanation, witness, arrows, numbers, gap, out: String::new() };
    picture.draw(subject);
    picture.out
}

struct Picture<'a> {
    explanation: &'a Explanation,
    witness: &'a Witness,
    arrows: Vec<Arrow>,
    /// Where the first lane starts, and the space between two.
    numbers: usize,
    gap: usize,
    out: String,
}

/// From one row to another.
#[derive(Clone, Copy)]
struct Arrow {
    from: usize,
    to: usize,
    /// The number of the edge in the list below; `None` for program order, from where one edge ends to where the next
    /// starts in a later transaction of the thread.
    number: Option<usize>,
}

/// The corners of an arrow, from left to right or back.
struct Way {
    start: i64,
    side: i64,
    end: i64,
    from: i64,
    to: i64,
    sign: i64,
}

/// Other threads notice a write only at its commit, if the commit has a row.
fn arrows(witness: &Witness) -> Vec<Arrow> {
    let commit = |row: usize| witness.delays.iter().find(|(issue, _)| *issue == row).map_or(row, |(_, commit)| *commit);
    let rows = witness.ends.iter().map(|(from, to)| (commit(*from), commit(*to)));
    let mut arrows: Vec<Arrow> = Vec::new();
    for (index, (from, to)) in rows.enumerate() {
        if let Some(before) = arrows.last().filter(|arrow| witness.rows[arrow.to].column != witness.rows[from].column) {
            arrows.push(Arrow { from: before.to, to: from, number: None });
        }
        arrows.push(Arrow { from, to, number: Some(index + 1) });
    }
    arrows
}

impl Picture<'_> {
    fn draw(&mut self, subject: Option<&str>) {
        let below = HEAD + ROW * self.witness.rows.len() + LINE;
        let list = LINE * (2 * self.witness.edges.len() + 1) + MARGIN;
        let (top, bottom) = if subject.is_some() { (0, below + list) } else { (HEAD - ABOVE, below) };
        let (width, height) = (self.width(), bottom - top);
        self.put(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 {top} {width} {height}\" role=\"img\">"
        ));
        let method = self.explanation.method().map_or(String::new(), |method| format!("{method}: "));
        self.put(&format!("<title>{}</title>", xml(&(method + self.explanation.kind()))));
        if let Some(subject) = subject {
            self.put(&format!("<style>{STYLE}</style>"));
            self.put(&format!("<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>"));
            self.head(subject);
        }
        (0..self.witness.columns.len()).for_each(|column| self.lane(column));
        (0..self.witness.delays.len()).for_each(|delay| self.delay(delay));
        (0..self.arrows.len()).for_each(|arrow| self.arrow(arrow));
        (0..self.witness.rows.len()).for_each(|row| self.event(row));
        (0..self.arrows.len()).for_each(|arrow| self.badge(arrow));
        if subject.is_some() {
            self.list(below);
        }
        self.put("</svg>");
    }

    fn head(&mut self, subject: &str) {
        let edges = self.witness.edges.len();
        let has_order = self.arrows.iter().any(|arrow| arrow.number.is_none());
        let dashes = if has_order { "; dashes: program order" } else { "" };
        let bars = if self.witness.delays.is_empty() { "" } else { "; bars: in the store buffer" };
        let transactions = self.explanation.transactions;
        let size = format!("{transactions} transactions, {edges} edges between threads{dashes}{bars}; ");
        // The path is shortened rather than the words.
        let room = self.room(12).saturating_sub(size.chars().count()).max(12);
        let line = size + &fit(subject, room);
        self.text("title", MARGIN, 38, self.explanation.kind(), self.room(18));
        if let Some(method) = self.explanation.method() {
            self.text("method", MARGIN, 60, method, self.room(14));
        }
        self.text("note", MARGIN, 80, &self.explanation.meaning(), self.room(12));
        self.text("note", MARGIN, 98, &line, usize::MAX);
    }

    /// The name of a lane, its time axis, and the box around its events if they lie in one block.
    fn lane(&mut self, column: usize) {
        let witness = self.witness;
        let (left, center) = (self.left(column), self.left(column) + LANE / 2);
        self.text("note", left, HEAD - 32, &format!("thread {}", witness.columns[column].thread), fitting(LANE, 12));
        self.text("lane", left, HEAD - 14, &witness.columns[column].block, fitting(LANE, 13));
        let rows: Vec<usize> = (0..witness.rows.len()).filter(|row| witness.rows[*row].column == column).collect();
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
        let end = HEAD + ROW * witness.rows.len();
        self.put(&format!("<path class=\"axis\" d=\"M{center} {} V{end}\"/>", HEAD - 6));
        if witness.columns[column].is_block {
            let class = if witness.first == Some(*first) { "violated" } else { "block" };
            let (top, height) = (HEAD + ROW * first, ROW * (last - first + 1));
            self.put(&format!(
                "<rect class=\"{class}\" x=\"{left}\" y=\"{}\" width=\"{LANE}\" height=\"{}\" rx=\"8\"/>",
                top + 1,
                height - 2
            ));
        }
    }

    /// The time that a write spends in its store buffer: a bar along the lane, from the issue to the commit.
    fn delay(&mut self, index: usize) {
        let (issue, commit) = self.witness.delays[index];
        let left = self.left(self.witness.rows[issue].column);
        let (top, bottom) = (HEAD + ROW * issue + ROW / 2, HEAD + ROW * commit + ROW / 2);
        let title = "<title>in the store buffer</title>";
        self.put(&format!("<path class=\"delay\" d=\"M{} {top} V{bottom}\">{title}</path>", left + LANE / 2));
    }

    /// Draws what happened and where; the number of the event is at the left.
    fn event(&mut self, index: usize) {
        let row: &Row = &self.witness.rows[index];
        let (left, top) = (self.left(row.column) + 8, HEAD + ROW * index + (ROW - EVENT) / 2);
        let width = LANE - 16;
        if let Some(number) = row.event {
            self.text("note", MARGIN, top + EVENT / 2 + 4, &number.to_string(), usize::MAX);
        }
        self.put(&format!(
            "<rect class=\"event\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{EVENT}\" rx=\"5\"/>"
        ));
        let room = width - 20;
        let drop = if row.location.is_empty() { 27 } else { 18 };
        self.text("op", left + 10, top + drop, &row.operation, fitting(room, 13));
        if !row.location.is_empty() {
            self.text("at", left + 10, top + 35, &place_of(&row.location), fitting(room, 11));
        }
    }

    /// Draws an arrow from the later half of one event's side to the earlier half of the other's.
    fn arrow(&mut self, index: usize) {
        let Way { start, side, end, from, to, sign } = self.way(index);
        let (line, tip) = if self.arrows[index].number.is_some() { ("arrow", "tip") } else { ("order", "order-tip") };
        self.put(&format!("<path class=\"{line}\" d=\"M{start} {from} H{side} V{to} H{end}\"/>"));
        let back = end - 9 * sign;
        self.put(&format!("<path class=\"{tip}\" d=\"M{end} {to} L{back} {} V{} Z\"/>", to - 5, to + 5));
    }

    /// The number of an edge in the list below, where its arrow turns down: no other arrow leaves along that row.
    fn badge(&mut self, index: usize) {
        let (Way { side, from, .. }, Some(number)) = (self.way(index), self.arrows[index].number) else { return };
        self.put(&format!("<circle class=\"tip\" cx=\"{side}\" cy=\"{from}\" r=\"9\"/>"));
        self.put(&format!(
            "<text class=\"badge\" x=\"{side}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
            from + 4
        ));
    }

    fn way(&self, index: usize) -> Way {
        let Arrow { from, to, .. } = self.arrows[index];
        let (source, target) = (self.witness.rows[from].column, self.witness.rows[to].column);
        let offset = GAP / 2 + TRACK * index;
        let (start, side, end, sign) = if source < target {
            (self.left(source) + LANE - 8, self.left(target) - offset, self.left(target) + 8, 1)
        } else {
            (self.left(source) + 8, self.left(target) + LANE + offset, self.left(target) + LANE - 8, -1)
        };
        let middle = |row: usize| HEAD + ROW * row + ROW / 2;
        let number = |number: usize| i64::try_from(number).expect("no picture is so large");
        Way {
            start: number(start),
            side: number(side),
            end: number(end),
            from: number(middle(from) + 8),
            to: number(middle(to) - 8),
            sign,
        }
    }

    /// Lists both ends of each edge in full.
    fn list(&mut self, top: usize) {
        let witness = self.witness;
        let room = self.room(12);
        let mut y = top + LINE;
        for (number, edge) in (1..).zip(&witness.edges) {
            self.text("note", MARGIN, y, &format!("{number}. {}", end(&edge.from)), room);
            self.text("note", MARGIN, y + LINE, &format!("   before {}", end(&edge.to)), room);
            y += 2 * LINE;
        }
    }

    /// Draws text shortened to this many columns; the tooltip then has the whole text.
    fn text(&mut self, class: &str, x: usize, y: usize, text: &str, columns: usize) {
        let shown = fit(text, columns);
        let title = if shown == text { String::new() } else { format!("<title>{}</title>", xml(text)) };
        let shown = xml(&shown);
        self.put(&format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" xml:space=\"preserve\">{title}{shown}</text>"));
    }

    fn put(&mut self, element: &str) {
        writeln!(self.out, "{element}").expect("a string takes all that is written");
    }

    fn left(&self, column: usize) -> usize {
        self.numbers + column * (LANE + self.gap)
    }

    fn width(&self) -> usize {
        self.left(self.witness.columns.len().max(2)) - self.gap + MARGIN
    }

    /// How many columns of text of this size fit into the picture.
    fn room(&self, size: usize) -> usize {
        fitting(self.width() - 2 * MARGIN, size)
    }
}

/// How many characters of this size fit: in fonts of fixed width one is at most 0.62 of its size wide.
fn fitting(width: usize, size: usize) -> usize {
    width * 100 / (62 * size)
}
