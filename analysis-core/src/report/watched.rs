//! How much of a run was watched, where that was to be only a part.

use serde::Serialize;

use super::text::{line, more, noun};
use super::{Head, table};

/// How much was watched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Watched {
    /// How much processor time watching might take, in per cent.
    pub percent: u8,
    /// How many blocks were entered.
    pub blocks: u64,
    /// How many of them were watched.
    pub watched: u64,
    /// The methods that are blocks, least watched first.
    pub methods: Vec<WatchedMethod>,
}

/// How many instances of a method were watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WatchedMethod {
    /// The method.
    pub method: String,
    /// How often it was entered.
    pub instances: u64,
    /// How many of these instances were watched.
    pub watched: u64,
}

impl Watched {
    /// Of these methods.
    pub fn new(percent: u8, mut methods: Vec<WatchedMethod>) -> Watched {
        // Of two methods of which the same share was watched, more of the one with more instances was not.
        methods.sort_by(|a, b| {
            let shares = u128::from(a.watched) * u128::from(b.instances);
            let than = u128::from(b.watched) * u128::from(a.instances);
            shares.cmp(&than).then(b.instances.cmp(&a.instances)).then_with(|| a.method.cmp(&b.method))
        });
        let sum = |count: fn(&WatchedMethod) -> u64| methods.iter().map(count).sum();
        let (blocks, watched) = (sum(|method| method.instances), sum(|method| method.watched));
        Watched { percent, blocks, watched, methods }
    }

    /// In one line.
    pub(super) fn summary(&self) -> String {
        let never = self.methods.iter().filter(|method| method.watched == 0).count();
        let always = self.methods.iter().filter(|method| method.watched == method.instances).count();
        format!(
            "watched: {} of {} {} ({}); of {} {} {never} never, {always} always",
            self.watched,
            self.blocks,
            noun(self.blocks, "block"),
            share(self.watched, self.blocks),
            self.methods.len(),
            noun(self.methods.len() as u64, "method")
        )
    }
}

/// A share that was watched looks like none only if it is none, and like all only if it is all.
fn share(part: u64, all: u64) -> String {
    let percent = if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 };
    match percent {
        _ if part == 0 || part == all => format!("{percent:.0} %"),
        _ if percent < 0.1 => "under 0.1 %".to_owned(),
        _ if percent > 99.9 => "over 99.9 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}

/// The methods of which the smallest share was watched.
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

    fn method(name: &str, instances: u64, watched: u64) -> WatchedMethod {
        WatchedMethod { method: name.to_owned(), instances, watched }
    }

    #[test]
    fn the_least_watched_method_comes_first() {
        let all = vec![method("a", 10, 10), method("b", 1000, 10), method("c", 5, 0), method("d", 50, 0)];
        let watched = Watched::new(30, all);
        let names: Vec<&str> = watched.methods.iter().map(|method| &*method.method).collect();
        assert_eq!(names, ["d", "c", "b", "a"]);
        assert_eq!(watched.summary(), "watched: 20 of 1065 blocks (1.9 %); of 4 methods 2 never, 1 always");
    }

    #[test]
    fn a_small_share_does_not_look_like_none_nor_a_large_one_like_all() {
        let shares = [(0, 10), (10, 10), (1, 100_000), (99_999, 100_000), (1, 8), (0, 0)];
        let told = shares.map(|(part, all)| share(part, all));
        assert_eq!(told, ["0 %", "100 %", "under 0.1 %", "over 99.9 %", "12.5 %", "0 %"]);
    }
}
