package dev.regiontrack.runtime;

import jdk.internal.misc.Unsafe;

/**
 * The readers of a variable since its last write: a table of stamps found by thread, and their sites.
 *
 * <p>Updated under the variable's lock, looked up without it: a thread looks for its own entry, which no other thread changes. The thread renews
 * its stamp without the lock, by an exchange, until the entry is taken: marked by a writer, or by a thread for which the table grows. A grown
 * table is filled before it is published. Not reused after a write.
 */
final class Readers {
    private static final Unsafe U = Memory.U;
    private static final long FIRST = Memory.element('J', 0);

    private volatile long[] entries = new long[8];
    private int size;
    /** How many stamps were entered. */
    private int changes;

    /** The stamp of a thread, or 0; of no thread if it is marked. */
    long of(int thread) {
        long[] table = entries;
        return table[find(table, thread)];
    }

    /** The index of a thread's entry, or of the one that it would get. */
    private static int find(long[] table, int thread) {
        int mask = table.length / 2 - 1;
        for (int i = thread & mask;; i = i + 1 & mask) {
            long stamp = table[2 * i];
            if (stamp == 0 || Stamp.thread(stamp) == thread) {
                return 2 * i;
            }
        }
    }

    /** Replaces the stamp of its thread, without the lock, if that has one that nobody has taken. */
    boolean tryToRenew(long stamp, int site) {
        long[] table = entries;
        int i = find(table, Stamp.thread(stamp));
        long old = table[i];
        boolean isRenewed = old > 0 && U.compareAndSetLong(table, offset(i), old, stamp);
        if (isRenewed) {
            U.putIntRelease(table, offset(i + 1) + Memory.LOW, Stamp.mark(site, stamp));
        }
        return isRenewed;
    }

    /** The stamp at an index, 0 if there is none, which is not renewed in this table from now on. */
    private static long take(long[] table, int i) {
        for (;;) {
            long stamp = U.getLongAcquire(table, offset(i));
            if (!ThreadState.EPOCHS || stamp <= 0 || U.compareAndSetLong(table, offset(i), stamp, stamp | Stamp.LOCK)) {
                return stamp & ~Stamp.LOCK;
            }
        }
    }

    private static long offset(int i) {
        return FIRST + (long) i * Long.BYTES;
    }

    /** Enters a stamp, which replaces its thread's older one. */
    void put(long stamp, int site) {
        long[] table = entries;
        if (2 * (size + 1) > table.length / 2) {
            table = grown(table);
        }
        if (enter(table, stamp, site)) {
            size++;
        }
        changes++;
        entries = table;
    }

    int size() {
        return size;
    }

    int changes() {
        return changes;
    }

    /** Passes each reader to a thread as a dependency. */
    void dependOn(ThreadState t) {
        long[] table = entries;
        for (int i = 0; i < table.length; i += 2) {
            long stamp = take(table, i);
            if (stamp != 0) {
                t.depend(stamp, Stamp.siteOf(table, offset(i + 1) + Memory.LOW, stamp));
            }
        }
    }

    private static long[] grown(long[] old) {
        long[] table = new long[old.length * 2];
        for (int i = 0; i < old.length; i += 2) {
            long stamp = take(old, i);
            if (stamp != 0) {
                enter(table, stamp, Stamp.siteOf(old, offset(i + 1) + Memory.LOW, stamp));
            }
        }
        return table;
    }

    private static boolean enter(long[] table, long stamp, int site) {
        int i = find(table, Stamp.thread(stamp));
        boolean isNew = table[i] == 0;
        table[i + 1] = Stamp.mark(site, stamp);
        table[i] = stamp;
        return isNew;
    }
}
