package dev.regiontrack.runtime.steering;

/**
 * How much later than asked for threads go on that were delayed: the system lets them run when it has a processor for them, on a busy machine some tens of milliseconds
 * later. What is expected is taken off the next delay, so that a delay takes as long as it may. Threads that tell of it at the same time can lose a value.
 */
final class Lateness {
    /** Of the expected lateness, the last delay is one part of so many. */
    private static final int PARTS = 4;

    private volatile long expected;

    /** In nanoseconds. */
    long expected() {
        return expected;
    }

    /** How long a thread is to sleep that may be delayed for {@code bound}, in nanoseconds, but at least {@code shortest}. */
    long sleep(long bound, long shortest) {
        return Math.max(bound - expected, shortest);
    }

    /** A thread has slept until its time was over: for {@code asked}, and went on after {@code took}. */
    void add(long asked, long took) {
        long before = expected;
        expected = before + (Math.max(took - asked, 0) - before) / PARTS;
    }
}
