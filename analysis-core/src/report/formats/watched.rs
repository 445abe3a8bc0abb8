//! How much of a run was watched, in a line and as a list of methods.

use super::lines::{line, more};
use super::table;
use crate::report::model::report::Head;
use crate::report::model::watched::Watched;
use crate::report::model::words::noun;

/// The summary in one line.
pub(super) fn summary(watched: &Watched) -> String {
    let never = watched.methods.iter().filter(|method| method.watched == 0).count();
    let always = watched.methods.iter().filter(|method| method.watched == method.instances).count();
    format!(
        "watched: {} of {} {} ({}); of {} {} {never} never, {always} always",
        watched.watched,
        watched.blocks,
        noun(watched.blocks, "block"),
        share(watched.watched, watched.blocks),
        watched.methods.len(),
        noun(watched.methods.len() as u64, "method")
    )
}

/// The share as a percentage: it looks like none only if it is none, and like all only if it is all.
fn share(part: u64, all: u64) -> String {
    let percent = if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 };
    match percent {
        _ if part == 0 || part == all => format!("{percent:.0} %"),
        _ if percent < 0.1 => "under 0.1 %".to_owned(),
        _ if percent > 99.9 => "over 99.9 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}

/// Prints the methods of which the smallest share was watched.
pub(super) fn render(out: &mut String, head: &Head, width: usize) {
    let Some(watched) = &head.watched else { return };
    let told = &watched.methods[..watched.methods.len().min(head.most)];
    if told.is_empty() {
        return;
    }
    out.push('\n');
    line(out, 0, "how many instances of each method were watched, the least watched first");
    for method in told {
        let often =
            format!(": {} of {} ({})", method.watched, method.instances, share(method.watched, method.instances));
        line(out, 3, &(table::fit(&method.method, width.saturating_sub(3 + often.len())) + &often));
    }
    if told.len() < watched.methods.len() {
        more(out, 3, watched.methods.len() - told.len(), "method", head.source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::WatchedMethod;

    #[test]
    fn the_line_counts_blocks_and_methods() {
        let method = |instances, watched| WatchedMethod { method: "m".to_owned(), instances, watched };
        let watched = Watched::new(30, vec![method(10, 10), method(1000, 10), method(5, 0), method(50, 0)]);
        assert_eq!(summary(&watched), "watched: 20 of 1065 blocks (1.9 %); of 4 methods 2 never, 1 always");
    }

    #[test]
    fn a_small_share_does_not_look_like_none_nor_a_large_one_like_all() {
        let shares = [(0, 10), (10, 10), (1, 100_000), (99_999, 100_000), (1, 8), (0, 0)];
        let told = shares.map(|(part, all)| share(part, all));
        assert_eq!(told, ["0 %", "100 %", "under 0.1 %", "over 99.9 %", "12.5 %", "0 %"]);
    }
}
