package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;

/**
 * A thread's {@code Object.wait}: it releases the monitor and takes it again, and until then no access of the thread
 * counts as covered.
 */
public final class Wait {
    /** The lock that was released and is not yet taken again, or null. */
    private Shadow lock;
    private int depth;
    private int type;
    private int site;
    private long segment;

    public boolean isOpen() {
        return lock != null;
    }

    /** Before the wait. */
    public void begin(Shadow monitor, int lockType, ThreadState t, int at) {
        depth = Monitor.leave(monitor, lockType, t, at);
        if (depth > 0) {
            t.waits();
            segment = t.seg;
            t.seg = Stamp.of(t.number, (1L << Stamp.POSITION_BITS - 1) - 1);
            type = lockType;
            site = at;
            lock = monitor;
            t.bar();
        }
    }

    /** After the wait, however it ended. */
    public void end(ThreadState t) {
        Shadow monitor = lock;
        if (monitor != null) {
            lock = null;
            t.bar();
            t.seg = segment;
            Monitor.back(monitor, depth, type, t, site);
        }
    }

    /**
     * The wait has ended by an exception, and where only a part of the run is watched, the thread may have left the monitor since: it is not known
     * to have taken it again.
     */
    public void drop(ThreadState t) {
        if (lock != null) {
            lock = null;
            t.bar();
            t.seg = segment;
        }
    }
}
