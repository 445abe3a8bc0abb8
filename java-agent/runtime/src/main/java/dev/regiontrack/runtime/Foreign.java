package dev.regiontrack.runtime;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * A weak identity table, in stripes: what belongs to arrays, to objects of classes that cannot be changed, and to threads.
 *
 * <p>The identity hash only finds the bucket; identity decides. Looked up without a lock; entries of dead objects are
 * removed when new ones come.
 */
final class Foreign {
    private static final int STRIPES = 64;
    private final Stripe[] stripes = new Stripe[STRIPES];

    Foreign() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** An object and what belongs to it. */
    static final class Entry extends WeakReference<Object> {
        final int hash;
        final Object value;
        Entry next;

        Entry(Object key, int hash, Object value, ReferenceQueue<Object> queue) {
            super(key, queue);
            this.hash = hash;
            this.value = value;
        }
    }

    /** What belongs to the key; null only if nothing was entered. */
    Object find(Object key) {
        int hash = System.identityHashCode(key);
        Entry e = entry(key, hash);
        if (e == null) {
            e = stripes[hash & STRIPES - 1].surely(key, hash);
        }
        return e == null ? null : e.value;
    }

    /** The key's entry, looked for without a lock: a table that grows meanwhile may hide it. */
    Entry entry(Object key, int hash) {
        return stripes[hash & STRIPES - 1].find(key, hash);
    }

    /** Enters a value unless there is one; returns the one that stands. */
    Object put(Object key, Object value) {
        int hash = System.identityHashCode(key);
        return stripes[hash & STRIPES - 1].put(key, hash, value);
    }

    private static final class Stripe {
        private final ReferenceQueue<Object> dead = new ReferenceQueue<>();
        private volatile Entry[] buckets = new Entry[16];
        private int size;

        Entry find(Object key, int hash) {
            Entry[] all = buckets;
            for (Entry e = all[hash >>> 6 & all.length - 1]; e != null; e = e.next) {
                if (e.hash == hash && e.get() == key) {
                    return e;
                }
            }
            return null;
        }

        /** Under the lock nothing is hidden. */
        synchronized Entry surely(Object key, int hash) {
            return find(key, hash);
        }

        synchronized Object put(Object key, int hash, Object value) {
            Entry found = find(key, hash);
            if (found != null) {
                return found.value;
            }
            for (Object gone = dead.poll(); gone != null; gone = dead.poll()) {
                remove((Entry) gone);
            }
            if (++size > buckets.length) {
                grow();
            }
            Entry[] all = buckets;
            int at = hash >>> 6 & all.length - 1;
            Entry e = new Entry(key, hash, value, dead);
            e.next = all[at];
            Memory.U.storeFence();
            all[at] = e;
            return value;
        }

        private void remove(Entry gone) {
            int at = gone.hash >>> 6 & buckets.length - 1;
            Entry before = null;
            for (Entry e = buckets[at]; e != null; before = e, e = e.next) {
                if (e == gone) {
                    if (before == null) {
                        buckets[at] = e.next;
                    } else {
                        before.next = e.next;
                    }
                    size--;
                    return;
                }
            }
        }

        private void grow() {
            Entry[] old = buckets;
            Entry[] all = new Entry[old.length * 2];
            for (Entry bucket : old) {
                for (Entry e = bucket, next; e != null; e = next) {
                    next = e.next;
                    int at = e.hash >>> 6 & all.length - 1;
                    e.next = all[at];
                    all[at] = e;
                }
            }
            buckets = all;
        }
    }
}
