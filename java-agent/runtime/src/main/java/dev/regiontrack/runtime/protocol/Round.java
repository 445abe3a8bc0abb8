package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.misc.Unsafe;

/**
 * The tentative reads of a thread, of which it shows later whether they were events: those of a round of a loop that ends in a
 * {@code compareAndSet}. {@code analysis-core/src/protocol/rounds.rs} is the specification, and says why this is right.
 *
 * <p>A tentative read has a stamp of its own. Others that find it ask here what it turns out to be. While that is open, what they hand over
 * depends on it conditionally, and waits in the bridge. The thread settles its round at once for all reads, and then removes the stamps from the
 * variables, one after the other; others need not wait for that.
 */
public final class Round {
    private static final Unsafe U = Memory.U;
    private static final long PHASE = U.objectFieldOffset(Round.class, "phase");
    private static final long FIRST = U.objectFieldOffset(Round.class, "first");

    /** Where the round stands: it is open; the same, and another thread's item depends on it; it was used, or withdrawn. */
    private static final int OPEN = 0;
    private static final int OVERTAKEN = 1;
    private static final int USED = 2;
    private static final int WITHDRAWN = 3;

    /** The most reads of a round. With more, it is used. */
    private static final int MOST = 64;
    private static final long NONE = Long.MAX_VALUE;

    /** What a thread does for its round. */
    public interface Host {
        /** Returns the begin of the outermost open block of the thread that has this stamp, if that is not after the stamp; else 0. */
        long openOf(long stamp);

        /** Returns how many of the thread's open blocks are watched. */
        int blocks();

        /** Returns the stamp of the next position, and starts a segment there if something will come before it. */
        long reserve(boolean startsSegment);

        /** Makes a tentative read an event. */
        void use(Round round, int read);

        /** Tells the bridge what a tentative read turns out to be: an event, or an earlier one if {@code earlier} is not 0. */
        void settles(long read, boolean isUsed, long earlier, int earlierSite);

        /** Tells the bridge that nobody will depend on the round any more. */
        void finishesRound();
    }

    private final ThreadState t;
    private final Host host;
    private int phase = WITHDRAWN;
    /** The position before those of its reads; {@link #NONE} if no variable has the stamp of a read. */
    private long first = NONE;
    private boolean isOvertaken;
    /** How many blocks were open at its start. */
    private int depth;

    private int size;
    /** How many of them are events. */
    private int events;
    private final Shadow[] shadows = new Shadow[MOST];
    private final int[] slots = new int[MOST];
    private final int[] sites = new int[MOST];
    private final long[] stamps = new long[MOST];
    /** The write that each has found; the begin of its thread's outermost open block then; its site. */
    private final long[] written = new long[MOST];
    private final long[] opens = new long[MOST];
    private final int[] writtenSites = new int[MOST];
    /** The thread's own stamp in {@code R} that each has replaced, and its site. */
    private final long[] earlier = new long[MOST];
    private final int[] earlierSites = new int[MOST];
    /** How many blocks were open. */
    private final int[] depths = new int[MOST];

    public Round(ThreadState t, Host host) {
        this.t = t;
        this.host = host;
    }

    // ---- by its own thread

    /** Begins a round after this position, with so many open blocks. No variable has the stamp of a read of an earlier one. */
    public void begin(long position, int blocks) {
        size = 0;
        events = 0;
        isOvertaken = false;
        depth = blocks;
        // In this order: see settled.
        U.putIntRelease(this, PHASE, OPEN);
        U.putLongRelease(this, FIRST, position);
    }

    /** Reads a locked variable tentatively, whose {@code R} was taken. Returns false if it is to be an event, because the round has become too long. */
    boolean read(Shadow h, int slot, long w, long r, int site) {
        Readers readers = Stamp.isShared(r) ? h.readers(slot) : null;
        long before = readers == null ? r : readers.of(Stamp.thread(Stamp.tentative(t.last()))) & ~Stamp.LOCK;
        int same = isMine(before) ? indexOf(before) : -1;
        if (same >= 0 && t.isMine(Stamp.real(before))) {
            // Nobody has written since, and no block has begun: the same as that read.
            return true;
        }
        if (size == MOST) {
            t.useReads();
            return false;
        }
        long at = h.offset(slot);
        long all = U.getLong(h, at + Shadow.SITES);
        boolean isNew = w != 0 && Stamp.thread(w) != t.number && !t.dependencies.imply(w);
        int n = size;
        boolean isOwn = readers == null && Stamp.thread(r) == t.number && r != w;
        shadows[n] = h;
        slots[n] = slot;
        sites[n] = site;
        written[n] = isNew ? w : 0;
        opens[n] = isNew ? host.openOf(w) : 0;
        writtenSites[n] = Stamp.writeSite(all);
        earlier[n] = isOwn ? r : same >= 0 ? earlier[same] : 0;
        earlierSites[n] = isOwn ? (int) all & Stamp.SITE : same >= 0 ? earlierSites[same] : 0;
        depths[n] = host.blocks();
        long stamp = Stamp.tentative(host.reserve(isNew));
        stamps[n] = stamp;
        size = n + 1;
        if (readers != null) {
            readers.put(stamp, site);
        } else if (r == w || r == 0 || Stamp.thread(r) == t.number || isMine(r)) {
            U.putInt(h, at + Shadow.SITES + Memory.LOW, Stamp.mark(site, stamp));
            U.putLongRelease(h, at + Shadow.READ, stamp);
        } else {
            Readers both = new Readers();
            both.put(r, Stamp.siteOf(h, at + Shadow.SITES + Memory.LOW, r));
            both.put(stamp, site);
            h.setReaders(slot, both);
            U.putLongRelease(h, at + Shadow.READ, t.ids.nextSharing());
        }
        return true;
    }

    private boolean isMine(long stamp) {
        return Stamp.isTentative(stamp) && Stamp.thread(Stamp.real(stamp)) == t.number;
    }

    /** Returns the number of the read with this stamp; -1 if it is of an earlier round. */
    private int indexOf(long stamp) {
        for (int i = size - 1; i >= 0; i--) {
            if (stamps[i] == stamp) {
                return i;
            }
        }
        return -1;
    }

    /** A block ends. Returns whether it may be violated by what the round has read in it: then the round must be used first. */
    public boolean ends(int blocks) {
        int inside = 0;
        for (int i = 0; i < size; i++) {
            inside += depths[i] == blocks ? 1 : 0;
        }
        if (blocks <= depth || inside > 1) {
            return true;
        }
        for (int i = 0; i < size && inside > 0; i++) {
            depths[i] -= depths[i] == blocks ? 1 : 0;
        }
        return false;
    }

    /**
     * Settles the round: in a way that others see at once for all reads. If it is used, its reads become events first. Locks of variables can be held.
     */
    public void settle(boolean isUsed) {
        // A stack overflow in between must not make one of them two events.
        for (; isUsed && events < size; events++) {
            host.use(this, events);
        }
        int outcome = isUsed ? USED : WITHDRAWN;
        if (U.compareAndSetInt(this, PHASE, OPEN, outcome)) {
            return;
        }
        isOvertaken = true;
        for (int i = 0; i < size; i++) {
            host.settles(stamps[i], isUsed, earlier[i], earlierSites[i]);
        }
        U.putIntRelease(this, PHASE, outcome);
    }

    /** Removes the stamps of a settled round from the variables where no thread has written since. No lock may be held. */
    public void finish() {
        boolean isUsed = phase == USED;
        for (int i = 0; i < size; i++) {
            try {
                remove(i, shadows[i], Protocol.lock(shadows[i], slots[i], t), isUsed);
            } catch (OutOfMemoryError | StackOverflowError e) {
                t.lostEvents++;
            } finally {
                t.held.release();
            }
            shadows[i] = null;
        }
        size = 0;
        U.putLongRelease(this, FIRST, NONE);
        if (isOvertaken) {
            host.finishesRound();
        }
    }

    private void remove(int i, Shadow h, long w, boolean isUsed) {
        long stamp = isUsed ? Stamp.real(stamps[i]) : earlier[i];
        int site = isUsed ? sites[i] : earlierSites[i];
        long at = h.offset(slots[i]);
        long r = U.getLongAcquire(h, at + Shadow.READ) & ~Stamp.LOCK;
        if (r == stamps[i]) {
            int its = stamp == 0 ? Stamp.writeSite(U.getLong(h, at + Shadow.SITES)) : Stamp.mark(site, stamp);
            U.putInt(h, at + Shadow.SITES + Memory.LOW, its);
            U.putLongRelease(h, at + Shadow.READ, stamp == 0 ? w : stamp);
        } else if (stamp != 0 && Stamp.isShared(r)) {
            Readers readers = h.readers(slots[i]);
            if ((readers.of(Stamp.thread(stamps[i])) & ~Stamp.LOCK) == stamps[i]) {
                readers.put(stamp, site);
            }
        }
    }

    public int slot(int i) {
        return slots[i];
    }

    public long id(int i) {
        return shadows[i].id;
    }

    public int site(int i) {
        return sites[i];
    }

    public long stamp(int i) {
        return stamps[i];
    }

    public long written(int i) {
        return written[i];
    }

    public long open(int i) {
        return opens[i];
    }

    public int writtenSite(int i) {
        return writtenSites[i];
    }

    public int blocks(int i) {
        return depths[i];
    }

    // ---- by other threads

    /**
     * Returns the stamp on which another thread depends that has locked a variable with this tentative stamp: that of the read, if it was used; if it
     * was withdrawn, that of an earlier read, or 0; the tentative stamp itself if nobody knows yet. The round's thread then learns that it was overtaken.
     */
    public long outcome(long stamp) {
        for (;;) {
            long before = U.getLongAcquire(this, FIRST);
            int now = U.getIntAcquire(this, PHASE);
            // The two are of one round if no other has begun in between. The stamps of earlier rounds stay in tables of readers, and say nothing.
            if ((stamp & Stamp.POSITION) <= before || U.getLongAcquire(this, FIRST) != before) {
                return 0;
            }
            // While the variable is locked, this round does not end any more.
            switch (now) {
                case OPEN:
                    if (!U.compareAndSetInt(this, PHASE, OPEN, OVERTAKEN)) {
                        continue;
                    }
                    return stamp;
                case OVERTAKEN:
                    return stamp;
                case USED:
                    return Stamp.real(stamp);
                default:
                    return earlier(stamp);
            }
        }
    }

    private long earlier(long stamp) {
        int i = indexOf(stamp);
        return i < 0 ? 0 : earlier[i];
    }
}
