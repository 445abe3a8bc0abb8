package dev.regiontrack.runtime;

/**
 * What we know of an object's monitor. Touched only by the thread that holds it, so it needs no lock of its own.
 *
 * <p>Code that we do not see may release it or take it (a JDK method that waits): a record that another thread seems to own is
 * taken over, and the missing release is noted and counted; an exit that is not ours is counted and left alone.
 */
final class Monitor {
    private ThreadState owner;
    private int depth;
    private long acquired;
    private long released;
    private int site;

    /** After the monitor was entered. */
    static void enter(Shadow h, int type, ThreadState t, int site) {
        Monitor m = h.monitor;
        if (m == null) {
            m = h.monitor = new Monitor();
        }
        if (m.owner == t) {
            m.depth++;
        } else {
            m.acquire(h, 1, type, t, site);
        }
    }

    /** Before the monitor is left. */
    static void exit(Shadow h, int type, ThreadState t, int site) {
        Monitor m = h.monitor;
        if (m == null || m.owner != t) {
            Session.tolerated("exit from a monitor whose entry was not observed");
        } else if (m.depth > 1) {
            m.depth--;
        } else {
            m.release(h, type, t, site);
        }
    }

    /** Before a wait: leaves the monitor altogether. Returns how often it was entered; 0 if not by us. */
    static int leave(Shadow h, int type, ThreadState t, int site) {
        Monitor m = h.monitor;
        if (m == null || m.owner != t) {
            return 0;
        }
        int depth = m.depth;
        m.release(h, type, t, site);
        return depth;
    }

    /** After a wait. */
    static void back(Shadow h, int depth, int type, ThreadState t, int site) {
        if (h.monitor.owner != t) {
            h.monitor.acquire(h, depth, type, t, site);
        }
    }

    private void acquire(Shadow h, int depth, int type, ThreadState t, int site) {
        t.ring.room(8);
        long me = t.next();
        if (owner != null) {
            t.ring.put(EventCodes.UNSEEN, 0, 0, owner.number);
            t.depend(acquired, me, 0);
            Session.tolerated("release of a monitor that was not observed");
        }
        t.depend(released, me, this.site);
        StackOverflowError late = t.tryEvent(EventCodes.ACQUIRE, site, type, h.id);
        owner = t;
        this.depth = depth;
        acquired = me;
        if (late != null) {
            throw late;
        }
    }

    private void release(Shadow h, int type, ThreadState t, int site) {
        t.ring.room(8);
        released = t.next();
        this.site = site;
        StackOverflowError late = t.tryEvent(EventCodes.RELEASE, site, type, h.id);
        owner = null;
        depth = 0;
        if (late != null) {
            throw late;
        }
    }
}
