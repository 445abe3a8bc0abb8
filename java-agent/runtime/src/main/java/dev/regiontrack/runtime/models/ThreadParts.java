package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.shadows.Shadows;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What threads change without a conflict among them, such as a sum to which they add: a part for each thread that has changed it, of which who looks at the
 * whole reads all. Who looks has also seen that all other threads have changed nothing, even those that do not exist yet. So it reads a spare part, and the next thread
 * that changes something gets that. In dependency mode a new spare part then takes its place, which counts as read by all who have read the old one. Where each access is
 * an event, that cannot be: there are several spare parts, and a thread that gets one which was made after somebody has looked is counted.
 */
final class ThreadParts {
    /** Where accesses are events: how many spare parts there are, besides those for threads that were started before. */
    private static final int SPARES = 8;
    /** Of so many threads at most that were started before there are spare parts. */
    private static final int MOST_STARTED = 64;
    private static final ThreadPart[] NOTHING = {};

    /** Number of the receiver's type, and what comes after the name of a part. */
    private final int type;
    private final String suffix;
    private final ByThread<ThreadPart> parts = new ByThread<>();
    private final ByThread<Looked> looked = new ByThread<>();
    /** All that were made: those of threads, in the order in which these came, and then the spare ones. More can come behind them, and nothing else changes. Guarded by this object. */
    private ArrayList<ThreadPart> made;
    /** How many of these threads have. */
    private int taken;
    /** How many there were when somebody had looked for the first time; -1 before that. */
    private int first = -1;
    /** What {@link #all} returns; null if it is to be rebuilt. */
    private volatile ThreadPart[] all;
    /** How many threads had been started when it was made. */
    private volatile int started;

    ThreadParts(int type, String suffix) {
        this.type = type;
        this.suffix = suffix;
    }

    /** The part of a thread. */
    static final class ThreadPart extends ModelledObject.Part {
        ThreadPart(Shadow shadow, String text) {
            super(shadow, text);
        }
    }

    /** How a thread has looked last. Used by that thread alone. */
    static final class Looked {
        /** Its outermost block then, or 0. */
        long block;
        /** The time of the receiver and the thread's segment then, if all that it has looked at is read; and whether that was everything. */
        long seen = -1;
        long seg;
        boolean hasSeenAll;
    }

    /** How the thread has looked last. */
    Looked lookedBy(ThreadState t) {
        Looked known = looked.of(t);
        if (known == null) {
            try (Inside inside = t.inside()) {
                known = new Looked();
                looked.put(t, known);
            }
        }
        return known;
    }

    /** The thread's part. Nothing is locked. */
    ThreadPart of(ThreadState t) {
        ThreadPart known = parts.of(t);
        if (known != null) {
            return known;
        }
        try (Inside inside = t.inside()) {
            return make(t);
        }
    }

    private synchronized ThreadPart make(ThreadState t) {
        // Before the spare part is copied: who reads it after that finds that there is another one.
        all = null;
        if (taken == made()) {
            add(fresh(t));
        } else if (ThreadState.EPOCHS) {
            ThreadPart spare = fresh(t);
            Protocol.copy(made.get(taken).shadow, spare.shadow, t);
            add(spare);
        }
        if (first >= 0 && !ThreadState.EPOCHS && taken >= first) {
            Session.unseen(Unseen.ADDERS);
        }
        ThreadPart part = made.get(taken++);
        parts.put(t, part);
        return part;
    }

    /** How many parts there are. */
    private int made() {
        return made == null ? 0 : made.size();
    }

    private void add(ThreadPart part) {
        if (made == null) {
            made = new ArrayList<>();
        }
        made.add(part);
    }

    private ThreadPart fresh(ThreadState t) {
        return new ThreadPart(Shadows.of(1, t.ids.next(type), null, 0), "part " + (made() + 1) + suffix);
    }

    /**
     * The parts of all threads, and those that threads will have. A later one begins with all that an earlier one has, and has something more behind that, or is the same. Must not be
     * changed.
     */
    ThreadPart[] all(ThreadState t) {
        ThreadPart[] known = all;
        if (known != null && (ThreadState.EPOCHS || started == started())) {
            return known;
        }
        try (Inside inside = t.inside()) {
            return makeAll(t);
        }
    }

    private static int started() {
        return Math.min(Threads.highest(), MOST_STARTED);
    }

    private synchronized ThreadPart[] makeAll(ThreadState t) {
        int now = started();
        int enough = taken + (ThreadState.EPOCHS ? 1 : SPARES + Math.max(0, now - taken));
        while (made() < enough) {
            add(fresh(t));
        }
        if (first < 0) {
            first = made();
        }
        started = now;
        ThreadPart[] result = made.toArray(NOTHING);
        all = result;
        return result;
    }

    /** Something of each thread, by its number. Only the thread puts something there for itself. */
    static final class ByThread<T> {
        /** Numbers up to this one are an index. */
        private static final int MOST = 64;
        /** Made before classes of the platform are watched. */
        private static final Map<Integer, Object> NONE = Map.of();

        private volatile Object[] few;
        private volatile Map<Integer, Object> others = NONE;

        /** Null if there is nothing. */
        @SuppressWarnings("unchecked")
        T of(ThreadState t) {
            if (t.number > MOST) {
                try (Inside inside = t.inside()) {
                    return (T) others.get(t.number);
                }
            }
            Object[] known = few;
            return known == null ? null : (T) known[t.number];
        }

        /** Called where hooks do nothing. */
        synchronized void put(ThreadState t, T its) {
            if (t.number <= MOST) {
                Object[] known = few == null ? new Object[MOST + 1] : few.clone();
                known[t.number] = its;
                few = known;
                return;
            }
            if (others == NONE) {
                others = new ConcurrentHashMap<>();
            }
            others.put(t.number, its);
        }
    }
}
