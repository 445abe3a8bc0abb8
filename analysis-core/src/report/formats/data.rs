//! What a report says about the data that critical sections have in common, and about locks that one access has and another
//! lacks.

use super::lines::line;
use crate::report::judgement::locking::reason;
use crate::report::judgement::reason::other;
use crate::report::model::data::{Data, Datum};
use crate::report::model::report::Source;
use crate::report::model::witness::Witness;
use crate::report::model::words::place_of;

/// How many variables a report for a person names.
const MOST: usize = 3;

/// Adds what a finding rests on, if its first sentence does not say so already.
pub(super) fn render(out: &mut String, witness: &Witness, source: Source) {
    said(witness, source).iter().for_each(|said| line(out, 3, said));
}

/// The same as sentences.
pub(super) fn said(witness: &Witness, source: Source) -> Vec<String> {
    let mut all: Vec<String> = reason(witness).into_iter().collect();
    let said = match (&witness.data, source) {
        (Data::None, _) => return all,
        // The first sentence has said so.
        (Data::Known(data), _) if data.len() == 1 => return all,
        (Data::Unknown, Source::Run) => {
            "not known here; with record=FILE the run keeps it, and regiontrack check FILE names it".to_owned()
        }
        (Data::Unknown, Source::Trace) => {
            "not known, because the trace does not show where these sections begin and end".to_owned()
        }
        (Data::Known(data), _) => listed(data, &other(witness)),
    };
    all.push(format!("the data: {said}"));
    all
}

fn listed(data: &[Datum], other: &str) -> String {
    if data.is_empty() {
        return "none that the trace shows in the sections of both threads".to_owned();
    }
    let more = data.len().saturating_sub(MOST);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    let told: Vec<String> = data.iter().take(MOST).map(|datum| of(datum, other)).collect();
    told.join("; ") + &rest
}

fn of(datum: &Datum, other: &str) -> String {
    let at = |place: &Option<String>| place.as_ref().map_or(String::new(), |place| format!(" at {}", place_of(place)));
    let first = datum.first.map(|did| format!("{} in its first section{}", did.words(), at(&datum.at.first)));
    let last = datum.last.map(|did| format!("{} in its last{}", did.words(), at(&datum.at.last)));
    let between = format!("{} by {other}{}", datum.between.words(), at(&datum.at.between));
    let all: Vec<String> = [first, Some(between), last].into_iter().flatten().collect();
    format!("{} ({})", datum.variable, all.join(", "))
}
