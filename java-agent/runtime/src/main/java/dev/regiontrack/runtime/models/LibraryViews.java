package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import java.util.Map;

/**
 * Reads the views of the maps of libraries: which key an iterator has returned last, and the map and key of an entry. Calls none of their methods. If
 * a version of the library has no such field, nothing is known.
 */
final class LibraryViews {
    private static final String GUAVA = "com.google.common.cache.LocalCache$";
    private static final String MAP_MAKER = "com.google.common.collect.MapMakerInternalMap$";
    private static final String CAFFEINE = "com.github.benmanes.caffeine.cache.";
    private static final String BOUNDED = CAFFEINE + "BoundedLocalCache$";
    private static final String UNBOUNDED = CAFFEINE + "UnboundedLocalCache$";
    /** By class of an iterator: the field with the holder of the key. */
    private static final ClassValue<Long> LAST = offsets(Map.of(GUAVA + "HashIterator", "lastReturned", MAP_MAKER + "HashIterator", "lastReturned",
        BOUNDED + "KeyIterator", "iterator", BOUNDED + "ValueIterator", "iterator", UNBOUNDED + "EntryIterator", "entry", UNBOUNDED + "ValuesIterator", "entry"));
    /** By class of an entry, or of an iterator that has the key itself: the field with the key. */
    private static final ClassValue<Long> KEY = offsets(Map.of(GUAVA + "WriteThroughEntry", "key", MAP_MAKER + "WriteThroughEntry", "key",
        BOUNDED + "EntryIterator", "removalKey", UNBOUNDED + "KeyIterator", "current", "java.util.concurrent.ConcurrentHashMap$MapEntry", "key",
        "java.util.AbstractMap$SimpleEntry", "key"));
    /** By class of an entry: the field with the map. */
    private static final ClassValue<Long> MAP = offsets(Map.of(GUAVA + "WriteThroughEntry", "this$0", MAP_MAKER + "WriteThroughEntry", "this$0",
        CAFFEINE + "WriteThroughEntry", "map"));

    private LibraryViews() {
    }

    /** Returns the offset of the field of a class or a superclass, or -1. */
    static ClassValue<Long> offsets(Map<String, String> fields) {
        return new ClassValue<Long>() {
            @Override
            protected Long computeValue(Class<?> type) {
                for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                    String field = fields.get(c.getName());
                    if (field != null) {
                        return offset(c, field);
                    }
                }
                return -1L;
            }
        };
    }

    private static Long offset(Class<?> c, String field) {
        try {
            return Memory.U.objectFieldOffset(c, field);
        } catch (InternalError e) {
            return -1L;
        }
    }

    /** Returns what that field of an object refers to; null if it has none. */
    static Object get(Object o, ClassValue<Long> field) {
        long offset = field.get(o.getClass());
        return offset < 0 ? null : Refs.get(o, offset);
    }

    /** Returns the key that an iterator of a library has returned last; null if there is none, or it is unknown. */
    static Object lastKey(Object iterator) {
        boolean hasKey = LAST.get(iterator.getClass()) < 0;
        Object last = hasKey ? iterator : get(iterator, LAST);
        return last == null ? null : get(last, KEY);
    }

    /** Returns the map of an entry of a library that writes through to it; null if it does not. */
    static Object mapOf(Object entry) {
        return get(entry, MAP);
    }

    /** Returns the key of such an entry; otherwise null. */
    static Object keyOf(Object entry) {
        return MAP.get(entry.getClass()) < 0 ? null : get(entry, KEY);
    }
}
