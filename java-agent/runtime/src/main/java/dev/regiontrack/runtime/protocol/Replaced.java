package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.memory.Memory;
import jdk.internal.misc.Unsafe;

/**
 * The last few accesses of other threads whose stamps this thread has replaced by its own. A variable keeps only its last access, but a finding that
 * rests on a lock has to say what the block had accessed before another thread came.
 *
 * <p>Written by its thread, under the variable's lock. Another thread looks for a variable that it has locked itself, so that entry is complete, but
 * another variable's can replace it meanwhile. So the reader checks the entry's count, which no two entries share, before and after.
 */
public final class Replaced {
    private static final Unsafe U = Memory.U;
    /** The number of accesses kept: a power of two. */
    private static final int KEPT = 32;
    /** Words of an entry, as a shift: its count, 0 while it is written; the shadow's id; the slot and the site; the stamp. */
    private static final int SHIFT = 2;
    private static final int ID = 1;
    private static final int PLACE = 2;
    private static final int STAMP = 3;

    private final long[] entries = new long[KEPT << SHIFT];
    private long count;

    /** Notes an access to a slot of the shadow with this id. */
    void note(long id, int slot, long stamp, int site) {
        if (Stamp.isTentative(stamp)) {
            return;
        }
        long n = ++count;
        long[] all = entries;
        int at = (int) (n & KEPT - 1) << SHIFT;
        U.putLongOpaque(all, Memory.element('J', at), 0L);
        U.storeFence();
        all[at + ID] = id;
        all[at + PLACE] = (long) slot << 32 | site;
        all[at + STAMP] = stamp;
        U.putLongRelease(all, Memory.element('J', at), n);
    }

    /**
     * Finds this thread's last access to a slot of the shadow with this id: stores its stamp and its site into an array from an index; 0 if there is
     * none.
     */
    public void find(long id, int slot, int thread, long[] to, int index) {
        long newest = 0;
        long last = 0;
        int site = 0;
        for (int at = 0; at < entries.length; at += 1 << SHIFT) {
            long n = U.getLongAcquire(entries, Memory.element('J', at));
            long place = entries[at + PLACE];
            long stamp = entries[at + STAMP];
            boolean isOf = n > newest && entries[at + ID] == id && (int) (place >>> 32) == slot && Stamp.thread(stamp) == thread;
            U.loadFence();
            if (isOf && U.getLongOpaque(entries, Memory.element('J', at)) == n) {
                newest = n;
                last = stamp;
                site = (int) place;
            }
        }
        to[index] = last;
        to[index + 1] = site;
    }
}
