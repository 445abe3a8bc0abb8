//! What would have been atomic instead of two calls on one object of the platform's library.

mod table;

use crate::report::model::call::{Call, last_segments};
use crate::report::model::kind::Kind;
use crate::report::model::witness::End;
use table::{LOCKING, MAPS, NUMBER_HANDLE, PLAIN, Row, Say, TABLE, VIEWS, WITH_PARTS};

/// How to do in one step what both calls do, if the table knows them: the advice, between two places.
pub(super) fn in_one_step(kind: Kind, [first_end, last_end]: [&End; 2], [start, end]: [&str; 2]) -> Option<String> {
    let (first, last) = (first_end.call.as_ref()?, last_end.call.as_ref()?);
    if !is_one_object(kind, first, last) || are_keys_of_two(first, last) {
        return None;
    }
    let (class, row) = row_of(first, last)?;
    let (how, note) = match row.say {
        Say::First => return Some(format!("use what {} returned at {start}, without the call at {end}", first.method)),
        // It is not known whether the two calls had the same key.
        Say::Once if kind != Kind::UnrepeatableRead && has_key(first) || has_key(first) && first.part.is_none() => {
            return None;
        }
        Say::Once => {
            return Some(format!("keep what {} returned at {start}, without the call at {end}", first.method));
        }
        Say::ByKey(absent, present) => {
            (format!("{} (for a key that is there: {})", listed(absent), listed(present)), "")
        }
        Say::Alone(note) => (alone(last), note),
        Say::Step(methods, note) if methods.contains(&last.method.as_str()) => (alone(last), note),
        Say::Step(methods, note) => (listed(methods), note),
    };
    let is_clause = ["which ", "by ", "that "].iter().any(|start| note.starts_with(start));
    let only = only_if(note, class, first, last);
    let note = match note {
        "" => String::new(),
        note if is_clause => format!(", {note},"),
        note => format!(" {note}"),
    };
    let instead = PLAIN.iter().find(|(plain, _, _)| plain.contains(&class));
    // A program has no names for the classes behind an EnumSet.
    let class = if class.ends_with("EnumSet") { "EnumSet" } else { class };
    let of = instead.map_or(String::new(), |(_, instead, _)| match instead.contains(".synchronized") {
        true => format!(" of {instead} around the {class}"),
        false if class == "Map" => format!(" of {instead}"),
        false => format!(" of {instead} in place of {class}"),
    });
    // The result of the step shows what the first call only guessed.
    let by = match table::DECIDES.contains(&last.method.as_str()) {
        true => format!("; go by what it returns, not by what {} found", first.method),
        false => String::new(),
    };
    Some(format!("{how}{note}{of} does in one step what {start} and {end} do{only}{by}"))
}

/// The condition for the advice of a row with this remark, unless the calls show that it is met.
fn only_if(note: &str, class: &str, first: &Call, last: &Call) -> &'static str {
    let is_keyed = |call: &Call| call.part.is_none() && table::KEYED.contains(&call.method.as_str());
    let is_counted = table::COUNTED.contains(&first.method.as_str());
    match note {
        table::NOTHING | table::NO_FIRST if is_counted => ", if the size is compared with 0",
        table::NO_ROOM if is_counted => ", if the size is compared with the capacity",
        _ if !first.is_of_atomic() && is_keyed(first) && is_keyed(last) => match MAPS.contains(&class) {
            true => ", if both have the same key",
            false => ", if both have the same element",
        },
        _ => "",
    }
}

fn alone(call: &Call) -> String {
    format!("{} alone", call.method)
}

/// `put, merge or compute`.
fn listed(methods: &[&str]) -> String {
    match methods.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => methods.concat(),
    }
}

/// The row for two calls, and the class by which it was found.
fn row_of<'a>(first: &'a Call, last: &'a Call) -> Option<(&'a str, &'static Row)> {
    let classes = [named(first), named(last)];
    let has = |row: &Row, class: &str| row.classes.iter().any(|some| some.contains(&class));
    let fits = |row: &&Row| {
        row.first.contains(&first.method.as_str())
            && row.last.contains(&last.method.as_str())
            && classes.iter().all(|class| has(row, class))
    };
    TABLE.iter().find(fits).map(|row| (classes[1], row))
}

/// The class whose methods the program calls: that of the receiver. For a class of the program it is the platform's class that has the
/// method; for a view it is the class that the program names, because the receiver is described by the map.
fn named(call: &Call) -> &str {
    let is_known = |class: &str| TABLE.iter().any(|row| row.classes.iter().any(|some| some.contains(&class)));
    let is_view = VIEWS.contains(&call.owner.as_str()) && MAPS.contains(&call.class.as_str());
    match call {
        _ if call.is_number && call.owner == "VarHandle" => NUMBER_HANDLE,
        _ if is_view || !is_known(&call.class) => &call.owner,
        _ => &call.class,
    }
}

/// True if both calls are known to be of one object.
fn is_one_object(kind: Kind, first: &Call, last: &Call) -> bool {
    match kind {
        // The kind is about one variable, or one object.
        Kind::StaleCollectionCheck
        | Kind::StaleAtomicCheck
        | Kind::LostPut
        | Kind::LostSet
        | Kind::LostUpdate
        | Kind::UnrepeatableRead
        | Kind::OverwrittenWrite => true,
        _ => first.has_receiver_of(last) || first.field.is_some() && first.field == last.field,
    }
}

/// True if the calls are about two keys or elements.
fn are_keys_of_two(first: &Call, last: &Call) -> bool {
    let key = |call: &Call| call.part.clone().filter(|part| part.starts_with("key ") || part.starts_with("element "));
    key(first).zip(key(last)).is_some_and(|(first, last)| first != last)
}

/// True if what the call returns depends on an argument.
fn has_key(call: &Call) -> bool {
    const WITH_KEYS: [&str; 3] = ["contains", "containsKey", "getOrDefault"];
    let is_atomic = call.is_of_atomic() && !call.is_of_elements();
    WITH_KEYS.contains(&call.method.as_str()) || call.method == "get" && !is_atomic && !call.is_of("Accumulator")
}

/// The lock that all calls of the object take themselves, so that only the two calls have to be put under it.
pub(super) fn own_lock(calls: [Option<&Call>; 4]) -> Option<String> {
    let call = calls[0]?;
    let is_same = calls.iter().all(|other| other.is_some_and(|other| other.class == call.class));
    let name = call.field.as_deref().map_or("the object", |field| last_segments(field, 1));
    // Keys, values and entries of a map take the lock of the map, not their own.
    let is_map = ["Map", "Hashtable", "Properties"].iter().any(|end| call.class.ends_with(end));
    // So do parts (`subList`, `headMap`), and an event does not say whether its receiver is one.
    let whole = WITH_PARTS.iter().find(|(classes, _)| classes.contains(&call.class.as_str()));
    let name = match whole {
        _ if is_map && VIEWS.contains(&call.owner.as_str()) => format!("the map, not {name}"),
        Some((_, whole)) => format!("{name}, or the whole {whole} if that is a part of one"),
        None => name.to_owned(),
    };
    let takes = is_same && LOCKING.iter().any(|locking| call.class.starts_with(locking));
    takes.then(|| format!("the lock that the methods of {} take, synchronized ({name}),", call.class))
}

/// Every method that the table advises, with a class that it advises it for: names without the package. A test looks them up in
/// a JDK.
pub fn advised() -> Vec<(&'static str, &'static str)> {
    let mut all = Vec::new();
    for row in TABLE {
        let methods: Vec<&str> = match row.say {
            Say::Step(methods, _) => methods.iter().map(|method| method.split('(').next().unwrap_or(method)).collect(),
            Say::ByKey(absent, present) => [absent, present].concat(),
            Say::Alone(_) => row.last.to_vec(),
            // These advise only methods that the program calls already.
            Say::First | Say::Once => continue,
        };
        for class in row.classes.iter().copied().flatten() {
            let instead = PLAIN.iter().find(|(plain, _, _)| plain.contains(class)).map(|(_, _, class)| *class);
            all.extend(
                methods
                    .iter()
                    .flat_map(|method| [Some(*class), instead].into_iter().flatten().map(|class| (class, *method))),
            );
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests;
