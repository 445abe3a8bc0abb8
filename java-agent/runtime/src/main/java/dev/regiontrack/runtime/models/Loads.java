package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.lang.ref.WeakReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import jdk.internal.vm.annotation.DontInline;

/**
 * The calls of a thread in progress that can make a library's cache load keys: if the cache runs the program's loader in the thread, and puts the
 * loaded value in, the call has written the key. The hooks are in the libraries' own classes, because the call's result does not tell.
 */
public final class Loads {
    /** Loaders can call other caches. Beyond this depth, the outermost call is forgotten, and counts as one that has loaded nothing. */
    private static final int DEEPEST = 16;

    /** The innermost call is the last. One that an exception has left stays until a call around it ends. */
    private final Call[] calls = new Call[DEEPEST];
    private int count;

    /** A call that can load. */
    interface Call {
        /** Whether it is a call of this cache. */
        boolean isOf(Object cache);

        /** The cache is about to put in what it has loaded for the key, unless another value was put in. */
        void prepare(Object key, ThreadState t);

        /** The cache has put it in. */
        void store(Object key, ThreadState t);
    }

    void begin(Call call) {
        if (count == DEEPEST) {
            System.arraycopy(calls, 1, calls, 0, --count);
        }
        calls[count++] = call;
    }

    void end(Call call) {
        int at = count - 1;
        while (at >= 0 && calls[at] != call) {
            at--;
        }
        for (; at >= 0 && count > at; count--) {
            calls[count - 1] = null;
        }
    }

    /** Returns the innermost call of this cache; null if there is none. */
    Call of(Object cache) {
        int at = count - 1;
        while (at >= 0 && (cache == null || !calls[at].isOf(cache))) {
            at--;
        }
        return at < 0 ? null : calls[at];
    }

    /** Passes a hook's information about a key to the call. */
    private static void tell(Object part, Object key, boolean isBefore, boolean isStored) {
        ThreadState t = null;
        try {
            t = Session.isArmed() ? Threads.current() : null;
            Call call = t == null || t.loads.count == 0 || key == null ? null : t.loads.of(LibraryKeys.cache(part, t));
            if (call != null && isBefore) {
                call.prepare(key, t);
            }
            if (call != null && isStored) {
                call.store(key, t);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** A part of a cache is about to put in what was loaded, unless another value was put in. */
    public static void storing(Object part, Object key) {
        tell(part, key, true, false);
    }

    /** A part of a cache has put in what was loaded. */
    public static void stored(Object part, Object key) {
        tell(part, key, false, true);
    }

    /** A cache puts in what was loaded. */
    public static void putting(Object cache, Object key) {
        tell(cache, key, true, true);
    }

    /** A loader has returned this, which a cache is about to put in, unless it is null. */
    public static void loaded(Object value, Object cache, Object key) {
        if (value != null) {
            putting(cache, key);
        }
    }

    /** A cache has put something in for the key if {@code previous}, what was there before, is null. */
    public static void added(Object previous, Object cache, Object key) {
        if (previous == null) {
            stored(cache, key);
        }
    }

    /** Wraps the function that puts all that was loaded into a cache. */
    public static BiConsumer<Object, Object> each(BiConsumer<Object, Object> puts, Object cache) {
        return new Each(puts, cache);
    }

    /** Wraps the function that computes the value of a key again, which the cache puts in if it is another one. */
    public static BiFunction<Object, Object, Object> again(BiFunction<Object, Object, Object> function, Object cache) {
        return new Again(function, cache);
    }

    static final class Each implements BiConsumer<Object, Object> {
        private final BiConsumer<Object, Object> puts;
        private final Object cache;

        Each(BiConsumer<Object, Object> puts, Object cache) {
            this.puts = puts;
            this.cache = cache;
        }

        @Override
        public void accept(Object key, Object value) {
            putting(cache, key);
            puts.accept(key, value);
        }
    }

    static final class Again implements BiFunction<Object, Object, Object> {
        private final BiFunction<Object, Object, Object> function;
        private final Object cache;

        Again(BiFunction<Object, Object, Object> function, Object cache) {
            this.function = function;
            this.cache = cache;
        }

        @Override
        public Object apply(Object key, Object old) {
            Object value = function.apply(key, old);
            if (value != old) {
                putting(cache, key);
            }
            return value;
        }
    }

    /** A call that writes its key if the cache has loaded it in this thread meanwhile. */
    static final class One extends PendingOperation implements Call {
        private final PendingOperation operation;
        private final ModelledObject receiver;
        /** Weak, so that the cache can be collected. */
        private final WeakReference<Object> cache;
        private final Object key;
        private boolean isLoaded;
        /** The operation as one that begins when the cache has loaded the key: what other threads did during the load precedes the put. */
        private PendingOperation storing;
        /** The thread's dependencies by then: later ones may have come after the effect. */
        private int taken;

        private One(PendingOperation operation, ModelledObject receiver, Object cache, Object key, ThreadState t) {
            super(operation.effect, t);
            this.operation = operation;
            this.receiver = receiver;
            this.cache = new WeakReference<>(cache);
            this.key = key;
            site = operation.site;
        }

        /** Makes the operation of a call with this key, which is null if nothing would be recorded. */
        @DontInline
        static PendingOperation of(PendingOperation operation, Object o, Object key, ThreadState t) {
            Object cache = operation == null ? null : LibraryKeys.cache(o, t);
            Object receiver = cache == null ? null : ObjectTable.known(o, t, false);
            if (!(receiver instanceof ModelledObject)) {
                return operation == null || operation.effect.when == Effect.When.REFRESHED ? null : operation;
            }
            One call = new One(operation, (ModelledObject) receiver, cache, key, t);
            t.loads.begin(call);
            return call;
        }

        @Override
        public boolean isOf(Object cache) {
            return this.cache.get() == cache;
        }

        @Override
        public void prepare(Object key, ThreadState t) {
            if (receiver.isSame(this.key, key)) {
                storing = operation.again(t);
            }
        }

        @Override
        public void store(Object key, ThreadState t) {
            if (receiver.isSame(this.key, key)) {
                isLoaded = true;
                taken = t.taken;
            }
        }

        @Override
        void leave() {
            operation.leave();
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            t.loads.end(this);
            if (!isLoaded && effect.when == Effect.When.REFRESHED) {
                operation.leave();
                return;
            }
            PendingOperation done = isLoaded && storing != null ? storing : operation;
            if (isLoaded && taken == t.taken) {
                done.follows(t);
            }
            done.end(isLoaded, isCounted, result, t, site);
        }
    }
}
