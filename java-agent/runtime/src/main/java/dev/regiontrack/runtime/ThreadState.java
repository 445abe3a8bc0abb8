package dev.regiontrack.runtime;

/**
 * A running thread: its number, position and segment, and the parts that its hooks use. Used only by its own thread,
 * except the position, which is read once the thread is dead. A method looks it up once and keeps it in a local. {@link
 * Threads} creates and finds them.
 */
public final class ThreadState {
    /** Whether every access is counted; if not, the compiled hooks contain no code for it. */
    static final boolean COUNTS = Session.counts();

    /** 1 to 2^20 - 1. */
    final int number;
    /** The thread; null once it has ended. */
    volatile Thread thread;
    /** Events recorded. */
    long position;
    /** Stamp of the first event of the segment. */
    long seg;
    /** Open blocks. */
    int depth;

    final RingWriter ring;
    final Dependencies dependencies = new Dependencies();
    final SharedReads sharedReads = new SharedReads();
    final HeldLock held = new HeldLock();
    final Wait wait = new Wait();
    final Ids ids = new Ids();
    /** A cache of entries of {@link Arrays}' table, by hash. */
    final WeakTable.Entry[] arrays = new WeakTable.Entry[128];
    /** The probe that a test has attached, or null. */
    final Probe probe;

    /** An array that has not left the method that allocated it, during a call to a method that does not let it leave. */
    Object lent;
    /** Stamp of its fork, until its first event depends on it. */
    long forked;
    private final int forkedSite;
    /** Ends that could not be recorded in time. */
    int owedEnds;
    /** Events lost since the last report. Instrumented code sets it if it has no stack left for a call. */
    public int lostEvents;

    ThreadState(int number, Thread thread, long position, long forked, int forkedSite) {
        this.number = number;
        this.thread = thread;
        this.position = position;
        this.forked = forked;
        this.forkedSite = forkedSite;
        ring = new RingWriter(number, position, thread);
        probe = Probe.ON ? Probe.of(thread) : null;
        seg = next();
    }

    /** Stamp of the next event. */
    long next() {
        return Stamp.of(number, position + 1);
    }

    boolean isMine(long stamp) {
        return Stamp.isMine(stamp, seg);
    }

    /** Records a dependency of the event with stamp {@code me}, if it is on another thread and not implied. */
    void depend(long stamp, long me, int site) {
        if (forked != 0) {
            dependOnFork();
        }
        if (stamp == 0 || Stamp.thread(stamp) == number) {
            return;
        }
        if (!dependencies.add(stamp)) {
            ring.implied++;
            return;
        }
        ring.put(EventCodes.DEPEND, site, 0, stamp);
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
        ring.put(code, site, extra, word);
        position++;
        ring.publish();
    }

    /**
     * Records an event. If the stack overflows before it is recorded, throws; if afterwards, returns what is to be
     * thrown after the remaining work, which must not make calls.
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

    /** Begins a block. If that overflows the stack, the method does not run, and a block that was begun is ended. */
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
        // The end is already recorded: a late overflow changes nothing, and the method is left in any case.
        tryEvent(EventCodes.END, site, byException ? 1 : 0, 0);
        if (--depth == 0) {
            seg = (long) number << Stamp.POSITION_BITS | position;
        }
    }

    /** Does what an exception has prevented: releases a lock, marks a monitor as taken again, records ends, reports losses. */
    void settle() {
        if (held.isHeld() || wait.isOpen() || (owedEnds | lostEvents) != 0) {
            settleNow();
        }
    }

    private void settleNow() {
        if (held.isHeld()) {
            held.release();
        }
        wait.end(this);
        if (owedEnds > 0) {
            ring.room(owedEnds + 8);
            while (owedEnds > 0) {
                end(0, true);
                owedEnds--;
            }
        }
        if (lostEvents > 0) {
            int lost = lostEvents;
            Session.transport().describe(NativeBridge.LOST, lost, "events at the end of the stack or of the heap; -Xss or -Xmx gives more room");
            lostEvents -= lost;
        }
    }

    /** The thread has ended. */
    void close() {
        settle();
        ring.close();
        thread = null;
    }
}
