package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * The stamp protocol on one variable, a slot of a shadow. All code that reads or changes {@code W} and {@code R} is here,
 * except the first check of a read, which {@link Variables} has inline.
 *
 * <p>{@code analysis-core/src/protocol} is the specification. Running threads also require this order: a read checks
 * {@code R} after the value was loaded; {@code W}'s top bit locks the variable while an access is recorded; a writer becomes
 * visible in {@code R} before its value does. A record is in the ring, and its head published, before its stamp is visible.
 *
 * <p>Calls nest little, to need little stack: if the stack overflows, the access is lost and counted.
 */
public final class Protocol {
    private static final Unsafe U = Memory.U;

    private Protocol() {
    }

    /** Returns the stamp that makes a read redundant, or 0. The value was loaded before. */
    public static long cover(Shadow h, int slot, ThreadState t) {
        U.loadFence();
        long at = h.offset(slot);
        long r = U.getLongAcquire(h, at + Shadow.READ);
        if (t.isMine(r)) {
            return r;
        }
        boolean isShared = Stamp.isShared(r);
        Readers readers = isShared ? h.readers(slot) : null;
        // Later reads by other threads do not affect a read of this thread's own write. A writer would have locked W
        // before its value.
        long cover = readers == null ? 0 : readers.of(t.number);
        if (!t.isMine(cover)) {
            cover = U.getLongAcquire(h, at);
        }
        if (!t.isMine(cover)) {
            return 0;
        }
        // Without a write in between, which would have changed R, the readers belong to this number.
        if (isShared && U.getLongAcquire(h, at + Shadow.READ) == r) {
            t.sharedReads.room(r);
            remember(r, cover, t);
        }
        return cover;
    }

    /** Whether a write would be redundant. */
    public static boolean coversWrite(Shadow h, int slot, ThreadState t) {
        long w = U.getLongAcquire(h, h.offset(slot));
        return t.isMine(w) && U.getLongAcquire(h, h.offset(slot) + Shadow.READ) == w;
    }

    private static void remember(long shared, long cover, ThreadState t) {
        t.sharedReads.add(shared, t.seg);
        if (Probe.ON) {
            t.probe.remembered(shared, cover);
        }
    }

    /** Locks the variable and records a read of it. Returns false if that failed: then nothing is locked. */
    public static boolean lockForRead(Shadow h, int slot, ThreadState t, int site) {
        try {
            t.roomToLook(0);
            recordRead(h, slot, t, lock(h, slot, t), site);
            return true;
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
            return false;
        }
    }

    /**
     * Renews the stamp of a read, if this thread has accessed the variable since the last write by another thread: then there is no new dependency.
     * Takes no lock, but does a compare-and-set, which fails once another thread has begun to take {@code R} for a dependency. The value was loaded
     * before; no thread has written since, or {@code R} would not be this thread's. {@code at} is the offset of {@code R}.
     */
    public static boolean renew(Object h, long at, ThreadState t, int site) {
        long r = U.getLongAcquire(h, at);
        long me = t.last();
        if (!Stamp.isShared(r)) {
            boolean isRenewed = r > 0 && Stamp.thread(r) == t.number && U.compareAndSetLong(h, at, r, me);
            if (isRenewed) {
                U.putIntRelease(h, at - Shadow.READ + Shadow.SITES + Memory.LOW, Stamp.mark(site, me));
                if (ThreadState.LEARNS) {
                    t.reaches(site);
                }
            }
            return isRenewed;
        }
        Readers readers = ((Shadow) h).readersAt(at - Shadow.READ);
        if (readers == null || !readers.tryToRenew(me, site, t)) {
            return false;
        }
        t.sharedReads.room(r);
        remember(r, me, t);
        if (ThreadState.LEARNS) {
            t.reaches(site);
        }
        return true;
    }

    /**
     * Reads {@code R} of a locked variable, before it becomes another thread's. Marks it, so that its thread does not {@link #renew} it any more. If
     * the access is lost, the mark stays, and means only that.
     */
    private static long take(Shadow h, int slot, ThreadState t) {
        long at = h.offset(slot) + Shadow.READ;
        for (;;) {
            long r = U.getLongAcquire(h, at);
            if (!ThreadState.EPOCHS || r <= 0 || Stamp.isShared(r) || Stamp.thread(r) == t.number || U.compareAndSetLong(h, at, r, r | Stamp.LOCK)) {
                return r & ~Stamp.LOCK;
            }
        }
    }

    /** Locks the variable. Returns false if that failed. */
    public static boolean tryLock(Shadow h, int slot, ThreadState t) {
        try {
            t.roomToLook(0);
            lock(h, slot, t);
            return true;
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
            return false;
        }
    }

    /** Records a read of the locked variable. */
    public static void readLocked(Shadow h, int slot, ThreadState t, int site) {
        try {
            recordRead(h, slot, t, t.held.word, site);
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /** Locks the variable, so that the program's own load is under the lock, and records a read unless it is redundant. */
    public static void lockToRead(Shadow h, int slot, ThreadState t, int site) {
        try {
            t.roomToLook(0);
            long w = lock(h, slot, t);
            long cover = cover(h, slot, t);
            if (Probe.ON) {
                t.probe.covered(cover);
            }
            if (cover == 0) {
                recordRead(h, slot, t, w, site);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
        }
    }

    /** Locks the variable and records a write, unless it is redundant. */
    public static void lockForWrite(Shadow h, int slot, ThreadState t, int site) {
        try {
            t.room(0);
            long w = lock(h, slot, t);
            if (Probe.ON) {
                t.probe.replaces();
            }
            long r = take(h, slot, t);
            if (r == w && t.isMine(w)) {
                t.ring.redundant++;
                return;
            }
            if (Stamp.isShared(r)) {
                w = roomForReaders(h, slot, t, w);
                r = take(h, slot, t);
            }
            recordWrite(h, slot, t, w, r, site);
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
        }
    }

    /**
     * Locks the variable for a write, if no other thread has accessed it since this thread has: then there is no new dependency, and only the stamps
     * are stored. {@code at} is the offset of {@code W}. Returns true if nothing else has to be done before the write.
     */
    public static boolean lockOwn(Object h, long at, ThreadState t, int site) {
        long w = U.getLongOpaque(h, at);
        if (w < 0) {
            return false;
        }
        try {
            if (!t.held.take(h, at, w)) {
                return false;
            }
            long r = U.getLong(h, at + Shadow.READ);
            if (r != 0 && Stamp.thread(r) != t.number) {
                t.held.release();
                return false;
            }
            if (Probe.ON) {
                t.probe.replaces();
            }
            if (r == w && t.isMine(w)) {
                t.ring.redundant++;
                return true;
            }
            long me = t.last();
            if (ThreadState.LEARNS) {
                t.replaces(w, U.getLong(h, at + Shadow.SITES), site);
                t.reaches(site);
            }
            U.putLong(h, at + Shadow.SITES, (long) site << 32 | site);
            U.putLongRelease(h, at + Shadow.READ, me);
            U.storeFence();
            t.held.word = me;
            return true;
        } catch (StackOverflowError e) {
            failed(t);
            return true;
        }
    }

    /** Returns {@code W}, without its lock bit. */
    public static long written(Shadow h, int slot) {
        return U.getLongAcquire(h, h.offset(slot)) & ~Stamp.LOCK;
    }

    /** Returns {@code R}, without its mark. */
    public static long read(Shadow h, int slot) {
        return U.getLongAcquire(h, h.offset(slot) + Shadow.READ) & ~Stamp.LOCK;
    }

    /** If several threads have read since the last write: returns how often a reader's stamp was entered. */
    public static int changes(Shadow h, int slot) {
        Readers readers = h.readers(slot);
        return readers == null ? 0 : readers.changes();
    }

    /** Locks the variable, with room for {@link #updated} to record a write or a read. Locks nothing if that fails. */
    public static void lockForUpdate(Shadow h, int slot, ThreadState t) {
        try {
            t.roomToLook(0);
            long w = lock(h, slot, t);
            if (Stamp.isShared(U.getLong(h, h.offset(slot) + Shadow.READ))) {
                roomForReaders(h, slot, t, w);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
        }
    }

    /** Records an access to the locked variable, unless it is redundant. */
    public static void updated(Shadow h, int slot, ThreadState t, int site, boolean isWrite) {
        try {
            long w = t.held.word;
            if (!isWrite) {
                if (cover(h, slot, t) == 0) {
                    recordRead(h, slot, t, w, site);
                }
                return;
            }
            long r = take(h, slot, t);
            if (r == w && t.isMine(w)) {
                t.ring.redundant++;
            } else {
                recordWrite(h, slot, t, w, r, site);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /**
     * Records an access of this thread again, with all that has come before the thread since, unless that would be redundant. Returns false if
     * another thread's conflicting access has come in between: then the record stays as it is.
     */
    public static boolean again(Shadow h, int slot, ThreadState t, int site, boolean isWrite) {
        if (isWrite ? coversWrite(h, slot, t) : cover(h, slot, t) != 0) {
            return true;
        }
        try {
            t.room(0);
            long w = lock(h, slot, t);
            long r = read(h, slot);
            boolean isStill = isWrite ? isOf(w, t) && isOf(r, t) : w == 0 || isOf(w, t) || t.dependencies.imply(w);
            if (isStill && isWrite) {
                recordWrite(h, slot, t, w, r, site);
            } else if (isStill) {
                recordRead(h, slot, t, w, site);
            }
            t.held.release();
            return isStill;
        } catch (OutOfMemoryError | StackOverflowError e) {
            failed(t);
            return true;
        }
    }

    private static boolean isOf(long stamp, ThreadState t) {
        return !Stamp.isShared(stamp) && Stamp.thread(stamp) == t.number;
    }

    /**
     * In dependency mode: all threads that have accessed {@code from} count as having accessed {@code to}, which no other thread knows yet. The only
     * slot of either has the number 0. Nothing is locked.
     */
    public static void copy(Shadow from, Shadow to, ThreadState t) {
        if (!tryLock(from, 0, t)) {
            return;
        }
        try {
            long at = from.offset(0);
            long w = t.held.word;
            long r = read(from, 0);
            long sites = U.getLong(from, at + Shadow.SITES);
            if (Stamp.isShared(r)) {
                to.setReaders(0, from.readers(0).copy());
                r = t.ids.nextSharing();
            } else if (r != 0 && r != w) {
                // The reader may be about to store its site, but only in {@code from}.
                int site = Stamp.siteOf(from, at + Shadow.SITES + Memory.LOW, r);
                sites = sites >>> Integer.SIZE << Integer.SIZE | Integer.toUnsignedLong(Stamp.mark(site, r));
            }
            long its = to.offset(0);
            U.putLong(to, its + Shadow.SITES, sites);
            U.putLong(to, its + Shadow.READ, r);
            U.putLong(to, its, w);
        } finally {
            t.held.release();
        }
    }

    /** Makes room for a dependency on each reader. That needs the lock released, so the readers can change meanwhile. */
    @DontInline
    private static long roomForReaders(Shadow h, int slot, ThreadState t, long locked) {
        long w = locked;
        for (;;) {
            Readers readers = h.readers(slot);
            int need = readers == null ? 0 : readers.size();
            if (t.hasRoom(need)) {
                return w;
            }
            t.held.release();
            t.roomToLook(need);
            w = lock(h, slot, t);
        }
    }

    @DontInline
    private static void recordRead(Shadow h, int slot, ThreadState t, long w, int site) {
        if (t.asking != 0 || t.isOfBlock(w)) {
            return;
        }
        long at = h.offset(slot);
        long r = take(h, slot, t);
        if (t.round == ThreadState.TENTATIVE && t.reads.read(h, slot, w, r, site)) {
            return;
        }
        long sites = U.getLong(h, at + Shadow.SITES);
        // In dependency mode, a reader whose epoch this thread has depended on needs no table: a thread that follows this read
        // follows it too.
        if (Stamp.isShared(r) || r != w && Stamp.thread(r) != t.number && !(ThreadState.EPOCHS && t.dependencies.imply(r))) {
            recordSharedRead(h, slot, t, w, r, site);
            return;
        }
        if (Stamp.thread(r) != t.number) {
            t.depend(w, Stamp.writeSite(sites));
            noteReplaced(h, slot, t, sites, w, r);
            if (ThreadState.LEARNS && r != w && !t.hasJoined(r)) {
                U.putLong(h, at + Shadow.SITES, sites | Stamp.READ_BY_OTHERS);
            }
        }
        t.event(EventCodes.READ, site, slot, h.id);
        long me = t.last();
        U.putInt(h, at + Shadow.SITES + Memory.LOW, Stamp.mark(site, me));
        U.putLongRelease(h, at + Shadow.READ, me);
    }

    /**
     * Records a read if several threads have read since the write, or this is the second. The first reader needs no table: {@code W} still
     * names the writer.
     */
    @DontInline
    private static void recordSharedRead(Shadow h, int slot, ThreadState t, long w, long r, int site) {
        long at = h.offset(slot);
        long sites = U.getLong(h, at + Shadow.SITES);
        boolean isSecond = !Stamp.isShared(r);
        Readers readers = isSecond ? new Readers() : h.readers(slot);
        long shared = isSecond ? t.ids.nextSharing() : r;
        if (isSecond) {
            readers.put(r, Stamp.siteOf(h, at + Shadow.SITES + Memory.LOW, r));
        }
        t.sharedReads.room(shared);
        t.depend(w, Stamp.writeSite(sites));
        t.event(EventCodes.READ, site, slot, h.id);
        long me = t.last();
        readers.put(me, site);
        if (isSecond) {
            h.setReaders(slot, readers);
            U.putLongRelease(h, at + Shadow.READ, shared);
        }
        // Where redundant accesses are events, this one covers none.
        if (t.isMine(me)) {
            remember(shared, me, t);
        }
    }

    @DontInline
    private static void recordWrite(Shadow h, int slot, ThreadState t, long w, long r, int site) {
        if (t.isOfBlock(w) || t.isOfBlock(r) || Stamp.isShared(r) && t.hasReadInBlock(h.readers(slot))) {
            return;
        }
        long at = h.offset(slot);
        long sites = U.getLong(h, at + Shadow.SITES);
        if (Stamp.isShared(r)) {
            t.depend(w, Stamp.writeSite(sites));
            h.readers(slot).dependOn(t);
            if (ThreadState.EPOCHS) {
                h.readers(slot).note(replaced(t), h.id, slot);
            }
        } else if (Stamp.thread(r) != t.number) {
            t.depend(w, Stamp.writeSite(sites));
            if (r != w) {
                t.dependOnRead(r, Stamp.siteOf(h, at + Shadow.SITES + Memory.LOW, r));
            }
            noteReplaced(h, slot, t, sites, w, r);
        } else if (ThreadState.LEARNS) {
            t.replaces(w, sites, site);
        }
        t.event(EventCodes.WRITE, site, slot, h.id);
        long me = t.last();
        U.putLong(h, at + Shadow.SITES, (long) site << 32 | site);
        U.putLongRelease(h, at + Shadow.READ, me);
        if (Stamp.isShared(r)) {
            h.setReaders(slot, null);
        }
        U.storeFence();
        t.held.word = me;
    }

    /** In dependency mode, before this thread replaces another thread's last access to a locked variable: notes that access. */
    private static void noteReplaced(Shadow h, int slot, ThreadState t, long sites, long w, long r) {
        if (ThreadState.EPOCHS && r != 0) {
            int site = r == w ? Stamp.writeSite(sites) : Stamp.readSite(sites, r);
            if (site != 0) {
                replaced(t).note(h.id, slot, r, site);
            }
        }
    }

    private static Replaced replaced(ThreadState t) {
        Replaced its = t.replaced;
        return its == null ? t.replaces() : its;
    }

    /** The write for which the variable is locked is a fence. Other threads come after the fence, so no order has anything between the two. */
    public static void fenceWrite(Shadow h, int slot, ThreadState t, int site) {
        if (!t.held.isHeld()) {
            return;
        }
        try {
            if (t.fence(site)) {
                long me = t.last();
                U.putLongRelease(h, h.offset(slot) + Shadow.READ, me);
                t.held.word = me;
            }
        } catch (StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /**
     * Locks the variable; returns its {@code W}, which unlocking restores. This call chain is deeper than that of
     * {@link HeldLock#release}: if the stack overflows, it does so before the lock is taken, or {@link #failed}
     * releases it.
     */
    static long lock(Shadow h, int slot, ThreadState t) {
        long at = h.offset(slot);
        for (int turn = 0;; turn++) {
            long w = U.getLongOpaque(h, at);
            if (w >= 0 && t.held.take(h, at, w)) {
                return w;
            }
            if (turn == 0) {
                t.ring.collisions++;
            }
            Spinning.pause(turn);
        }
    }

    @DontInline
    private static void failed(ThreadState t) {
        t.lostEvents++;
        if (t.held.isHeld()) {
            t.held.release();
        }
    }
}
