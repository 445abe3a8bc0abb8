package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.internal.vm.annotation.DontInline;

/**
 * Tells which calls have moved an entry of a {@code LinkedHashMap} in access order: a {@code get} is a write there, unless it finds nothing or the
 * entry that was used last.
 *
 * <p>A map counts its changes. If the count differs after a call, the call has changed the map, or another thread has meanwhile. So it is certain
 * only if no other thread's call that can change the map has begun before this one ended, and none was in progress when it began. Such calls are
 * counted here. A call that an exception leaves stays in progress: after that, calls count as their results say. Calls in unwatched code are unknown.
 */
final class Moves {
    private static final String MOVES = "moves of entries";
    private static final long IS_ORDERED = Fields.offset(LinkedHashMap.class, "accessOrder", MOVES);
    private static final long CHANGES = Fields.offset(HashMap.class, "modCount", MOVES);

    /** Calls that can change the map. */
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    private Moves() {
    }

    /**
     * Returns the moves of a map in access order, or of a wrapper of one; null for any other object that {@linkplain ClassModel#canBeOrdered can be}
     * such.
     */
    @DontInline
    static Moves of(Object o) {
        return ordered(o) != null ? new Moves() : null;
    }

    /** Returns the map in access order that an object is or contains; null if there is none. */
    private static Object ordered(Object o) {
        Object of = o;
        while (of != null && !(of instanceof LinkedHashMap)) {
            of = ClassModel.of(of.getClass()).inside(of);
        }
        boolean isOrdered = of != null && IS_ORDERED != 0 && CHANGES != 0 && Memory.U.getBoolean(of, IS_ORDERED);
        return isOrdered ? of : null;
    }

    /** Before a call on this object that can change the map. */
    PendingOperation begin(Effect effect, ModelledObject receiver, Object o, ThreadState t, int site) {
        Effect most = effect.kind == Effect.Kind.WRITE ? effect : Effect.CHANGE;
        return new Call(effect, new Access(most, receiver, receiver.whole, 0, t), o, t, site);
    }

    /** Such a call. */
    private final class Call extends PendingOperation {
        private final Access access;
        /** The map, if the call can move an entry; otherwise null. */
        private final Object map;
        private final int number;
        private final boolean wasAlone;
        private final int changes;

        Call(Effect effect, Access access, Object o, ThreadState t, int site) {
            super(effect, t);
            this.access = access;
            this.site = site;
            number = begun.incrementAndGet();
            wasAlone = ended.get() == number - 1;
            map = effect.moves ? find(o, t) : null;
            changes = map == null ? 0 : Memory.U.getInt(map, CHANGES);
        }

        private Object find(Object o, ThreadState t) {
            try (Inside inside = t.inside()) {
                return ordered(o);
            }
        }

        @Override
        void leave() {
            ended.incrementAndGet();
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            boolean isWrite = effect.kind == Effect.Kind.WRITE && isSo;
            boolean isChanged = map != null && Memory.U.getInt(map, CHANGES) != changes;
            boolean isLast = begun.get() == number;
            boolean isAlone = wasAlone && isLast;
            ended.incrementAndGet();
            if (isChanged && !isWrite && !isLast) {
                Access.overlaps();
            }
            access.end(isWrite || isChanged && isAlone, isCounted, result, t, site);
        }
    }
}
