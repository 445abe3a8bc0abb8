package dev.regiontrack.runtime.shadows;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.threads.ThreadState;
import java.lang.reflect.Array;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/** Shadows of arrays and of objects of classes without a shadow field: in a weak table, with a small cache in each thread. */
public final class Arrays {
    private static final WeakTable TABLE = new WeakTable();
    /** Slots of a piece, as a shift; an array of at most one piece has a single shadow. */
    private static final int PIECE_BITS = 2;
    private static final int PIECE = 1 << PIECE_BITS;
    /** The number of entries of a thread's cache, initially and at most, powers of two; and how many misses per entry make it grow. */
    public static final int FEWEST_KNOWN = 128;
    private static final int MOST_KNOWN = 4096;
    private static final int MISSES = 4;
    private static final long FIRST = Memory.element('L', 0);
    private static final long SCALE = Memory.element('L', 1) - FIRST;

    private Arrays() {
    }

    /** A shadow in pieces, each created when one of its slots is first accessed. */
    static final class Pieces extends Shadow {
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
        public Shadow piece(int slot) {
            Shadow h = (Shadow) known(slot);
            return h != null ? h : make(slot / PIECE);
        }

        /** Returns the piece that has a slot, or null. Without a cast, which takes two loads. */
        @ForceInline
        Object known(int slot) {
            return Refs.getAcquire(pieces, FIRST + (slot >>> PIECE_BITS) * SCALE);
        }

        @Override
        void writtenBy(ThreadState t, int site) {
            for (int k = 0; k < pieces.length; k++) {
                make(k).writtenBy(t, site);
            }
        }

        @DontInline
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

    /**
     * Returns the shadow that has an element, if it exists and this thread has recently found the array's; else null. The index is within the
     * array.
     */
    public static Object known(Object array, int index, ThreadState t) {
        WeakTable.Entry[] cache = t.arrays;
        WeakTable.Entry e = cache[System.identityHashCode(array) & cache.length - 1];
        return e == null || e.get() != array ? null : piece(e.value, index);
    }

    /** Returns the shadow that has an element, if it exists; else null. */
    public static Object piece(Object array, int index, ThreadState t) {
        return piece(shadowOf(array, t), index);
    }

    /** Returns the piece of a shadow that has a slot, or null. Not a virtual call, because shadows are of many classes. */
    @ForceInline
    private static Object piece(Object shadow, int slot) {
        return shadow instanceof Pieces ? ((Pieces) shadow).known(slot) : shadow;
    }

    /** Returns the offset of a slot's {@code W} in the piece that has it. */
    @ForceInline
    public static long offset(int slot) {
        return Shadows.BASE + (long) (slot & PIECE - 1) * Shadow.WORDS;
    }

    /** Returns the shadow, if this thread has recently found it; else null. */
    static Shadow known(Object o, ThreadState t) {
        WeakTable.Entry[] cache = t.arrays;
        WeakTable.Entry e = cache[System.identityHashCode(o) & cache.length - 1];
        return e != null && e.get() == o ? (Shadow) e.value : null;
    }

    /** Returns the shadow that holds the object's id and monitor, and its pieces. */
    public static Shadow shadowOf(Object o, ThreadState t) {
        Shadow known = known(o, t);
        if (known != null) {
            return known;
        }
        int hash = System.identityHashCode(o);
        WeakTable.Entry e = TABLE.entry(o, hash);
        if (e == null) {
            e = enter(o, hash, t);
        } else if (++t.missed > MISSES * t.arrays.length && t.arrays.length < MOST_KNOWN) {
            knowMore(t);
        }
        t.arrays[hash & t.arrays.length - 1] = e;
        return (Shadow) e.value;
    }

    /** Grows the cache of a thread that comes back to more arrays than fit. */
    @DontInline
    private static void knowMore(ThreadState t) {
        t.arrays = new WeakTable.Entry[2 * t.arrays.length];
        t.missed = 0;
    }

    /**
     * In dependency mode: gives an array that no other thread can reach a shadow, with each element written. Returns false if it has one, or if the
     * thread has something to do before its next access.
     */
    public static boolean enterWritten(Object array, ThreadState t, int site) {
        if (!ThreadState.EPOCHS || Probe.ON || !t.isSettled()) {
            return false;
        }
        Shadow fresh = elements(t.ids.next(Layout.of(array.getClass()).type), Array.getLength(array));
        fresh.writtenBy(t, site);
        int hash = System.identityHashCode(array);
        WeakTable.Entry e = TABLE.put(array, hash, fresh);
        t.arrays[hash & t.arrays.length - 1] = e;
        return e.value == fresh;
    }

    @DontInline
    private static WeakTable.Entry enter(Object o, int hash, ThreadState t) {
        Layout layout = Layout.of(o.getClass());
        boolean isArray = o.getClass().isArray();
        int length = isArray ? Array.getLength(o) : layout.slots;
        long id = t.ids.next(layout.type);
        // Such objects are mostly monitors: instrumented code rarely accesses their fields.
        Shadow fresh = isArray || length <= 1 ? elements(id, length) : new Pieces(id, length);
        return TABLE.put(o, hash, fresh);
    }

    /** Makes a shadow for {@code length} elements. */
    public static Shadow elements(long id, int length) {
        return length <= PIECE ? Shadows.of(length, id, null, 0) : new Pieces(id, length);
    }
}
