//! The meaning of a finding, in the sentence that a person reads first: if it rests on critical sections whose data are known, it names
//! them.

use crate::report::model::call::last_segments;
use crate::report::model::data::{Data, Datum};
use crate::report::model::held::Did;
use crate::report::model::kind::Kind;
use crate::report::model::witness::Witness;
use crate::report::model::words::place_of;

/// The meaning of a kind, or what happened to the data of this witness.
pub(in crate::report) fn meaning(kind: Kind, witness: &Witness) -> String {
    let datum = datum(&witness.data);
    datum.map_or_else(|| kind.meaning().to_owned(), |datum| sentence(datum, &other(witness)))
}

/// The most telling variable: a check relies on what the block has read and another thread has changed.
fn datum(data: &Data) -> Option<&Datum> {
    let Data::Known(data) = data else { return None };
    let is = |did: Option<Did>, of: fn(Did) -> bool| did.is_some_and(of);
    // Among equally telling ones, the first.
    data.iter().min_by_key(|datum| {
        let is_checked = is(datum.first, |did| did.reads) && datum.between.writes;
        let is_used = datum.first.is_some() && datum.last.is_some();
        (!is_checked, !datum.between.writes, !is_used)
    })
}

fn sentence(datum: &Datum, other: &str) -> String {
    let name = match datum.variable.contains(' ') {
        true => datum.variable.as_str(),
        false => last_segments(&datum.variable, 2),
    };
    let place = |at: &Option<String>| at.as_ref().map_or(String::new(), |at| format!(" ({})", place_of(at)));
    let between = if datum.between.writes { "changed" } else { "read" };
    let between = format!("{between} by {other}{}", place(&datum.at.between));
    // What a section does first is known in a run, but not all that it does.
    let first = datum.first.map(|did| if did.reads { "read" } else { "written" });
    let first = first.map(|did| format!("{did} in its first critical section{}", place(&datum.at.first)));
    let last = datum.last.map(|_| place(&datum.at.last));
    match (first, last) {
        (Some(first), Some(last)) => format!("{name} was {first}, {between}, and used in its second{last}"),
        (Some(first), None) => format!("{name} was {first}, and {between} before the second"),
        (None, Some(last)) => format!("{name} was {between} before it was used in its second critical section{last}"),
        (None, None) => format!("{name} was {between} between its critical sections"),
    }
}

/// The threads that came in between.
pub(in crate::report) fn other(witness: &Witness) -> String {
    match (witness.edges.first(), witness.edges.last()) {
        (Some(out), Some(back)) if out.to.thread == back.from.thread => out.to.thread.clone(),
        _ => "others".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::data::Places;

    const READ: Did = Did { reads: true, writes: false };
    const WRITE: Did = Did { reads: false, writes: true };

    fn datum_of(variable: &str, first: Option<Did>, between: Did, last: Option<Did>) -> Datum {
        let at = |place: &str| Some(place.to_owned());
        let at = Places { first: first.and(at("A.java:1")), between: at("A.java:2"), last: last.and(at("A.java:3")) };
        Datum { variable: variable.to_owned(), first, between, last, at }
    }

    #[test]
    fn each_part_that_is_known_is_told_and_no_other() {
        let told = |first, between, last| sentence(&datum_of("bank.Account.balance", first, between, last), "T2");
        let all = [
            (
                told(Some(READ), WRITE, Some(WRITE)),
                "Account.balance was read in its first critical section (A.java:1), changed by T2 (A.java:2), and used in its second (A.java:3)",
            ),
            (
                told(Some(WRITE), READ, None),
                "Account.balance was written in its first critical section (A.java:1), and read by T2 (A.java:2) before the second",
            ),
            (
                told(None, WRITE, Some(READ)),
                "Account.balance was changed by T2 (A.java:2) before it was used in its second critical section (A.java:3)",
            ),
        ];
        all.iter().for_each(|(told, expected)| assert_eq!(told, expected));
        let nowhere = Datum { at: Places::default(), ..datum_of("x", Some(READ), WRITE, Some(READ)) };
        let said = "x was read in its first critical section, changed by others, and used in its second";
        assert_eq!(sentence(&nowhere, "others"), said);
        let call = datum_of("key \"a.b.c\" of HashMap (field Shop.map)", None, WRITE, Some(READ));
        assert!(sentence(&call, "T2").starts_with("key \"a.b.c\" of HashMap (field Shop.map) was changed"));
    }

    #[test]
    fn what_was_read_and_then_changed_tells_most() {
        let [read, written, only_last, checked] = [
            datum_of("read", Some(WRITE), READ, Some(READ)),
            datum_of("written", Some(WRITE), WRITE, Some(READ)),
            datum_of("last", None, WRITE, Some(READ)),
            datum_of("checked", Some(READ), WRITE, None),
        ];
        let first = |data: &[&Datum]| {
            let data = Data::Known(data.iter().map(|datum| (*datum).clone()).collect());
            datum(&data).map(|datum| datum.variable.clone())
        };
        assert_eq!(first(&[&read, &only_last, &written, &checked]).as_deref(), Some("checked"));
        assert_eq!(first(&[&read, &only_last, &written]).as_deref(), Some("written"));
        assert_eq!(first(&[&read, &only_last]).as_deref(), Some("last"));
        assert_eq!((first(&[]), datum(&Data::Unknown)), (None, None));
    }
}
