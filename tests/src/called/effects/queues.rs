//! Calls of concurrent queues.

use super::{Done, Iterator, Object, Part};
use crate::called::Call;

impl Object {
    /// A look at what was taken out, or at everything.
    pub(super) fn look(&mut self, done: &mut Done<'_>, is_whole: bool, is_certain: bool) {
        done.of_all(Part::Taken, false, is_certain);
        if is_whole {
            done.of_all(Part::Added, false, is_certain);
        }
        self.looked.insert(done.thread);
    }

    pub(super) fn put_in(&self, done: &mut Done<'_>, element: u32) {
        done.write(Part::Element(element));
        self.added(done);
    }

    pub(super) fn added(&self, done: &mut Done<'_>) {
        if self.looked.contains(&done.thread) {
            done.of_all(Part::Added, false, true);
        }
        done.write(Part::Added(done.thread));
    }

    pub(super) fn take_out(&self, done: &mut Done<'_>, element: Option<u32>, is_certain: bool) {
        if let Some(element) = element {
            done.access(Part::Element(element), false, is_certain);
        }
        if self.looked.contains(&done.thread) {
            done.of_all(Part::Taken, false, is_certain);
        }
        done.access(Part::Taken(done.thread), true, is_certain);
    }

    pub(super) fn concurrent_queue(&mut self, done: &mut Done<'_>, call: &Call, is_in_block: bool) {
        let is_so = done.is("true");
        let is_there = !done.is("null");
        // Elements that come from another collection are not those that the call names.
        let element = done.number().filter(|_| done.result.starts_with('e'));
        let is_snapshot = self.kind.name() == "PriorityBlockingQueue";
        let (_, name) = call.name.split_once('.').expect("a group");
        match name {
            "offer" | "add" | "offerFirst" if is_so => self.put_in(done, call.a),
            "addLast" | "push" => self.put_in(done, call.a),
            "poll" | "remove" | "pollFirst" | "pollLast" | "pop" | "drainTo" if is_there => {
                self.take_out(done, element, true);
            }
            "peek" | "element" | "peekFirst" | "peekLast" if is_there => {
                element.into_iter().for_each(|element| done.read(Part::Element(element)));
                self.look(done, false, true);
            }
            "isEmpty" => self.look(done, is_so, true),
            "removeOf" | "removeFirstOccurrence" if is_so => self.take_out(done, Some(call.a), true),
            "removeIf" if is_so => self.take_out(done, None, true),
            "clear" => self.take_out(done, None, true),
            "iterator" => {
                if is_snapshot {
                    self.look(done, true, true);
                }
                self.make_iterator(done, !is_snapshot);
            }
            "next" | "hasNext" | "removeOfIterator" => self.queue_step(done, name),
            _ => self.look(done, true, true),
        }
        if !is_in_block {
            self.looked.remove(&done.thread);
        }
    }

    pub(super) fn queue_step(&mut self, done: &mut Done<'_>, name: &str) {
        let Some(iterator) = self.iterators.get(&done.thread).copied().filter(|iterator| iterator.is_followed) else {
            return;
        };
        let is_over = name == "hasNext" && done.is("false");
        if name == "removeOfIterator" {
            self.take_out(done, None, false);
        } else if is_over || name == "next" && iterator.steps == 0 {
            let is_part = |part| matches!(part, Part::Taken(_) | Part::Added(_));
            let is_changed = self.is_written(done, is_part, iterator.step, false);
            let is_sure = !is_changed && done.other.is_none_or(|other| other <= iterator.step);
            self.look(done, is_over, is_sure);
        }
        if name == "next" {
            let known = self.iterators.get_mut(&done.thread).expect("it was there");
            *known = Iterator { step: done.at, steps: iterator.steps + 1, ..*known };
        }
    }
}
