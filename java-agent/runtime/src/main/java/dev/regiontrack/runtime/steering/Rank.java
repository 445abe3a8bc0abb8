package dev.regiontrack.runtime.steering;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/** A thread among those that have priorities. Its own thread changes it, any thread may look. */
final class Rank {
    /** More threads have none, and are never delayed: a look at all of them would take too long. */
    private static final int MOST = 256;
    private static final Rank[] NONE = new Rank[0];
    /** Those of all threads that have made a step, but for some that are over. Replaced as a whole. */
    private static final AtomicReference<Rank[]> ALL = new AtomicReference<>(NONE);

    private final Thread thread = Thread.currentThread();
    /** Of two threads, the one with the greater priority goes first. */
    volatile int priority;
    /** So many steps are passed over before the next look. */
    int left;
    private final Chance chance;

    Rank(int priority, Chance chance) {
        this.priority = priority;
        this.chance = chance;
    }

    /** Makes it known, unless there are too many. */
    void add() {
        Rank[] all;
        Rank[] more;
        do {
            all = ALL.get();
            more = new Rank[all.length + 1];
            int n = 0;
            for (Rank rank : all) {
                if (rank.thread.isAlive()) {
                    more[n++] = rank;
                }
            }
            if (n >= MOST) {
                priority = Integer.MAX_VALUE;
                return;
            }
            more[n++] = this;
            more = Arrays.copyOf(more, n);
        } while (!ALL.compareAndSet(all, more));
    }

    /** Nobody has made a step. */
    static void forgetAll() {
        ALL.set(NONE);
    }

    /** True if a thread with a greater priority runs now, and is not held. */
    boolean isBehind() {
        for (Rank rank : ALL.get()) {
            if (rank.priority > priority && rank.thread.getState() == Thread.State.RUNNABLE && !Hold.isHeld(rank.thread)) {
                return true;
            }
        }
        return false;
    }

    /** Passes over some steps, at most so many. */
    void pass(long most) {
        left = (int) chance.below(most + 1);
    }
}
