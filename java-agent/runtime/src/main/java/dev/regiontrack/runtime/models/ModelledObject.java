package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.jdk.Handovers;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.shadows.Arrays;
import dev.regiontrack.runtime.shadows.Layout;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.shadows.Shadows;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReadWriteLock;
import jdk.internal.misc.Unsafe;

/**
 * The variables of an object of the platform's library: one for its state as a whole; one for each key of a concurrent map, for each thread's
 * part of what threads add to, for each element of an array of atomics.
 */
public final class ModelledObject {
    /** With more keys, the variables are dropped, and orders by them are lost. */
    private static final int MOST_KEYS = 65536;
    /**
     * With more unwritten keys that are known by their identity, an iteration leaves those out: each lookup with a fresh key adds one, and iterations
     * would take longer and longer.
     */
    private static final int MOST_LOOKED_FOR = 256;
    /** The number of parts of all objects that get a name. */
    private static final int MOST_NAMES = 1 << 16;
    private static int names;
    private static final Part[] NO_PARTS = {};

    /** The number of its type, for reports. */
    final int type;
    final Shadow whole;
    /**
     * Whether the results of overlapping calls tell their order: the map compares keys that are known by value as the agent does, without calling
     * code of the program.
     */
    final boolean tellsOrder;
    /** The number of calls that have begun that can change unknown keys, and of those that have ended. One that throws never ends. */
    private volatile int changesBegun;
    private volatile int changesEnded;
    /** Whether it compares keys by identity, or in an unknown way. */
    private final boolean isByIdentity;
    /** For a map in access order; otherwise null. */
    final Moves moves;
    /** Whether it is a lock that readers share, whose exclusive holder holds no monitor. */
    final boolean isOfReaders;
    /**
     * For such a lock: its exclusive holder, and how often it holds it. Changed by that thread only; others can see an older value, but no thread
     * wrongly sees itself there.
     */
    private ThreadState owner;
    private int holds;
    /** Where its elements are handed over; null until the first is. */
    private volatile Handovers.Place place;
    private volatile ConcurrentHashMap<Key, Key> keys;
    /** The keys that are known by their value or are written. Created before {@link #keys}. */
    private ConcurrentHashMap<Key, Key> lasting;
    /** For a map that a thread has iterated over: counts writes of its keys. */
    private volatile AtomicLong time;
    /** What threads add up. */
    private volatile ThreadParts added;
    /** For a queue: what threads have taken out. */
    private volatile ThreadParts taken;
    /** For an array of atomics: a variable for each element. */
    private volatile Shadow elements;
    /** For a handle or an updater. All threads find the same. */
    private volatile Target target;

    ModelledObject(Object o, ThreadState t) {
        ClassModel model = ClassModel.of(o.getClass());
        type = Layout.of(model.type).type;
        whole = Shadows.of(1, t.ids.next(type), null, 0);
        isOfReaders = o instanceof ReadWriteLock;
        isByIdentity = model.isOfLibrary && LibraryKeys.areByIdentity(o, t) || isOfIdentities(model, o);
        moves = model.canBeOrdered ? Moves.of(o) : null;
        tellsOrder = model.isMapOfThreads && Session.takesResults() && LibraryKeys.areOfPlatform(o);
    }

    /** Whether a set was made of an identity map, perhaps inside wrappers, in which two equal keys are two. */
    private static boolean isOfIdentities(ClassModel model, Object o) {
        Object inside = model.inside(o);
        return inside != null && (inside.getClass().getName().startsWith("java.util.IdentityHashMap") || isOfIdentities(ClassModel.of(inside.getClass()), inside));
    }

    /** The thread has taken the lock exclusively, once more. */
    void own(ThreadState t) {
        holds = owner == t ? holds + 1 : 1;
        owner = t;
    }

    /** The thread releases the lock once. */
    void disown(ThreadState t) {
        if (owner == t && --holds == 0) {
            owner = null;
        }
    }

    /** Whether the thread is known to hold the lock exclusively. */
    boolean isOwnedBy(ThreadState t) {
        return owner == t;
    }

    /** Returns the place where its elements are handed over. */
    Handovers.Place place() {
        Handovers.Place known = place;
        return known != null ? known : makePlace();
    }

    private synchronized Handovers.Place makePlace() {
        if (place == null) {
            place = new Handovers.Place(true);
        }
        return place;
    }

    /** A part that is a variable of its own. */
    static class Part {
        final Shadow shadow;
        private final String text;
        /** For a map: the time of the last write that an iteration must know, or 0. Guarded by the variable's lock. */
        long written;
        /**
         * Whether the reader of the records knows the part's name, or there were too many. Set after the name was given, which threads see in
         * this order.
         */
        private boolean isNamed;

        /** {@code text} is its name, or null. */
        Part(Shadow shadow, String text) {
            this.shadow = shadow;
            this.text = text;
        }

        boolean isNamed() {
            return isNamed;
        }

        /** Returns the name in reports. */
        String text() {
            return text;
        }
    }

    /** Names a part for the reader of the records, who has seen no dependency on it yet. */
    void name(Part part, ThreadState t) {
        try (Inside inside = t.inside()) {
            if (hasRoom()) {
                Session.part(part.shadow.id & Session.ID, whole.id & Session.ID, part.text());
            } else {
                Session.tolerated("names of keys, left out of the report because there were more than " + MOST_NAMES);
            }
            part.isNamed = true;
        }
    }

    private static synchronized boolean hasRoom() {
        if (names == MOST_NAMES) {
            return false;
        }
        names++;
        return true;
    }

    /** Before a call that can change unknown keys. */
    synchronized void beginChange() {
        changesBegun++;
    }

    /** After such a call. */
    synchronized void endChange() {
        changesEnded++;
    }

    /** Returns how many such calls have begun. */
    int changes() {
        return changesBegun;
    }

    /** Whether no such call has been in progress since {@code since} had begun. */
    boolean isUnchanged(int since) {
        return changesEnded == since && changesBegun == since;
    }

    /** Returns the variable of a key. */
    Part of(Object key, ThreadState t) {
        return find(key, true, t);
    }

    /** The same for an iteration, which would drop those of all other keys of a large map; null if there are too many. */
    Part ofFew(Object key, ThreadState t) {
        return find(key, false, t);
    }

    private Part find(Object key, boolean canDrop, ThreadState t) {
        try (Inside inside = t.inside()) {
            return findInside(key, canDrop, t);
        }
    }

    private Part findInside(Object key, boolean canDrop, ThreadState t) {
        ConcurrentHashMap<Key, Key> all = keys;
        if (all == null) {
            all = create();
        }
        Key found = t.wanted.in(all, key, isByIdentity);
        if (found != null) {
            return found;
        }
        if (all.size() >= MOST_KEYS) {
            Session.unseen(Unseen.DROPPED_KEYS);
            if (!canDrop) {
                return null;
            }
            all.clear();
            lasting.clear();
        }
        Key fresh = new Key(key, isByIdentity, Shadows.of(1, t.ids.next(type), null, 0));
        Key raced = all.putIfAbsent(fresh, fresh);
        if (raced == null && fresh.identity == null) {
            lasting.put(fresh, fresh);
        }
        return raced == null ? fresh : raced;
    }

    /** Returns the variables of the keys that were used, for an iteration. */
    Part[] keyParts(ThreadState t) {
        try (Inside inside = t.inside()) {
            ConcurrentHashMap<Key, Key> all = keys;
            if (all == null) {
                return NO_PARTS;
            }
            if (all.size() - lasting.size() > MOST_LOOKED_FOR) {
                Session.unseen(Unseen.LOOKED_FOR);
                all = lasting;
            }
            return all.values().toArray(NO_PARTS);
        }
    }

    /** Before a part is written: makes iterations that come afterwards look at it. */
    void lasts(Part part, ThreadState t) {
        if (part instanceof Key && !((Key) part).lasts) {
            Key key = (Key) part;
            try (Inside inside = t.inside()) {
                lasting.put(key, key);
                key.lasts = true;
            }
        }
    }

    /** Returns the time of the map: the number of writes of keys since a thread first iterated over it. */
    long now() {
        AtomicLong known = time;
        return (known != null ? known : begin()).get();
    }

    /** Whether a thread has iterated over it. */
    boolean isIterated() {
        return time != null;
    }

    private synchronized AtomicLong begin() {
        if (time == null) {
            time = new AtomicLong();
        }
        return time;
    }

    /**
     * After a write of a part, while its variable is locked. A thread that finds no time here has written before any iteration: locking orders its
     * write before its look.
     */
    void writes(Part part) {
        AtomicLong known = time;
        if (known != null) {
            part.written = known.incrementAndGet();
        }
    }

    /** Returns what threads add up: to a sum, to the number of keys, to a queue. */
    ThreadParts added() {
        ThreadParts known = added;
        return known != null ? known : makeAdded();
    }

    private synchronized ThreadParts makeAdded() {
        if (added == null) {
            added = new ThreadParts(type, "");
        }
        return added;
    }

    /** Returns what threads have taken out of a queue. */
    ThreadParts taken() {
        ThreadParts known = taken;
        return known != null ? known : makeTaken();
    }

    private synchronized ThreadParts makeTaken() {
        if (taken == null) {
            taken = new ThreadParts(type, " taken");
        }
        return taken;
    }

    /** Returns the shadow that has the variable of an element; null if there is none. {@code o} is the receiver. */
    Shadow element(Object o, long index, ThreadState t) {
        int length = o instanceof AtomicIntegerArray ? ((AtomicIntegerArray) o).length() : o instanceof AtomicLongArray ? ((AtomicLongArray) o).length()
            : o instanceof AtomicReferenceArray ? ((AtomicReferenceArray<?>) o).length() : 0;
        if (index < 0 || index >= length) {
            return null;
        }
        Shadow all = elements;
        return (all != null ? all : create(length, t)).piece((int) index);
    }

    private synchronized Shadow create(int length, ThreadState t) {
        if (elements == null) {
            elements = Arrays.elements(t.ids.next(type), length);
        }
        return elements;
    }

    /** Returns what the receiver gives access to. */
    Target target(Object o, ThreadState t) {
        if (target == null) {
            try (Inside inside = t.inside()) {
                target = Target.of(o);
            }
        }
        return target;
    }

    private synchronized ConcurrentHashMap<Key, Key> create() {
        if (keys == null) {
            lasting = new ConcurrentHashMap<>();
            keys = new ConcurrentHashMap<>();
        }
        return keys;
    }

    /**
     * Whether what is equal to the object cannot change; otherwise a key is known by its identity. Uses no set of classes: that would be a call of
     * the platform in hooks.
     */
    static boolean isByValue(Object key) {
        Class<?> c = key.getClass();
        boolean isNumber = c == Integer.class || c == Long.class || c == Short.class || c == Byte.class || c == Float.class || c == Double.class;
        return c == String.class || isNumber || c == Character.class || c == Boolean.class || c == UUID.class || c == Class.class || key instanceof Enum;
    }

    /** Whether both are one key. */
    boolean isSame(Object one, Object other) {
        return one == other || !isByIdentity && isByValue(one) && one.equals(other);
    }

    private static int hash(Object key, boolean isByValue) {
        return isByValue ? key.hashCode() : System.identityHashCode(key);
    }

    /** What a thread looks for among the keys. Reused, so that a lookup allocates nothing. */
    public static final class Wanted {
        private Object key;
        private boolean isByValue;
        private int hash;

        /** The thread is inside the agent meanwhile, and only the platform is called, so no nested lookup changes the key. */
        private Key in(ConcurrentHashMap<Key, Key> keys, Object wanted, boolean isByIdentity) {
            key = wanted;
            isByValue = !isByIdentity && isByValue(wanted);
            hash = hash(wanted, isByValue);
            Key found = keys.get(this);
            key = null;
            return found;
        }

        @Override
        public int hashCode() {
            return hash;
        }

        /** The map compares what is wanted with what it has, never the other way round. */
        @Override
        public boolean equals(Object o) {
            return o instanceof Key && ((Key) o).is(key, isByValue);
        }
    }

    /** A key: its value, or its identity, which does not keep it alive. */
    static final class Key extends Part {
        private static final Unsafe U = Memory.U;
        private static final long USER = U.objectFieldOffset(Key.class, "user");
        private final int hash;
        private final Object value;
        private final WeakReference<Object> identity;
        /** Whether it is among those that last. A thread that does not see this puts it there again. */
        private boolean lasts;
        /** The number of the first thread that has used it; 0 before. */
        private volatile int user;
        /** Its calls, once another thread has used it, too. */
        private volatile KeyCalls calls;

        /** Returns the calls of the key; null as long as this thread alone uses it. */
        KeyCalls calls(ThreadState t) {
            KeyCalls known = calls;
            if (known != null) {
                return known;
            }
            int first = user;
            if (first == t.number || first == 0 && U.compareAndSetInt(this, USER, 0, t.number)) {
                return null;
            }
            return share();
        }

        private synchronized KeyCalls share() {
            if (calls == null) {
                calls = new KeyCalls(user);
            }
            return calls;
        }

        /** The same; null if one thread alone has used it so far. */
        KeyCalls calls() {
            return calls;
        }

        /** Whether it is known by its value. */
        boolean hasValue() {
            return value != null;
        }

        Key(Object key, boolean isByIdentity, Shadow shadow) {
            super(shadow, null);
            boolean isByValue = !isByIdentity && isByValue(key);
            hash = hash(key, isByValue);
            value = isByValue ? key : null;
            identity = isByValue ? null : new WeakReference<>(key);
            lasts = isByValue;
        }

        boolean is(Object key, boolean isByValue) {
            return isByValue ? key.equals(value) : identity != null && identity.get() == key;
        }

        @Override
        String text() {
            boolean isShown = value != null && Session.showsKeys();
            return "key " + (isShown ? KeyText.of(value) : KeyText.ofOther(value != null ? value : identity.get(), shadow.id & Session.ID));
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object o) {
            if (this == o || !(o instanceof Key)) {
                return this == o;
            }
            Object mine = value != null ? value : identity.get();
            return mine != null && ((Key) o).is(mine, value != null);
        }
    }
}
