//! What marks a finding from run to run, also where lines have moved, threads have other names and objects other numbers,
//! and where the same methods got into each other's way by another pattern.

use std::collections::BTreeSet;
use std::hash::Hasher;

use fnv::FnvHasher;

use super::item::Item;
use crate::report::model::witness::End;

/// The mark: of the method, and of the methods and variables, or locks, of its events.
pub(super) fn of(item: &Item) -> String {
    let ends = item.witness().edges.iter().flat_map(|edge| [&edge.from, &edge.to]);
    let parts: BTreeSet<[String; 2]> = ends.map(|end| [place(end), subject(end)]).collect();
    let mut hasher = FnvHasher::default();
    for part in std::iter::once(item.method().unwrap_or_default()).chain(parts.iter().flatten().map(String::as_str)) {
        hasher.write(part.as_bytes());
        hasher.write(&[0]);
    }
    format!("{:016x}", hasher.finish())
}

/// Where it is, without the line.
fn place(end: &End) -> String {
    let location = || end.location.rsplit_once(':').map_or(&*end.location, |(name, _)| name).to_owned();
    end.method.clone().unwrap_or_else(location)
}

/// What it is about: a field, the class of a lock or of an array. Which key of a map it was differs from run to run.
fn subject(end: &End) -> String {
    if let Some(call) = &end.call {
        return call.field.clone().unwrap_or_else(|| call.class.clone());
    }
    let access = &end.access;
    let subject = access.split_once(" of ").or_else(|| access.split_once(' ')).map_or("", |(_, subject)| subject);
    // The other thread, whatever it is called.
    if access.starts_with("fork ") || access.starts_with("join ") { "thread".to_owned() } else { lasting(subject) }
}

/// A name without the numbers of objects and of elements.
fn lasting(name: &str) -> String {
    let mut lasting = String::new();
    let mut chars = name.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '@' => while chars.next_if(char::is_ascii_digit).is_some() {},
            '[' => {
                while chars.next_if(|char| *char != ']').is_some() {}
                lasting.push(char);
            }
            char => lasting.push(char),
        }
    }
    lasting
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_objects_and_elements_do_not_last() {
        assert_eq!(lasting("long[]@18[3]"), "long[][]");
        assert_eq!(lasting("shop.Cache@17"), "shop.Cache");
        assert_eq!(lasting("shop.Cache.map"), "shop.Cache.map");
    }
}
