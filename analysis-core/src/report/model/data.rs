//! The data that a finding rests on that is about critical sections: what the block's sections and those of other threads in between have in common.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::held::{Accesses, Did};

/// The data of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Data {
    /// It does not rest on a lock.
    #[default]
    None,
    /// It does, and what the sections access is not known.
    Unknown,
    /// The variables, in the order in which the block accesses them.
    Known(Vec<Datum>),
}

/// A variable, and what is done to it by the block's first section, by those of other threads in between, and by the block's last section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datum {
    /// What the trace calls it.
    pub variable: String,
    /// In the section that the block leaves first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Did>,
    /// By other threads.
    pub between: Did,
    /// In the section in which the block comes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Did>,
}

impl Data {
    /// Of the sections at both ends of the first edge, and at both ends of the last one. A section of which nothing is known is none.
    pub(super) fn of([first, mine]: [Option<&Accesses>; 2], theirs: [Option<&Accesses>; 2]) -> Data {
        let (Some(first), Some(last)) = (first, mine) else { return Data::Unknown };
        if theirs.iter().all(Option::is_none) {
            return Data::Unknown;
        }
        let mut between: HashMap<&str, Did> = HashMap::new();
        for (name, did) in theirs.into_iter().flatten().flatten() {
            let known = between.entry(name).or_default();
            *known = known.and(*did);
        }
        let by_name = |accesses: &'_ Accesses| -> HashMap<String, Did> { accesses.iter().cloned().collect() };
        let (firsts, lasts) = (by_name(first), by_name(last));
        let only_last = last.iter().filter(|(name, _)| !firsts.contains_key(name));
        let names = first.iter().chain(only_last).map(|(name, _)| name);
        let data = names.filter_map(|name| {
            let between = *between.get(name.as_str())?;
            let (first, last) = (firsts.get(name).copied(), lasts.get(name).copied());
            let writes = between.writes || [first, last].into_iter().flatten().any(|did| did.writes);
            writes.then(|| Datum { variable: name.clone(), first, between, last })
        });
        Data::Known(data.collect())
    }

    /// As JSON has it: null if it is not known.
    pub fn value(&self) -> Option<Option<&[Datum]>> {
        match self {
            Data::None => None,
            Data::Unknown => Some(None),
            Data::Known(data) => Some(Some(data)),
        }
    }
}

impl From<Did> for &'static str {
    fn from(did: Did) -> &'static str {
        did.words()
    }
}

impl TryFrom<String> for Did {
    type Error = String;

    fn try_from(words: String) -> Result<Did, String> {
        let all = [(true, false), (false, true), (true, true)].map(|(reads, writes)| Did { reads, writes });
        all.into_iter()
            .find(|did| did.words() == words)
            .ok_or_else(|| format!("what is done is 'read', 'written' or 'read and written', not '{words}'"))
    }
}

impl Did {
    /// In a word, or two.
    pub fn words(self) -> &'static str {
        match (self.reads, self.writes) {
            (true, true) => "read and written",
            (false, true) => "written",
            (_, false) => "read",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Did = Did { reads: true, writes: false };
    const WRITE: Did = Did { reads: false, writes: true };

    fn section(accesses: &[(&str, Did)]) -> Accesses {
        accesses.iter().map(|(name, did)| ((*name).to_owned(), *did)).collect()
    }

    #[test]
    fn the_data_are_what_sections_of_both_access_and_one_writes() {
        let first = section(&[("x", READ), ("y", READ), ("z", WRITE), ("own", WRITE)]);
        let last = section(&[("x", WRITE), ("w", READ)]);
        let theirs = section(&[("x", WRITE), ("y", READ), ("z", READ), ("w", WRITE), ("their", WRITE)]);
        let datum =
            |variable: &str, first, between, last| Datum { variable: variable.to_owned(), first, between, last };
        let expected = vec![
            datum("x", Some(READ), WRITE, Some(WRITE)),
            datum("z", Some(WRITE), READ, None),
            datum("w", None, WRITE, Some(READ)),
        ];
        for theirs in [[Some(&theirs), None], [None, Some(&theirs)], [Some(&theirs), Some(&theirs)]] {
            assert_eq!(Data::of([Some(&first), Some(&last)], theirs), Data::Known(expected.clone()));
        }
        let json = serde_json::to_string(&expected[..2]).expect("JSON");
        let said = r#"[{"variable":"x","first":"read","between":"written","last":"written"},{"variable":"z","first":"written","between":"read"}]"#;
        assert_eq!(json, said);
    }

    #[test]
    fn what_other_threads_did_in_two_sections_is_taken_together() {
        let own = section(&[("x", READ)]);
        let [reads, writes] = [READ, WRITE].map(|did| section(&[("x", did)]));
        let Data::Known(data) = Data::of([Some(&own), Some(&own)], [Some(&reads), Some(&writes)]) else {
            panic!("it is known")
        };
        assert_eq!(data[0].between, READ.and(WRITE));
    }

    #[test]
    fn what_is_not_known_is_not_called_nothing() {
        let own = section(&[("x", READ)]);
        assert_eq!(Data::of([Some(&own), Some(&own)], [None, None]), Data::Unknown);
        assert_eq!(Data::of([Some(&own), None], [Some(&own), None]), Data::Unknown);
        assert_eq!(Data::of([Some(&own), Some(&own)], [Some(&own), None]), Data::Known(Vec::new()));
        assert_eq!((Data::Unknown.value(), Data::None.value()), (Some(None), None));
    }
}
