package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bodies.Platform;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import jdk.internal.vm.annotation.DontInline;

/**
 * Finds how the caches and maps of libraries compare keys. One with weak keys compares by identity: taking equal strings for one key would invent
 * orders. Unless it is known to compare by value, it counts as comparing by identity, which takes no two keys for one.
 */
final class LibraryKeys {
    private static final String GUAVA = "com.google.common.";
    private static final String CAFFEINE = "com.github.benmanes.caffeine.cache.";
    private static final String BOUNDED = CAFFEINE + "BoundedLocalCache";
    private static final String UNBOUNDED = CAFFEINE + "UnboundedLocalCache";
    /** By class: the field with the object that gets the keys, or that compares them. */
    private static final Map<String, String> FIELDS = Map.ofEntries(Map.entry(GUAVA + "cache.LocalCache$LocalManualCache", "localCache"),
        Map.entry(GUAVA + "cache.LocalCache", "keyEquivalence"), Map.entry(GUAVA + "cache.LocalCache$Segment", "map"), Map.entry(GUAVA + "collect.MapMakerInternalMap", "keyEquivalence"),
        Map.entry(GUAVA + "collect.ConcurrentHashMultiset", "countMap"), Map.entry(GUAVA + "util.concurrent.AtomicLongMap", "map"),
        Map.entry(BOUNDED + "$BoundedLocalManualCache", "cache"), Map.entry(UNBOUNDED + "$UnboundedLocalManualCache", "cache"),
        Map.entry(BOUNDED + "$BoundedLocalAsyncCache", "cache"), Map.entry(UNBOUNDED + "$UnboundedLocalAsyncCache", "cache"),
        Map.entry(BOUNDED + "$BoundedLocalAsyncLoadingCache", "cache"), Map.entry(UNBOUNDED + "$UnboundedLocalAsyncLoadingCache", "cache"),
        Map.entry(CAFFEINE + "LocalAsyncCache$CacheView", "asyncCache"), Map.entry(CAFFEINE + "LocalAsyncLoadingCache$LoadingCacheView", "asyncCache"),
        Map.entry(CAFFEINE + "LocalAsyncCache$AsyncAsMapView", "asyncCache"), Map.entry(CAFFEINE + "LocalAsyncCache$AsMapView", "delegate"));

    /** By class: the offset of that field, or -1. */
    private static final ClassValue<Long> OFFSETS = new ClassValue<Long>() {
        @Override
        protected Long computeValue(Class<?> type) {
            return offset(type);
        }
    };
    private static final ClassValue<Boolean> CACHES = new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isCache(type);
        }
    };

    private LibraryKeys() {
    }

    /** Whether an object of such a library compares keys by identity, or in an unknown way. */
    @DontInline
    static boolean areByIdentity(Object o, ThreadState t) {
        try (Inside inside = t.inside()) {
            return !areByValue(o);
        }
    }

    /** Whether a concurrent map or set of the platform ({@link ClassModel#isMapOfThreads}) has no comparator of the program. */
    static boolean areOfPlatform(Object o) {
        if (o instanceof ConcurrentHashMap) {
            return true;
        }
        try (Inside inside = Platform.inside()) {
            Object comparator = o instanceof ConcurrentSkipListMap ? ((ConcurrentSkipListMap<?, ?>) o).comparator() : ((ConcurrentSkipListSet<?>) o).comparator();
            return comparator == null;
        }
    }

    /** Whether an object of such a library is known to compare keys by value. Calls no method of the object or of what it refers to. */
    static boolean areByValue(Object o) {
        Object at = o;
        while (at != null && !ClassModel.isPlatform(at.getClass()) && !comparesByValue(at.getClass())) {
            at = next(at);
        }
        return at != null;
    }

    /** Returns the cache that an object is, or is a part of, or passes calls on to; null if that is unknown. */
    static Object cache(Object o, ThreadState t) {
        try (Inside inside = t.inside()) {
            Object at = o;
            while (at != null && !CACHES.get(at.getClass())) {
                at = next(at);
            }
            return at;
        }
    }

    private static boolean isCache(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            String name = c.getName();
            if (name.equals(GUAVA + "cache.LocalCache") || name.equals(BOUNDED) || name.equals(UNBOUNDED)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the object to which this one passes keys on; null if that is unknown. */
    private static Object next(Object o) {
        long offset = OFFSETS.get(o.getClass());
        return offset < 0 ? null : Refs.get(o, offset);
    }

    private static Long offset(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            String field = FIELDS.get(c.getName());
            if (field != null) {
                return offset(c, field);
            }
        }
        return -1L;
    }

    private static Long offset(Class<?> c, String field) {
        try {
            Field found = c.getDeclaredField(field);
            boolean isReference = !Modifier.isStatic(found.getModifiers()) && !found.getType().isPrimitive();
            return isReference ? Memory.U.objectFieldOffset(found) : -1L;
        } catch (NoSuchFieldException | LinkageError | RuntimeException e) {
            // The library has another version, a type is missing, or a security manager is in the way.
            return -1L;
        }
    }

    /** Caffeine generates the class of a bounded cache; its name begins with S for strong keys. A cache without bounds has strong keys. */
    private static boolean comparesByValue(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            String name = c.getName();
            if (name.equals(UNBOUNDED) || name.equals(GUAVA + "base.Equivalence$Equals")) {
                return true;
            }
            if (name.equals(BOUNDED)) {
                return type.getName().startsWith(CAFFEINE + 'S');
            }
        }
        return false;
    }

    /** Whether the class is one of such a library, or extends or implements one. */
    static boolean isOfLibrary(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getName().startsWith(GUAVA) || c.getName().startsWith(CAFFEINE)) {
                return true;
            }
            for (Class<?> i : c.getInterfaces()) {
                if (isOfLibrary(i)) {
                    return true;
                }
            }
        }
        return false;
    }
}
