//! A cycle under TSO, for a person: the events, the edges with their reasons, and each delayed write.

use super::lines::{NARROWEST, WIDEST, end, line};
use super::table;

pub use crate::report::judgement::delayed::{Delayed, Step, Told};

/// The cycle in words and as a table of at most `width` columns of text.
pub fn text(delayed: &Delayed, width: usize) -> String {
    let mut out = String::new();
    line(&mut out, 0, delayed.kind);
    line(&mut out, 3, delayed.meaning);
    out.push('\n');
    for row in table::lines(&delayed.witness, width.clamp(NARROWEST, WIDEST) - 3) {
        line(&mut out, 3, &row);
    }
    out.push('\n');
    line(&mut out, 3, "the cycle, each pair in the order that holds between them");
    for step in &delayed.steps {
        line(&mut out, 5, &end(&step.from));
        line(&mut out, 7, &format!("{} {}", step.why, end(&step.to)));
    }
    for told in &delayed.delays {
        out.push('\n');
        delay(&mut out, told);
    }
    out
}

fn delay(out: &mut String, told: &Told) {
    line(out, 3, &format!("delayed: {}", end(&told.write)));
    for missed in &told.missed_by {
        let what = if missed.access.starts_with("read") { "read the old value meanwhile" } else { "overtook it" };
        line(out, 5, &format!("{what}: {}", end(missed)));
    }
    line(out, 5, &told.advice().unwrap_or_else(|| "a fence would not have changed this".to_owned()));
}
