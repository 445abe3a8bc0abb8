package dev.regiontrack.runtime.steering;

import java.util.concurrent.atomic.AtomicLong;

/** How long threads may be held: never more than a share of the run's time, and no candidate much more than its part of that. Any thread may call. */
final class Budget {
    /** A hold that would be shorter is none, in nanoseconds. */
    private static final long SHORTEST = 1_000_000;
    private static final int PERCENT = 100;

    private static long started = System.nanoTime();
    private static int share;
    private static int candidates = 1;
    /** What there is from the start, in nanoseconds. */
    private static long base;
    private static final AtomicLong USED = new AtomicLong();

    private Budget() {
    }

    static void start(int percent, int of) {
        start(percent, of, 0);
    }

    /** The same; besides, threads may be held for so many nanoseconds, however short the run is. */
    static void start(int percent, int of, long besides) {
        base = besides;
        share = percent;
        candidates = Math.max(of, 1);
        started = System.nanoTime();
        USED.set(0);
    }

    /** How long a thread may be held now, in nanoseconds, at most as long as the candidate's bound; 0 if not at all. So much is taken until {@link #give}. */
    static long take(Candidate c) {
        long all = all();
        long part = all * 2 / (candidates + 1);
        long granted = take(Math.min(c.bound, part - c.used.get()), all);
        c.used.addAndGet(granted);
        return granted;
    }

    /** The same of a delay that is for no candidate. */
    static long take(long most) {
        return take(most, all());
    }

    private static long take(long most, long all) {
        for (;;) {
            long used = USED.get();
            long granted = Math.min(most, all - used);
            if (granted < SHORTEST) {
                return 0;
            }
            if (USED.compareAndSet(used, used + granted)) {
                return granted;
            }
        }
    }

    /** How long threads may have been held in all by now. */
    private static long all() {
        return base + (System.nanoTime() - started) / PERCENT * share;
    }

    /** So much of what was taken was not needed. */
    static void give(Candidate c, long rest) {
        give(rest);
        c.used.addAndGet(-rest);
    }

    /** The same of a delay that was for no candidate. */
    static void give(long rest) {
        for (;;) {
            long used = USED.get();
            // What was taken can be of a plan that is over, and is then no part of it.
            if (USED.compareAndSet(used, Math.max(used - rest, 0))) {
                return;
            }
        }
    }

    /** How long threads were held in all, or may be now. */
    static long used() {
        return USED.get();
    }
}
