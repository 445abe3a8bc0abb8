//! What a run guided by a profile watched, according to its report.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The report's `guided`, without the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Guided {
    /// The number of runs that contributed to the profile.
    runs: u64,
    fields: Part,
    arrays: Part,
    calls: Part,
    monitors: Part,
    blocks: Part,
    new_classes: u64,
    slice_classes: u64,
}

/// The number watched, and the number of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    watched: u64,
    all: u64,
}

/// The names of the parts, in the order of [`Guided::parts`].
const PARTS: [&str; 5] = ["fields", "places with arrays", "calls", "monitors", "methods"];

impl Guided {
    /// Reads it from a report, if it is in there.
    pub(super) fn read(guided: &Value) -> Option<Guided> {
        Guided::deserialize(guided).ok()
    }

    fn parts(&self) -> [Part; 5] {
        [self.fields, self.arrays, self.calls, self.monitors, self.blocks]
    }

    /// The heading of [`Guided::row`].
    pub(super) fn heading() -> impl Iterator<Item = String> {
        let classes = ["new classes", "classes of the slice"];
        ["runs before"].into_iter().chain(PARTS).chain(classes).map(str::to_owned)
    }

    /// Returns the cells of a Markdown table.
    pub(super) fn row(&self) -> impl Iterator<Item = String> {
        let parts = self.parts().into_iter().map(|Part { watched, all }| format!("{watched} / {all}"));
        let classes = [self.new_classes, self.slice_classes].map(|count| count.to_string());
        [self.runs.to_string()].into_iter().chain(parts).chain(classes)
    }

    /// Returns the names of the fields of [`Guided::csv`], each after a comma.
    pub(super) fn csv_heading() -> String {
        let parts = PARTS.iter().map(|part| format!(",{part} watched,{part}"));
        format!(",runs before{},new classes,classes of the slice", parts.collect::<String>())
    }

    /// Returns the fields for a CSV table, each after a comma; empty ones if nothing was guided.
    pub(super) fn csv(guided: Option<&Guided>) -> String {
        let Some(guided) = guided else { return ",".repeat(3 + 2 * PARTS.len()) };
        let parts = guided.parts().into_iter().flat_map(|part| [part.watched, part.all]);
        let all = [guided.runs].into_iter().chain(parts).chain([guided.new_classes, guided.slice_classes]);
        all.map(|count| format!(",{count}")).collect()
    }

    /// Returns an example for a test.
    #[cfg(test)]
    pub(super) fn of_test() -> Guided {
        let report = r#"{"profile":"p","runs":2,"fields":{"watched":8,"all":90},"arrays":{"watched":0,"all":7},
            "calls":{"watched":4,"all":5},"monitors":{"watched":1,"all":3},"blocks":{"watched":74,"all":800},
            "new_classes":1,"slice_classes":6}"#;
        Guided::read(&serde_json::from_str(report).expect("JSON")).expect("what a report has")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_watched_is_read_from_a_report_and_stands_below_its_headings() {
        let guided = Guided::of_test();
        let row: Vec<String> = guided.row().collect();
        assert_eq!(row, ["2", "8 / 90", "0 / 7", "4 / 5", "1 / 3", "74 / 800", "1", "6"]);
        assert_eq!(row.len(), Guided::heading().count());
        assert_eq!(Guided::csv(Some(&guided)), ",2,8,90,0,7,4,5,1,3,74,800,1,6");
        let commas = |text: &str| text.matches(',').count();
        assert_eq!(commas(&Guided::csv(None)), commas(&Guided::csv(Some(&guided))));
        assert_eq!(commas(&Guided::csv_heading()), commas(&Guided::csv(None)));
        assert_eq!(Guided::read(&Value::Null), None);
    }
}
