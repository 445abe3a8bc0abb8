package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.protocol.Replaced;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.sites.JdkSites;

/**
 * A running thread whose events are all recorded, except redundant accesses: each is a record in the thread's ring. A
 * position is a number of events; a segment begins at each begin, at the end of an outermost block, at an event with a
 * dependency, and after a fence; or at every event.
 */
final class Recording extends ThreadState {
    /** Records of an event in addition to its readers. */
    private static final int ROOM = 12;
    /** Whether redundant accesses are events: each event then begins a segment. */
    private static final boolean REDUNDANT = Session.takesRedundant();

    /** Whether they are events in parts of the run. */
    private static final boolean LEARNS = Session.repeatsTests();

    /** Whether the events are kept, for analyses of other orders of them. */
    private static final boolean MARKS = FENCES || REDUNDANT || LEARNS;

    /** The position of the begin of the last outermost block. */
    private long begun;
    /** The next event uses what belongs to a block of the thread, which an initialiser leaves alone: it is no event. */
    private boolean isOfBlock;
    /** The thread has waited for another one in its open blocks, which the next event has to report. */
    private boolean isToTell;

    Recording(int number, Thread thread, long position, long forked, int forkedSite) {
        super(number, thread, position, forked, forkedSite);
        seg = forkStamp();
    }

    /** Returns the stamp of the next event. */
    @Override
    long forkStamp() {
        return Stamp.of(number, position + 1);
    }

    @Override
    void enter() {
        // The reader needs no table.
    }

    @Override
    void leave() {
        // As above.
    }

    @Override
    public void room(int readers) {
        ring.room(ROOM + readers);
    }

    @Override
    public boolean hasRoom(int readers) {
        return ring.free() >= ROOM + readers;
    }

    @Override
    public void depend(long stamp, int site) {
        if (forked != 0) {
            dependOnFork();
        }
        if (stamp == 0 || Stamp.thread(stamp) == number) {
            return;
        }
        if (base != null && isOfBlock(stamp)) {
            isOfBlock = true;
            return;
        }
        if (!dependencies.add(stamp)) {
            ring.implied++;
            return;
        }
        taken++;
        ring.put(EventCodes.DEPEND, site, 0, stamp);
        seg = Stamp.of(number, position + 1);
    }

    @Override
    public void comesAfter(long stamp) {
        if (stamp != 0 && Stamp.thread(stamp) != number && !dependencies.imply(stamp)) {
            ring.put(EventCodes.DEPEND, 0, 1, stamp);
        }
    }

    private void dependOnFork() {
        long stamp = forked;
        forked = 0;
        int before = taken;
        depend(stamp, forkedSite);
        taken = before;
    }

    @Override
    public void event(int code, int site, int extra, long word) {
        if (forked != 0) {
            dependOnFork();
        }
        if (isOfBlock) {
            isOfBlock = false;
            return;
        }
        if (scope != knownScope) {
            ring.put(EventCodes.SCOPE, 0, 0, scope);
            knownScope = scope;
        }
        if (isToTell) {
            ring.put(EventCodes.WAITED, 0, 0, 0);
            isToTell = false;
        }
        if (MARKS && (step >= 0 || isUpdate)) {
            mark(code);
        }
        ring.put(code, site, extra, word);
        position++;
        if (REDUNDANT || LEARNS && Session.isLearning()) {
            seg = Stamp.of(number, position + 1);
        }
        if (FENCES) {
            isUnfenced = code == EventCodes.WRITE || isUnfenced && !isFence(code, extra);
        }
        ring.publish();
    }

    /** Records before an access that it is one step with the event before it, or that it is a write that has also read. */
    private void mark(int code) {
        if (step >= 0 && position > step && (code == EventCodes.READ || code == EventCodes.WRITE)) {
            ring.put(EventCodes.TOGETHER, 0, 0, 0);
        }
        if (isUpdate && code == EventCodes.WRITE) {
            ring.put(EventCodes.UPDATE, 0, 0, 0);
        }
    }

    /** Whether this event in a trace implies that the store buffer is empty. A trace has no joins of threads that made no event. */
    private static boolean isFence(int code, int extra) {
        switch (code) {
            case EventCodes.FENCE: case EventCodes.ACQUIRE: case EventCodes.RELEASE: case EventCodes.FORK: return true;
            case EventCodes.JOIN: return extra == 0;
            default: return false;
        }
    }

    /** Without a write to wait for, a fence says nothing, and a thread without other events has none. After the fence no access is redundant. */
    // Only items show what is shared.

    @Override
    public void reaches(int site) {
        throw new IllegalStateException("recorded runs do not learn");
    }

    @Override
    public void replaces(long written, long sites, int site) {
        throw new IllegalStateException("recorded runs do not learn");
    }

    @Override
    public Replaced replaces() {
        throw new IllegalStateException("recorded runs keep every access");
    }

    @Override
    public boolean fence(int site) {
        if (!isUnfenced) {
            return false;
        }
        event(EventCodes.FENCE, site, 0, 0);
        seg = Stamp.of(number, position + 1);
        return true;
    }

    @Override
    public StackOverflowError tryEvent(int code, int site, int extra, long word) {
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

    /** If the stack overflows after the record, the block is ended again. */
    @Override
    public int begin(int block) {
        settle();
        room(0);
        int outer = depth;
        StackOverflowError late = tryEvent(EventCodes.BEGIN, block, 0, 0);
        if (depth++ == 0) {
            begun = position;
        }
        seg = (long) number << Stamp.POSITION_BITS | position;
        if (late != null) {
            owedEnds++;
            throw late;
        }
        return outer;
    }

    @Override
    boolean place() {
        throw new IllegalStateException("recorded blocks begin at once");
    }

    @Override
    public long outermost() {
        return depth == 0 ? 0 : begun;
    }

    @Override
    public void end(int block, boolean byException, int outer) {
        try {
            settle();
            while (depth > outer) {
                room(0);
                end(depth > outer + 1 ? 0 : block, byException);
            }
        } catch (StackOverflowError e) {
            // No calls are allowed here.
            owedEnds = depth - outer;
        }
    }

    private void end(int block, boolean byException) {
        // The end is already recorded: a late overflow changes nothing, and the method is left in any case.
        tryEvent(EventCodes.END, block, byException ? 1 : 0, 0);
        if (--depth == 0) {
            seg = (long) number << Stamp.POSITION_BITS | position;
        }
    }

    @Override
    void endInnermost() {
        end(0, true);
    }

    @Override
    public void bar() {
        // There are no shortcuts.
    }

    @Override
    void forks(ThreadState child, Thread thread) {
        int name = Threads.describeName(thread);
        event(EventCodes.FORK, placeOf(JdkSites.FORK), name, child.number);
    }

    @Override
    void joins(ThreadRecord child, long end) {
        // The next event gets the dependency: the number may belong to another thread by now, and can then not be
        // named.
        depend(end, 0);
        if (!child.isHandedOn) {
            child.joinedBy(this);
            // A thread without events has no position, so the reader cannot distinguish it from others with its number.
            event(EventCodes.JOIN, placeOf(JdkSites.JOIN), end != 0 ? 0 : 1, child.number);
        } else {
            waits();
        }
        fence(JdkSites.JOIN);
    }

    /** The next record, whichever it is, reports the wait: a futile wait has no record of its own. */
    @Override
    public void waits() {
        isToTell = true;
        hasWaited = true;
    }
}
