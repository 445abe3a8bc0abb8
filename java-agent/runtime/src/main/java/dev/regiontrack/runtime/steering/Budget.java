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
    private static final AtomicLong USED = new AtomicLong();

    private Budget() {
    }

    static void start(int percent, int of) {
        share = percent;
        candidates = Math.max(of, 1);
        started = System.nanoTime();
        USED.set(0);
    }

    /** How long a thread may be held now, in nanoseconds, at most as long as the candidate's bound; 0 if not at all. So much is taken until {@link #give}. */
    static long take(Candidate c) {
        long all = (System.nanoTime() - started) / PERCENT * share;
        long part = all * 2 / (candidates + 1);
        for (;;) {
            long used = USED.get();
            long mine = c.used.get();
            long granted = Math.min(c.bound, Math.min(all - used, part - mine));
            if (granted < SHORTEST) {
                return 0;
            }
            if (USED.compareAndSet(used, used + granted)) {
                c.used.addAndGet(granted);
                return granted;
            }
        }
    }

    /** The same of a delay that is for no candidate. */
    static long take(long most) {
        long all = (System.nanoTime() - started) / PERCENT * share;
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

    static void give(long rest) {
        USED.addAndGet(-rest);
    }

    /** So much of what was taken was not needed. */
    static void give(Candidate c, long rest) {
        USED.addAndGet(-rest);
        c.used.addAndGet(-rest);
    }

    /** How long threads were held in all, or may be now. */
    static long used() {
        return USED.get();
    }
}
