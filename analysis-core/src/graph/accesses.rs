//! The last accesses to every variable and lock, and the edges into each event that follow from them.
//!
//! An edge is reported for each conflict that other edges and program order do not imply: a read follows the last
//! write; a write follows the reads since the last write or, if there were none, that write; an acquire follows the
//! releases that no later release of the lock follows; a first event follows the fork; a join follows the last event of
//! the child. Any sequence of events is accepted, well-formed or not.
//!
//! An engine may attach a tag to each recorded event, such as a clock; with `()` as the tag an entry is one word.

use super::prefetch::{is_large, prefetch};
use crate::event::{Op, Stamp, ThreadId, VarId};

#[cfg(test)]
mod tests;

/// The last accesses to every variable and lock, and the last event of every thread. Positions must grow along the
/// whole sequence of events.
#[derive(Default)]
pub struct Accesses<T = ()> {
    vars: Vec<Variable<T>>,
    /// The readers of variables that several threads have read since the last write, each list ordered by thread.
    readers: Vec<Vec<Access<T>>>,
    free_readers: Vec<u32>,
    locks: Vec<Lock<T>>,
    threads: Vec<Thread<T>>,
}

/// An earlier event, with the tag that its engine attached.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Access<T = ()> {
    /// The event.
    pub stamp: Stamp,
    /// The attached tag.
    pub tag: T,
}

/// Where an event was recorded, so that a tag can be attached to it.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// Nowhere: no event of another thread will follow it directly.
    Nowhere,
    /// As the last write of a variable.
    Write(usize),
    /// As the only read of a variable.
    Read(usize),
    /// Among the readers in a list.
    Readers(usize, usize),
    /// As the newest release of a lock.
    Release(usize),
    /// As the newest fork of a thread.
    Fork(usize),
}

#[derive(Clone, Copy, Default)]
struct Variable<T> {
    write: Access<T>,
    reads: Reads<T>,
}

/// The reads since the last write: none, one thread's last, or those of several threads.
#[derive(Clone, Copy, Default)]
enum Reads<T> {
    #[default]
    None,
    One(Access<T>),
    Many(u32),
}

#[derive(Default)]
struct Lock<T> {
    releases: Vec<Access<T>>,
    /// The last acquire. Releases before it happen before the next release of its thread.
    acquire: Stamp,
}

#[derive(Default)]
struct Thread<T> {
    last: Stamp,
    /// Forks of the thread since its last event.
    forks: Vec<Access<T>>,
}

impl<T: Copy + Default> Accesses<T> {
    /// Records the event `me` and adds to `sources` the events of other threads that it must follow. If the compiler
    /// knows the kind of the event, only the code for that kind remains.
    #[inline(always)]
    pub fn event(&mut self, me: Stamp, op: Op, sources: &mut Vec<Access<T>>) -> Entry {
        let thread = at(&mut self.threads, me.thread().index());
        thread.last = me;
        if !thread.forks.is_empty() {
            sources.extend(thread.forks.drain(..).filter(|fork| fork.stamp.is_foreign_to(me.thread())));
        }
        match op {
            Op::Read(x) => self.read(me, x.index(), sources),
            Op::Write(x) => self.write(me, x.index(), sources),
            Op::Acquire(l) => self.acquire(me, l.index(), sources),
            Op::Release(l) => self.release(me, l.index()),
            Op::Fork(u) => {
                at(&mut self.threads, u.index()).forks.push(access(me));
                Entry::Fork(u.index())
            }
            Op::Join(u) => self.join(me, u, sources),
            Op::Begin(_) | Op::End | Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => Entry::Nowhere,
        }
    }

    /// Returns whether the state of the variables exceeds the nearer caches.
    pub fn is_large(&self) -> bool {
        is_large(&self.vars)
    }

    /// Prefetches the state of a variable that will be accessed soon.
    #[inline]
    pub fn expect(&self, x: VarId) {
        prefetch(&self.vars, x.index());
    }

    /// Attaches `tag` to the event that was just recorded at `place`.
    #[inline]
    pub fn tag(&mut self, place: Entry, tag: T) {
        let access = match place {
            Entry::Nowhere => return,
            Entry::Write(x) => &mut self.vars[x].write,
            Entry::Read(x) => match &mut self.vars[x].reads {
                Reads::One(read) => read,
                Reads::None | Reads::Many(_) => unreachable!("the variable has one reader"),
            },
            Entry::Readers(list, index) => &mut self.readers[list][index],
            Entry::Release(l) => self.locks[l].releases.last_mut().expect("just released"),
            Entry::Fork(u) => self.threads[u].forks.last_mut().expect("just forked"),
        };
        access.tag = tag;
    }

    /// Returns every tag that a later event may receive.
    pub fn tags(&mut self) -> impl Iterator<Item = &mut T> + '_ {
        let vars = self.vars.iter_mut().flat_map(|var| {
            let read = match &mut var.reads {
                Reads::One(read) => Some(&mut read.tag),
                Reads::None | Reads::Many(_) => None,
            };
            std::iter::once(&mut var.write.tag).chain(read)
        });
        let readers = self.readers.iter_mut().flatten();
        let releases = self.locks.iter_mut().flat_map(|lock| &mut lock.releases);
        let forks = self.threads.iter_mut().flat_map(|thread| &mut thread.forks);
        vars.chain(readers.chain(releases).chain(forks).map(|access| &mut access.tag))
    }

    #[inline]
    fn read(&mut self, me: Stamp, x: usize, sources: &mut Vec<Access<T>>) -> Entry {
        let Variable { write, reads } = at(&mut self.vars, x);
        // A thread that has read since the last write already follows that write.
        match *reads {
            Reads::One(reader) if reader.stamp.thread() == me.thread() => *reads = Reads::One(access(me)),
            Reads::None => {
                *reads = Reads::One(access(me));
                follow(*write, me.thread(), sources);
            }
            Reads::One(reader) => {
                let list = self.free_readers.pop().unwrap_or_else(|| {
                    self.readers.push(Vec::new());
                    u32::try_from(self.readers.len() - 1).expect("fewer than 2^32 variables")
                });
                *reads = Reads::Many(list);
                follow(*write, me.thread(), sources);
                let is_before = me.thread() < reader.stamp.thread();
                let pair = if is_before { [access(me), reader] } else { [reader, access(me)] };
                self.readers[list as usize].extend(pair);
                return Entry::Readers(list as usize, usize::from(!is_before));
            }
            Reads::Many(list) => {
                let readers = &mut self.readers[list as usize];
                let place = readers.binary_search_by_key(&me.thread(), |reader| reader.stamp.thread());
                match place {
                    Ok(mine) => readers[mine] = access(me),
                    Err(place) => {
                        readers.insert(place, access(me));
                        follow(*write, me.thread(), sources);
                    }
                }
                return Entry::Readers(list as usize, place.unwrap_or_else(|place| place));
            }
        }
        Entry::Read(x)
    }

    #[inline]
    fn write(&mut self, me: Stamp, x: usize, sources: &mut Vec<Access<T>>) -> Entry {
        let variable = at(&mut self.vars, x);
        match std::mem::take(&mut variable.reads) {
            Reads::None => follow(variable.write, me.thread(), sources),
            Reads::One(reader) => follow(reader, me.thread(), sources),
            Reads::Many(list) => {
                let readers = &mut self.readers[list as usize];
                sources.extend(readers.drain(..).filter(|reader| reader.stamp.thread() != me.thread()));
                self.free_readers.push(list);
            }
        }
        variable.write = access(me);
        Entry::Write(x)
    }

    fn acquire(&mut self, me: Stamp, l: usize, sources: &mut Vec<Access<T>>) -> Entry {
        let lock = at(&mut self.locks, l);
        sources.extend(lock.releases.iter().filter(|release| release.stamp.thread() != me.thread()));
        lock.acquire = me;
        Entry::Nowhere
    }

    fn release(&mut self, me: Stamp, l: usize) -> Entry {
        let lock = at(&mut self.locks, l);
        let seen = if lock.acquire.is_foreign_to(me.thread()) { 0 } else { lock.acquire.position() };
        lock.releases.retain(|release| release.stamp.position() > seen && release.stamp.thread() != me.thread());
        lock.releases.push(access(me));
        Entry::Release(l)
    }

    fn join(&mut self, me: Stamp, u: ThreadId, sources: &mut Vec<Access<T>>) -> Entry {
        follow(access(at(&mut self.threads, u.index()).last), me.thread(), sources);
        Entry::Nowhere
    }
}

#[inline]
fn access<T: Default>(stamp: Stamp) -> Access<T> {
    Access { stamp, tag: T::default() }
}

#[inline]
fn follow<T>(source: Access<T>, thread: ThreadId, sources: &mut Vec<Access<T>>) {
    if source.stamp.is_foreign_to(thread) {
        sources.push(source);
    }
}

/// The entry of a dense table, which grows to hold it.
#[inline]
pub(crate) fn at<T: Default>(table: &mut Vec<T>, index: usize) -> &mut T {
    if index >= table.len() {
        grow(table, index);
    }
    &mut table[index]
}

#[cold]
fn grow<T: Default>(table: &mut Vec<T>, index: usize) {
    table.resize_with(index + 1, T::default);
}
