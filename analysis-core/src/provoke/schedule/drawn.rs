//! A schedule for a reader: time goes down, and each thread that takes part has a column.

use super::model::{Point, Schedule, ordinal};

impl Schedule {
    /// The threads, and the points in their order, one per line.
    pub fn drawn(&self) -> String {
        let candidate = &self.candidate;
        let mut text = format!("{}: {}\n", candidate.block, candidate.variable);
        text += &format!("  candidate {}", candidate.id());
        text.extend(self.finding.iter().map(|finding| format!(", finding {finding}")));
        text.extend(self.test.iter().map(|test| format!("\n  in {}", test.told())));
        text.push('\n');
        if self.points.is_empty() {
            text += &format!(
                "\n  any thread that has passed {} is held {} until another one has passed {}, and then passes {}\n",
                candidate.first.brief(),
                candidate.told_hold(),
                candidate.other.brief(),
                candidate.last.brief()
            );
            return text;
        }
        for thread in &self.threads {
            text += &format!("  {}: {}\n", thread.name, thread.start.told());
        }
        let heads: Vec<&str> = self.threads.iter().map(|thread| &*thread.name).collect();
        let cells: Vec<(usize, String)> = self.points.iter().map(|point| (point.thread, self.cell(point))).collect();
        let widths: Vec<usize> = heads
            .iter()
            .enumerate()
            .map(|(index, head)| {
                let cells = cells.iter().filter(|(thread, _)| *thread == index).map(|(_, cell)| cell.chars().count());
                cells.chain([head.chars().count()]).max().unwrap_or(0)
            })
            .collect();
        text.push('\n');
        let mut line = |of: &dyn Fn(usize) -> String| {
            let row: Vec<String> =
                widths.iter().enumerate().map(|(index, width)| format!("{:width$}", of(index))).collect();
            text += &format!("  {}\n", row.join(" | ").trim_end());
        };
        line(&|index| heads[index].to_owned());
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        line(&|index| rule[index].clone());
        for (thread, cell) in &cells {
            line(&|index| if index == *thread { cell.clone() } else { String::new() });
        }
        text
    }

    fn cell(&self, Point { role, times, .. }: &Point) -> String {
        let place = role.of(&self.candidate);
        let name = if place.name.is_empty() { String::new() } else { format!(" {}", place.name) };
        format!("{}{name}  {}  the {} time", place.action.name(), place.in_table(), ordinal(*times))
    }
}
