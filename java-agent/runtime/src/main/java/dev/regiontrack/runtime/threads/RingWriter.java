package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bridge.Ring;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Writes the records of one thread into its ring, with the layout of {@link Ring}. Used only by that thread. In dependency
 * mode the ring is a buffer that holds one item, from its first record, and is handed over by a call.
 */
public final class RingWriter {
    private static final Unsafe U = Memory.U;

    private final int number;
    private final long start;
    /** The thread, until the first ring is opened, which gets the thread's name. */
    private Thread thread;
    private long ring;
    private long data;
    private long mask;
    private long head;
    private long limit;

    /** Counts for the ring's header: accesses that the first check found redundant, if they are counted. */
    public long fast;
    /** Dependencies that were implied. */
    long implied;
    /** Accesses that left the fast path. */
    public long slow;
    /** Writes that were redundant. */
    public long redundant;
    /** How often a variable's lock was found taken. */
    public long collisions;

    /** Makes a writer for the thread with this number, of which {@code start} events were recorded before. */
    RingWriter(int number, long start, Thread thread) {
        this.number = number;
        this.start = start;
        this.thread = thread;
    }

    /** Makes room for records. Can wait for the reader, so no lock may be held. */
    void room(int records) {
        if (limit - head < records) {
            moreRoom(records);
        }
    }

    /** Returns how many records fit. */
    long free() {
        return limit - head;
    }

    @DontInline
    private void moreRoom(int records) {
        open();
        limit = U.getLongAcquire(null, ring + Ring.TAIL) + mask + 1;
        if (limit - head < records) {
            count();
            use(Session.transport().full(ring, records));
        }
    }

    private void open() {
        if (ring == 0) {
            use(Session.transport().open(number, start, Threads.nameOf(thread)));
            thread = null;
        }
    }

    private void use(long address) {
        ring = address;
        data = address + Ring.RECORDS;
        mask = U.getLong(address + Ring.CAPACITY) - 1;
        head = U.getLong(address + Ring.HEAD);
        limit = U.getLongAcquire(null, address + Ring.TAIL) + mask + 1;
    }

    /** Writes a record, for which there is room. The reader sees it once it is published. */
    public void put(int code, int site, int extra, long word) {
        long at = data + ((head & mask) << 4);
        U.putLong(at, code | (long) site << 8 | (long) extra << 32);
        U.putLong(at + 8, word);
        head++;
    }

    /** Publishes all records written so far. */
    void publish() {
        if (ThreadState.COUNTS) {
            count();
        }
        U.putLongRelease(null, ring + Ring.HEAD, head);
    }

    /** Begins an item, at the start of the buffer. */
    void restart() {
        head = 0;
    }

    /** Hands over the item written since {@link #restart}; its event has this position. Returns true if it has violated a block. */
    boolean hand(long position) {
        count();
        int records = (int) head;
        head = 0;
        return Session.transport().item(ring, records, position);
    }

    /** Returns the address of at least {@code n} counters of this thread, which keep their contents. */
    long counters(int n) {
        open();
        return Session.transport().counters(ring, n);
    }

    private void count() {
        U.putLong(ring + Ring.IMPLIED, implied);
        U.putLong(ring + Ring.SLOW, slow);
        U.putLong(ring + Ring.REDUNDANT, redundant);
        U.putLong(ring + Ring.COLLISIONS, collisions);
        U.putLong(ring + Ring.FAST, fast);
    }

    /** Gives the ring back. */
    void close() {
        if (ring != 0) {
            count();
            long old = ring;
            ring = 0;
            limit = head;
            Session.transport().close(old);
        }
    }
}
