package dev.regiontrack.runtime;

import java.lang.reflect.Array;

/** Shadows of arrays and of objects of classes without a shadow field: in a weak table, with a small cache in each thread. */
final class Arrays {
    private static final Foreign TABLE = new Foreign();
    private static final int PIECE = 32;

    private Arrays() {
    }

    /** A shadow in pieces, made where an element is first accessed. */
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

        Shadow piece(int index) {
            int k = index / PIECE;
            Shadow h = pieces[k];
            return h != null ? h : make(k);
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

    /** The shadow that has the object's id and monitor. */
    static Shadow shadowOf(Object o, ThreadState t) {
        int hash = System.identityHashCode(o);
        Foreign.Entry[] cache = t.cache;
        int at = hash & cache.length - 1;
        Foreign.Entry e = cache[at];
        if (e != null && e.get() == o) {
            return (Shadow) e.value;
        }
        e = TABLE.entry(o, hash);
        if (e == null) {
            Layout layout = Layout.of(o.getClass());
            int length = o.getClass().isArray() ? Array.getLength(o) : layout.slots;
            Pieces fresh = new Pieces(t.newId(layout.type), length);
            TABLE.put(o, fresh);
            e = TABLE.entry(o, hash);
            if (e == null) {
                // The table grew as we looked; it stands in it all the same.
                return (Shadow) TABLE.put(o, fresh);
            }
        }
        cache[at] = e;
        return (Shadow) e.value;
    }

    /** The shadow and slot of an element, or of a field of an object without a shadow field, as the variable at hand. */
    static void locate(Object o, int index, ThreadState t) {
        Shadow piece = ((Pieces) shadowOf(o, t)).piece(index);
        t.shadow = piece;
        t.slot = index;
        t.offset = Shadows.BASE + (long) (index % PIECE) * Shadow.WORDS;
    }
}
