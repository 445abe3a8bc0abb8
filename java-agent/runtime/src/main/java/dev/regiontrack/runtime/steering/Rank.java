package dev.regiontrack.runtime.steering;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/** A thread's priority among the threads. Its own thread changes it, any thread may read it. */
final class Rank {
    /** Further threads have none, and are never delayed: a look at all of them would take too long. */
    private static final int MOST = 256;
    private static final Rank[] NONE = new Rank[0];
    /** The ranks of all threads that have made a step, except some that have ended. Replaced as a whole. */
    private static final AtomicReference<Rank[]> ALL = new AtomicReference<>(NONE);

    private final Thread thread = Thread.currentThread();
    /** Of two threads, the one with the greater priority goes first. */
    volatile int priority;
    /** The number of steps to skip before the next look. */
    int left;
    private final Chance chance;

    Rank(int priority, Chance chance) {
        this.priority = priority;
        this.chance = chance;
    }

    /** Publishes the rank, unless there are too many. */
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

    /** Forgets all threads' ranks. */
    static void forgetAll() {
        ALL.set(NONE);
    }

    /** Whether a thread with a greater priority runs now, and is not held. */
    boolean isBehind() {
        for (Rank rank : ALL.get()) {
            if (rank.priority > priority && Others.state(rank.thread) == Thread.State.RUNNABLE && !Hold.isHeld(rank.thread)) {
                return true;
            }
        }
        return false;
    }

    /** Skips a random number of steps, at most {@code most}. */
    void pass(long most) {
        left = (int) chance.below(most + 1);
    }
}
