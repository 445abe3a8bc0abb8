//! Streams that grow while they are merged, and streams that stop.

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::Item;
use analysis_core::protocol::merge::Merge;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::{Entry, Recorded, order, run};

/// Streams that have been handed out in part.
struct Feed<'a> {
    streams: &'a [Vec<Item>],
    taken: Vec<usize>,
}

impl<'a> Feed<'a> {
    fn of(recorded: &'a Recorded<'_>) -> Self {
        let streams = &recorded.recording.streams[..];
        Feed { streams, taken: vec![0; streams.len()] }
    }

    fn next(&mut self, thread: ThreadId) -> Option<Item> {
        let item = self.streams[thread.index()].get(self.taken[thread.index()]).copied()?;
        self.taken[thread.index()] += 1;
        Some(item)
    }
}

/// Merges while streams are empty at random moments, even between a dependency and its event.
pub fn check_growing(recorded: &Recorded<'_>, seed: u64) -> Result<(), String> {
    let mut chance = Pcg32::seed_from_u64(seed);
    let mut feed = Feed::of(recorded);
    let (mut merge, mut merged) = (Merge::default(), Vec::new());
    // One pull in two succeeds: what has not come after this many calls never will.
    let most_calls = 100 + 10 * recorded.recording.streams.iter().map(Vec::len).sum::<usize>();
    for _ in 0..most_calls {
        let pull = |thread| if chance.next_u32() % 2 == 0 { feed.next(thread) } else { None };
        run(&mut merge, recorded.threads.len(), pull, &mut merged);
        if merged.len() == recorded.merged.len() {
            break;
        }
    }
    order::check_merge(recorded, &merged).map_err(|fault| format!("merged piece by piece: {fault}"))
}

/// Merges while one stream stops at a random item; then lets it continue.
pub fn check_withheld(recorded: &Recorded<'_>, seed: u64) -> Result<(), String> {
    let threads = recorded.threads.len();
    if threads == 0 {
        return Ok(());
    }
    let mut chance = Pcg32::seed_from_u64(seed);
    let held = ThreadId(chance.next_u32() % threads as u32);
    let until = chance.next_u32() as usize % (recorded.recording.streams[held.index()].len() + 1);
    let mut feed = Feed::of(recorded);
    let (mut merge, mut merged) = (Merge::default(), Vec::new());
    let pull = |thread| if thread == held && feed.taken[held.index()] >= until { None } else { feed.next(thread) };
    run(&mut merge, threads, pull, &mut merged);
    check_waiting(recorded, held, &merged, &merge.waiting().collect::<Vec<_>>())
        .map_err(|fault| format!("T{} withheld after {until} items: {fault}", held.0))?;
    run(&mut merge, threads, |thread| feed.next(thread), &mut merged);
    match merge.waiting().next() {
        Some(waiting) => Err(format!("all is there, but {waiting:?} waits")),
        None => order::check_merge(recorded, &merged).map_err(|fault| format!("after T{} went on: {fault}", held.0)),
    }
}

/// Every other thread that has not ended waits for the first unmerged dependency of its next event, and each chain of
/// waiting threads leads to the withheld thread, which waits for no other.
fn check_waiting(
    recorded: &Recorded<'_>,
    held: ThreadId,
    merged: &[Entry],
    waiting: &[(ThreadId, Stamp)],
) -> Result<(), String> {
    let passed = |thread: ThreadId| merged.iter().filter(|entry| entry.stamp.thread() == thread).count();
    let mut right = Vec::new();
    for (thread, entries) in (0..).map(ThreadId).zip(&recorded.threads) {
        let Some(next) = entries.get(passed(thread)).filter(|_| thread != held) else { continue };
        let is_open = |stamp: &Stamp| passed(stamp.thread()) < stamp.position() as usize;
        let open = next.dependencies.iter().copied().find(is_open);
        right.push((thread, open.ok_or_else(|| format!("{:?} could continue, but does not", next.stamp))?));
    }
    if waiting != right {
        return Err(format!("waiting are {waiting:?}, not {right:?}"));
    }
    let is_named = |stamp: Stamp| stamp.thread() == held || waiting.iter().any(|(other, _)| *other == stamp.thread());
    match waiting.iter().find(|(_, stamp)| !is_named(*stamp)) {
        Some(lost) => Err(format!("{lost:?} waits for a thread that neither waits nor is withheld")),
        None => Ok(()),
    }
}
