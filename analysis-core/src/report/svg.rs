//! A picture of a finding, as SVG: a lane for each transaction, time going down, an arrow for each cross-thread edge.
//!
//! Every row holds one event, so an arrow leaves its event sideways along an empty row, goes down in the space beside the
//! lane of the other end, and enters there: it crosses no text. All text is in a font of fixed width, so that what does
//! not fit can be shortened beforehand; the whole of it is in a `<title>`. Colours follow the reader's light or dark
//! scheme; where a viewer does not know the scheme, the picture is light on its own background.

use std::fmt::Write;

use super::explanation::Explanation;
use super::model::{End, Row};
use super::table::fit;
use super::text::end;

/// The width of a lane, and of what is left of the first.
const LANE: usize = 330;
const NUMBERS: usize = 76;
/// The space beside a lane, and how much of it each arrow takes.
const GAP: usize = 44;
const TRACK: usize = 12;
/// Heights: of what stands above the rows, of a row, of an event in it, of a line of the list below.
const HEAD: usize = 134;
const ROW: usize = 62;
const EVENT: usize = 44;
const LINE: usize = 20;
/// Around the whole.
const MARGIN: usize = 24;

const STYLE: &str = "
text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328 }
.page { fill: #ffffff } .title { font-size: 18px; font-weight: bold } .note { font-size: 12px; fill: #59636e }
.lane { font-size: 13px; font-weight: bold } .op { font-size: 13px; font-weight: bold } .at { font-size: 11px; fill: #59636e }
.axis { stroke: #d1d9e0; stroke-width: 2 } .block { fill: #f3f5f8; stroke: #b4bfca }
.violated { fill: #fff0ee; stroke: #cf222e; stroke-width: 2 } .event { fill: #ffffff; stroke: #818b98 }
.arrow { fill: none; stroke: #0b5fc0; stroke-width: 2 } .tip { fill: #0b5fc0 } .badge { font-size: 11px; font-weight: bold; fill: #ffffff }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .page { fill: #0d1117 } .note, .at { fill: #9ea7b3 } .axis { stroke: #3d444d }
.block { fill: #161b22; stroke: #4b535d } .violated { fill: #2d1417; stroke: #ff7b72 } .event { fill: #0d1117; stroke: #767f89 }
.arrow { stroke: #6cb6ff } .tip { fill: #6cb6ff } .badge { fill: #0d1117 } }
";

/// The picture, ending in a line break.
pub fn render(subject: &str, explanation: &Explanation) -> String {
    let mut picture = Picture { explanation, out: String::new(), gap: 0 };
    picture.gap = GAP + TRACK * explanation.witness().edges.len();
    picture.draw(subject);
    picture.out
}

struct Picture<'a> {
    explanation: &'a Explanation,
    out: String,
    gap: usize,
}

impl Picture<'_> {
    fn draw(&mut self, subject: &str) {
        let witness = self.explanation.witness();
        let below = HEAD + ROW * witness.rows.len() + LINE;
        let (width, height) = (self.width(), below + LINE * (2 * witness.edges.len() + 1) + MARGIN);
        self.put(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">"
        ));
        self.put(&format!("<title>{}</title>", escaped(&self.explanation.title())));
        self.put(&format!("<style>{STYLE}</style>"));
        self.put(&format!("<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>"));
        self.head(subject);
        (0..witness.columns.len()).for_each(|column| self.lane(column));
        (0..witness.edges.len()).for_each(|edge| self.arrow(edge));
        (0..witness.rows.len()).for_each(|row| self.event(row));
        (0..witness.edges.len()).for_each(|edge| self.badge(edge));
        self.list(below);
        self.put("</svg>");
    }

    fn head(&mut self, subject: &str) {
        let (title, meaning) = (self.explanation.title(), self.explanation.meaning());
        let edges = self.explanation.witness().edges.len();
        let size = format!("{subject}: {} transactions, {edges} edges between threads", self.explanation.transactions);
        self.text("title", MARGIN, 38, &title, self.room(18));
        self.text("note", MARGIN, 60, meaning, self.room(12));
        self.text("note", MARGIN, 78, &size, self.room(12));
    }

    /// The name of a lane, its time axis, and the box around its events if they lie in one block.
    fn lane(&mut self, column: usize) {
        let witness = self.explanation.witness();
        let (left, center) = (self.left(column), self.left(column) + LANE / 2);
        self.text("lane", left, HEAD - 28, &witness.columns[column].name, fitting(LANE, 13));
        let rows: Vec<usize> = (0..witness.rows.len()).filter(|row| witness.rows[*row].column == column).collect();
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
        let end = HEAD + ROW * witness.rows.len();
        self.put(&format!("<path class=\"axis\" d=\"M{center} {} V{end}\"/>", HEAD - 18));
        if witness.columns[column].is_block {
            let is_violated = witness.begin.as_ref().is_some_and(|begin| witness.rows[*first].event == begin.event);
            let class = if is_violated { "violated" } else { "block" };
            let (top, height) = (HEAD + ROW * first, ROW * (last - first + 1));
            self.put(&format!(
                "<rect class=\"{class}\" x=\"{left}\" y=\"{}\" width=\"{LANE}\" height=\"{}\" rx=\"8\"/>",
                top + 1,
                height - 2
            ));
        }
    }

    /// What happened and where; its number stands at the left.
    fn event(&mut self, index: usize) {
        let row: &Row = &self.explanation.witness().rows[index];
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
            self.text("at", left + 10, top + 35, &row.location, fitting(room, 11));
        }
    }

    /// From the later half of one event's side to the earlier half of the other's.
    fn arrow(&mut self, edge: usize) {
        let Some(Way { start, side, end, from, to, sign }) = self.way(edge) else { return };
        self.put(&format!("<path class=\"arrow\" d=\"M{start} {from} H{side} V{to} H{end}\"/>"));
        let back = end - 9 * sign;
        self.put(&format!("<path class=\"tip\" d=\"M{end} {to} L{back} {} V{} Z\"/>", to - 5, to + 5));
    }

    /// The number of an edge in the list below, on its arrow.
    fn badge(&mut self, edge: usize) {
        let Some(Way { side, from, to, .. }) = self.way(edge) else { return };
        let y = i64::midpoint(from, to);
        self.put(&format!("<circle class=\"tip\" cx=\"{side}\" cy=\"{y}\" r=\"9\"/>"));
        self.put(&format!(
            "<text class=\"badge\" x=\"{side}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            y + 4,
            edge + 1
        ));
    }

    fn way(&self, edge: usize) -> Option<Way> {
        let witness = self.explanation.witness();
        let row = |end: &End| witness.rows.iter().position(|row| row.event == end.event);
        let (from, to) = (row(&witness.edges[edge].from)?, row(&witness.edges[edge].to)?);
        let (source, target) = (witness.rows[from].column, witness.rows[to].column);
        let is_rightwards = source < target;
        let offset = GAP / 2 + TRACK * edge;
        let (start, side, end, sign) = if is_rightwards {
            (self.left(source) + LANE - 8, self.left(target) - offset, self.left(target) + 8, 1)
        } else {
            (self.left(source) + 8, self.left(target) + LANE + offset, self.left(target) + LANE - 8, -1)
        };
        let middle = |row: usize| HEAD + ROW * row + ROW / 2;
        let number = |number: usize| i64::try_from(number).expect("a picture has no such size");
        Some(Way {
            start: number(start),
            side: number(side),
            end: number(end),
            from: number(middle(from) + 8),
            to: number(middle(to) - 8),
            sign,
        })
    }

    /// Both ends of each edge in full.
    fn list(&mut self, top: usize) {
        let witness = self.explanation.witness();
        let room = self.room(12);
        let mut y = top + LINE;
        for (number, edge) in (1..).zip(&witness.edges) {
            self.text("note", MARGIN, y, &format!("{number}. {}", end(&edge.from)), room);
            self.text("note", MARGIN, y + LINE, &format!("   before {}", end(&edge.to)), room);
            y += 2 * LINE;
        }
    }

    /// Shortened to so many columns; then the whole is its tooltip.
    fn text(&mut self, class: &str, x: usize, y: usize, text: &str, columns: usize) {
        let shown = fit(text, columns);
        let title = if shown == text { String::new() } else { format!("<title>{}</title>", escaped(text)) };
        let shown = escaped(&shown);
        self.put(&format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" xml:space=\"preserve\">{title}{shown}</text>"));
    }

    fn put(&mut self, element: &str) {
        writeln!(self.out, "{element}").expect("a string takes all that is written");
    }

    fn left(&self, column: usize) -> usize {
        NUMBERS + column * (LANE + self.gap)
    }

    fn width(&self) -> usize {
        self.left(self.explanation.witness().columns.len().max(2)) - self.gap + MARGIN
    }

    /// How many columns of text of this size the picture is wide.
    fn room(&self, size: usize) -> usize {
        fitting(self.width() - 2 * MARGIN, size)
    }
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

/// How many characters of this size fit: in fonts of fixed width one is at most 0.62 of its size wide.
fn fitting(width: usize, size: usize) -> usize {
    width * 100 / (62 * size)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // No XML may contain these, not even escaped.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            char if char.is_control() => escaped.push('\u{fffd}'),
            char => escaped.push(char),
        }
    }
    escaped
}
