package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.shadows.Shadows;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What threads change without a conflict among them, such as a sum to which they add: a part for each thread, of which who looks at the whole reads all. */
final class ThreadParts {
    /** Of so many threads there are parts before they have changed something. */
    private static final int MOST = 64;
    /** Made before classes of the platform are watched. */
    private static final Map<Integer, ThreadPart> NONE = Map.of();
    private static final ThreadPart[] NOTHING = {};

    /** Number of the receiver's type, and what comes after the name of a part. */
    private final int type;
    private final String suffix;
    /** By number of thread, of the first ones. */
    private volatile ThreadPart[] first;
    /** The same of the others. */
    private volatile Map<Integer, ThreadPart> others = NONE;
    /** All that there were at some time; only more can come. */
    private volatile ThreadPart[] all = NOTHING;

    ThreadParts(int type, String suffix) {
        this.type = type;
        this.suffix = suffix;
    }

    /** A thread's part. What is not of {@link ModelledObject.Part} is used by that thread alone. */
    static final class ThreadPart extends ModelledObject.Part {
        /** The thread's outermost block when it has last looked at the whole, or 0. */
        long looked;
        /** The time of the receiver and the thread's segment then, if all that it has looked at is read; and whether that was everything. */
        long seen = -1;
        long seg;
        boolean hasSeenAll;

        ThreadPart(Shadow shadow, String text) {
            super(shadow, text);
        }
    }

    /** The thread's part. */
    ThreadPart of(ThreadState t) {
        ThreadPart[] known = first;
        ThreadPart mine = known != null && t.number <= MOST ? known[t.number] : null;
        if (mine != null) {
            return mine;
        }
        try (Inside inside = t.inside()) {
            return make(t.number, t);
        }
    }

    /** The same of a thread that adds. If somebody has looked at all parts before it has one, that has not looked at its part. */
    ThreadPart ofAdder(ThreadState t) {
        ThreadPart[] known = first;
        ThreadPart mine = known != null && t.number <= MOST ? known[t.number] : null;
        if (mine != null) {
            return mine;
        }
        if (all != NOTHING && isMissing(t)) {
            Session.unseen(Unseen.ADDERS);
        }
        return of(t);
    }

    private boolean isMissing(ThreadState t) {
        try (Inside inside = t.inside()) {
            return !others.containsKey(t.number);
        }
    }

    /** A part, which is made if there is none. */
    private ThreadPart make(int number, ThreadState t) {
        if (number > MOST) {
            ThreadPart found = others.get(number);
            return found != null ? found : makeOther(number, t);
        }
        synchronized (this) {
            if (first == null) {
                first = new ThreadPart[MOST + 1];
            }
            if (first[number] == null) {
                ThreadPart fresh = fresh(number, t);
                Memory.U.storeFence();
                first[number] = fresh;
            }
            return first[number];
        }
    }

    private ThreadPart fresh(int number, ThreadState t) {
        return new ThreadPart(Shadows.of(1, t.ids.next(type), null, 0), "part " + number + suffix);
    }

    private synchronized ThreadPart makeOther(int number, ThreadState t) {
        if (others.isEmpty()) {
            others = new ConcurrentHashMap<>();
        }
        ThreadPart fresh = fresh(number, t);
        ThreadPart raced = others.putIfAbsent(number, fresh);
        return raced == null ? fresh : raced;
    }

    /**
     * The parts of all threads; those of the first threads, too, that have none yet: who looks at all has seen that they have changed nothing. Must not be
     * changed.
     */
    ThreadPart[] all(ThreadState t) {
        try (Inside inside = t.inside()) {
            ThreadPart[] known = all;
            return known.length == others.size() + highest() ? known : makeAll(t);
        }
    }

    private static int highest() {
        return Math.min(Threads.highest(), MOST);
    }

    private synchronized ThreadPart[] makeAll(ThreadState t) {
        int n = highest();
        ThreadPart[] found = java.util.Arrays.copyOf(others.values().toArray(NOTHING), others.size() + n);
        for (int number = n; number > 0; number--) {
            found[found.length - number] = make(number, t);
        }
        all = found;
        return found;
    }
}
