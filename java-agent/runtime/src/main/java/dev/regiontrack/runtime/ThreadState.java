package dev.regiontrack.runtime;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * A thread: its number, position and segment, its ring, what it has depended on, and the lock that it holds during an access.
 *
 * <p>Used by its own thread alone; others see {@link #position} once the thread is dead. A method finds it once and keeps it in a
 * local. {@link Threads} makes and finds them.
 */
public final class ThreadState {
    private static final Unsafe U = Memory.U;

    /** Whether every access is counted; otherwise the hooks contain nothing of it. */
    static final boolean COUNTS = Session.counts();

    /** 1 to 2^20 - 1. */
    final int number;
    /** Whose state it is; null once it has ended. */
    volatile Thread thread;
    /** Events recorded. */
    long position;
    /** Stamp of the first event of the segment. */
    long seg;
    /** Open blocks. */
    int depth;
    /** Once dead: stamp of the last event that joined it, if all are of one thread. */
    private long joined;
    private static final long MANY = -1;
    /** Once dead: its number is another thread's. */
    boolean isHandedOn;

    /** Its fork, until its first event depends on it. */
    private long forked;
    private int forkedSite;

    private long ring;
    private long data;
    private long mask;
    private long head;
    private long limit;

    /** Highest stamp of each other thread depended on, found by thread number. */
    private long[] known = new long[8];
    private int knownSize;

    /** The variable at hand; {@link #held} while its lock is ours. */
    Shadow shadow;
    long offset;
    int slot;
    boolean held;
    long unlockWord;
    /** For the tap: the object and the place whose value the access is about. */
    Object target;
    long place;
    char type;
    boolean isRecorded;
    /** The stamp that the last check of a read found. */
    long cover;
    final Tap.Log log;

    private static final int FEWEST_READS = 1 << 7;
    private static final int MOST_READS = 1 << 15;
    /**
     * Variables with several readers that this thread has read in a segment: what stands in {@code R}, and the segment. An entry may be
     * pushed out by another; the readers' own table then decides. It grows where one segment reads many.
     */
    private long[] reads = new long[FEWEST_READS];
    /** For the tap: their covering stamps. */
    private long[] covers = new long[Tap.ON ? FEWEST_READS : 0];
    private int displaced;

    /** The lock that a wait has left and not yet taken back. */
    private Shadow waiting;
    private int waitingDepth;
    private int waitingType;
    private int waitingSite;
    private long waitingSeg;
    /** Ends that could not be recorded when they were due. */
    int owedEnds;
    /** Events lost since the last report. Instrumented code sets it where it has no stack left for a call. */
    public int lostEvents;

    final Foreign.Entry[] cache = new Foreign.Entry[128];
    long nextId;
    long lastId;

    /** Accesses that the first check found redundant, where {@link #COUNTS}. */
    long fast;
    long implied;
    long slow;
    long redundant;
    long collisions;

    ThreadState(int number, Thread thread, long position, long forked, int forkedSite) {
        this.number = number;
        this.thread = thread;
        this.position = position;
        this.forked = forked;
        this.forkedSite = forkedSite;
        log = Tap.ON ? new Tap.Log(Threads.nameOf(thread)) : null;
        seg = next();
    }

    /** Stamp of the next event. */
    long next() {
        return Stamp.of(number, position + 1);
    }

    boolean isMine(long stamp) {
        return Stamp.isMine(stamp, seg);
    }

    /** True if the number of a variable with several readers is that of one that this thread has read in this segment. */
    @ForceInline
    boolean remembers(long shared) {
        long[] table = reads;
        int at = (int) shared << 1 & table.length - 1;
        return table[at] == shared && table[at + 1] == seg;
    }

    /** The covering stamp that belongs to what is remembered at the place of {@code shared}. */
    long rememberedCover(long shared) {
        return covers[(int) shared << 1 & covers.length - 1];
    }

    /** Remembers that this thread has read a variable with several readers in this segment. */
    void remember(long shared, long cover) {
        int at = (int) shared << 1 & reads.length - 1;
        reads[at] = shared;
        reads[at + 1] = seg;
        if (Tap.ON) {
            covers[at] = cover;
        }
    }

    /** Before a read is remembered: a larger table if many entries were pushed out in the segments that they were made in. */
    void roomToRemember(long shared) {
        long[] table = reads;
        int at = (int) shared << 1 & table.length - 1;
        if (table[at + 1] == seg && table[at] != shared && ++displaced > table.length && table.length < MOST_READS) {
            displaced = 0;
            try {
                long[] larger = new long[table.length * 2];
                covers = new long[Tap.ON ? larger.length : 0];
                reads = larger;
            } catch (OutOfMemoryError e) {
                // It is only slower without.
            }
        }
    }

    /** Makes room for records. Waits for the reader if need be, so no lock may be held. */
    void room(int records) {
        if (limit - head < records) {
            moreRoom(records);
        }
    }

    /** How many records there is room for. */
    long free() {
        return limit - head;
    }

    private void moreRoom(int records) {
        if (ring == 0) {
            use(Session.transport().open(number, position, Threads.nameOf(thread)));
        }
        limit = U.getLongAcquire(null, ring + Ring.TAIL) + mask + 1;
        if (limit - head < records) {
            statistics();
            use(Session.transport().full(ring, records));
        }
    }

    private void use(long address) {
        ring = address;
        data = address + Ring.RECORDS;
        mask = U.getLong(address + Ring.CAPACITY) - 1;
        head = U.getLong(address + Ring.HEAD);
        limit = U.getLongAcquire(null, address + Ring.TAIL) + mask + 1;
    }

    /** Records a dependency of the event with stamp {@code me}, if it is on another thread and not implied. */
    void depend(long stamp, long me, int site) {
        if (forked != 0) {
            dependOnFork();
        }
        if (stamp == 0 || Stamp.thread(stamp) == number) {
            return;
        }
        if (isKnown(stamp)) {
            implied++;
            return;
        }
        put(EventCodes.DEPEND, site, 0, stamp);
        seg = me;
    }

    private void dependOnFork() {
        long stamp = forked;
        forked = 0;
        depend(stamp, next(), forkedSite);
    }

    /** Records an event; its dependencies were recorded before. */
    void event(int code, int site, int extra, long word) {
        if (forked != 0) {
            dependOnFork();
        }
        put(code, site, extra, word);
        position++;
        if (COUNTS) {
            statistics();
        }
        U.putLongRelease(null, ring + Ring.HEAD, head);
    }

    /** Writes a record. The reader sees it with the next event. */
    void put(int code, int site, int extra, long word) {
        long at = data + ((head & mask) << 4);
        U.putLong(at, code | (long) site << 8 | (long) extra << 32);
        U.putLong(at + 8, word);
        head++;
    }

    /** True if a stamp is implied by what this thread has depended on; if not, it is from now on. */
    private boolean isKnown(long stamp) {
        int u = Stamp.thread(stamp);
        long[] table = known;
        int m = table.length - 1;
        for (int i = u & m;; i = i + 1 & m) {
            long old = table[i];
            if (old == 0) {
                table[i] = stamp;
                if (2 * ++knownSize > m) {
                    growKnown();
                }
                return false;
            }
            if (Stamp.thread(old) == u) {
                if (old >= stamp) {
                    return true;
                }
                table[i] = stamp;
                return false;
            }
        }
    }

    private void growKnown() {
        long[] old = known;
        long[] table = new long[old.length * 2];
        int m = table.length - 1;
        for (long stamp : old) {
            if (stamp != 0) {
                int i = Stamp.thread(stamp) & m;
                while (table[i] != 0) {
                    i = i + 1 & m;
                }
                table[i] = stamp;
            }
        }
        known = table;
    }

    /** True if this thread has depended on the stamp or a later one of its thread. */
    boolean hasDependedOn(long stamp) {
        int u = Stamp.thread(stamp);
        int m = known.length - 1;
        for (int i = u & m; known[i] != 0; i = i + 1 & m) {
            if (Stamp.thread(known[i]) == u) {
                return known[i] >= stamp;
            }
        }
        return false;
    }

    /** Does what an exception has kept from being done: releases a lock, takes a monitor back, records ends, reports losses. */
    void settle() {
        if (held) {
            release();
        }
        if (waiting != null) {
            endWait();
        }
        if (owedEnds > 0) {
            room(owedEnds + 8);
            while (owedEnds > 0) {
                end(0, true);
                owedEnds--;
            }
        }
        if (lostEvents > 0) {
            int lost = lostEvents;
            Session.transport().describe(NativeBridge.LOST, lost, "events at the end of the stack or of the heap");
            lostEvents -= lost;
        }
    }

    boolean isUnsettled() {
        return held || waiting != null || (owedEnds | lostEvents) != 0;
    }

    /** Notes the place of the value, for the tap. */
    void at(Object object, long where, char kind) {
        target = object;
        place = where;
        type = kind;
    }

    /** Unlocks the variable at hand, and is done with it. */
    void release() {
        unlock();
        forget();
    }

    /** Unlocks the variable at hand. */
    void unlock() {
        U.putLongRelease(shadow, offset, unlockWord);
        held = false;
    }

    /** A shadow knows its object, which the program may want to be collected. */
    void forget() {
        if (!Tap.ON) {
            shadow = null;
        }
    }

    /** Begins a block. If that overflows the stack the method does not run: what was begun is to be ended. */
    void begin(int site) {
        StackOverflowError late = tryEvent(EventCodes.BEGIN, site, 0, 0);
        depth++;
        seg = (long) number << Stamp.POSITION_BITS | position;
        if (late != null) {
            owedEnds++;
            throw late;
        }
    }

    void end(int site, boolean byException) {
        // Recorded is recorded: an overflow that comes late changes nothing, and the method is left in any case.
        tryEvent(EventCodes.END, site, byException ? 1 : 0, 0);
        if (--depth == 0) {
            seg = (long) number << Stamp.POSITION_BITS | position;
        }
    }

    /**
     * Records an event. Where the stack ends before it is recorded, throws; where it ends afterwards, returns what is to be thrown when the
     * rest is done, for which nothing may be called.
     */
    StackOverflowError tryEvent(int code, int site, int extra, long word) {
        long before = position;
        try {
            event(code, site, extra, word);
            return null;
        } catch (StackOverflowError e) {
            if (position == before) {
                throw e;
            }
            return e;
        }
    }

    /** A wait releases the monitor. Until it is taken back no access counts as covered. */
    void beginWait(Shadow lock, int lockType, int site) {
        waitingDepth = Monitor.leave(lock, lockType, this, site);
        if (waitingDepth > 0) {
            waitingSeg = seg;
            seg = Stamp.of(number, (1L << Stamp.POSITION_BITS - 1) - 1);
            waitingType = lockType;
            waitingSite = site;
            waiting = lock;
        }
    }

    void endWait() {
        Shadow lock = waiting;
        if (lock != null) {
            waiting = null;
            seg = waitingSeg;
            Monitor.back(lock, waitingDepth, waitingType, this, waitingSite);
        }
    }

    /** A number for a new object. */
    long newId() {
        if (nextId == lastId) {
            nextId = Session.idBlock();
            lastId = nextId + Session.ID_BLOCK;
        }
        return nextId++;
    }

    /** The same for an object whose sites do not tell its class: it carries its type, if that fits. */
    long newId(int type) {
        return newId() | (type >>> Long.SIZE - Session.ID_BITS == 0 ? (long) type << Session.ID_BITS : 0);
    }

    /** A number for a variable that several threads read. Spread, since the threads' blocks of numbers begin at multiples of a power of two. */
    long newSharing() {
        long n = newId();
        return (n ^ n >>> 10) & (1L << Stamp.POSITION_BITS) - 1;
    }

    private void statistics() {
        if (ring != 0) {
            U.putLong(ring + Ring.IMPLIED, implied);
            U.putLong(ring + Ring.SLOW, slow);
            U.putLong(ring + Ring.REDUNDANT, redundant);
            U.putLong(ring + Ring.COLLISIONS, collisions);
            U.putLong(ring + Ring.FAST, fast);
        }
    }

    /** True if the dead thread made no event, and what this one does now comes after its fork. Called with the lock of {@link Threads}. */
    boolean wasForkedBefore(ThreadState t) {
        return position == 0 && (forked == 0 || Stamp.thread(forked) == t.number || t.hasDependedOn(forked));
    }

    /** The dead thread is about to be joined by the event that comes next of {@code t}. Called with the lock of {@link Threads}. */
    void joinedBy(ThreadState t) {
        joined = joined == 0 || Stamp.thread(joined) == t.number ? t.next() : MANY;
    }

    /** True if all joins of the dead thread come before what {@code t} does now. Called with the lock of {@link Threads}. */
    boolean wasJoinedBefore(ThreadState t) {
        return joined == 0 || joined != MANY && (Stamp.thread(joined) == t.number || t.hasDependedOn(joined));
    }

    /** The thread has ended. */
    void close() {
        settle();
        if (ring != 0) {
            statistics();
            long old = ring;
            ring = 0;
            limit = head;
            Session.transport().close(old);
        }
        thread = null;
    }
}
