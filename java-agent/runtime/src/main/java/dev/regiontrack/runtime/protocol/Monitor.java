package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;

/**
 * What is known about an object's monitor. Accessed only by the thread that holds the monitor, so it needs no lock.
 *
 * <p>Uninstrumented code can release or take the monitor (a JDK method that waits). If another thread still seems to own it, the new
 * owner takes it over, and the missing release is counted; an exit without an observed entry is counted and otherwise
 * ignored.
 */
public final class Monitor {
    private ThreadState owner;
    private int depth;
    private long acquired;
    private long released;
    private int site;
    /** An initialiser has taken it that runs in a block which had released it before: there is no event for that. */
    private boolean isSilent;

    /** After the monitor was entered. */
    public static void enter(Shadow h, int type, ThreadState t, int site) {
        Monitor m = h.monitor;
        if (m == null) {
            m = h.monitor = new Monitor();
        }
        if (m.owner == t.holder) {
            m.depth++;
        } else {
            m.acquire(h, 1, type, t, site);
        }
    }

    /** Before the monitor is left. */
    public static void exit(Shadow h, int type, ThreadState t, int site) {
        Monitor m = h.monitor;
        if (m == null || m.owner != t.holder) {
            unpaired("exit from a monitor whose entry was not observed");
        } else if (m.depth > 1) {
            m.depth--;
        } else {
            m.release(h, type, t, site);
        }
    }

    /** Before a wait: releases the monitor completely. Returns how often it was entered; 0 if its entry was not observed. */
    static int leave(Shadow h, int type, ThreadState t, int site) {
        Monitor m = h.monitor;
        if (m == null || m.owner != t.holder) {
            return 0;
        }
        int depth = m.depth;
        m.release(h, type, t, site);
        return depth;
    }

    /** After a wait. */
    static void back(Shadow h, int depth, int type, ThreadState t, int site) {
        if (h.monitor.owner != t.holder) {
            h.monitor.acquire(h, depth, type, t, site);
        }
    }

    private void acquire(Shadow h, int depth, int type, ThreadState t, int site) {
        if (t.isOfBlock(released)) {
            owner = t.holder;
            this.depth = depth;
            isSilent = true;
            return;
        }
        t.room(0);
        if (owner != null) {
            if (!ThreadState.EPOCHS) {
                t.ring.put(EventCodes.UNSEEN, 0, 0, owner.number);
            }
            t.depend(acquired, 0);
            unpaired("release of a monitor that was not observed");
        }
        t.depend(released, this.site);
        StackOverflowError late = t.tryEvent(EventCodes.ACQUIRE, site, type, h.id);
        owner = t.holder;
        this.depth = depth;
        acquired = t.last();
        if (late != null) {
            throw late;
        }
    }

    private void release(Shadow h, int type, ThreadState t, int site) {
        if (isSilent) {
            isSilent = false;
            owner = null;
            depth = 0;
            return;
        }
        t.room(0);
        StackOverflowError late = t.tryEvent(EventCodes.RELEASE, site, type, h.id);
        released = Stamp.of(t.number, t.position);
        this.site = site;
        owner = null;
        depth = 0;
        if (late != null) {
            throw late;
        }
    }

    /** A use of a monitor whose other end was not seen. Where only a part of the run is watched, that is to be expected. */
    private static void unpaired(String what) {
        if (!ThreadState.IS_PARTIAL) {
            Session.tolerated(what);
        }
    }
}
