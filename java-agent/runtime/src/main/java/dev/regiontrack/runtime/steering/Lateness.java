package dev.regiontrack.runtime.steering;

/**
 * Tracks how late delayed threads go on: the system runs them when a processor is free, on a busy machine some tens of milliseconds later. The
 * expected lateness is taken off the next delay, so that a delay takes its intended time. Threads that report at the same time can lose a value.
 */
final class Lateness {
    /** The last delay contributes one part in this many to the expected lateness. */
    private static final int PARTS = 4;

    private volatile long expected;

    /** Returns the expected lateness in nanoseconds. */
    long expected() {
        return expected;
    }

    /** Returns how long a thread that may be delayed for {@code bound} is to sleep, in nanoseconds, but at least {@code shortest}. */
    long sleep(long bound, long shortest) {
        return Math.max(bound - expected, shortest);
    }

    /** A thread has slept for its full time: for {@code asked}, and went on after {@code took}. */
    void add(long asked, long took) {
        long before = expected;
        expected = before + (Math.max(took - asked, 0) - before) / PARTS;
    }
}
