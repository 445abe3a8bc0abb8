package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.lang.ref.WeakReference;

/**
 * That a cache of a library has run the program's loader in a thread, and puts in what that has made: then the call that asked for the key has written it. The hooks
 * are in the libraries' own classes, because the result of the call does not tell.
 */
public final class Loads {
    /** They do not keep alive what the cache may drop. */
    private final WeakReference<Object> cache;
    private final WeakReference<Object> key;
    /** What the thread had depended on by then: what comes later may have come after the effect. */
    private final int taken;

    Loads(Object cache, Object key, int taken) {
        this.cache = new WeakReference<>(cache);
        this.key = new WeakReference<>(key);
        this.taken = taken;
    }

    /** True if this is a load of the key since that one, if there was one before. */
    static boolean isOf(Object last, Object before, Object cache, Object key) {
        return last != before && ((Loads) last).cache.get() == cache && ((Loads) last).key.get() == key;
    }

    /** A part of a cache has put in what was loaded. */
    public static void stored(Object part, Object key) {
        ThreadState t = null;
        try {
            if (Session.isArmed()) {
                t = Threads.current();
                t.load = new Loads(LibraryKeys.cache(part, t), key, t.taken);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** A loader has returned this, which a cache is about to put in, unless it is null. */
    public static void loaded(Object value, Object cache, Object key) {
        if (value != null) {
            stored(cache, key);
        }
    }

    /** A call that writes the key if the cache has loaded it in this thread meanwhile, and otherwise reads it. */
    static final class Call extends PendingOperation {
        private final PendingOperation operation;
        private final Object cache;
        private final Object key;
        /** The thread's last load before. */
        private final Object before;

        private Call(PendingOperation operation, Object cache, Object key, ThreadState t) {
            super(operation.effect, t);
            this.operation = operation;
            this.cache = cache;
            this.key = key;
            before = t.load;
            site = operation.site;
        }

        /** The operation of a call with this key, which is null if nothing would be recorded. */
        static PendingOperation of(PendingOperation operation, Object o, Object key, ThreadState t) {
            Object cache = operation == null ? null : LibraryKeys.cache(o, t);
            return cache == null ? operation : new Call(operation, cache, key, t);
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            Object last = t.load;
            boolean isLoaded = isOf(last, before, cache, key);
            if (isLoaded && ((Loads) last).taken == t.taken) {
                operation.follows(t);
            }
            operation.end(isLoaded, isCounted, result, t, site);
        }
    }
}
