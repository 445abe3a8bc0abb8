//! Calls of atomics, locks, futures and the like.

use analysis_core::event::{Stamp, ThreadId};

use super::{Done, Object, Part};
use crate::called::Call;

impl Object {
    pub(super) fn other(&mut self, done: &mut Done<'_>, call: &Call) {
        let is_so = done.is("true");
        match call.name {
            "atomic.compareAndExchange" | "holder.updateOfUpdater" => {
                done.read(Part::Whole);
                done.perhaps(Part::Whole, true);
            }
            // A failed call has no effect.
            "atomic.compareAndSet" | "holder.compareAndSetOfHandle" | "array.compareAndSet" if !is_so => {}
            "atomic.compareAndSet" | "holder.compareAndSetOfHandle" => done.write(Part::Whole),
            "array.compareAndSet" => done.write(Part::Key(call.a)),
            "atomic.get" | "holder.get" | "holder.getOfHandle" | "holder.getOfUpdater" => done.read(Part::Whole),
            "array.get" => done.read(Part::Key(call.a)),
            "adder.increment" => done.write(Part::Share(done.thread)),
            "adder.sum" | "adder.intValue" => done.of_all(Part::Share, false, true),
            "adder.sumThenReset" => done.of_all(Part::Share, true, true),
            "lock.tryLock" | "locks.tryWrite" | "locks.tryRead" if !is_so => {}
            "lock.unlock" | "locks.unlockRead" | "locks.unlockWrite" if !is_so => {}
            "lock.tryLock" | "lock.unlock" | "locks.tryWrite" | "locks.unlockWrite" => self.hold(done, call, 0),
            "locks.tryRead" | "locks.unlockRead" => self.hold(done, call, 1),
            "latch.countDown" => {
                if self.count > 0 {
                    self.count -= 1;
                    self.signals.push(done.at);
                    done.write(Part::Signal(done.at));
                }
            }
            "latch.getCount" => {
                let signals = if self.count == 0 { &self.signals[..] } else { &[] };
                signals.iter().for_each(|signal| done.read(Part::Signal(*signal)));
            }
            "semaphore.tryAcquire" if is_so => {
                let attempt = self.permits.attempt();
                for stamp in self.permits.acquire(attempt, 1) {
                    done.read(Part::Signal(stamp.position() as usize - 1));
                }
            }
            "semaphore.tryAcquire" => {}
            "semaphore.release" => {
                self.permits.release(Stamp::new(ThreadId(done.thread), done.at as u64 + 1), 1);
                done.write(Part::Signal(done.at));
            }
            "buffer.deleteNothing" => done.perhaps(Part::Whole, false),
            "buffer.append" | "buffer.insert" | "buffer.delete" | "buffer.setLength" => done.write(Part::Whole),
            name if name.starts_with("buffer.") => done.read(Part::Whole),
            name if name.starts_with("future.") => self.future(done, name),
            name if name.starts_with("array.") => done.write(Part::Key(call.a)),
            _ => done.write(Part::Whole),
        }
    }

    /// Takes or releases a lock. If the thread holds the lock anyway, the access is not certain.
    pub(super) fn hold(&mut self, done: &mut Done<'_>, call: &Call, which: usize) {
        let holds = &mut self.holds.entry(done.thread).or_default()[which];
        let is_outermost = if call.name.contains("try") {
            *holds += 1;
            *holds == 1
        } else {
            *holds -= 1;
            *holds == 0
        };
        done.access(Part::Whole, which == 0, is_outermost);
    }

    pub(super) fn future(&mut self, done: &mut Done<'_>, name: &str) {
        let sees = match name {
            "future.complete" | "future.cancel" if done.is("true") => {
                self.completed = Some(done.at);
                for registered in &self.signals {
                    done.read(Part::Signal(*registered));
                }
                return done.write(Part::Signal(done.at));
            }
            "future.whenComplete" if done.is("registered") => {
                self.signals.push(done.at);
                return done.write(Part::Signal(done.at));
            }
            "future.isDone" => done.is("true"),
            _ => true,
        };
        if let Some(completed) = self.completed.filter(|_| sees) {
            done.read(Part::Signal(completed));
        }
    }
}
