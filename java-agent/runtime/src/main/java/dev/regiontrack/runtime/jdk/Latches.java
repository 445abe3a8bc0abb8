package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.sites.JdkSites;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;

/**
 * The hooks inside {@code CountDownLatch}: a thread that has passed one comes after all that have counted it down.
 * {@code analysis-core/src/protocol/handovers.rs} is the specification. The hooks are inside, where the count changes, because the
 * caller does not learn whether it has changed.
 */
public final class Latches {
    /** Latches of a higher count order nothing. */
    private static final int MOST = 1024;
    private static final WeakTable TABLE = new WeakTable();

    private Latches() {
    }

    /** The arrivals at a latch: stamps, the variables that they have written, their sites. Guarded by its own lock, under which no thread waits. */
    private static final class Latch {
        private final long[] stamps;
        private final long[] variables;
        private final int[] sites;
        private final int count;
        private int size;

        Latch(int count) {
            this.count = count;
            stamps = new long[count + 1];
            variables = new long[count + 1];
            sites = new int[count + 1];
        }

        /** If an arrival finds no room, it or another one will fail. */
        private synchronized void arrive(long stamp, long variable, int site) {
            if (size <= count) {
                stamps[size] = stamp;
                variables[size] = variable;
                sites[size] = site;
            }
            size++;
        }

        /** Removes the thread's last arrival, which has failed. If there was no room for it, the latch orders nothing any more. */
        private synchronized void withdraw(int thread) {
            if (size > stamps.length) {
                return;
            }
            int at = size - 1;
            while (at >= 0 && Stamp.thread(stamps[at]) != thread) {
                at--;
            }
            if (at >= 0) {
                // Keeps the order, so that a thread's last entry is its latest arrival.
                size--;
                System.arraycopy(stamps, at + 1, stamps, at, size - at);
                System.arraycopy(variables, at + 1, variables, at, size - at);
                System.arraycopy(sites, at + 1, sites, at, size - at);
            }
        }

        /** Returns stamps, variables and sites, in turn, of all arrivals; null if one of them may not have happened. */
        private synchronized long[] sources() {
            if (size != count) {
                return null;
            }
            long[] result = new long[3 * count];
            for (int i = 0; i < count; i++) {
                result[3 * i] = stamps[i];
                result[3 * i + 1] = variables[i];
                result[3 * i + 2] = sites[i];
            }
            return result;
        }
    }

    /** A latch is made; unless {@code count} is positive, it is open. */
    public static void made(Object latch, int count) {
        try {
            if (count > 0 && count <= MOST && Session.isArmed()) {
                TABLE.put(latch, new Latch(count));
            } else if (count > MOST && Session.isArmed()) {
                Session.unseen(Unseen.LATCHES);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The latch orders nothing.
        }
    }

    /** Before a thread tries to change the count. */
    public static void arrives(Object latch) {
        ThreadState t = null;
        try {
            Latch found = Session.isArmed() ? (Latch) TABLE.find(latch) : null;
            if (found != null) {
                t = Threads.current();
                t.settle();
                t.room(0);
                long variable = t.ids.next();
                int site = t.placeOf(JdkSites.COUNT_DOWN);
                t.event(EventCodes.WRITE, site, 0, variable);
                found.arrive(t.last(), variable, site);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** After the thread has tried to change the count. */
    public static void arrived(boolean isChanged, Object latch) {
        ThreadState t = null;
        try {
            Latch found = isChanged || !Session.isArmed() ? null : (Latch) TABLE.find(latch);
            if (found != null) {
                t = Threads.current();
                found.withdraw(t.number);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** After a thread has checked whether the latch is open: not negative if it is. */
    public static void passes(int isOpen, Object latch) {
        if (isOpen >= 0) {
            isOpen(latch, JdkSites.AWAIT);
        }
    }

    /** After a thread has read the count. */
    public static void counts(int count, Object latch) {
        if (count == 0) {
            isOpen(latch, JdkSites.COUNT);
        }
    }

    private static void isOpen(Object latch, int place) {
        ThreadState t = null;
        try {
            Latch found = Session.isArmed() ? (Latch) TABLE.find(latch) : null;
            long[] sources = found == null ? null : found.sources();
            if (sources != null) {
                t = Threads.current();
                t.settle();
                if (place == JdkSites.AWAIT) {
                    t.waits();
                }
                follow(sources, t, t.placeOf(place));
                t.settle();
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    private static void follow(long[] sources, ThreadState t, int site) {
        for (int i = 0; i < sources.length; i += 3) {
            if (Stamp.thread(sources[i]) != t.number) {
                t.room(0);
                t.depend(sources[i], (int) sources[i + 2]);
                t.event(EventCodes.READ, site, 0, sources[i + 1]);
            }
        }
    }
}
