package dev.regiontrack.runtime.memory;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * A weak identity table. The keys are arrays, objects of classes that cannot be changed, loaders and threads.
 *
 * <p>It is divided into stripes. Each has a list of entries, which only grows at its end, and an index into it with open addressing by the
 * identity hash. So an insertion touches one random cache line, which holds no references, and therefore needs no GC barrier.
 *
 * <p>A lookup takes no lock and allocates nothing. Entries are added under their stripe's lock, and never moved or replaced in place; a
 * larger index is filled before it is published, and the old one is not changed. So a lookup never misses an entry made before the lookup
 * began, and a thread that misses looks again under the lock before it inserts. There is no reference queue, because its handler could not
 * keep up with arrays that die at full speed: a stripe drops the entries of dead objects when it is full, or at the first insertion after
 * a collection if enough were added since the last time.
 */
public final class WeakTable {
    private static final int STRIPE_BITS = 6;
    private static final Unsafe U = Memory.U;
    private static final long INDEX = Memory.element('J', 0);
    private static final boolean HAS_REFERS_TO = Runtime.version().feature() >= 16;

    private final Stripe[] stripes = new Stripe[1 << STRIPE_BITS];
    /** Cleared by the next collection, after which keys may be dead. */
    private volatile WeakReference<Object> canary = new WeakReference<>(new Object());
    /** The number of collections observed so far. */
    private volatile int collections;

    public WeakTable() {
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** An object and its value. */
    public static final class Entry extends WeakReference<Object> {
        public final Object value;

        Entry(Object key, Object value) {
            super(key);
            this.value = value;
        }
    }

    /** Returns the key's value, or null. */
    public Object find(Object key) {
        Entry e = entry(key, System.identityHashCode(key));
        return e == null ? null : e.value;
    }

    /** Returns the key's entry, or null. */
    public Entry entry(Object key, int hash) {
        return stripe(hash).slots.find(key, hash);
    }

    /** Enters a value unless there is one; returns the entry in the table. */
    public Entry put(Object key, int hash, Object value) {
        return stripe(hash).put(key, hash, value, this);
    }

    /** Enters a value unless there is one; returns the value in the table. */
    public Object put(Object key, Object value) {
        return put(key, System.identityHashCode(key), value).value;
    }

    private Stripe stripe(int hash) {
        return stripes[hash & stripes.length - 1];
    }

    private int collections() {
        if (isCleared(canary)) {
            // Two threads can count one collection twice.
            canary = new WeakReference<>(new Object());
            collections++;
        }
        return collections;
    }

    /** Whether the object is dead. Avoids {@code get} if possible, because that keeps the object alive while a collector is marking. */
    private static boolean isCleared(WeakReference<Object> reference) {
        return HAS_REFERS_TO ? reference.refersTo(null) : reference.get() == null;
    }

    /** A stripe's index and list. An index word has a hash in its low half and a position above; no object has hash 0, so 0 means free. */
    private static final class Slots {
        private static final int POSITION = 32;
        private final long[] index;
        private final Entry[] entries;
        private final int[] hashes;
        private int size;

        /** Makes slots for this many entries, a power of two. At most half of the index is used. */
        Slots(int room) {
            index = new long[2 * room];
            entries = new Entry[room];
            hashes = new int[room];
        }

        int room() {
            return entries.length;
        }

        Entry find(Object key, int hash) {
            int mask = index.length - 1;
            for (int i = hash >>> STRIPE_BITS & mask;; i = i + 1 & mask) {
                // Acquire, to see the entry that was stored before its word.
                long word = U.getLongAcquire(index, INDEX + ((long) i << 3));
                if (word == 0) {
                    return null;
                }
                if ((int) word == hash) {
                    Entry e = entries[(int) (word >>> POSITION)];
                    if (e.get() == key) {
                        return e;
                    }
                }
            }
        }

        void add(Entry e, int hash) {
            int mask = index.length - 1;
            int i = hash >>> STRIPE_BITS & mask;
            while (index[i] != 0) {
                i = i + 1 & mask;
            }
            entries[size] = e;
            hashes[size] = hash;
            U.putLongRelease(index, INDEX + ((long) i << 3), (long) size << POSITION | hash);
            size++;
        }

        /** Copies all entries, or only those of living objects, into new slots. */
        Slots moved(int room, boolean isSweep) {
            Slots to = new Slots(room);
            for (int i = 0; i < size; i++) {
                if (!isSweep || !isCleared(entries[i])) {
                    to.add(entries[i], hashes[i]);
                }
            }
            return to;
        }

        int living() {
            int n = 0;
            for (int i = 0; i < size; i++) {
                n += isCleared(entries[i]) ? 0 : 1;
            }
            return n;
        }
    }

    private static final class Stripe {
        private static final int FEWEST = 8;
        volatile Slots slots = new Slots(FEWEST);
        /** The number of entries kept when the dead were last dropped, and of collections observed by then. */
        private int kept;
        private int swept;

        synchronized Entry put(Object key, int hash, Object value, WeakTable table) {
            Slots all = slots;
            Entry found = all.find(key, hash);
            if (found != null) {
                return found;
            }
            if (all.size - kept > all.room() / 4 || all.size == all.room()) {
                all = roomier(all, table.collections());
            }
            Entry e = new Entry(key, value);
            all.add(e, hash);
            return e;
        }

        /**
         * Drops the dead entries if there was a collection; afterwards at most half of the room is used. Otherwise
         * doubles the room if it is full.
         */
        @DontInline
        private Slots roomier(Slots all, int collections) {
            if (collections != swept) {
                int living = all.living();
                int room = all.room();
                if (2 * living > room) {
                    room *= 2;
                } else if (room > FEWEST && 2 * all.size < room) {
                    room /= 2;
                }
                slots = all.moved(room, true);
                kept = slots.size;
                swept = collections;
            } else if (all.size == all.room()) {
                slots = all.moved(2 * all.room(), false);
            }
            return slots;
        }
    }
}
