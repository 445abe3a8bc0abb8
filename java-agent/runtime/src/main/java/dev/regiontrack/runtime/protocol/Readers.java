package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.misc.Unsafe;

/**
 * The readers of a variable since its last write: a table of stamps and sites by thread.
 *
 * <p>The table is updated under the variable's lock and read without it: a thread looks up its own entry, which no other thread changes. The thread
 * renews its stamp without the lock, by compare-and-set, until the entry is taken: marked by a writer, or by a thread that grows the table. A grown
 * table is filled before it is published. It is not reused after a write.
 *
 * <p>The entries are adjacent, which saves space, until threads are found to renew their stamps all the time. Then each entry gets a cache line of
 * its own, since threads would otherwise take the line from each other at every renewal.
 */
public final class Readers {
    private static final Unsafe U = Memory.U;
    private static final long FIRST = Memory.element('J', 0);
    /**
     * Words of an entry, as a shift: a stamp and its site, or a cache line. The first word of a table says which it is; entries begin at the second
     * such unit.
     */
    private static final int NARROW = 1;
    private static final int WIDE = 3;
    private static final int FEWEST = 4;
    private static final int MOST_NOTED = 8;

    private volatile long[] entries = empty(NARROW, FEWEST);
    /** Threads renew their stamps all the time, and the entries are adjacent. */
    volatile boolean isContended;
    private int size;
    /** The number of stamps entered so far. */
    private int changes;

    /** Returns a thread's stamp, or 0; a marked stamp belongs to no thread. */
    public long of(int thread) {
        long[] table = entries;
        return table[find(table, thread)];
    }

    /** Returns the index of a thread's entry, or the one that it would get. */
    private static int find(long[] table, int thread) {
        int shift = (int) table[0];
        int mask = room(table) - 1;
        for (int i = thread & mask;; i = i + 1 & mask) {
            int at = i + 1 << shift;
            long stamp = table[at];
            if (stamp == 0 || Stamp.thread(stamp) == thread) {
                return at;
            }
        }
    }

    private static long[] empty(int shift, int room) {
        long[] table = new long[room + 1 << shift];
        table[0] = shift;
        return table;
    }

    /** Returns how many entries fit. */
    private static int room(long[] table) {
        return (table.length >> (int) table[0]) - 1;
    }

    /**
     * Replaces the stamp of its thread, without the lock, if the thread has one that was not taken. Otherwise it has to be {@link #put} under the
     * lock.
     */
    boolean tryToRenew(long stamp, int site, ThreadState t) {
        if ((++t.renewals & ThreadState.RENEWALS - 1) == 0) {
            if (t.renewed == this && entries[0] == NARROW) {
                isContended = true;
            }
            t.renewed = this;
        }
        if (isContended) {
            return false;
        }
        long[] table = entries;
        int i = find(table, Stamp.thread(stamp));
        long old = table[i];
        boolean isRenewed = old > 0 && U.compareAndSetLong(table, offset(i), old, stamp);
        if (isRenewed) {
            U.putIntRelease(table, offset(i + 1) + Memory.LOW, Stamp.mark(site, stamp));
        }
        return isRenewed;
    }

    /** Returns the stamp at an index, 0 if there is none, and bars its renewal in this table. */
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
        if (2 * (size + 1) > room(table)) {
            table = moved(table, (int) table[0], 2 * room(table));
        } else if (isContended) {
            table = moved(table, WIDE, room(table));
            isContended = false;
        }
        if (enter(table, stamp, site)) {
            size++;
        }
        changes++;
        entries = table;
    }

    /** Copies the readers for another variable. Called under this variable's lock. */
    Readers copy() {
        Readers result = new Readers();
        long[] table = entries;
        int step = 1 << (int) table[0];
        for (int i = step; i < table.length; i += step) {
            long stamp = U.getLongAcquire(table, offset(i)) & ~Stamp.LOCK;
            if (stamp != 0) {
                result.put(stamp, Stamp.siteOf(table, offset(i + 1) + Memory.LOW, stamp));
            }
        }
        return result;
    }

    int size() {
        return size;
    }

    int changes() {
        return changes;
    }

    /** Adds each reader to a thread's dependencies. */
    void dependOn(ThreadState t) {
        long[] table = entries;
        int step = 1 << (int) table[0];
        for (int i = step; i < table.length; i += step) {
            long stamp = take(table, i);
            if (stamp != 0) {
                t.dependOnRead(stamp, Stamp.siteOf(table, offset(i + 1) + Memory.LOW, stamp));
            }
        }
    }

    /** Notes the readers whose sites are known, because a write of the slot of the shadow with this id replaces them; of many readers only some. */
    void note(Replaced its, long id, int slot) {
        long[] table = entries;
        int step = 1 << (int) table[0];
        int left = MOST_NOTED;
        for (int i = step; i < table.length && left > 0; i += step) {
            long stamp = table[i] & ~Stamp.LOCK;
            int site = stamp == 0 ? 0 : Stamp.readSite(table[i + 1], stamp);
            if (site != 0) {
                its.note(id, slot, stamp, site);
                left--;
            }
        }
    }

    /** Moves the entries into a new table; they cannot be renewed in the old one any more. */
    private static long[] moved(long[] old, int shift, int room) {
        long[] table = empty(shift, room);
        int step = 1 << (int) old[0];
        for (int i = step; i < old.length; i += step) {
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
