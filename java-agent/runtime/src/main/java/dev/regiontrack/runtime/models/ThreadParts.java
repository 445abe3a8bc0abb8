package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.shadows.Shadows;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What threads change without a conflict among them, such as a sum to which they add: a part for each thread that has changed it, of which who looks at the
 * whole reads all. Who looks has also seen that all other threads have changed nothing, even those that do not exist yet. So it reads a spare part, and the next thread
 * that changes something gets that. In dependency mode a new spare part then takes its place, which has been read by whoever has read the old one. Where each access is
 * an event, that cannot be: there are several spare parts, and a thread that finds none left is counted.
 */
final class ThreadParts {
    /** Where accesses are events: how many spare parts there are, besides those for threads that were started before. */
    private static final int SPARES = 8;
    /** Of so many threads the parts are found by an index; and for so many that were started before there are spare parts. */
    private static final int FIRST = 64;
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
    /** All that somebody has, in the order in which they were made. Guarded by this object. */
    private final ArrayList<ThreadPart> taken = new ArrayList<>();
    /** Those that nobody has yet; null before somebody has looked. Guarded by this object. */
    private ArrayDeque<ThreadPart> spares;
    /** How many were made. Guarded by this object. */
    private int made;
    /** What {@link #all} returns; null if it is to be made anew. */
    private volatile ThreadPart[] all;

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

    /** The thread's part. Nothing is locked. */
    ThreadPart of(ThreadState t) {
        ThreadPart[] known = first;
        ThreadPart mine = known != null && t.number <= FIRST ? known[t.number] : null;
        if (mine != null) {
            return mine;
        }
        try (Inside inside = t.inside()) {
            mine = others.get(t.number);
            return mine != null ? mine : make(t.number, t);
        }
    }

    private synchronized ThreadPart make(int number, ThreadState t) {
        // Before the spare part is copied: who reads it after that finds that there is another one.
        all = null;
        ThreadPart part = next(t);
        taken.add(part);
        if (number <= FIRST) {
            ThreadPart[] known = first == null ? new ThreadPart[FIRST + 1] : first.clone();
            known[number] = part;
            first = known;
        } else {
            if (others == NONE) {
                others = new ConcurrentHashMap<>();
            }
            others.put(number, part);
        }
        return part;
    }

    /** A part for the thread: a spare one, if somebody has looked. */
    private ThreadPart next(ThreadState t) {
        if (spares == null) {
            return fresh(t);
        }
        if (spares.isEmpty()) {
            Session.unseen(Unseen.ADDERS);
            return fresh(t);
        }
        ThreadPart part = spares.remove();
        if (ThreadState.EPOCHS) {
            ThreadPart spare = fresh(t);
            Protocol.copy(part.shadow, spare.shadow, t);
            spares.add(spare);
        }
        return part;
    }

    private ThreadPart fresh(ThreadState t) {
        return new ThreadPart(Shadows.of(1, t.ids.next(type), null, 0), "part " + ++made + suffix);
    }

    /** The parts of all threads, and those that threads will have. It is the same array as long as it has all. Must not be changed. */
    ThreadPart[] all(ThreadState t) {
        ThreadPart[] known = all;
        if (known != null) {
            return known;
        }
        try (Inside inside = t.inside()) {
            return makeAll(t);
        }
    }

    private synchronized ThreadPart[] makeAll(ThreadState t) {
        if (all == null) {
            if (spares == null) {
                spares = new ArrayDeque<>();
            }
            int enough = ThreadState.EPOCHS ? 1 : SPARES + Math.max(0, Math.min(Threads.highest(), FIRST) - taken.size());
            while (spares.size() < enough) {
                spares.add(fresh(t));
            }
            ArrayList<ThreadPart> found = new ArrayList<>(taken);
            found.addAll(spares);
            all = found.toArray(NOTHING);
        }
        return all;
    }
}
