package dev.regiontrack.runtime;

import java.lang.reflect.Array;

/** Shadows of arrays and of objects of classes without a shadow field: in a weak table, with a small cache in each thread. */
final class Arrays {
    private static final WeakTable TABLE = new WeakTable();
    /** Slots of a piece; an array up to this length has a single shadow. */
    private static final int PIECE = 32;

    private Arrays() {
    }

    /** A shadow in pieces, each created when one of its slots is first accessed. */
    private static final class Pieces extends Shadow {
        private final Shadow[] pieces;
        private final int length;

        Pieces(long id, int length) {
            super(id, null, 0);
            this.length = length;
            pieces = new Shadow[(length + PIECE - 1) / PIECE];
        }

        @Override
        int room() {
            return 0;
        }

        @Override
        Shadow piece(int slot) {
            Shadow h = (Shadow) Refs.getAcquire(pieces, Memory.element('L', slot / PIECE));
            return h != null ? h : make(slot / PIECE);
        }

        @Override
        Shadow known(int slot) {
            return (Shadow) Refs.getAcquire(pieces, Memory.element('L', slot / PIECE));
        }

        private synchronized Shadow make(int k) {
            Shadow h = pieces[k];
            if (h == null) {
                h = Shadows.of(Math.min(PIECE, length - k * PIECE), id, null, k * PIECE);
                Memory.U.storeFence();
                pieces[k] = h;
            }
            return h;
        }
    }

    /** The shadow, if this thread has found it lately; else null. */
    static Shadow known(Object o, ThreadState t) {
        WeakTable.Entry[] cache = t.arrays;
        WeakTable.Entry e = cache[System.identityHashCode(o) & cache.length - 1];
        return e != null && e.get() == o ? (Shadow) e.value : null;
    }

    /** The shadow that holds the object's id and monitor, and its pieces. */
    static Shadow shadowOf(Object o, ThreadState t) {
        Shadow known = known(o, t);
        if (known != null) {
            return known;
        }
        int hash = System.identityHashCode(o);
        WeakTable.Entry e = TABLE.entry(o, hash);
        if (e == null) {
            e = enter(o, hash, t);
        }
        t.arrays[hash & t.arrays.length - 1] = e;
        return (Shadow) e.value;
    }

    private static WeakTable.Entry enter(Object o, int hash, ThreadState t) {
        Layout layout = Layout.of(o.getClass());
        boolean isArray = o.getClass().isArray();
        int length = isArray ? Array.getLength(o) : layout.slots;
        long id = t.ids.next(layout.type);
        // Such objects are mostly monitors: instrumented code rarely accesses their fields.
        boolean isOne = length <= (isArray ? PIECE : 1);
        Shadow fresh = isOne ? Shadows.of(length, id, null, 0) : new Pieces(id, length);
        return TABLE.put(o, hash, fresh);
    }
}
