//! How much of a program was watched under a profile, in one line.

use crate::report::model::guided::{Guided, Part};
use crate::report::model::words::noun;

/// The summary in one line.
pub(super) fn summary(guided: &Guided) -> String {
    let Guided { profile, runs, fields, arrays, calls, blocks, .. } = guided;
    let of = |part: &Part, what: &str| format!("{} of {} {what}", part.watched, part.all);
    let classes = |count: u64, why: &str| match count {
        0 => String::new(),
        _ => format!(", {count} {} {why}", if count == 1 { "class" } else { "classes" }),
    };
    format!(
        "guided by {profile} ({runs} {}): {}, {}, {}, {} watched{}{}",
        noun(*runs, "run"),
        of(fields, "fields"),
        of(arrays, "places with arrays"),
        of(calls, "calls"),
        of(blocks, "methods"),
        classes(guided.new_classes, "new"),
        classes(guided.slice_classes, "in this run's slice")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_says_what_was_left_out() {
        let part = |watched, all| Part { watched, all };
        let mut guided = Guided {
            profile: "app.profile".to_owned(),
            runs: 7,
            fields: part(41, 5120),
            arrays: part(12, 301),
            calls: part(3, 80),
            blocks: part(30, 900),
            new_classes: 3,
            slice_classes: 1,
            ..Guided::default()
        };
        assert_eq!(
            summary(&guided),
            "guided by app.profile (7 runs): 41 of 5120 fields, 12 of 301 places with arrays, 3 of 80 calls, 30 of 900 methods \
             watched, 3 classes new, 1 class in this run's slice"
        );
        (guided.runs, guided.new_classes, guided.slice_classes) = (1, 0, 0);
        assert!(
            summary(&guided).starts_with("guided by app.profile (1 run): ")
                && summary(&guided).ends_with("methods watched")
        );
    }
}
