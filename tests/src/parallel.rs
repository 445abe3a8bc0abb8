//! A loop over numbers on all cores, that stops at the first failure.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Calls `task` with 0, 1, ... `count - 1`, on a thread per core, until one call fails. Which failure is reported does
/// not depend on timing: it is that of the least number.
pub fn try_for_each<E: Send>(count: u64, task: impl Fn(u64) -> Result<(), E> + Sync) -> Result<(), E> {
    let next = AtomicU64::new(0);
    let first_failure: Mutex<Option<(u64, E)>> = Mutex::new(None);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            if let Err(error) = task(number) {
                // Numbers are handed out in order: all smaller ones are done or being worked on.
                next.store(count, Ordering::Relaxed);
                let mut first = first_failure.lock().expect("no worker panics with the lock held");
                if first.as_ref().is_none_or(|(least, _)| number < *least) {
                    *first = Some((number, error));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    match first_failure.into_inner().expect("no worker panics with the lock held") {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_visited_once() {
        let sum = AtomicU64::new(0);
        let done: Result<(), ()> = try_for_each(1000, |n| {
            sum.fetch_add(n, Ordering::Relaxed);
            Ok(())
        });
        assert_eq!((done, sum.into_inner()), (Ok(()), 499_500));
    }

    #[test]
    fn the_failure_of_the_least_number_is_reported() {
        for _ in 0..100 {
            assert_eq!(try_for_each(1000, |n| if n % 100 == 99 { Err(n) } else { Ok(()) }), Err(99));
        }
    }
}
