//! Tables of programs, as JSON files: the list of what to run is data.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::Failure;

/// An entry of a table.
pub(crate) trait Named {
    /// The kind of the entries, for messages.
    const KIND: &str;

    /// Returns the name of the entry on the command line.
    fn name(&self) -> &str;
}

/// Reads the entries of a table; `table` is a path relative to the root.
pub(crate) fn read<T: DeserializeOwned>(root: &Path, table: &str) -> Result<Vec<T>, Failure> {
    let failed = |why: String| Failure(format!("{table}: {why}"));
    let text = std::fs::read_to_string(root.join(table)).map_err(|e| failed(e.to_string()))?;
    serde_json::from_str(&text).map_err(|e| failed(e.to_string()))
}

/// Returns the entries with these names, in the order of the table; all, if no name is given.
pub(crate) fn choose<T: Named>(mut entries: Vec<T>, names: &[String]) -> Result<Vec<T>, Failure> {
    let known: Vec<&str> = entries.iter().map(T::name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Failure(format!("no {} is called `{name}`; there are {}", T::KIND, known.join(", "))));
    }
    entries.retain(|entry| names.is_empty() || names.iter().any(|name| name == entry.name()));
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Named for &'static str {
        const KIND: &str = "letter";

        fn name(&self) -> &str {
            self
        }
    }

    #[test]
    fn entries_are_chosen_by_name_and_a_wrong_name_is_an_error_that_lists_them() {
        let names = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            choose(vec!["a", "b", "c"], &words)
        };
        assert_eq!(names(&["c", "a"]), Ok(vec!["a", "c"]));
        assert_eq!(names(&[]).map(|all| all.len()), Ok(3));
        assert!(names(&["x"]).is_err_and(|Failure(message)| message == "no letter is called `x`; there are a, b, c"));
    }
}
