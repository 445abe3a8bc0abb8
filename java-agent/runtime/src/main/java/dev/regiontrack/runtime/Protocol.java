package dev.regiontrack.runtime;

import jdk.internal.misc.Unsafe;

/**
 * The stamp protocol on the variable at hand of a thread: all that looks at or changes {@code W} and {@code R}, but for the
 * first check of a read, which {@link Hooks} has inline.
 *
 * <p>As {@code analysis-core/src/protocol} specifies it, and as it must be among running threads: a read looks at {@code R} after
 * the value was loaded; {@code W}'s top bit locks the variable while an access is recorded; a writer makes itself visible in
 * {@code R} before its value. A record is in the ring, and its head published, before its stamp can be seen.
 */
final class Protocol {
    private static final Unsafe U = Memory.U;
    private static final int ROOM = 8;
    private static final int SPINS = 1000;

    private Protocol() {
    }

    /** The stamp that makes a read redundant, or 0. The value was loaded before. */
    static long cover(ThreadState t) {
        U.loadFence();
        long r = U.getLongAcquire(t.shadow, t.offset + Shadow.READ);
        if (t.isMine(r)) {
            return r;
        }
        boolean isShared = Stamp.isShared(r);
        Readers readers = isShared ? t.shadow.readers(slotIn(t)) : null;
        // What others have read since does not matter to a read of what I wrote. A writer would have locked W before its value.
        long cover = readers == null ? 0 : readers.of(t.number);
        if (!t.isMine(cover)) {
            cover = U.getLongAcquire(t.shadow, t.offset);
        }
        if (!t.isMine(cover)) {
            return 0;
        }
        // Unless a write has come in between, which would have changed R, the readers were those of this number.
        if (isShared && U.getLongAcquire(t.shadow, t.offset + Shadow.READ) == r) {
            t.roomToRemember(r);
            t.remember(r, cover);
        }
        return cover;
    }

    private static int slotIn(ThreadState t) {
        return t.slot - t.shadow.first;
    }

    /** Locks the variable and records a read of it. False if that was impossible: nothing is locked then. */
    static boolean lockForRead(ThreadState t, int site) {
        try {
            t.room(ROOM);
            long w = lock(t);
            recordRead(t, w, site);
            return true;
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
            return false;
        }
    }

    /** Locks the variable. False if that was impossible. */
    static boolean tryLock(ThreadState t) {
        try {
            t.room(ROOM);
            lock(t);
            return true;
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
            return false;
        }
    }

    /** Records a read of the locked variable. */
    static void readLocked(ThreadState t, int site) {
        try {
            recordRead(t, t.unlockWord, site);
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /** Locks the variable, so that the program's own load is under the lock, and records a read unless it is redundant. */
    static boolean lockToRead(ThreadState t, int site) {
        try {
            t.room(ROOM);
            long w = lock(t);
            t.isRecorded = false;
            t.cover = cover(t);
            if (t.cover == 0) {
                recordRead(t, w, site);
            }
            return true;
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
            return false;
        }
    }

    /** Locks the variable and records a write, unless it is redundant. False as above. */
    static boolean lockForWrite(ThreadState t, int site) {
        try {
            t.room(ROOM);
            long w = lock(t);
            Shadow h = t.shadow;
            long r = U.getLong(h, t.offset + Shadow.READ);
            if (r == w && t.isMine(w)) {
                t.redundant++;
                t.isRecorded = false;
                return true;
            }
            if (Stamp.isShared(r)) {
                w = roomForReaders(t, w);
                r = U.getLong(h, t.offset + Shadow.READ);
            }
            recordWrite(t, w, r, site);
            return true;
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
            return false;
        }
    }

    /** Each reader can be a dependency. Room is made without the lock, so the readers may be others by then. */
    private static long roomForReaders(ThreadState t, long w) {
        for (;;) {
            Readers readers = t.shadow.readers(slotIn(t));
            int need = ROOM + (readers == null ? 0 : readers.size());
            if (t.free() >= need) {
                return w;
            }
            t.unlock();
            t.room(need);
            w = lock(t);
        }
    }

    private static void recordRead(ThreadState t, long w, int site) {
        Shadow h = t.shadow;
        long off = t.offset;
        long r = U.getLong(h, off + Shadow.READ);
        long sites = U.getLong(h, off + Shadow.SITES);
        Readers readers = null;
        long fresh = 0;
        if (Stamp.isShared(r)) {
            readers = h.readers(slotIn(t));
        } else if (r != w && Stamp.thread(r) != t.number) {
            // A second reader. A first one since the write needs no array: W still says who wrote.
            readers = new Readers();
            readers.put(r, (int) sites);
            fresh = t.newSharing();
        }
        long me = t.next();
        if (readers != null) {
            t.roomToRemember(fresh == 0 ? r : fresh);
            enter(t, readers, me, site, fresh, w, sites);
            t.remember(fresh == 0 ? r : fresh, me);
            return;
        }
        t.depend(w, me, (int) (sites >>> 32));
        t.event(EventCodes.READ, site, t.slot, h.id);
        U.putLong(h, off + Shadow.SITES, sites & 0xffffffff00000000L | site);
        U.putLongRelease(h, off + Shadow.READ, me);
        t.isRecorded = true;
    }

    private static void enter(ThreadState t, Readers readers, long me, int site, long fresh, long w, long sites) {
        Shadow h = t.shadow;
        t.depend(w, me, (int) (sites >>> 32));
        t.event(EventCodes.READ, site, t.slot, h.id);
        readers.put(me, site);
        if (fresh != 0) {
            h.setReaders(slotIn(t), readers);
            U.putLongRelease(h, t.offset + Shadow.READ, fresh);
        }
        t.isRecorded = true;
    }

    private static void recordWrite(ThreadState t, long w, long r, int site) {
        Shadow h = t.shadow;
        long off = t.offset;
        long sites = U.getLong(h, off + Shadow.SITES);
        long me = t.next();
        t.depend(w, me, (int) (sites >>> 32));
        if (Stamp.isShared(r)) {
            Readers readers = h.readers(slotIn(t));
            readers.dependOn(t, me);
        } else if (r != w) {
            t.depend(r, me, (int) sites);
        }
        t.event(EventCodes.WRITE, site, t.slot, h.id);
        U.putLong(h, off + Shadow.SITES, (long) site << 32 | site);
        U.putLongRelease(h, off + Shadow.READ, me);
        if (Stamp.isShared(r)) {
            h.setReaders(slotIn(t), null);
        }
        U.storeFence();
        t.unlockWord = me;
        t.isRecorded = true;
    }

    /**
     * Locks the variable; returns its {@code W}, which is also what unlocking puts back. Nothing is called between the exchange and
     * the note that the lock is held, and the way here is deeper than the one to {@link ThreadState#release}: where the stack
     * ends, it ends before the lock is ours, or {@link #failed} gives it back.
     */
    private static long lock(ThreadState t) {
        Shadow shadow = t.shadow;
        long off = t.offset;
        int spins = 0;
        for (;;) {
            long w = U.getLongOpaque(shadow, off);
            if (w >= 0) {
                t.unlockWord = w;
                if (U.compareAndSetLong(shadow, off, w, w | Stamp.LOCK)) {
                    t.held = true;
                    return w;
                }
            }
            if (spins++ == 0) {
                t.collisions++;
            }
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    private static void failed(ThreadState t) {
        t.lostEvents++;
        if (t.held) {
            t.unlock();
        }
        t.forget();
    }
}
