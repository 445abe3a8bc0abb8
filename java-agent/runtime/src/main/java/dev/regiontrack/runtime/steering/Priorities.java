package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Priorities by chance, in the manner of PCT (Burckhardt et al., ASPLOS 2010): each thread has one; at some steps, drawn before the run, the thread
 * that makes the step gets one below all others. The JVM cannot be told which thread is to run; instead, a thread is delayed before a step while one
 * of a greater priority runs, for a bounded time. A step is an instruction that has a hook.
 *
 * <p>Only time changes, as with {@link Steering}. All random choices follow from the seed and the thread numbers; which steps the threads have made
 * by then does not.
 */
public final class Priorities {
    /** The longest delay, in nanoseconds, including the expected time until the thread runs again. */
    private static final long BOUND = 20_000_000;
    /** The shortest delay, in nanoseconds. */
    private static final long SHORTEST = 1_000_000;
    private static final Lateness LATENESS = new Lateness();
    private static final long NANOS_PER_MICRO = 1000;
    /** The most steps to skip after a look that found no thread to wait for. */
    private static final long LOOKED = 16;
    /** After a futile delay, at most this part of the run's steps is skipped. */
    private static final long PART = 32;
    private static final long PRIORITIES = 1 << 30;
    /** The number of steps that the bridge knows may be too low by one in this many. */
    private static final long EXACTNESS = 8;
    /** The first steps, each of which is reported. */
    private static final long FEW = 64;

    private static volatile boolean isOn;
    private static long seed;
    /** The steps at which a priority changes, in order. */
    private static long[] changes = {};
    /** The number of steps of the preceding run. */
    private static long expected = 1;
    private static final AtomicLong STEPS = new AtomicLong();
    /** How many priorities have changed, and before which step the next one does. */
    private static final AtomicInteger CHANGED = new AtomicInteger();
    private static volatile long next = Long.MAX_VALUE;
    private static volatile long toldNext = 1;

    private Priorities() {
    }

    /**
     * Gives threads priorities from now on: {@code seed:changes:steps}, with the steps of the preceding run. Threads may be delayed for {@code share}
     * per cent of the run's time.
     */
    public static void turnOn(String text, int share) {
        String[] parts = text.split(":");
        seed = Long.parseUnsignedLong(parts[0]);
        expected = Long.parseLong(parts[2]);
        changes = drawn(seed, Integer.parseInt(parts[1]), expected);
        next = changes.length > 0 ? changes[0] : Long.MAX_VALUE;
        Budget.start(share, 1);
        isOn = true;
    }

    /** Draws the steps at which priorities change. */
    static long[] drawn(long seed, int number, long steps) {
        Chance chance = new Chance(seed);
        long[] all = new long[number];
        for (int n = 0; n < number; n++) {
            all[n] = 1 + chance.below(steps);
        }
        Arrays.sort(all);
        return all;
    }

    /** Whether threads have priorities. */
    public static boolean isOn() {
        return isOn;
    }

    /** Called by instrumented code before an instruction that has a hook, and before that hook: nothing is locked here. */
    public static void step() {
        if (Session.isArmed()) {
            try {
                ThreadState t = Threads.current();
                if (!t.isInInitializer()) {
                    step(t);
                }
            } catch (OutOfMemoryError | StackOverflowError e) {
                // No thread is delayed then.
            }
        }
    }

    private static void step(ThreadState t) {
        Rank rank = (Rank) t.steered;
        if (rank == null) {
            rank = first(t);
        }
        long n = STEPS.incrementAndGet();
        if (n >= next) {
            change(rank, n);
        }
        if (n >= toldNext) {
            tell(t, n);
        }
        if (rank.left > 0) {
            rank.left--;
        } else if (rank.isBehind()) {
            delay(rank, t);
        } else {
            rank.pass(LOOKED);
        }
    }

    /** Handles the first step of a thread. */
    private static Rank first(ThreadState t) {
        Chance chance = Chance.of(seed, t.number);
        // Above the priorities that changes assign.
        Rank rank = new Rank(changes.length + 1 + (int) chance.below(PRIORITIES), chance);
        t.steered = rank;
        if (Others.isOfProgram(Thread.currentThread())) {
            rank.add();
        } else {
            rank.priority = Integer.MAX_VALUE;
        }
        return rank;
    }

    /** Puts the thread that makes this step behind all others, if a priority changes here. */
    private static void change(Rank rank, long step) {
        int n = CHANGED.get();
        if (n < changes.length && step >= changes[n] && CHANGED.compareAndSet(n, n + 1)) {
            next = n + 1 < changes.length ? changes[n + 1] : Long.MAX_VALUE;
            if (rank.priority < Integer.MAX_VALUE) {
                rank.priority = changes.length - n;
                rank.left = 0;
            }
        }
    }

    private static void delay(Rank rank, ThreadState t) {
        if (Ending.hasBegun()) {
            return;
        }
        t.settle();
        try (Inside inside = t.inside()) {
            long start = System.nanoTime();
            long late = LATENESS.expected();
            long sleep = LATENESS.sleep(BOUND, SHORTEST);
            long granted = Budget.take(sleep + late);
            if (granted == 0) {
                rank.pass(LOOKED);
                return;
            }
            try {
                if (granted < late + SHORTEST || !OnStack.isFree()) {
                    rank.pass(LOOKED);
                    return;
                }
                sleep = granted - late;
                boolean isMet = new Behind(rank).await(sleep);
                long took = System.nanoTime() - start;
                if (!isMet) {
                    LATENESS.add(sleep, took);
                }
                rank.pass(isMet ? 0 : Math.max(expected / PART, LOOKED));
                Session.transport().describe(NativeBridge.STEPS, t.number, STEPS.get() + "\t" + took / NANOS_PER_MICRO);
            } finally {
                Budget.give(granted - (System.nanoTime() - start));
            }
        }
    }

    /** Reports the number of steps periodically. */
    private static void tell(ThreadState t, long n) {
        toldNext = n < FEW ? n + 1 : n + n / EXACTNESS + FEW;
        t.settle();
        try (Inside inside = t.inside()) {
            Session.transport().describe(NativeBridge.STEPS, t.number, n + "\t0");
        }
    }
}
