//! What calls do with a collection or map that is their argument.

use super::{Done, Object, Part};
use crate::called::kinds::Kind;

/// How a call has looked at its argument.
enum Look {
    /// At all of it.
    All,
    /// It has found an element, and perhaps stopped there.
    Some,
    /// It has asked for its size, and perhaps more.
    Size,
    /// It has asked whether something is in it.
    Asked,
    /// Unknown.
    Unknown,
    /// Not at all.
    Nothing,
}

/// Classes that can be asked whether they are empty: collections, and wrappers of such collections.
const QUIET: &[&str] = &[
    "ArrayList",
    "LinkedList",
    "CopyOnWriteArrayList",
    "SynchronizedList",
    "HashSet",
    "LinkedHashSet",
    "CopyOnWriteArraySet",
    "SynchronizedSet",
    "ArrayDeque",
    "PriorityQueue",
    "LinkedListQueue",
];

/// How `disjoint` looks at one of two collections.
fn disjoint(of: Kind, other: Kind, is_first: bool, is_so: bool) -> Look {
    // A set is searched for the elements of the other collection; of two sets, the first one.
    match (of.is_set(), other.is_set()) {
        (false, false) => Look::Size,
        (true, is_set) if is_first || !is_set => {
            if is_so {
                Look::Unknown
            } else {
                Look::Asked
            }
        }
        _ => {
            if is_so {
                Look::All
            } else {
                Look::Some
            }
        }
    }
}

/// How a call on `receiver` looks at its argument, which may be of another kind.
fn look(receiver: Kind, argument: Kind, name: &str, done: &Done<'_>) -> Look {
    let is_so = done.is("true");
    let is_hash_or_tree = matches!(receiver, Kind::Set(name) if name != "CopyOnWriteArraySet");
    let is_all_if = |is_so, otherwise| if is_so { Look::All } else { otherwise };
    match name {
        "containsAll" => is_all_if(is_so, Look::Some),
        "removeAll" if is_hash_or_tree => Look::Size,
        "removeAll" if receiver.name() == "ConcurrentSkipListSet" => Look::All,
        "removeAll" | "retainAll" if is_so || done.is("kept") && QUIET.contains(&receiver.name()) => Look::Asked,
        "removeAll" | "retainAll" => Look::Unknown,
        "equals" if receiver.is_list() && argument.is_list() => Look::All,
        "equals" if receiver.is_set() && argument.is_set() => {
            is_all_if(is_so, if is_hash_or_tree { Look::Size } else { Look::Some })
        }
        "equals" => Look::Nothing,
        "equalsMap" if matches!(receiver, Kind::ConcurrentMap(_)) => is_all_if(is_so, Look::Asked),
        // It wraps a class of the program, which may have overridden what this call uses.
        "equalsMap" if receiver.name() == "SynchronizedCache" => Look::Unknown,
        "equalsMap" => Look::Size,
        // It asks for the size first, and then for nothing else if that is zero.
        "addAll" if receiver.name() == "SubList" => is_all_if(is_so, Look::Size),
        "drainTo" => Look::Nothing,
        "disjoint" => disjoint(argument, receiver, false, is_so),
        _ => Look::All,
    }
}

impl Object {
    /// The effects on this object of a call that has it as its argument.
    pub(super) fn passed(&mut self, done: &mut Done<'_>, receiver: Kind, name: &str, is_in_block: bool) {
        let had_looked = self.looked.contains(&done.thread);
        let how = look(receiver, self.kind, name, done);
        if matches!(how, Look::Nothing) && name == "drainTo" && !done.is("null") {
            done.write(Part::Whole);
        }
        self.looked_at(done, &how);
        if !is_in_block || matches!(how, Look::Unknown) && !had_looked || done.result.starts_with('!') && !had_looked {
            self.looked.remove(&done.thread);
        }
    }

    fn looked_at(&mut self, done: &mut Done<'_>, how: &Look) {
        match (how, self.kind) {
            (Look::Nothing, _) => {}
            (_, Kind::ConcurrentSet(_) | Kind::ConcurrentMap(_)) => {
                self.all(done, matches!(how, Look::All));
                if matches!(how, Look::Some | Look::Size) {
                    done.of_all(Part::Share, false, true);
                }
            }
            (Look::Some, Kind::ConcurrentQueue(_)) => self.look(done, false, true),
            (_, Kind::ConcurrentQueue(_)) => self.look(done, true, !matches!(how, Look::Unknown)),
            _ => done.access(Part::Whole, false, !matches!(how, Look::Unknown)),
        }
    }

    /// The effects on this object of a call on it that has another object as its argument.
    pub(super) fn passes(&mut self, done: &mut Done<'_>, argument: Kind, name: &str, is_in_block: bool) {
        let had_looked = self.looked.contains(&done.thread);
        let is_so = done.is("true");
        let is_keyed = matches!(self.kind, Kind::ConcurrentSet(_) | Kind::ConcurrentMap(_));
        let is_queue = matches!(self.kind, Kind::ConcurrentQueue(_));
        let is_equal = self.kind.is_list() && argument.is_list() || self.kind.is_set() && argument.is_set();
        let mut is_known = true;
        match name {
            "addAll" | "removeAll" if is_keyed => {
                done.keys(true, false);
                let is_counted = is_so && (name == "addAll" || self.kind.name() == "ConcurrentSkipListSet");
                done.access(Part::Share(done.thread), true, is_counted);
            }
            "retainAll" if is_keyed => {
                self.all(done, true);
                done.keys(true, false);
                done.perhaps(Part::Share(done.thread), true);
            }
            "putAll" if is_keyed => {
                done.keys(true, false);
                done.perhaps(Part::Share(done.thread), true);
            }
            // They take a lock to answer `isEmpty`, so the agent does not ask.
            "putAll" => {
                let can_be_asked = !matches!(argument.name(), "Hashtable" | "SynchronizedCache");
                done.access(Part::Whole, true, is_so && can_be_asked);
            }
            "containsAll" if is_keyed => self.all(done, false),
            "equals" if is_keyed && is_equal => self.all(done, is_so),
            "equalsMap" if is_keyed => self.all(done, is_so),
            "equalsMap" => done.read(Part::Whole),
            "equals" if is_equal => done.read(Part::Whole),
            "addAll" if is_queue && is_so => self.added(done),
            // There was nothing to add.
            "addAll" if is_queue => {}
            "addAll" => done.access(Part::Whole, is_so, is_so),
            "drainTo" if !done.is("null") => {
                let element = done.number().filter(|_| done.result.starts_with('e'));
                self.take_out(done, element, true);
            }
            "drainTo" => self.look(done, true, true),
            "removeAll" | "retainAll" if is_queue && is_so => self.take_out(done, None, true),
            "removeAll" | "retainAll" if is_queue => self.look(done, true, true),
            "removeAll" | "retainAll" => done.write_if(Part::Whole, is_so),
            "containsAll" if is_queue => {
                is_known = !is_so;
                self.look(done, true, is_known);
            }
            "containsAll" => done.access(Part::Whole, false, !is_so),
            "disjoint" => {
                let how = disjoint(self.kind, argument, true, is_so);
                is_known = !matches!(how, Look::Unknown);
                self.looked_at(done, &how);
            }
            "copy" => {
                done.read(Part::Whole);
                done.access(Part::Whole, is_so, is_so && QUIET.contains(&argument.name()));
            }
            _ => {}
        }
        if !is_in_block || !had_looked && (!is_known || done.result.starts_with('!')) {
            self.looked.remove(&done.thread);
        }
    }

    /// A failed call: it may have looked at anything.
    pub(super) fn perhaps_all(&mut self, done: &mut Done<'_>) {
        match self.kind {
            Kind::ConcurrentSet(_) | Kind::ConcurrentMap(_) => self.all(done, false),
            Kind::ConcurrentQueue(_) => {
                done.of_all(Part::Taken, false, false);
                done.of_all(Part::Added, false, false);
            }
            _ => done.perhaps(Part::Whole, false),
        }
    }
}
