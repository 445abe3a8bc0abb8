//! Calls of concurrent maps and sets, whose keys are variables.

use super::{Done, Iterator, KEYS, Object, Part};
use crate::called::Call;

impl Object {
    /// Whether another thread has written the part since an event; with `removed`, by removing a key.
    pub(super) fn is_written(&self, done: &Done<'_>, is: impl Fn(Part) -> bool, since: usize, removed: bool) -> bool {
        self.writes.iter().any(|(at, thread, part, is_removal)| {
            *at > since && *thread != done.thread && is(*part) && (*is_removal || !removed)
        })
    }

    /// A step of an iterator over keys. The iterator may or may not see what others have written since its last step.
    pub(super) fn step(&mut self, done: &mut Done<'_>, name: &str) {
        let Some(iterator) = self.iterators.get(&done.thread).copied() else { return };
        let is_over = name == "hasNext" && done.is("false");
        let sure = iterator.is_followed && done.other.is_none_or(|other| other <= iterator.step);
        if name == "removeOfIterator" {
            if let Some(key) = iterator.key {
                done.perhaps(Part::Key(key), true);
            }
            done.perhaps(Part::Share(done.thread), true);
            return;
        }
        if name == "next" && iterator.steps == 0 || is_over {
            let is_changed = self.is_written(done, |part| matches!(part, Part::Share(_)), iterator.step, false);
            done.of_all(Part::Share, false, sure && !is_changed);
        }
        if is_over {
            done.keys(false, false);
        }
        if name != "next" {
            return;
        }
        let key = done.number();
        if let Some(key) = key {
            let is = |part| part == Part::Key(key);
            let is_changed =
                self.is_written(done, is, iterator.step, false) || self.is_written(done, is, iterator.made, true);
            done.access(Part::Key(key), false, sure && !is_changed);
        }
        let known = self.iterators.get_mut(&done.thread).expect("it was there");
        *known = Iterator { step: done.at, steps: iterator.steps + 1, key, ..*known };
    }

    pub(super) fn all(&self, done: &mut Done<'_>, is_certain: bool) {
        for key in 0..KEYS {
            done.access(Part::Key(key), false, is_certain && self.used.contains(&key));
        }
        done.of_all(Part::Share, false, is_certain);
    }

    /// A look at the returned key and at the number of keys.
    pub(super) fn returned(done: &mut Done<'_>) {
        if let Some(key) = done.number().filter(|_| !done.is("null")) {
            done.read(Part::Key(key));
        }
        done.of_all(Part::Share, false, true);
    }

    pub(super) fn removed_first(done: &mut Done<'_>) {
        Object::returned(done);
        if let Some(key) = done.number().filter(|_| !done.is("null")) {
            done.perhaps(Part::Key(key), true);
            done.write(Part::Share(done.thread));
        }
    }

    /// A change of one key if `is_changed`, otherwise a look at it.
    pub(super) fn change(done: &mut Done<'_>, key: u32, is_changed: bool, is_counted: bool) {
        done.write_if(Part::Key(key), is_changed);
        if is_changed {
            done.access(Part::Share(done.thread), true, is_counted);
        }
    }

    pub(super) fn concurrent_set(&mut self, done: &mut Done<'_>, call: &Call) {
        let is_so = done.is("true");
        let (key, other) = (call.a, 4 + call.b);
        let class = self.kind.name();
        let (_, name) = call.name.split_once('.').expect("a group");
        match name {
            "add" | "remove" | "addAll" | "removeOfDescending" => Object::change(done, key, is_so, true),
            "addAllOfArray" => {
                done.perhaps(Part::Key(key), is_so);
                done.access(Part::Share(done.thread), true, is_so);
            }
            "removeAll" => Object::change(done, key, is_so, class == "ConcurrentSkipListSet"),
            "contains" => done.read(Part::Key(key)),
            "containsOfHeadSet" => done.access(Part::Key(key), false, key < 2),
            "size" | "isEmpty" => done.of_all(Part::Share, false, true),
            "clear" => {
                done.of_all(Part::Share, true, true);
                done.keys(true, false);
            }
            "toArray" | "forEach" | "hashCode" => self.all(done, true),
            "count" => self.all(done, class != "SetFromMap"),
            "anyMatch" => self.all(done, class != "SetFromMap" && !is_so),
            "removeIf" => {
                self.all(done, true);
                done.perhaps(Part::Key(key), is_so);
                done.perhaps(Part::Share(done.thread), is_so);
            }
            "retainAll" => {
                self.all(done, true);
                done.keys(true, false);
                done.perhaps(Part::Share(done.thread), true);
            }
            "addAllOfTwo" => {
                for key in [key, other] {
                    done.read(Part::Key(key));
                    done.perhaps(Part::Key(key), is_so);
                }
                if is_so {
                    done.write(Part::Share(done.thread));
                }
            }
            "containsAll" => done.access(Part::Key(key), false, is_so),
            "iterator" => self.make_iterator(done, class != "SetFromMap"),
            "first" | "last" | "floor" | "higher" => Object::returned(done),
            "pollFirst" | "pollLast" => Object::removed_first(done),
            _ => self.step(done, name),
        }
    }

    pub(super) fn concurrent_map(&mut self, done: &mut Done<'_>, call: &Call) {
        let is_so = done.is("true");
        let is_there = !done.is("null");
        let key = call.a;
        let (_, name) = call.name.split_once('.').expect("a group");
        match name {
            "get" | "getOrDefault" | "containsKey" | "containsOfKeys" | "getOfTailMap" | "containsOfDescending" => {
                done.read(Part::Key(key))
            }
            "put" => {
                done.write(Part::Key(key));
                if !is_there {
                    done.write(Part::Share(done.thread));
                }
            }
            "putIfAbsent" => Object::change(done, key, !is_there, true),
            "remove" => Object::change(done, key, is_there, true),
            "removeOf" | "removeOfKeys" => Object::change(done, key, is_so, true),
            "replace" | "computeIfPresent" => done.write_if(Part::Key(key), is_there),
            "replaceOf" => done.write_if(Part::Key(key), is_so),
            "compute" | "merge" | "putAll" => {
                done.write(Part::Key(key));
                if name == "merge" && !is_there {
                    done.write(Part::Share(done.thread));
                } else {
                    done.perhaps(Part::Share(done.thread), true);
                }
            }
            "computeIfAbsent" => {
                done.read(Part::Key(key));
                done.perhaps(Part::Key(key), true);
                done.perhaps(Part::Share(done.thread), true);
            }
            "size" | "isEmpty" | "sizeOfValues" | "isEmptyOfEntries" => done.of_all(Part::Share, false, true),
            "clear" | "clearOfKeys" => {
                done.of_all(Part::Share, true, true);
                done.keys(true, false);
            }
            "containsValue" => self.all(done, !is_so),
            "forEach" | "hashCode" | "toArrayOfValues" | "countOfEntries" => self.all(done, true),
            "replaceAll" => {
                self.all(done, true);
                done.keys(true, false);
            }
            "iteratorOfKeys" | "iteratorOfEntries" => self.make_iterator(done, true),
            "firstKey" | "lastEntry" | "ceilingKey" | "lowerEntry" => Object::returned(done),
            "pollFirstEntry" => Object::removed_first(done),
            _ => self.step(done, name),
        }
    }
}
