//! The data that a finding about critical sections rests on: what the block's sections and those of other threads in between have in
//! common.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::held::{Accessed, Accesses, Did};

/// The data of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Data {
    /// The finding does not rest on a lock.
    #[default]
    None,
    /// The finding rests on a lock, and what the sections access is not known.
    Unknown,
    /// The variables, in the order in which the block accesses them.
    Known(Vec<Datum>),
}

/// A variable, and what is done to it by the block's first section, by those of other threads in between, and by the block's last section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datum {
    /// The name in a trace; if the program accesses the variable by calls of the library, the same in words, as in a
    /// run.
    pub variable: String,
    /// In the section that the block leaves first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Did>,
    /// By other threads.
    pub between: Did,
    /// In the section in which the block returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Did>,
    /// Where the accesses are.
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub at: Places,
}

/// Where each is done for the first time: a read in the block's first section, a write by other threads, anything in the last; if there is
/// no such access, any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// In the section that the block leaves first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// By other threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<String>,
    /// In the section in which the block returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

impl Places {
    fn is_empty(&self) -> bool {
        *self == Places::default()
    }
}

/// What an access is to, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The access in words, if it is a call of the library.
    pub call: Option<String>,
    /// The place in the program.
    pub location: String,
}

impl Data {
    /// The data of the sections at both ends of the first edge, and at both ends of the last one. An unknown section is `None`.
    /// `placed` returns the places of the events with these numbers.
    pub(super) fn of<'p>(
        [first, mine]: [Option<&Accesses>; 2],
        theirs: [Option<&Accesses>; 2],
        placed: impl Fn(u64) -> Option<&'p Placed>,
    ) -> Data {
        let (Some(first), Some(last)) = (first, mine) else { return Data::Unknown };
        if theirs.iter().all(Option::is_none) {
            return Data::Unknown;
        }
        let mut between: HashMap<&str, Accessed> = HashMap::new();
        for accessed in theirs.into_iter().flatten().flatten() {
            let known = between.entry(&accessed.variable).or_insert_with(|| accessed.clone());
            known.did = known.did.and(accessed.did);
            known.read = known.read.or(accessed.read);
            known.write = known.write.or(accessed.write);
        }
        let by_name = |accesses: &'_ Accesses| -> HashMap<String, Accessed> {
            accesses.iter().map(|accessed| (accessed.variable.clone(), accessed.clone())).collect()
        };
        let (firsts, lasts) = (by_name(first), by_name(last));
        let only_last = last.iter().filter(|accessed| !firsts.contains_key(&accessed.variable));
        let data = first.iter().chain(only_last).filter_map(|Accessed { variable, .. }| {
            let between = between.get(variable.as_str())?;
            let (first, last) = (firsts.get(variable), lasts.get(variable));
            let writes = [Some(between), first, last].into_iter().flatten().any(|accessed| accessed.did.writes);
            let find = |number: Option<u64>| number.and_then(&placed);
            let found = [
                find(first.and_then(|accessed| accessed.read.or(accessed.write))),
                find(between.write.or(between.read)),
                find(last.and_then(Accessed::first)),
            ];
            let call = found.iter().flatten().find_map(|placed| placed.call.clone());
            let [at_first, at_between, at_last] = found.map(|placed| placed.map(|placed| placed.location.clone()));
            writes.then(|| Datum {
                variable: call.unwrap_or_else(|| variable.clone()),
                first: first.map(|accessed| accessed.did),
                between: between.did,
                last: last.map(|accessed| accessed.did),
                at: Places { first: at_first, between: at_between, last: at_last },
            })
        });
        Data::Known(data.collect())
    }

    /// The form in JSON: null if the data are not known.
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
    /// One or two words for it.
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

    fn nowhere(_: u64) -> Option<&'static Placed> {
        None
    }

    fn section(accesses: &[(&str, Did)]) -> Accesses {
        let accessed = |(name, did): &(&str, Did)| {
            let number = u64::from(name.as_bytes()[0]);
            let (read, write) = (did.reads.then_some(number), did.writes.then_some(1000 + number));
            Accessed { variable: (*name).to_owned(), did: *did, read, write }
        };
        accesses.iter().map(accessed).collect()
    }

    #[test]
    fn the_data_are_what_sections_of_both_access_and_one_writes() {
        let first = section(&[("x", READ), ("y", READ), ("z", WRITE), ("own", WRITE)]);
        let last = section(&[("x", WRITE), ("w", READ)]);
        let theirs = section(&[("x", WRITE), ("y", READ), ("z", READ), ("w", WRITE), ("their", WRITE)]);
        let datum = |variable: &str, first, between, last| Datum {
            variable: variable.to_owned(),
            first,
            between,
            last,
            at: Places::default(),
        };
        let expected = vec![
            datum("x", Some(READ), WRITE, Some(WRITE)),
            datum("z", Some(WRITE), READ, None),
            datum("w", None, WRITE, Some(READ)),
        ];
        for theirs in [[Some(&theirs), None], [None, Some(&theirs)], [Some(&theirs), Some(&theirs)]] {
            assert_eq!(Data::of([Some(&first), Some(&last)], theirs, nowhere), Data::Known(expected.clone()));
        }
        let json = serde_json::to_string(&expected[..2]).expect("JSON");
        let said = r#"[{"variable":"x","first":"read","between":"written","last":"written"},{"variable":"z","first":"written","between":"read"}]"#;
        assert_eq!(json, said);
    }

    #[test]
    fn what_other_threads_did_in_two_sections_is_taken_together() {
        let own = section(&[("x", READ)]);
        let [reads, writes] = [READ, WRITE].map(|did| section(&[("x", did)]));
        let Data::Known(data) = Data::of([Some(&own), Some(&own)], [Some(&reads), Some(&writes)], nowhere) else {
            panic!("it is known")
        };
        assert_eq!(data[0].between, READ.and(WRITE));
    }

    #[test]
    fn the_places_are_those_of_the_check_of_the_change_and_of_the_first_use() {
        let known: Vec<Placed> = (0..2000)
            .map(|number| Placed {
                call: (number == 1120).then(|| "the call".to_owned()),
                location: number.to_string(),
            })
            .collect();
        let both = READ.and(WRITE);
        let [own, theirs] = [[("x", both), ("y", WRITE)], [("x", both), ("y", READ)]].map(|all| section(&all));
        let placed = |number: u64| known.get(usize::try_from(number).expect("it is small"));
        let Data::Known(data) = Data::of([Some(&own), Some(&own)], [Some(&theirs), None], placed) else {
            panic!("it is known")
        };
        let at =
            |datum: &Datum| [&datum.at.first, &datum.at.between, &datum.at.last].map(|at| at.clone().expect("known"));
        assert_eq!((at(&data[0]), data[0].variable.as_str()), (["120", "1120", "120"].map(str::to_owned), "the call"));
        assert_eq!((at(&data[1]), data[1].variable.as_str()), (["1121", "121", "1121"].map(str::to_owned), "y"));
        let json = serde_json::to_string(&data[1]).expect("JSON");
        assert!(json.ends_with(r#""at":{"first":"1121","between":"121","last":"1121"}}"#), "{json}");
        assert_eq!(serde_json::from_str::<Datum>(&json).expect("JSON"), data[1]);
    }

    #[test]
    fn what_is_not_known_is_not_called_nothing() {
        let own = section(&[("x", READ)]);
        assert_eq!(Data::of([Some(&own), Some(&own)], [None, None], nowhere), Data::Unknown);
        assert_eq!(Data::of([Some(&own), None], [Some(&own), None], nowhere), Data::Unknown);
        assert_eq!(Data::of([Some(&own), Some(&own)], [Some(&own), None], nowhere), Data::Known(Vec::new()));
        assert_eq!((Data::Unknown.value(), Data::None.value()), (Some(None), None));
    }
}
