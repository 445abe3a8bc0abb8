package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.memory.Memory;

/** A stamp: a lock bit, a mark of tentative reads ({@link Round}), 19 bits of thread, 43 of position. 0 is "never". */
public final class Stamp {
    public static final int POSITION_BITS = 43;
    public static final int MAX_THREAD = (1 << 19) - 1;
    /** In the thread of a stamp: it is that of a tentative read. */
    private static final int TENTATIVE = MAX_THREAD + 1;
    /** The bits of the position. */
    public static final long POSITION = (1L << POSITION_BITS) - 1;
    /** The lock bit. */
    public static final long LOCK = Long.MIN_VALUE;
    /** The bits of a site; the others mark the stamp to which it belongs. */
    static final int SITE = (1 << 24) - 1;

    private Stamp() {
    }

    public static long of(int thread, long position) {
        return (long) thread << POSITION_BITS | position;
    }

    public static int thread(long stamp) {
        return (int) (stamp >>> POSITION_BITS) & (TENTATIVE | MAX_THREAD);
    }

    /** Returns the stamp of a tentative read that has reserved this one. */
    static long tentative(long real) {
        return real | (long) TENTATIVE << POSITION_BITS;
    }

    /** Whether this is the stamp of a tentative read. No thread has its {@link #thread}. */
    public static boolean isTentative(long stamp) {
        return (thread(stamp) & TENTATIVE) != 0;
    }

    /** Returns the stamp that a tentative read has reserved; of another stamp itself. */
    public static long real(long stamp) {
        return stamp & ~((long) TENTATIVE << POSITION_BITS);
    }

    /**
     * Whether this replaces a read stamp because several threads have read since the last write. It is then a number
     * that no other variable has, and that this one keeps until it is written. No thread has number 0.
     */
    public static boolean isShared(long stamp) {
        return stamp != 0 && stamp >>> POSITION_BITS == 0;
    }

    /** In the sites of a variable, where a run learns: since the write, the reader in {@code R} has replaced others. */
    public static final long READ_BY_OTHERS = Long.MIN_VALUE;

    /** Returns the site of the last write, from a variable's sites. */
    public static int writeSite(long sites) {
        return (int) (sites >>> 32) & SITE;
    }

    /** Returns the site of the last read, from a variable's sites, if that read has this stamp; else 0. */
    static int readSite(long sites, long stamp) {
        return ((int) sites >>> 24) == ((int) stamp & 0xff) ? (int) sites & SITE : 0;
    }

    /** Marks a site with the stamp to which it belongs. */
    static int mark(int site, long stamp) {
        return site | (int) stamp << 24;
    }

    /**
     * Returns the site of the read with this stamp, on which another thread is about to depend: the site in {@code holder} that is marked with the
     * stamp. The reader stores the site after the stamp, so it can be missing for a moment; 0 if the reader is not scheduled.
     */
    static int siteOf(Object holder, long at, long stamp) {
        for (int i = 0; i < 2 * Spinning.SPINS; i++) {
            int site = Memory.U.getIntAcquire(holder, at);
            if (site >>> 24 == ((int) stamp & 0xff)) {
                return site & SITE;
            }
            Spinning.pauseMounted(i);
        }
        return 0;
    }

    /** Whether the stamp belongs to the thread of {@code segment} and is not before it. Positions stay below 2^42. */
    public static boolean isMine(long stamp, long segment) {
        return (stamp - segment) >>> (POSITION_BITS - 1) == 0;
    }
}
