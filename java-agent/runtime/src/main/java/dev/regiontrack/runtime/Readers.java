package dev.regiontrack.runtime;

/**
 * The readers of a variable since its last write: a table of stamps found by thread, and their sites.
 *
 * <p>Updated under the variable's lock, looked up without it: a thread looks for its own entry, which no other thread changes. A grown
 * table is filled before it is published. Not reused after a write.
 */
final class Readers {
    private volatile long[] entries = new long[8];
    private int size;
    /** How many stamps were entered. */
    private int changes;

    /** The stamp of a thread, or 0. */
    long of(int thread) {
        long[] table = entries;
        int mask = table.length / 2 - 1;
        for (int i = thread & mask;; i = i + 1 & mask) {
            long stamp = table[2 * i];
            if (stamp == 0 || Stamp.thread(stamp) == thread) {
                return stamp;
            }
        }
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

    /** Replaces the stamp of its thread, which has one. */
    void renew(long stamp, int site) {
        changes++;
        enter(entries, stamp, site);
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
            if (table[i] != 0) {
                t.depend(table[i], (int) table[i + 1]);
            }
        }
    }

    private static long[] grown(long[] old) {
        long[] table = new long[old.length * 2];
        for (int i = 0; i < old.length; i += 2) {
            if (old[i] != 0) {
                enter(table, old[i], (int) old[i + 1]);
            }
        }
        return table;
    }

    private static boolean enter(long[] table, long stamp, int site) {
        int mask = table.length / 2 - 1;
        int thread = Stamp.thread(stamp);
        for (int i = thread & mask;; i = i + 1 & mask) {
            long old = table[2 * i];
            if (old == 0 || Stamp.thread(old) == thread) {
                table[2 * i + 1] = site;
                table[2 * i] = stamp;
                return old == 0;
            }
        }
    }
}
