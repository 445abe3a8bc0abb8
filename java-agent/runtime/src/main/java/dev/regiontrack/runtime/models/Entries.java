package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * The entry sets that a thread has last got from maps that are one variable each, to find an entry's map: the entry has no reference to it.
 *
 * <p>An entry belongs to a map if it is found there, by identity, where the map's own fields say that it must be. That runs no code of the program. A
 * removed entry is not found, and its use concerns no map. So it does not matter where the thread got the entry: from an iterator, a stream, or as an
 * argument of a lambda or a method.
 *
 * <p>Entries of a map can be missed if another thread has got its entry set, or if this thread got many others since.
 */
public final class Entries {
    private static final Unsafe U = Memory.U;
    private static final String CALLS = "calls of entries";
    /** Maps inside a map have sets of their own, which take up slots. */
    private static final int MOST = 8;
    /** No tree is deeper, and no table has longer chains, unless threads change them without synchronization. */
    private static final int DEEPEST = 1 << 10;
    private static final ClassValue<Place> PLACES = new ClassValue<Place>() {
        @Override
        protected Place computeValue(Class<?> c) {
            for (Class<?> k = c; k != null; k = k.getSuperclass()) {
                switch (k.getName()) {
                    case "java.util.HashMap$Node": case "java.util.Hashtable$Entry": case "java.util.WeakHashMap$Entry": return Place.of(k, "table", "hash", "next");
                    case "java.util.TreeMap$Entry": return Place.of(k, "root", "parent", null);
                    case "java.util.IdentityHashMap$EntryIterator$Entry": case "java.util.EnumMap$EntryIterator$Entry": return Place.of(k);
                    default:
                }
            }
            return Place.UNKNOWN;
        }
    };
    /** By class of an entry set: the offset of its map; by class of a part of a map: the offset of the map. Otherwise 0. */
    private static final ClassValue<Long> OWNERS = new ClassValue<Long>() {
        @Override
        protected Long computeValue(Class<?> c) {
            for (Class<?> k = c; k != null; k = k.getSuperclass()) {
                switch (k.getName()) {
                    case "java.util.HashMap$EntrySet": case "java.util.LinkedHashMap$LinkedEntrySet": case "java.util.TreeMap$EntrySet":
                    case "java.util.TreeMap$NavigableSubMap$EntrySetView": case "java.util.Hashtable$EntrySet": case "java.util.WeakHashMap$EntrySet":
                    case "java.util.IdentityHashMap$EntrySet": case "java.util.EnumMap$EntrySet": return Fields.offset(k, "this$0", CALLS);
                    case "java.util.TreeMap$NavigableSubMap": return Fields.offset(k, "m", CALLS);
                    default:
                }
            }
            return 0L;
        }
    };

    private final WeakTable.Entry[] sets = new WeakTable.Entry[MOST];

    /** Where a map keeps entries of a class. */
    private static final class Place {
        static final Place UNKNOWN = new Place(null, 0, 0, 0);
        private final Class<?> map;
        /** In the map: the offset of its table, or of the root of its tree. */
        private final long start;
        /** In an entry: the offset of its hash, or of its parent in a tree; for one that an iterator has made, that of the iterator. */
        private final long at;
        /** In an entry of a table: the offset of the next one in the chain. */
        private final long next;

        private Place(Class<?> map, long start, long at, long next) {
            this.map = map;
            this.start = start;
            this.at = at;
            this.next = next;
        }

        private static Class<?> map(Class<?> entry) {
            try {
                return Class.forName(entry.getName().substring(0, entry.getName().indexOf('$')), false, null);
            } catch (ClassNotFoundException e) {
                throw new NoClassDefFoundError(entry.getName());
            }
        }

        static Place of(Class<?> entry, String start, String at, String next) {
            Place place = new Place(map(entry), Fields.offset(map(entry), start, CALLS), Fields.offset(entry, at, CALLS), next == null ? 0 : Fields.offset(entry, next, CALLS));
            return place.start == 0 || place.at == 0 || next != null && place.next == 0 ? UNKNOWN : place;
        }

        /** For entries that an iterator makes, which throw an exception if the map's entry is gone. */
        static Place of(Class<?> entry) {
            long iterator = Fields.offset(entry, "this$1", CALLS);
            long owner = Fields.offset(entry.getDeclaringClass().getSuperclass(), "this$0", CALLS);
            return iterator == 0 || owner == 0 ? UNKNOWN : new Place(map(entry), 0, iterator, owner);
        }

        boolean has(Object of, Object entry) {
            if (map == null || !map.isInstance(of)) {
                return false;
            }
            if (start == 0) {
                return Refs.get(Refs.get(entry, at), next) == of;
            }
            Object from = Refs.get(of, start);
            return next == 0 ? isBelow(from, entry) : from != null && isIn((Object[]) from, entry);
        }

        private boolean isBelow(Object root, Object entry) {
            Object o = entry;
            for (int i = 0; o != null && o != root && i < DEEPEST; i++) {
                o = Refs.get(o, at);
            }
            return o != null && o == root;
        }

        private boolean isIn(Object[] table, Object entry) {
            // All table lengths except Hashtable's are powers of two.
            Object o = table.length == 0 ? null : table[(U.getInt(entry, at) & Integer.MAX_VALUE) % table.length];
            for (int i = 0; o != null && o != entry && i < DEEPEST; i++) {
                o = Refs.get(o, next);
            }
            return o == entry;
        }
    }

    /** A call has returned this set; {@code entry} is its entry in the table. */
    void note(Object set, WeakTable.Entry entry, ThreadState t) {
        if (sets[0] == entry || !(entry.value instanceof ModelledObject)) {
            return;
        }
        try (Inside inside = t.inside()) {
            if (mapOf(set) == null) {
                return;
            }
        }
        toFront(entry);
    }

    private void toFront(WeakTable.Entry entry) {
        int at = 0;
        while (at < MOST - 1 && sets[at] != entry) {
            at++;
        }
        System.arraycopy(sets, 0, sets, 1, at);
        sets[0] = entry;
    }

    /** Returns the map of an entry set, where the entries are; null if it is unknown. */
    private static Object mapOf(Object set) {
        Object of = set;
        for (Object next = set; next != null; next = ClassModel.of(next.getClass()).inside(next)) {
            of = next;
        }
        for (long owner = OWNERS.get(of.getClass()); owner != 0; owner = OWNERS.get(of.getClass())) {
            of = Refs.get(of, owner);
        }
        return of == set ? null : of;
    }

    /** Before a call of an entry; null if its map is unknown, or nothing would be recorded. */
    @DontInline
    PendingOperation begin(Effect effect, Object entry, ThreadState t, int site) {
        for (int i = 0; i < MOST && sets[i] != null; i++) {
            WeakTable.Entry known = sets[i];
            Object set = known.get();
            Object map = set == null ? null : owner(set, entry, t);
            if (map != null) {
                toFront(known);
                ModelledObject of = (ModelledObject) known.value;
                return Access.isCovered(effect, of.whole, 0, t) ? null : new Use(new Access(effect, of, of.whole, 0, t), map, entry, t, site);
            }
        }
        return null;
    }

    /** Returns the map of a set, if the entry is in it. */
    private static Object owner(Object set, Object entry, ThreadState t) {
        try (Inside inside = t.inside()) {
            Object map = mapOf(set);
            return PLACES.get(entry.getClass()).has(map, entry) ? map : null;
        }
    }

    /** A call of an entry, which is an access to its map if the entry is there all the time. */
    private static final class Use extends PendingOperation {
        private final Access access;
        private final Object map;
        private final Object entry;

        Use(Access access, Object map, Object entry, ThreadState t, int site) {
            super(access.effect, t);
            this.access = access;
            this.map = map;
            this.entry = entry;
            this.site = site;
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            if (has(t)) {
                access.end(isSo, isCounted, result, t, site);
            }
        }

        private boolean has(ThreadState t) {
            try (Inside inside = t.inside()) {
                return PLACES.get(entry.getClass()).has(map, entry);
            }
        }
    }
}
