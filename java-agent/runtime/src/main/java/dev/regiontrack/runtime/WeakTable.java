package dev.regiontrack.runtime;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/**
 * A weak identity table: what belongs to arrays, to objects of classes that cannot be changed, to loaders and to threads.
 *
 * <p>Open addressing by the identity hash, in stripes; identity decides. A lookup takes no lock and allocates nothing. Entries are added
 * under their stripe's lock and never moved within an array; a grown array is filled before it is published, and the old one is left as it
 * is: so a lookup never misses what was entered before it began, and a thread that misses looks again under the lock before it enters
 * anything. There is no reference queue, whose handler could not keep up with arrays that die at full speed: a stripe drops the entries of
 * dead objects when it is full, or at the first entry after a collection if enough were made since the last time.
 */
final class WeakTable {
    private static final int STRIPE_BITS = 6;
    private static final Unsafe U = Memory.U;
    private static final long HASHES = Memory.element('I', 0);
    private static final boolean HAS_REFERS_TO = Runtime.version().feature() >= 16;

    private final Stripe[] stripes = new Stripe[1 << STRIPE_BITS];
    /** Cleared by the next collection: when it is, there may be dead objects. */
    private volatile WeakReference<Object> canary = new WeakReference<>(new Object());
    /** How many collections were noticed. */
    private volatile int collections;

    WeakTable() {
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** An object and what belongs to it. */
    static final class Entry extends WeakReference<Object> {
        final Object value;

        Entry(Object key, Object value) {
            super(key);
            this.value = value;
        }
    }

    /** What belongs to the key, or null. */
    Object find(Object key) {
        Entry e = entry(key, System.identityHashCode(key));
        return e == null ? null : e.value;
    }

    /** The key's entry, or null. */
    Entry entry(Object key, int hash) {
        return stripe(hash).slots.find(key, hash);
    }

    /** Enters a value unless there is one; returns the entry that stands. */
    Entry put(Object key, int hash, Object value) {
        return stripe(hash).put(key, hash, value, this);
    }

    /** Enters a value unless there is one; returns the one that stands. */
    Object put(Object key, Object value) {
        return put(key, System.identityHashCode(key), value).value;
    }

    private Stripe stripe(int hash) {
        return stripes[hash & stripes.length - 1];
    }

    private int collections() {
        if (isCleared(canary)) {
            // Two threads may count one collection twice.
            canary = new WeakReference<>(new Object());
            collections++;
        }
        return collections;
    }

    /** True if the object is dead. Not by {@code get}, if there is another way: that keeps the object alive while a collector is marking. */
    private static boolean isCleared(WeakReference<Object> reference) {
        return HAS_REFERS_TO ? reference.refersTo(null) : reference.get() == null;
    }

    /** The hashes and entries of a stripe, of one length; hash 0 is "free", which no object has. */
    private static final class Slots {
        final int[] hashes;
        final Entry[] entries;

        Slots(int length) {
            hashes = new int[length];
            entries = new Entry[length];
        }

        Entry find(Object key, int hash) {
            int mask = hashes.length - 1;
            for (int i = hash >>> STRIPE_BITS & mask;; i = i + 1 & mask) {
                // Acquire, for the entry that was stored before its hash.
                int there = U.getIntAcquire(hashes, HASHES + ((long) i << 2));
                if (there == 0) {
                    return null;
                }
                if (there == hash) {
                    Entry e = entries[i];
                    if (e.get() == key) {
                        return e;
                    }
                }
            }
        }

        void add(Entry e, int hash) {
            int mask = hashes.length - 1;
            int i = hash >>> STRIPE_BITS & mask;
            while (hashes[i] != 0) {
                i = i + 1 & mask;
            }
            entries[i] = e;
            U.putIntRelease(hashes, HASHES + ((long) i << 2), hash);
        }
    }

    private static final class Stripe {
        volatile Slots slots = new Slots(16);
        /** Places taken, by dead objects too. */
        private int used;
        /** Those that were taken when the dead ones were last dropped, and how many collections there had been. */
        private int live;
        private int swept;

        synchronized Entry put(Object key, int hash, Object value, WeakTable table) {
            Entry found = slots.find(key, hash);
            if (found != null) {
                return found;
            }
            int length = slots.hashes.length;
            boolean isFull = 2 * used >= length;
            if (isFull || used - live > length / 8) {
                int now = table.collections();
                if (now != swept) {
                    sweep();
                    swept = now;
                } else if (isFull) {
                    move(2 * length, false);
                }
            }
            Entry e = new Entry(key, value);
            slots.add(e, hash);
            used++;
            return e;
        }

        /** Drops the dead. Afterwards at most a quarter is taken, so that there is room for as many as came since the last time. */
        private void sweep() {
            int alive = 0;
            for (Entry e : slots.entries) {
                alive += e == null || isCleared(e) ? 0 : 1;
            }
            int length = slots.hashes.length;
            if (4 * alive > length) {
                length *= 2;
            } else if (length > 16 && 4 * used < length) {
                length /= 2;
            }
            move(length, true);
            live = used;
        }

        private void move(int length, boolean isSweep) {
            Slots from = slots;
            Slots to = new Slots(length);
            int moved = 0;
            for (int i = 0; i < from.hashes.length; i++) {
                Entry e = from.entries[i];
                if (e != null && !(isSweep && isCleared(e))) {
                    to.add(e, from.hashes[i]);
                    moved++;
                }
            }
            used = moved;
            slots = to;
        }
    }
}
