package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.hooks.Hooks;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.Map;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * An iteration over a concurrent map: an iterator of the map or of a view, or a stream. A step reads the key that it returns. What the number of keys
 * depends on is read by the first step, and by the call that finds the end.
 *
 * <p>Such an iterator looks ahead: what a step returns was read between the start of the preceding step and its own end. So the operation begins with
 * the preceding step. The key is not known then, so no stamps can be noted; instead, writes of keys are counted once a thread iterates over the map
 * ({@link ModelledObject#now}). A step leaves no event if its own thread has got a dependency since, or if another thread has written the key since
 * the preceding step began; or since the iterator was made, if it may have gone on with nodes that the map has copied or removed since
 * ({@link LiveNodes}).
 */
final class Iteration {
    private static final Unsafe U = Memory.U;
    private static final String HASH_MAP = "java.util.concurrent.ConcurrentHashMap$";
    private static final String ENTRY = HASH_MAP + "MapEntry";
    /** By the class of an iterator or a spliterator: the offset of the last returned node, and of the key there; null if they are unknown. */
    private static final ClassValue<long[]> RETURNED = new ClassValue<long[]>() {
        @Override
        protected long[] computeValue(Class<?> c) {
            String name = c.getName();
            boolean isSpliterator = name.endsWith("Spliterator");
            if (isSpliterator && !name.startsWith(HASH_MAP)) {
                // It keeps the next element, not the last returned one.
                return null;
            }
            try {
                Class<?> node = Class.forName(name.substring(0, name.indexOf('$')) + "$Node", false, null);
                return new long[] {offset(c, isSpliterator ? "next" : "lastReturned"), U.objectFieldOffset(node, "key")};
            } catch (ClassNotFoundException | InternalError | IndexOutOfBoundsException e) {
                Session.tolerated("steps of " + name + ", whose fields have other names in this JVM");
                return null;
            }
        }
    };
    private static final ClassValue<Long> MAP = new ClassValue<Long>() {
        @Override
        protected Long computeValue(Class<?> c) {
            try {
                return c.getName().equals(ENTRY) ? U.objectFieldOffset(c, "map") : -1L;
            } catch (InternalError e) {
                Session.tolerated("changes by " + ENTRY + ", whose fields have other names in this JVM");
                return -1L;
            }
        }
    };

    final ModelledObject map;
    /** Whether it goes over a queue, which has no keys. */
    final boolean isOfQueue;
    private final ThreadState owner;
    /** The time of the map when the iteration was made. */
    private final long made;
    /**
     * The time of the map at the start of the step before the current one, or of the call that made the iterator, and the thread's dependencies
     * then.
     */
    private long since;
    private int taken;
    /** The same for the current step. */
    private long begun;
    private int takenBefore;
    private boolean hasBegun;
    /** For a queue: its time when the step before the last one began, and when the iterator last removed something. */
    private long stepped;
    private long removed;
    /** Whether it is of a library, and may not see that a map was cleared. */
    private final boolean canBeLate;
    /** Whether a part of the keys was split off, or another thread has made steps. */
    private boolean isPart;

    /** Begun by {@code t} at this time of the map or the queue. */
    Iteration(ModelledObject map, boolean isOfQueue, long since, int taken, Object iterator, ThreadState t) {
        this.map = map;
        canBeLate = ClassModel.of(iterator.getClass()).isOfLibrary;
        this.isOfQueue = isOfQueue;
        this.since = since;
        this.taken = taken;
        made = since;
        owner = t;
    }

    private static long offset(Class<?> c, String field) {
        try {
            return U.objectFieldOffset(c, field);
        } catch (InternalError e) {
            return U.objectFieldOffset(c.getSuperclass(), field);
        }
    }

    /** Returns the key that an iterator has returned last; null if there is none. Called while the thread is inside the agent, like the next two. */
    private static Object lastKey(Object iterator) {
        if (ClassModel.of(iterator.getClass()).isOfLibrary) {
            return LibraryViews.lastKey(iterator);
        }
        long[] offsets = RETURNED.get(iterator.getClass());
        Object node = offsets == null ? null : Refs.get(iterator, offsets[0]);
        return node == null ? null : Refs.get(node, offsets[1]);
    }

    /** Returns the map of an entry that writes through to it; null if it does not. */
    private static Object mapOf(Object entry) {
        long offset = MAP.get(entry.getClass());
        return offset < 0 ? LibraryViews.mapOf(entry) : Refs.get(entry, offset);
    }

    /** Returns the key of a map's result: a key, or an entry of the platform. */
    private static Object keyOf(Object result) {
        Object key = result == null ? null : LibraryViews.keyOf(result);
        if (key != null) {
            return key;
        }
        return result instanceof Map.Entry && result.getClass().getClassLoader() == null ? ((Map.Entry<?, ?>) result).getKey() : result;
    }

    /** Returns the key that an iterator has returned last, the map of an entry, or the key of a result; null if there is none. */
    static Object lookUp(Effect.Part what, Object o, ThreadState t) {
        try (Inside inside = t.inside()) {
            return what == Effect.Part.LAST ? lastKey(o) : what == Effect.Part.ENTRY ? mapOf(o) : keyOf(o);
        }
    }

    /** Before a call that looks at unknown keys of a map, or makes something that iterates over it or over a queue. */
    @DontInline
    static PendingOperation begin(Effect effect, ModelledObject map, ThreadState t, int site) {
        if (effect.kind == Effect.Kind.UNKNOWN) {
            return new Unknown(effect, t);
        }
        // An object that is no iteration has no steps.
        return effect.isStep() ? null : new Whole(effect, map, t, site);
    }

    /** Before a call of an iterator or stream over the map; null if its effect is unknown. */
    PendingOperation begin(ClassModel model, Effect effect, Object o, ThreadState t) {
        boolean isStep = effect.isStep();
        // It is unknown at which key another iterator looks, and how far a stream gets that can stop, unless its result says so.
        boolean isOther = effect.kind == Effect.Kind.READ && !model.isStream && !model.isNamed;
        if (effect.part == Effect.Part.SOME && effect.when == Effect.When.ALWAYS) {
            Session.unseen(Unseen.PARTS);
            return null;
        }
        if (isOther || isStep && !begins(t)) {
            return null;
        }
        if (effect.part == Effect.Part.LAST) {
            return last(effect, o, t);
        }
        if (effect.kind == Effect.Kind.VIEW) {
            return new ObjectTable.View(effect, this, t, 0);
        }
        return isStep || effect.kind == Effect.Kind.READ ? new Step(effect, o, t) : null;
    }

    /** Before a call that removes what the iterator has returned last, if that is still there, or at least looks at it; null if there is nothing. */
    private PendingOperation last(Effect effect, Object iterator, ThreadState t) {
        if (isOfQueue) {
            return isUntouched(t) ? new Removal(effect, Access.ofPart(effect, map, map.taken().of(t), t), t) : null;
        }
        Object key = lookUp(Effect.Part.LAST, iterator, t);
        if (key == null) {
            return null;
        }
        Access result = Access.ofPart(effect, map, map.of(key, t), t);
        if (effect.kind == Effect.Kind.READ) {
            return result;
        }
        result.counted = Access.ofPart(Effect.COUNT, map, map.added().of(t), t);
        return new Removals.Call(effect, result, t);
    }

    /** Whether only the iterator itself has taken something out of the queue since it reached what it has returned last: then that is still there. */
    private boolean isUntouched(ThreadState t) {
        for (ModelledObject.Part part : map.taken().all(t)) {
            if (part.written > stepped && part.written != removed) {
                return false;
            }
        }
        return true;
    }

    /** A call that removes what an iterator over a queue has returned last. */
    private final class Removal extends PendingOperation {
        private final Access access;

        Removal(Effect effect, Access access, ThreadState t) {
            super(effect, t);
            this.access = access;
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            access.end(isSo, isCounted, result, t, site);
            removed = map.taken().of(t).written;
        }
    }

    /** A call of an iterator or stream over the map: a step, the question whether there is more, or a traversal of the rest. */
    private final class Step extends PendingOperation {
        private final Object iterator;

        Step(Effect effect, Object iterator, ThreadState t) {
            super(effect, t);
            this.iterator = iterator;
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            boolean isStep = effect.kind == Effect.Kind.STEP;
            t.call.begin(t);
            if (effect.kind == Effect.Kind.SPLIT) {
                if (result != null) {
                    isPart = true;
                    Session.unseen(Unseen.PARTS);
                }
            } else if (isStep && isSo) {
                t.settle();
                step(iterator, isOfQueue ? null : lookUp(Effect.Part.LAST, iterator, t), t, site);
            } else if (isStep || effect.kind == Effect.Kind.OVER && isSo) {
                t.settle();
                over(t, site);
            } else if (effect.kind == Effect.Kind.READ && (isSo || effect.part != Effect.Part.SOME)) {
                t.settle();
                readAll(t, site);
            } else if (effect.kind == Effect.Kind.READ) {
                Session.unseen(Unseen.STOPPED);
            }
            t.call.merge(t);
            t.call.end(t);
        }
    }

    /** A call that looks at keys which are unknown when it begins, or makes an iterator or stream over them. */
    private static final class Whole extends PendingOperation {
        private final ModelledObject map;
        /** The time of the map when the call began. */
        private final long since;
        /** The call's access to the thread's part of the number of keys, or null. */
        private final Access counted;

        Whole(Effect effect, ModelledObject map, ThreadState t, int site) {
            super(effect, t);
            this.map = map;
            this.site = site;
            since = map.now();
            counted = effect.counts != null ? Access.ofPart(Effect.COUNT, map, map.added().of(t), t) : null;
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            boolean followsMore = followsMore(t);
            t.call.begin(t);
            if (isCounted) {
                // First, because the thread reads its own part, too.
                counted.endWrite(followsMore, t, site + 1);
            }
            if (effect.kind == Effect.Kind.ITERATE) {
                if (result != null) {
                    ObjectTable.view(result, new Iteration(map, effect.part == Effect.Part.QUEUE, since, taken(), result, t), t);
                }
            } else if (effect.part == Effect.Part.RESULT) {
                t.settle();
                readOne(map, lookUp(Effect.Part.RESULT, result, t), since, followsMore, t, site);
            } else if (isSo || effect.kind == Effect.Kind.UPDATE) {
                t.settle();
                readAll(map, since, followsMore, t, site);
                if (effect.kind == Effect.Kind.UPDATE && isSo) {
                    Session.unseen(Unseen.CHANGES);
                }
            } else if (effect.kind == Effect.Kind.READ) {
                Session.unseen(Unseen.STOPPED);
            }
            t.call.merge(t);
            t.call.end(t);
        }
    }

    /** A call with an unknown effect, which is counted if it returns. */
    private static final class Unknown extends PendingOperation {
        Unknown(Effect effect, ThreadState t) {
            super(effect, t);
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            Session.unseen(Unseen.ENTRIES);
        }
    }

    /** Before a step. Returns false if threads share the iterator: it is unknown which of them has looked ahead. */
    boolean begins(ThreadState t) {
        if (t != owner) {
            Session.unseen(Unseen.SHARED_ITERATORS);
            isPart = true;
            return false;
        }
        begun = map.now();
        takenBefore = t.taken;
        return true;
    }

    /** After a step that has returned something of this key, or null if that is unknown or there are none. */
    void step(Object iterator, Object key, ThreadState t, int site) {
        boolean followsMore = t.taken != taken;
        boolean hasRunCode = t.taken != takenBefore;
        ModelledObject.Part part = key == null ? null : map.ofFew(key, t);
        if (part != null) {
            boolean isReplaced = part.written > made && part.written <= since;
            read(map, part, isReplaced && isLive(iterator, t) ? since : made, followsMore, t, site);
        }
        if (!hasBegun) {
            look(false, followsMore, t, site);
        }
        hasBegun = true;
        stepped = since;
        since = begun;
        // What the step depends on was there when it began, so it precedes what the step has looked ahead for.
        taken = hasRunCode ? takenBefore : t.taken;
    }

    private static boolean isLive(Object iterator, ThreadState t) {
        try (Inside inside = t.inside()) {
            return LiveNodes.isOne(iterator);
        }
    }

    /** After the call that has found the end. */
    void over(ThreadState t, int site) {
        hasBegun = true;
        look(true, t.taken != taken, t, site);
    }

    /** Reads the whole; a queue only if the end was found. */
    private void look(boolean isOver, boolean followsMore, ThreadState t, int site) {
        if (isPart) {
            return;
        }
        if (isOfQueue) {
            Queues.look(map, isOver, since, followsMore, t, site);
        } else {
            readKeySet(map, canBeLate ? made : since, followsMore, t, site);
        }
    }

    /** After a call that has looked at every key of the rest. They are known if the rest is all. */
    void readAll(ThreadState t, int site) {
        if (isOfQueue || hasBegun || isPart) {
            over(t, site);
        } else {
            hasBegun = true;
            readAll(map, since, t.taken != taken, t, site);
        }
    }

    /** After a call that has looked at every key of a map, and began at this time of it. */
    static void readAll(ModelledObject map, long since, boolean followsMore, ThreadState t, int site) {
        for (ModelledObject.Part part : map.keyParts(t)) {
            read(map, part, since, followsMore, t, site);
        }
        readKeySet(map, since, followsMore, t, site);
    }

    /** After a call that has found this key, or none if that is null, and depends on which others there are. */
    static void readOne(ModelledObject map, Object key, long since, boolean followsMore, ThreadState t, int site) {
        ModelledObject.Part part = key == null ? null : map.ofFew(key, t);
        if (part != null) {
            read(map, part, since, followsMore, t, site);
        }
        readKeySet(map, since, followsMore, t, site);
    }

    private static void readKeySet(ModelledObject map, long since, boolean followsMore, ThreadState t, int site) {
        readParts(map, map.added(), since, followsMore, t, site);
    }

    /**
     * After a call that has looked at what all threads have changed, and began at this time of the receiver: a part that was made meanwhile is read,
     * too.
     */
    static void readParts(ModelledObject receiver, ThreadParts parts, long since, boolean followsMore, ThreadState t, int site) {
        int from = 0;
        for (ThreadParts.ThreadPart[] all = parts.all(t); from < all.length; all = parts.all(t)) {
            for (; from < all.length; from++) {
                read(receiver, all[from], since, followsMore, t, site);
            }
        }
    }

    /** Records a read that began at this time of the map, unless another thread has written the variable since. */
    static void read(ModelledObject map, ModelledObject.Part part, long since, boolean followsMore, ThreadState t, int site) {
        Access.name(map, part, Protocol.written(part.shadow, 0), Protocol.read(part.shadow, 0), t);
        t.settle();
        if (Protocol.cover(part.shadow, 0, t) != 0) {
            t.call.add(part.shadow, 0, t, site, false);
            return;
        }
        if (Protocol.tryLock(part.shadow, 0, t)) {
            if (followsMore || part.written > since && Stamp.thread(Protocol.written(part.shadow, 0)) != t.number) {
                Access.overlapped(t);
                return;
            }
            Protocol.readLocked(part.shadow, 0, t, site);
            KeyCalls calls = part instanceof ModelledObject.Key ? ((ModelledObject.Key) part).calls() : null;
            if (calls != null) {
                calls.read(t.number);
            }
            t.call.add(part.shadow, 0, t, site, false);
            Hooks.unlockRead(t);
        }
    }
}
