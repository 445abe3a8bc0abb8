//! Calls of synchronization without a model. They are counted when classes are loaded, so that a report can say how
//! much it may have missed.

use std::collections::HashSet;

/// The classes that synchronize: internal names of classes, or of packages with a `/` at the end.
const SYNCHRONIZATION: [&str; 2] = ["java/util/concurrent/", "java/lang/invoke/VarHandle."];
/// Methods without a model that show that all tasks have ended. Called through an interface, they belong to executors that have a
/// model.
const ENDS: [&str; 4] = [
    "java/util/concurrent/ForkJoinPool.awaitQuiescence",
    "java/util/concurrent/ForkJoinPool.awaitTermination",
    "java/util/concurrent/ForkJoinPool.isQuiescent",
    "java/util/concurrent/ForkJoinPool.isTerminated",
];
/// Exceptions to [`SYNCHRONIZATION`]: what orders nothing, and the executors, futures and synchronizers in which the agent has its
/// own hooks.
const HARMLESS: [&str; 26] = [
    "java/util/concurrent/AbstractExecutorService",
    "java/util/concurrent/CompletableFuture",
    "java/util/concurrent/CompletionService",
    "java/util/concurrent/CompletionStage",
    "java/util/concurrent/CountDownLatch",
    "java/util/concurrent/CountedCompleter",
    "java/util/concurrent/CyclicBarrier",
    "java/util/concurrent/Executor.",
    "java/util/concurrent/ExecutorCompletionService",
    "java/util/concurrent/ExecutorService",
    "java/util/concurrent/ForkJoin",
    "java/util/concurrent/Future.",
    "java/util/concurrent/FutureTask",
    "java/util/concurrent/Phaser",
    "java/util/concurrent/Recursive",
    "java/util/concurrent/RunnableFuture",
    "java/util/concurrent/Scheduled",
    "java/util/concurrent/Semaphore",
    "java/util/concurrent/StructuredTaskScope",
    "java/util/concurrent/ThreadPoolExecutor",
    "java/util/concurrent/TimeUnit",
    "java/util/concurrent/Callable",
    "java/util/concurrent/Executors",
    "java/util/concurrent/ThreadFactory",
    "java/util/concurrent/ThreadLocalRandom",
    "java/util/concurrent/Flow",
];

/// What a thread asks a lock about itself, or about what never changes; by the ends of the names.
const OF_ITSELF: [&str; 8] = [
    ".isHeldByCurrentThread",
    ".isWriteLockedByCurrentThread",
    ".getHoldCount",
    ".getReadHoldCount",
    ".getWriteHoldCount",
    ".isFair",
    ".readLock",
    ".writeLock",
];

/// The calls in a class that have no model, as `package.Class.method`, once for each site. `text` has the form that
/// `NativeBridge.select` describes; `modelled` is from [`crate::models::modelled`]. Calls of a class that `is_watched` by its name
/// need no model, nor do calls that the platform makes itself.
pub(crate) fn calls<'a>(
    text: &'a str,
    modelled: &'a HashSet<String>,
    is_watched: impl Fn(&str) -> bool + 'a,
) -> impl Iterator<Item = String> + 'a {
    let is_platform = text.split('\t').nth(2).is_some_and(|class| class.starts_with("java/"));
    let calls =
        text.lines().filter(move |_| !is_platform).filter_map(|line| line.strip_prefix("method\t")?.split('\t').nth(4));
    let calls = calls.flat_map(|calls| calls.split(' ')).filter(|call| is_unmodelled(call, modelled));
    let calls = calls.filter(move |call| !is_watched(owner(call)));
    calls.map(|call| call.split('(').next().unwrap_or(call).replace('/', "."))
}

/// The internal name of the class that a call names.
fn owner(call: &str) -> &str {
    let name = call.split('(').next().unwrap_or(call);
    name.rsplit_once('.').map_or(name, |(owner, _)| owner)
}

/// Whether the call `owner.name(descriptor)` is synchronization without a model. Constructors and exceptions order nothing, nor does what
/// a thread asks about itself.
fn is_unmodelled(call: &str, modelled: &HashSet<String>) -> bool {
    let name = call.split('(').next().unwrap_or(call);
    let is_of = |list: &[&str]| list.iter().any(|known| name.starts_with(known));
    is_of(&SYNCHRONIZATION)
        && (!is_of(&HARMLESS) || ENDS.contains(&name))
        && !name.ends_with(".<init>")
        && !name.contains("Exception.")
        && !OF_ITSELF.iter().any(|end| name.ends_with(end))
        && !modelled.contains(name)
}

#[cfg(test)]
mod tests {
    use super::calls;
    use crate::models;

    #[test]
    fn calls_of_locks_queues_and_atomics_are_counted_and_others_are_not() {
        let method = |calls: &[&str]| format!("method\t1\tm\t()V\t\t{}\n", calls.join(" "));
        let text = ["class\t21\ta/B\tjava/lang/Object\tB.java\t\n".to_owned()]
            .into_iter()
            .chain([
                method(&[
                    "java/util/concurrent/locks/ReentrantLock.lock()V",
                    "java/util/concurrent/locks/ReentrantLock.isHeldByCurrentThread()Z",
                    "java/util/concurrent/locks/ReentrantReadWriteLock.getReadHoldCount()I",
                    "a/C.lock()V",
                ]),
                method(&[
                    "java/util/concurrent/atomic/AtomicInteger.get()I",
                    "java/util/concurrent/locks/LockSupport.park()V",
                ]),
                method(&[
                    "java/util/concurrent/ForkJoinPool.awaitQuiescence(JLjava/util/concurrent/TimeUnit;)Z",
                    "java/util/concurrent/ForkJoinPool.submit(Ljava/lang/Runnable;)Ljava/util/concurrent/ForkJoinTask;",
                    "java/util/concurrent/ExecutorService.awaitTermination(JLjava/util/concurrent/TimeUnit;)Z",
                ]),
                method(&[
                    "java/util/concurrent/locks/ReentrantLock.<init>()V",
                    "java/util/concurrent/TimeUnit.toMillis(J)J",
                    "java/util/concurrent/TimeoutException.getMessage()Ljava/lang/String;",
                    "java/util/HashMap.get(Ljava/lang/Object;)Ljava/lang/Object;",
                ]),
            ])
            .collect::<String>();
        let (none, shipped) = (models::modelled(""), models::modelled(models::shipped()));
        assert_eq!(calls(&text, &none, |_| false).count(), 4);
        assert_eq!(
            calls(&text, &shipped, |_| false).collect::<Vec<_>>(),
            ["java.util.concurrent.locks.LockSupport.park", "java.util.concurrent.ForkJoinPool.awaitQuiescence"]
        );
        assert_eq!(calls(&text, &shipped, |class| class == "java/util/concurrent/locks/LockSupport").count(), 1);
        assert_eq!(calls(&text.replace("a/B", "java/util/B"), &none, |_| false).count(), 0);
    }
}
