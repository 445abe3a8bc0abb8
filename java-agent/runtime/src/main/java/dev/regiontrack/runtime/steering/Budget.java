package dev.regiontrack.runtime.steering;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds how long threads may be held: at most a share of the run's time, and for no candidate much more than its part of that. Thread-safe. */
final class Budget {
    /** The shortest hold, in nanoseconds. */
    private static final long SHORTEST = 1_000_000;
    private static final int PERCENT = 100;

    private static long started = System.nanoTime();
    private static int share;
    private static int candidates = 1;
    /** The initial budget, in nanoseconds. */
    private static long base;
    private static final AtomicLong USED = new AtomicLong();

    private Budget() {
    }

    static void start(int percent, int of) {
        start(percent, of, 0);
    }

    /** The same with an initial budget in nanoseconds, independent of the run's length. */
    static void start(int percent, int of, long besides) {
        base = besides;
        share = percent;
        candidates = Math.max(of, 1);
        started = System.nanoTime();
        USED.set(0);
    }

    /**
     * Takes the time for which a thread may be held now, in nanoseconds, at most {@code most} and the candidate's bound; 0 if it may not. Unneeded
     * time is to be returned by {@link #give}.
     */
    static long take(Candidate c, long most) {
        long all = all();
        long part = all * 2 / (candidates + 1);
        long granted = take(Math.min(Math.min(c.bound(), most), part - c.used.get()), all);
        c.used.addAndGet(granted);
        return granted;
    }

    /** The same for a delay without a candidate. */
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

    /** Returns how long threads may have been held in all by now. */
    private static long all() {
        return base + (System.nanoTime() - started) / PERCENT * share;
    }

    /** Returns unneeded time to the budget. */
    static void give(Candidate c, long rest) {
        give(rest);
        c.used.addAndGet(-rest);
    }

    /** The same for a delay without a candidate. */
    static void give(long rest) {
        for (;;) {
            long used = USED.get();
            // The time may have been taken under an earlier plan, and is then no part of this budget.
            if (USED.compareAndSet(used, Math.max(used - rest, 0))) {
                return;
            }
        }
    }

    /** Returns how long threads were held in all, including time that was taken and not returned. */
    static long used() {
        return USED.get();
    }
}
