package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.protocol.Stamp;

/** A thread's supply of unique numbers, taken in blocks from {@link Session}. */
public final class Ids {
    private long next;
    private long last;

    /** Returns a number for a new object. */
    public long next() {
        if (next == last) {
            next = Session.idBlock();
            last = next + Session.ID_BLOCK;
        }
        return next++;
    }

    /** The same for an object whose sites do not name its class: the number includes its type, if that fits. */
    public long next(int type) {
        return next() | (type >>> Long.SIZE - Session.ID_BITS == 0 ? (long) type << Session.ID_BITS : 0);
    }

    /**
     * Returns a number for a variable that several threads read. Hashed, because the threads' blocks of numbers begin at multiples of a power of
     * two.
     */
    public long nextSharing() {
        long n = next();
        return (n ^ n >>> 10) & (1L << Stamp.POSITION_BITS) - 1;
    }
}
