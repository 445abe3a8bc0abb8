package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.bodies.Platform;
import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.sites.JdkSites;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.util.HashMap;
import java.util.Map;

/**
 * The hooks inside {@code Semaphore} and {@code CyclicBarrier}: a thread that has acquired permits comes after the releases without which there
 * were not enough; a thread that has passed a barrier comes after all that have arrived. {@code analysis-core/src/protocol/permits.rs} is the
 * specification. The hooks are inside, to see every change of the count.
 */
public final class Permits {
    /** The number of releases of a semaphore that are kept to be followed. */
    private static final int MOST = 64;
    private static final WeakTable TABLE = new WeakTable();
    /** A release of an unknown semaphore was lost: no semaphore orders anything any more. */
    private static volatile boolean isBroken;

    private Permits() {
    }

    /** A semaphore. Guarded by its own lock, under which no thread waits. */
    private static final class Semaphore {
        /** A semaphore that starts without permits is no lock: acquiring it means waiting for another thread. */
        private final boolean isSignal;
        /** All permits that there can have been, and all that were acquired. */
        private long permits;
        private long acquired;
        /**
         * Releases whose permits may still be there: stamps, the variables that they have written, their sites, their numbers of permits. The latest
         * is last.
         */
        private final long[] stamps = new long[MOST];
        private final long[] variables = new long[MOST];
        private final int[] sites = new int[MOST];
        private final int[] released = new int[MOST];
        private int size;
        private volatile boolean isForgotten;

        Semaphore(int permits) {
            this.permits = permits;
            isSignal = permits == 0;
        }

        private synchronized void release(long stamp, long variable, int site, int n) {
            permits += n;
            if (size == MOST) {
                size--;
                System.arraycopy(stamps, 1, stamps, 0, size);
                System.arraycopy(variables, 1, variables, 0, size);
                System.arraycopy(sites, 1, sites, 0, size);
                System.arraycopy(released, 1, released, 0, size);
            }
            stamps[size] = stamp;
            variables[size] = variable;
            sites[size] = site;
            released[size++] = n;
        }

        private synchronized long attempt() {
            return acquired;
        }

        /** Returns stamps, variables and sites, in turn, of the releases that come before. */
        private synchronized long[] acquire(long attempt, int n) {
            long spare = permits - attempt - n;
            long[] sources = new long[3 * size];
            int count = 0;
            for (int i = 0; i < size && !isForgotten && !isBroken; i++) {
                if (released[i] > spare) {
                    sources[count++] = stamps[i];
                    sources[count++] = variables[i];
                    sources[count++] = sites[i];
                }
            }
            acquired += n;
            if (acquired == permits) {
                size = 0;
            }
            return java.util.Arrays.copyOf(sources, count);
        }

        private synchronized void forget() {
            isForgotten = true;
        }
    }

    /** A barrier. Guarded by its own lock, under which no thread waits; all hooks except the last run while the JDK's barrier is locked. */
    private static final class Barrier {
        private final int parties;
        private Generation current = new Generation();
        /** By thread number: the generation in which the thread waits. */
        private final Map<Integer, Generation> waiting = new HashMap<>();

        Barrier(int parties) {
            this.parties = parties;
        }

        /** At a broken barrier more threads can arrive than will ever pass. */
        private synchronized void arrive(ThreadState t, long stamp, long variable, int site) {
            if (current.size <= parties) {
                current.arrive(stamp, variable, site);
            }
            try (Inside inside = t.inside()) {
                waiting.put(t.number, current);
            }
        }

        private synchronized void shatter() {
            current = new Generation();
        }

        /** Returns the complete generation, to the thread that arrived last; null if an arrival or a break was lost, or the barrier is reset. */
        private synchronized Generation complete() {
            return current.size == parties ? current : null;
        }

        private synchronized void trip(Generation generation, long stamp, long variable, int site) {
            generation.stamp = stamp;
            generation.variable = variable;
            generation.site = site;
            if (current == generation) {
                current = new Generation();
            }
        }

        private synchronized Generation leave(ThreadState t) {
            try (Inside inside = t.inside()) {
                Generation generation = waiting.remove(t.number);
                return generation == null || generation.stamp == 0 ? null : generation;
            }
        }
    }

    private static final class Generation {
        private long[] stamps = new long[4];
        private long[] variables = new long[4];
        private int[] sites = new int[4];
        private int size;
        /** How many of the arrivals the last thread follows already. */
        private int followed;
        /** The stamp of the thread that arrived last, once it lets the others go. */
        private long stamp;
        private long variable;
        private int site;

        private void arrive(long s, long v, int at) {
            if (size == stamps.length) {
                stamps = java.util.Arrays.copyOf(stamps, 2 * size);
                variables = java.util.Arrays.copyOf(variables, 2 * size);
                sites = java.util.Arrays.copyOf(sites, 2 * size);
            }
            stamps[size] = s;
            sites[size] = at;
            variables[size++] = v;
        }
    }

    // ---- semaphores. No handler makes a call that needs much stack

    /** A semaphore is made. With a negative count it orders nothing. */
    public static void made(Object semaphore, int permits) {
        try {
            if (permits >= 0 && Session.isArmed()) {
                TABLE.put(semaphore, new Semaphore(permits));
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The semaphore orders nothing.
        }
    }

    /** Before a thread releases permits. */
    public static void releases(Object semaphore, int permits) {
        Semaphore found = null;
        try {
            found = Session.isArmed() ? (Semaphore) TABLE.find(semaphore) : null;
            if (found != null) {
                ThreadState t = Threads.current();
                int site = t.placeOf(JdkSites.RELEASE);
                long variable = write(t, site);
                found.release(t.last(), variable, site, permits);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The release was not counted, so the others prove nothing any more.
            if (found != null) {
                found.isForgotten = true;
            } else {
                isBroken = true;
            }
        }
    }

    /** Before a thread tries to acquire permits. */
    public static void attempts(Object semaphore) {
        try {
            Semaphore found = Session.isArmed() ? (Semaphore) TABLE.find(semaphore) : null;
            if (found != null) {
                ThreadState t = Threads.current();
                t.attempt = found.attempt();
                t.attempted = found;
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // An earlier attempt proves less.
        }
    }

    /** After the thread has tried to acquire {@code permits}: not negative if it has acquired them. */
    public static void acquired(int isAcquired, Object semaphore, int permits) {
        try {
            Semaphore found = isAcquired < 0 || !Session.isArmed() ? null : (Semaphore) TABLE.find(semaphore);
            if (found != null) {
                follow(found, permits);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The dependency is missed.
        }
    }

    /** After a thread has acquired all available permits. */
    public static void drained(int permits, Object semaphore) {
        acquired(permits, semaphore, permits);
    }

    /** Before the number of permits is reduced. */
    public static void reduces(Object semaphore) {
        try {
            Semaphore found = Session.isArmed() ? (Semaphore) TABLE.find(semaphore) : null;
            if (found != null) {
                found.forget();
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // Permits that are gone count as still there: less is proved.
        }
    }

    private static void follow(Semaphore semaphore, int permits) {
        ThreadState t = Threads.current();
        Probe.between(t);
        long[] sources = semaphore.acquire(t.attempted == semaphore ? t.attempt : 0, permits);
        if (semaphore.isSignal) {
            t.settle();
            t.waits();
        }
        int site = t.placeOf(semaphore.isSignal ? JdkSites.SIGNAL : JdkSites.ACQUIRE);
        for (int i = 0; i < sources.length; i += 3) {
            read(sources[i], (int) sources[i + 2], sources[i + 1], t, site);
        }
    }

    // ---- barriers

    /** A barrier is made. */
    public static void built(Object barrier, int parties) {
        try {
            if (Session.isArmed()) {
                build(barrier, parties);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The barrier orders nothing.
        }
    }

    private static void build(Object barrier, int parties) {
        try (Inside inside = Platform.inside()) {
            TABLE.put(barrier, new Barrier(parties));
        }
    }

    /** A thread has arrived at a barrier, and holds its lock. */
    public static void arrives(Object barrier) {
        ThreadState t = null;
        try {
            Barrier found = barrier(barrier);
            if (found != null) {
                t = Threads.current();
                t.settle();
                t.waits();
                int site = t.placeOf(JdkSites.ARRIVE);
                long variable = write(t, site);
                found.arrive(t, t.last(), variable, site);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lost(t);
        }
    }

    /** The barrier breaks, or is reset. */
    public static void shatters(Object barrier) {
        try {
            Barrier found = barrier(barrier);
            if (found != null) {
                found.shatter();
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The number of arrivals will be wrong, so the generation orders nothing.
        }
    }

    /** The last thread has arrived, and is about to run the barrier's action. */
    public static void meets(Object barrier) {
        ThreadState t = null;
        try {
            Barrier found = barrier(barrier);
            Generation generation = found == null ? null : found.complete();
            if (generation != null) {
                t = Threads.current();
                meet(generation, t);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lost(t);
        }
    }

    /** The thread that arrived last is about to let the others go. */
    public static void trips(Object barrier) {
        ThreadState t = null;
        try {
            Barrier found = barrier(barrier);
            Generation generation = found == null ? null : found.complete();
            if (generation != null) {
                t = Threads.current();
                meet(generation, t);
                int site = t.placeOf(JdkSites.ARRIVE);
                long variable = write(t, site);
                found.trip(generation, t.last(), variable, site);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lost(t);
        }
    }

    private static void meet(Generation generation, ThreadState t) {
        for (; generation.followed < generation.size; generation.followed++) {
            int i = generation.followed;
            read(generation.stamps[i], generation.sites[i], generation.variables[i], t, t.placeOf(JdkSites.PASS));
        }
    }

    /** A thread has passed the barrier. */
    public static void leaves(Object barrier) {
        ThreadState t = null;
        try {
            Barrier found = barrier(barrier);
            if (found != null) {
                t = Threads.current();
                Generation generation = found.leave(t);
                if (generation != null) {
                    read(generation.stamp, generation.site, generation.variable, t, t.placeOf(JdkSites.PASS));
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lost(t);
        }
    }

    private static Barrier barrier(Object barrier) {
        return Session.isArmed() ? (Barrier) TABLE.find(barrier) : null;
    }

    // ---- events

    /** Writes a new variable, and returns it. */
    static long write(ThreadState t, int site) {
        t.settle();
        t.room(0);
        long variable = t.ids.next();
        t.event(EventCodes.WRITE, site, 0, variable);
        return variable;
    }

    /** Reads what another thread has written. */
    static void read(long stamp, int from, long variable, ThreadState t, int site) {
        if (Stamp.thread(stamp) != t.number) {
            t.settle();
            t.room(0);
            t.depend(stamp, from);
            t.event(EventCodes.READ, site, 0, variable);
            t.settle();
        }
    }

    private static void lost(ThreadState t) {
        if (t != null) {
            t.lostEvents++;
        }
    }
}
