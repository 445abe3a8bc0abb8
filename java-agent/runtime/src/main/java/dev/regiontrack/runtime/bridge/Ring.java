package dev.regiontrack.runtime.bridge;

/**
 * Layout of a ring: a header of {@link #RECORDS} bytes, then a power of two of records of 16 bytes.
 *
 * <p>All words are in native byte order. Whoever opens a ring writes {@link #CAPACITY} and zero elsewhere. The thread writes
 * records at {@code head mod capacity}, then the head with release; the reader reads the head with acquire and, when it is
 * done with them, writes the tail with release. Both only grow.
 */
public final class Ring {
    /** Version of this layout and of the record codes' meaning. */
    public static final int LAYOUT = 2;
    /** u64, written by the thread: the number of records written. */
    public static final int HEAD = 0;
    /** u64, written by the reader: the number of records consumed. */
    public static final int TAIL = 64;
    /** u64: the number of records that fit; a power of two. */
    public static final int CAPACITY = 128;
    /** u64, statistics, written by the thread periodically and before {@link Transport#close}: dependencies that were implied. */
    public static final int IMPLIED = 136;
    /** u64, statistics: accesses that left the fast path. */
    public static final int SLOW = 144;
    /** u64, statistics: how many of those were redundant. */
    public static final int REDUNDANT = 152;
    /** u64, statistics: how often a variable's lock was found taken. */
    public static final int COLLISIONS = 160;
    /** u64, statistics: accesses that the first check found redundant, if they are counted. */
    public static final int FAST = 168;
    /** The first record. */
    public static final int RECORDS = 256;

    private Ring() {
    }
}
