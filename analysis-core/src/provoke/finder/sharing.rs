//! Which variables and locks of a trace several threads access: nothing can come between two accesses of what only one thread
//! accesses, and most are such.

use rustc_hash::FxHashMap;

use super::sites::without_number;
use crate::event::{Event, LockId, Op, VarId};
use crate::graph::accesses::at;
use crate::graph::users::Users;
use crate::report::{Hand, section};
use crate::trace::input::Input;
use crate::trace::symbols::Symbols;
use crate::trace::{Mode, TraceError, TraceReader};

/// What the threads of a trace share.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    variables: Vec<Users>,
    locks: Vec<Users>,
}

impl Sharing {
    /// Reads a trace for what its threads share. `progress` is called periodically with the number of events.
    ///
    /// # Errors
    /// If the trace cannot be read.
    pub(super) fn read(
        input: &Input,
        mode: Mode,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Sharing, TraceError> {
        let mut reader = TraceReader::open(input, mode)?;
        let (mut sharing, mut batch) = (Sharing::default(), Vec::new());
        while reader.read_batch(&mut batch, 1 << 14)? > 0 {
            batch.iter().for_each(|event| sharing.note(*event));
            if !progress(reader.events()) {
                break;
            }
        }
        sharing.join(reader.symbols());
        Ok(sharing)
    }

    pub(super) fn note(&mut self, event: Event) {
        match event.op {
            Op::Read(var) | Op::Write(var) => at(&mut self.variables, var.index()).add(event.thread),
            Op::Acquire(lock) | Op::Release(lock) => at(&mut self.locks, lock.index()).add(event.thread),
            _ => {}
        }
    }

    /// Joins a lock and the variable of its sections that write nothing, which are one. Permits that a thread gives back are for all, even
    /// if nobody has waited for them.
    pub(super) fn join(&mut self, symbols: &Symbols) {
        let mut sections: FxHashMap<String, VarId> = FxHashMap::default();
        for (index, users) in self.variables.iter_mut().enumerate() {
            let var = VarId(index as u32);
            let name = symbols.var(var);
            if let Some(lock) = section::lock(&name) {
                sections.insert(lock.to_owned(), var);
            } else if Hand::of(without_number(&name)) == Some(Hand::Permits) {
                *users = Users::Several;
            }
        }
        if sections.is_empty() {
            return;
        }
        for lock in (0..self.locks.len()).map(|index| LockId(index as u32)) {
            let Some(var) = sections.get(&*symbols.lock(lock)) else { continue };
            let Sharing { variables, locks } = self;
            let (variable, lock) = (at(variables, var.index()), at(locks, lock.index()));
            let both = variable.and(*lock);
            (*variable, *lock) = (both, both);
        }
    }

    /// True if at most one thread accesses what this event accesses.
    pub(super) fn is_private(&self, op: Op) -> bool {
        let users = match op {
            Op::Read(var) | Op::Write(var) => self.variables.get(var.index()),
            Op::Acquire(lock) | Op::Release(lock) => self.locks.get(lock.index()),
            _ => return false,
        };
        users.is_none_or(|users| *users != Users::Several)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_thread_accesses_is_private_and_a_lock_is_one_with_its_sections() {
        let text = "a|begin(m)|\na|r(x@1)|\na|w(y@1)|\nb|w(y@1)|\na|acq(L@1)|\na|rel(L@1)|\na|acq(K@2)|\na|rel(K@2)|\n\
                    b|r(K@2.lock)|\nb|r(K@2.lock)|\na|acq(M@3)|\na|r(M@3.lock)|\na|rel(M@3)|\na|end|\n";
        let input = Input::spool("a.std", text.as_bytes()).expect("spooled");
        let sharing = Sharing::read(&input, Mode::Strict, |_| true).expect("a trace");
        let variables = [0, 1, 2, 3].map(|number| sharing.is_private(Op::Read(VarId(number))));
        assert_eq!(variables, [true, false, false, true], "x, y, the sections of K, those of M");
        let locks = [0, 1, 2].map(|number| sharing.is_private(Op::Acquire(LockId(number))));
        assert_eq!(locks, [true, false, true], "L, K, M");
    }
}
