package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The variables with several readers that a thread has read, by the number in their {@code R}, each with the thread's stamp for the
 * read. One entry can displace another; then the variable's own table of readers decides. The table grows if one segment reads many.
 *
 * <p>It is off-heap, so that the check, which is inlined into the program at every read, needs no bounds test.
 */
public final class SharedReads {
    private static final Unsafe U = Memory.U;
    private static final int FEWEST = 1 << 7;
    private static final int MOST = 1 << 14;
    /** Size of an entry, as a shift, and the offset of its stamp. */
    private static final int ENTRY = 4;
    private static final int STAMP = 8;
    /** The table of threads that have ended: one entry that is never written, for no variable. */
    private static final long NONE = allocated(1);

    private final ThreadState t;
    /** The number of entries, less one; 0 once the thread has ended. */
    private int mask = FEWEST - 1;
    private int displaced;

    public SharedReads(ThreadState t) {
        this.t = t;
        t.sharedTable = allocated(FEWEST);
        t.sharedMask = FEWEST - 1;
    }

    private static long allocated(int entries) {
        long size = (long) entries << ENTRY;
        long table = U.allocateMemory(size);
        U.setMemory(table, size, (byte) 0);
        return table;
    }

    /** Whether {@code r} is the number of a variable that the thread has read in its segment. Inlined into the program's code. */
    @ForceInline
    static boolean contain(long r, ThreadState t) {
        return r >>> Stamp.POSITION_BITS == 0 && hold(r, t);
    }

    @ForceInline
    private static boolean hold(long shared, ThreadState t) {
        long at = t.sharedTable + ((shared & t.sharedMask) << ENTRY);
        return U.getLong(at) == shared && Stamp.isMine(U.getLong(at + STAMP), t.seg);
    }

    /** Enters a variable. */
    void add(long shared, long stamp) {
        if (mask != 0) {
            long at = t.sharedTable + ((shared & mask) << ENTRY);
            U.putLong(at, shared);
            U.putLong(at + STAMP, stamp);
        }
    }

    /** Before a variable is entered: grows the table if many entries were displaced in the same segment in which they were entered. */
    void room(long shared) {
        long at = t.sharedTable + ((shared & mask) << ENTRY);
        if (Stamp.isMine(U.getLong(at + STAMP), t.seg) && U.getLong(at) != shared && ++displaced > 2 * mask && mask < MOST - 1) {
            displaced = 0;
            int entries = 2 * (mask + 1);
            try {
                long old = t.sharedTable;
                t.sharedTable = allocated(entries);
                mask = entries - 1;
                t.sharedMask = mask;
                U.freeMemory(old);
            } catch (OutOfMemoryError e) {
                // Without a larger table, reads are only slower.
            }
        }
    }

    /** Frees the table of a thread that has ended. */
    public void close() {
        if (mask != 0) {
            long old = t.sharedTable;
            mask = 0;
            t.sharedMask = 0;
            t.sharedTable = NONE;
            U.freeMemory(old);
        }
    }
}
