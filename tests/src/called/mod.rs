//! Random sequences of library calls by several threads in a forced order, and the law's answer with one event per call.
//!
//! | to see | read |
//! |---|---|
//! | which sequences are tried | [`draw`] |
//! | which classes and calls they use | [`kinds`] |
//! | the effects of a call, from its object, its name and its result | [`effects`] |
//! | which blocks are violated | [`judge`] |
//!
//! The program `tests/programs/called` makes the calls under the agent and writes down their results. The effects of a call are implemented here a
//! second time, from the manual (`docs/models.md`) and the platform's documentation, not from the agent's table, so that each checks the other.

pub mod draw;
pub mod effects;
pub mod judge;
pub mod kinds;

use std::fmt::Write as _;

/// The number of threads that make calls. The thread with the next number creates the objects.
pub const THREADS: u32 = 3;

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The object, by its place in the sequence.
    pub object: usize,
    /// Group and name, as in the program.
    pub name: &'static str,
    /// A key, an index, an element or another object.
    pub a: u32,
    /// A value.
    pub b: u32,
}

impl Call {
    /// Whether it accesses only the keys that it is given or returns. The agent does not know the keys in an array.
    pub fn names_keys(&self) -> bool {
        let whole = [
            "toArray",
            "forEach",
            "hashCode",
            "count",
            "anyMatch",
            "removeIf",
            "retainAll",
            "clear",
            "containsValue",
            "replaceAll",
            "hasNext",
            "addAllOfArray",
        ];
        !self.name.starts_with("between.") && !whole.iter().any(|name| self.name.contains(name))
    }
}

/// What a thread does when it is its turn.
#[derive(Clone, Debug)]
pub enum Step {
    /// Enters a block.
    Begin,
    /// Leaves the block.
    End,
    /// Makes a call.
    Call(Call),
}

/// Objects, and what threads do with them, in order. Each thread enters one block.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// The classes of the objects, and the initial number of elements of each.
    pub objects: Vec<(&'static str, u32)>,
    /// The steps, each with its thread.
    pub steps: Vec<(u32, Step)>,
}

impl Sequence {
    /// The sequence in the format that the program reads. The block of thread `t` has the number `first + t`.
    pub fn text(&self, first: u32) -> String {
        let mut text = String::new();
        for (number, (class, size)) in self.objects.iter().enumerate() {
            _ = writeln!(text, "{THREADS} o {number} {class} {size}");
        }
        for (thread, step) in &self.steps {
            _ = match step {
                Step::Begin => writeln!(text, "{thread} b {}", first + thread),
                Step::End => writeln!(text, "{thread} e"),
                Step::Call(Call { object, name, a, b }) => writeln!(text, "{thread} c {object} {name} {a} {b}"),
            };
        }
        text
    }

    /// The calls in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.steps.iter().filter_map(|(_, step)| if let Step::Call(call) = step { Some(call) } else { None })
    }
}
