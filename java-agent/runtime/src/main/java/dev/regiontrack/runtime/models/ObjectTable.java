package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.vm.annotation.DontInline;

/**
 * The table of the library's objects: for each its {@link ModelledObject}, that of the collection of which it is a view, or the {@link Iteration}
 * that it is.
 */
final class ObjectTable {
    private static final WeakTable TABLE = new WeakTable();

    private ObjectTable() {
    }

    /** Returns the variables of an object, a {@link ModelledObject}, or what it goes over; null if there are none yet and {@code isNew} is false. */
    static Object known(Object o, ThreadState t, boolean isNew) {
        int hash = System.identityHashCode(o);
        WeakTable.Entry[] cache = t.objects;
        WeakTable.Entry e = cache[hash & cache.length - 1];
        if (e == null || e.get() != o) {
            e = lookUp(o, hash, t, isNew);
            if (e == null) {
                return null;
            }
            cache[hash & cache.length - 1] = e;
        }
        return e.value;
    }

    @DontInline
    private static WeakTable.Entry lookUp(Object o, int hash, ThreadState t, boolean isNew) {
        WeakTable.Entry e = TABLE.entry(o, hash);
        if (e != null) {
            return e;
        }
        Object map = mapOfKeys(o, t);
        if (map == null && !isNew) {
            return null;
        }
        return TABLE.put(o, hash, map != null ? known(map, t, true) : new ModelledObject(o, t));
    }

    /** Returns what a stream goes over; null if that has no variable. */
    static Object ofStream(Object o, ThreadState t) {
        Object last = t.stream.use(o);
        return last == null && LastStream.areInTable() ? known(o, t, false) : last;
    }

    /** A call has returned {@code result}, a view of a collection. */
    static void view(Object result, Object of, ThreadState t) {
        t.settle();
        if (!t.stream.keep(result, of, TABLE)) {
            WeakTable.Entry entry = TABLE.put(result, System.identityHashCode(result), of);
            if (result instanceof Set) {
                t.entries.note(result, entry, t);
            }
        }
    }

    /** Returns the map of a key set, which may be a set of its own, if no call has made it a view; otherwise null. */
    private static Object mapOfKeys(Object o, ThreadState t) {
        if (!(o instanceof ConcurrentHashMap.KeySetView)) {
            return null;
        }
        try (Inside inside = t.inside()) {
            return ((ConcurrentHashMap.KeySetView<?, ?>) o).getMap();
        }
    }

    /** A call that returns a view. */
    static final class View extends PendingOperation {
        /** What the result is a view of: a {@link ModelledObject}, or an {@link Iteration}. */
        private final Object of;

        View(Effect effect, Object of, ThreadState t, int site) {
            super(effect, t);
            this.of = of;
            this.site = site;
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            if (result != null) {
                view(result, of, t);
            }
        }
    }
}
