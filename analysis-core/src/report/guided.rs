//! How much of a program was watched, where earlier runs said what its threads share.

use serde::Serialize;

use super::text::noun;

/// What a run watched that was guided by a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Guided {
    /// The file of the profile.
    pub profile: String,
    /// How many runs it came from, before this one.
    pub runs: u64,
    /// Fields that the loaded classes declare.
    pub fields: Part,
    /// Places that access elements of arrays.
    pub arrays: Part,
    /// Calls of the library that have a model.
    pub calls: Part,
    /// Places that enter monitors.
    pub monitors: Part,
    /// Atomic methods.
    pub blocks: Part,
    /// Classes that were watched whole because they are new or have changed.
    pub new_classes: u64,
    /// Classes that were watched whole because they are in the slice of this run.
    pub slice_classes: u64,
}

/// How many of them were watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Those that were.
    pub watched: u64,
    /// All.
    pub all: u64,
}

impl Guided {
    /// In one line.
    pub(super) fn summary(&self) -> String {
        let Guided { profile, runs, fields, arrays, calls, blocks, .. } = self;
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
            classes(self.new_classes, "new"),
            classes(self.slice_classes, "in this run's slice")
        )
    }
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
            guided.summary(),
            "guided by app.profile (7 runs): 41 of 5120 fields, 12 of 301 places with arrays, 3 of 80 calls, 30 of 900 methods \
             watched, 3 classes new, 1 class in this run's slice"
        );
        (guided.runs, guided.new_classes, guided.slice_classes) = (1, 0, 0);
        assert!(guided.summary().starts_with("guided by app.profile (1 run): ") && guided.summary().ends_with("methods watched"));
    }
}
