//! Calls of collections and maps that are one variable each, and of their iterators and entries.

use super::{Done, Iterator, Object, Part};
use crate::called::Call;

impl Object {
    pub(super) fn is_snapshot(&self) -> bool {
        self.kind.name().starts_with("CopyOnWrite")
    }

    pub(super) fn make_iterator(&mut self, done: &Done<'_>, is_followed: bool) {
        let iterator = Iterator { made: done.at, step: done.at, steps: 0, key: None, is_followed };
        self.iterators.insert(done.thread, iterator);
    }

    pub(super) fn plain(&mut self, done: &mut Done<'_>, call: &Call) {
        let (group, name) = call.name.split_once('.').expect("a group");
        let is_so = done.is("true");
        let is_there = !done.is("null");
        if group == "entry" {
            self.entry(done, name);
            return;
        }
        match name {
            "iterator" | "listIterator" | "iteratorOfKeys" | "iteratorOfEntries" => {
                if self.is_snapshot() {
                    done.read(Part::Whole);
                }
                self.make_iterator(done, true);
            }
            "next" | "nextOfList" | "previousOfList" if self.is_snapshot() => {}
            "hasNext" => {
                let looks =
                    ["ArrayList", "LinkedList", "Vector", "SynchronizedList", "PriorityQueue", "LinkedListQueue"];
                done.access(Part::Whole, false, looks.contains(&self.kind.name()));
            }
            "add" | "remove" if group == "queue" => done.write(Part::Whole),
            "add"
            | "removeIf"
            | "addAll"
            | "addAllOfTwo"
            | "removeAll"
            | "retainAll"
            | "offer"
            | "offerFirst"
            | "removeOfKeys"
            | "removeOfDescending"
            | "removeFirstOccurrence"
            | "removeOf"
            | "replaceOf" => done.write_if(Part::Whole, is_so),
            "remove" if group == "collection" => done.write_if(Part::Whole, is_so),
            "remove" | "replace" | "computeIfPresent" | "compute" | "poll" | "pollFirst" | "pollLast"
            | "pollFirstEntry" => {
                done.write_if(Part::Whole, is_there);
            }
            "putIfAbsent" => done.write_if(Part::Whole, !is_there),
            // The array may have been empty.
            "addAllOfArray" => done.access(Part::Whole, is_so, is_so),
            "computeIfAbsent" => {
                done.read(Part::Whole);
                done.perhaps(Part::Whole, true);
            }
            "drainTo" => {}
            "addAt" | "set" | "removeAt" | "sort" | "replaceAll" | "clear" | "clearSubList" | "clearOfKeys"
            | "setOfList" | "addOfList" | "removeOfIterator" | "put" | "putAll" | "merge" | "addLast" | "push"
            | "pop" => done.write(Part::Whole),
            _ => done.read(Part::Whole),
        }
        if done.is_marked && matches!(name, "get" | "getOrDefault" | "putIfAbsent" | "computeIfAbsent") {
            self.moved(done);
        }
    }

    /// The call has moved the entry that it found, in a map in access order.
    pub(super) fn moved(&self, done: &mut Done<'_>) {
        if matches!(self.kind.name(), "OrderedByAccess" | "SynchronizedCache") {
            done.access(Part::Whole, true, !self.has_failed);
        }
    }

    /// A call of an entry, which accesses the map if the entry is in it.
    pub(super) fn entry(&self, done: &mut Done<'_>, name: &str) {
        match name {
            "get" | "set" | "keep" if !done.is_marked => {}
            "set" | "setAll" if done.is_marked => done.write(Part::Whole),
            _ => done.read(Part::Whole),
        }
    }
}
