package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;

/**
 * The state of an object's monitor. Only the thread that holds the monitor accesses it, so it needs no lock.
 *
 * <p>A critical section that announces its first write reads the monitor until then: its acquire depends on the last section that wrote, and only
 * sections that write depend on its release ({@code analysis-core/src/filter/sections.rs}).
 *
 * <p>Uninstrumented code can release or take the monitor (a JDK method that waits). If another thread still seems to own it, the new owner takes it
 * over, and the missing release is counted; an exit without an observed entry is counted and otherwise ignored.
 */
public final class Monitor {
    /** Added to the type in a record: the section has written nothing. */
    private static final int READING = 1 << 31;

    private ThreadState owner;
    private int depth;
    /** Whether the owner's section has written nothing so far. */
    private boolean isReading;
    private long acquired;
    /** The last release of a section that wrote, and its site. */
    private long released;
    private int site;
    /** Whether the owner is an initialiser that runs in a block which had released the monitor before: this acquire is no event. */
    private boolean isSilent;
    /** The last release of the sections since then that wrote nothing: of one thread, or of several. */
    private long reader;
    private int readerSite;
    private Readers readers;
    /** The last release of any of these sections. */
    private long lastRead;

    /** After the monitor was entered. {@code reads} if the section announces its first write ({@link Reading}). */
    public static void enter(Shadow h, int type, ThreadState t, int site, boolean reads) {
        Monitor m = h.monitor;
        if (m == null) {
            m = h.monitor = new Monitor();
        }
        if (m.owner == t.holder) {
            m.depth++;
            if (m.isReading && !reads) {
                m.change(h, type, m.owner, site);
            }
        } else {
            m.acquire(h, 1, type, t, site, reads);
        }
    }

    /** The section that the thread entered at this site may be about to write. */
    static void write(Shadow h, int type, ThreadState t, int site) {
        Monitor m = h.monitor;
        if (m.owner == t.holder && m.isReading) {
            m.change(h, type, t, site);
        } else {
            t.reading.remove(h);
        }
    }

    /** Before the monitor is left. */
    public static void exit(Shadow h, int type, ThreadState t, int site) {
        Monitor m = h.monitor;
        if (m == null || m.owner != t.holder) {
            t.holder.hasOtherLocks = true;
            unpaired("exit from a monitor whose entry was not observed");
        } else if (m.depth > 1) {
            m.depth--;
        } else {
            m.release(h, type, t, site);
        }
    }

    /** Before a wait: releases the monitor completely. Returns its depth; 0 if its entry was not observed. */
    static int leave(Shadow h, int type, ThreadState t, int site) {
        Monitor m = h.monitor;
        if (m == null || m.owner != t.holder) {
            return 0;
        }
        int depth = m.depth;
        if (m.isReading) {
            m.change(h, type, t, site);
        }
        // Before the record of the release, which mentions the wait in a trace.
        t.waits();
        m.release(h, type, t, site);
        return depth;
    }

    /** After a wait. */
    static void back(Shadow h, int depth, int type, ThreadState t, int site) {
        if (h.monitor.owner != t.holder) {
            h.monitor.acquire(h, depth, type, t, site, false);
        }
    }

    private void acquire(Shadow h, int depth, int type, ThreadState t, int site, boolean reads) {
        if (isOfBlock(t, reads)) {
            owner = t.holder;
            owner.locks++;
            this.depth = depth;
            isSilent = true;
            return;
        }
        t.reading.room();
        t.room(reads ? 1 : readers());
        if (owner != null) {
            if (!ThreadState.EPOCHS && !isReading) {
                t.ring.put(EventCodes.UNSEEN, 0, 0, owner.number);
            }
            t.depend(acquired, 0);
            owner.hasOtherLocks = true;
            unpaired("release of a monitor that was not observed");
        }
        t.depend(released, this.site);
        if (reads) {
            // That order has no consequences, but a trace says who holds the lock.
            t.comesAfter(lastRead);
        } else {
            dependOnReaders(t);
        }
        StackOverflowError late = t.tryEvent(EventCodes.ACQUIRE, site, reads ? type | READING : type, h.id);
        owner = t.holder;
        owner.locks++;
        this.depth = depth;
        isReading = reads;
        acquired = t.last();
        if (reads) {
            t.reading.add(h, type, site);
        } else {
            forgetReaders();
        }
        if (late != null) {
            throw late;
        }
    }

    /** The section writes from now on: to others it looks as if it were acquired only now. The last section that wrote precedes it already. */
    private void change(Shadow h, int type, ThreadState t, int site) {
        if (isOfBlock(t, false)) {
            isReading = false;
            isSilent = true;
            t.reading.remove(h);
            return;
        }
        t.room(readers());
        t.depend(released, this.site);
        dependOnReaders(t);
        StackOverflowError late = t.tryEvent(EventCodes.ACQUIRE, site, type, h.id);
        isReading = false;
        acquired = t.last();
        forgetReaders();
        t.reading.remove(h);
        if (late != null) {
            throw late;
        }
    }

    /** Whether this is an initialiser, and a block around it has held the lock in a section that this one would follow. */
    private boolean isOfBlock(ThreadState t, boolean reads) {
        return t.isOfBlock(released) || !reads && (t.isOfBlock(reader) || readers != null && t.hasReadInBlock(readers));
    }

    /** Returns the most dependencies that there can be on sections that wrote nothing. */
    private int readers() {
        return readers == null ? 1 : readers.size();
    }

    private void dependOnReaders(ThreadState t) {
        if (readers != null) {
            readers.dependOn(t);
        } else {
            t.depend(reader, readerSite);
        }
    }

    /** A section writes, and so follows all of them. */
    private void forgetReaders() {
        reader = 0;
        readers = null;
        lastRead = 0;
    }

    private void release(Shadow h, int type, ThreadState t, int site) {
        if (isSilent) {
            isSilent = false;
            owner.locks--;
            owner = null;
            depth = 0;
            return;
        }
        if (isReading) {
            releaseRead(h, type, t, site);
            return;
        }
        t.room(0);
        StackOverflowError late = t.tryEvent(EventCodes.RELEASE, site, type, h.id);
        released = Stamp.of(t.number, t.position);
        this.site = site;
        owner.locks--;
        owner = null;
        depth = 0;
        if (late != null) {
            throw late;
        }
    }

    private void releaseRead(Shadow h, int type, ThreadState t, int site) {
        // In dependency mode, a thread that follows this section also follows the threads whose epochs this thread has
        // depended on.
        boolean isAlone = readers == null
            && (reader == 0 || Stamp.thread(reader) == t.number || ThreadState.EPOCHS && t.dependencies.imply(reader));
        Readers all = readers;
        if (!isAlone && all == null) {
            all = new Readers();
            all.put(reader, readerSite);
        }
        t.room(0);
        StackOverflowError late = t.tryEvent(EventCodes.RELEASE, site, type | READING, h.id);
        long me = t.last();
        lastRead = me;
        if (isAlone) {
            reader = me;
            readerSite = site;
        } else {
            all.put(me, site);
            readers = all;
        }
        isReading = false;
        owner.locks--;
        owner = null;
        depth = 0;
        t.reading.remove(h);
        if (late != null) {
            throw late;
        }
    }

    /** Counts a use of a monitor whose other end was not seen. Where only a part of the run is watched, that is to be expected. */
    private static void unpaired(String what) {
        if (!ThreadState.IS_PARTIAL) {
            Session.tolerated(what);
        }
    }
}
