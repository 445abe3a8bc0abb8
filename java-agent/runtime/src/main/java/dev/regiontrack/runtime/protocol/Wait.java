package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;

/**
 * A thread's {@code Object.wait}: it releases the monitor and takes it again; until then, no access of the thread
 * counts as covered.
 */
public final class Wait {
    /** The lock that was released and is not yet taken again, or null. */
    private Shadow lock;
    private int depth;
    private int type;
    private int site;
    private long segment;
    /** Whether readers share the lock, and the thread holds it exclusively: releasing or taking it is then a write. */
    private boolean isOfReaders;

    public boolean isOpen() {
        return lock != null;
    }

    /** Before the wait. */
    public void begin(Shadow monitor, int lockType, ThreadState t, int at) {
        depth = Monitor.leave(monitor, lockType, t, at);
        if (depth > 0) {
            segment = t.seg;
            t.seg = Stamp.of(t.number, (1L << Stamp.POSITION_BITS - 1) - 1);
            type = lockType;
            site = at;
            lock = monitor;
            t.bar();
        }
    }

    /** The same for a lock that readers share and that the thread holds exclusively. */
    public void beginAlone(Shadow h, ThreadState t, int at) {
        t.waits();
        write(h, t, at);
        isOfReaders = true;
        site = at;
        lock = h;
    }

    /** After the wait, however it ended. */
    public void end(ThreadState t) {
        Shadow h = lock;
        if (h != null && isOfReaders) {
            isOfReaders = false;
            lock = null;
            write(h, t, site);
        } else if (h != null) {
            lock = null;
            t.bar();
            t.seg = segment;
            Monitor.back(h, depth, type, t, site);
        }
    }

    private static void write(Shadow h, ThreadState t, int at) {
        t.holder.hasOtherLocks = true;
        Protocol.lockForWrite(h, 0, t, at);
        if (t.held.isHeld()) {
            t.held.release();
        }
    }

    /**
     * The wait has ended by an exception. Where only a part of the run is watched, the thread may have left the monitor since: it is not known to
     * have taken the monitor again.
     */
    public void drop(ThreadState t) {
        if (lock != null) {
            lock = null;
            t.bar();
            t.seg = isOfReaders ? t.seg : segment;
            isOfReaders = false;
        }
    }
}
