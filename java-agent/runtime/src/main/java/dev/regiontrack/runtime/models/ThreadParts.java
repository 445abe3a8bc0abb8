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
 * A value that threads change without conflicting, such as a sum to which they add. Each thread that has changed it has a part, and a thread that
 * looks at the whole reads all parts. It has also seen that all other threads have changed nothing, even those that do not exist yet. So it reads a
 * spare part, and the next thread that changes something gets that part. In dependency mode a new spare part then replaces it, and counts as read by
 * all who have read the old one. Where each access is an event, that is impossible: there are several spare parts, and a thread that gets one which
 * was made after a look is counted.
 */
final class ThreadParts {
    /** Where accesses are events: the number of spare parts, in addition to those for threads that were started before. */
    private static final int SPARES = 8;
    /** The most threads started before for which there are spare parts. */
    private static final int MOST_STARTED = 64;
    private static final ThreadPart[] NOTHING = {};

    /** The number of the receiver's type, and the suffix of a part's name. */
    private final int type;
    private final String suffix;
    private final ByThread<ThreadPart> parts = new ByThread<>();
    private final ByThread<Looked> looked = new ByThread<>();
    /**
     * All parts made so far: those of threads, in the order of their first use, and then the spare ones. It only grows at its end. Guarded by this
     * object.
     */
    private ArrayList<ThreadPart> made;
    /** The number of these that threads have. */
    private int taken;
    /** How many there were at the first look; -1 before. */
    private int first = -1;
    /** What {@link #all} returns; null if it is to be rebuilt. */
    private volatile ThreadPart[] all;
    /** The number of threads that had been started when {@link #all} was made. */
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

    /** A thread's last look. Used by that thread alone. */
    static final class Looked {
        /** The thread's outermost block then, or 0. */
        long block;
        /** The time of the receiver and the thread's segment then, if all that it has looked at is read; and whether that was everything. */
        long seen = -1;
        long seg;
        boolean hasSeenAll;
    }

    /** Returns the thread's last look. */
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

    /** Returns the thread's part. Nothing is locked. */
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
        // Before the spare part is copied: a thread that reads it afterwards finds that there is another one.
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

    /** Returns how many parts there are. */
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
     * Returns the parts of all threads, and those that threads will have. A later result begins with all that an earlier one has, and is longer or
     * the same. Must not be changed.
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

    /** A value for each thread, by its number. Only the thread itself sets its value. */
    static final class ByThread<T> {
        /** Numbers up to this one are an index. */
        private static final int MOST = 64;
        /** Made before classes of the platform are watched. */
        private static final Map<Integer, Object> NONE = Map.of();

        private volatile Object[] few;
        private volatile Map<Integer, Object> others = NONE;

        /** Returns null if there is no value. */
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
