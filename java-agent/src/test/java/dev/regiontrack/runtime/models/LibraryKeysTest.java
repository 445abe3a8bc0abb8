package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.ForwardingConcurrentMap;
import com.google.common.collect.MapMaker;
import com.google.common.util.concurrent.AtomicLongMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.Test;

/** Which caches and maps of libraries treat equal keys as one. */
public class LibraryKeysTest {
    private static void assertAreByValue(boolean expected, Object... objects) {
        for (Object o : objects) {
            assertTrue(o.getClass().getName(), LibraryKeys.isOfLibrary(o.getClass()));
            assertEquals(o.getClass().getName(), expected, LibraryKeys.areByValue(o));
        }
    }

    private static void assertAreByValue(boolean expected, com.github.benmanes.caffeine.cache.Cache<String, String> cache) {
        // The question: whether an equal key is found.
        String key = new String("k");
        cache.put(key, "v");
        assertEquals(expected, cache.getIfPresent(new String("k")) != null);
        assertAreByValue(expected, cache, cache.asMap());
    }

    private static void assertAreByValue(boolean expected, AsyncCache<String, String> cache) {
        assertAreByValue(expected, cache, cache.asMap(), cache.synchronous().asMap());
        assertAreByValue(expected, cache.synchronous());
    }

    private static void assertAreByValue(boolean expected, com.google.common.cache.Cache<String, String> cache) {
        String key = new String("k");
        cache.put(key, "v");
        assertEquals(expected, cache.getIfPresent(new String("k")) != null);
        assertAreByValue(expected, cache, cache.asMap());
    }

    private static void assertAreByValue(boolean expected, ConcurrentMap<String, String> map) {
        String key = new String("k");
        map.put(key, "v");
        assertEquals(expected, map.get(new String("k")) != null);
        assertAreByValue(expected, new Object[] {map});
    }

    @Test
    public void caches_and_maps_with_strong_keys_compare_by_value() {
        assertAreByValue(true, Caffeine.newBuilder().build());
        assertAreByValue(true, Caffeine.newBuilder().build(key -> key));
        assertAreByValue(true, Caffeine.newBuilder().maximumSize(10).build());
        assertAreByValue(true, Caffeine.newBuilder().weakValues().build(key -> key));
        assertAreByValue(true, Caffeine.newBuilder().buildAsync());
        assertAreByValue(true, Caffeine.newBuilder().<String, String>buildAsync(key -> key));
        assertAreByValue(true, Caffeine.newBuilder().maximumSize(10).buildAsync());
        assertAreByValue(true, Caffeine.newBuilder().maximumSize(10).<String, String>buildAsync(key -> key));
        assertAreByValue(true, CacheBuilder.newBuilder().build());
        assertAreByValue(true, CacheBuilder.newBuilder().weakValues().build(CacheLoader.from(key -> key)));
        assertAreByValue(true, new MapMaker().weakValues().makeMap());
        assertAreByValue(true, ConcurrentHashMultiset.create(), AtomicLongMap.create());
    }

    @Test
    public void caches_and_maps_with_weak_keys_compare_by_identity() {
        assertAreByValue(false, Caffeine.newBuilder().weakKeys().build());
        assertAreByValue(false, Caffeine.newBuilder().weakKeys().maximumSize(10).build(key -> key));
        assertAreByValue(false, Caffeine.newBuilder().weakKeys().buildAsync());
        assertAreByValue(false, Caffeine.newBuilder().weakKeys().<String, String>buildAsync(key -> key));
        assertAreByValue(false, CacheBuilder.newBuilder().weakKeys().build());
        assertAreByValue(false, CacheBuilder.newBuilder().weakKeys().build(CacheLoader.from(key -> key)));
        assertAreByValue(false, new MapMaker().weakKeys().makeMap());
        assertAreByValue(false, new MapMaker().weakKeys().weakValues().makeMap());
        ConcurrentMap<String, Integer> weak = new MapMaker().weakKeys().makeMap();
        assertAreByValue(false, new Object[] {weak});
    }

    /** A map of the program that delegates to a library's map. */
    private static class Own extends ForwardingConcurrentMap<String, String> {
        @Override
        protected ConcurrentMap<String, String> delegate() {
            throw new AssertionError("code of the program");
        }

        @Override
        public String toString() {
            throw new AssertionError("code of the program");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("code of the program");
        }

        @Override
        public boolean equals(Object o) {
            throw new AssertionError("code of the program");
        }
    }

    @Test
    public void of_what_the_program_implements_it_is_not_known_and_not_asked() {
        assertAreByValue(false, new Object[] {new Own()});
    }

    @Test
    public void maps_that_belong_to_no_library_are_none_of_these() {
        assertFalse(LibraryKeys.isOfLibrary(ConcurrentHashMap.class));
        assertFalse(LibraryKeys.isOfLibrary(new ConcurrentHashMap<>(Map.of()) {
            private static final long serialVersionUID = 1;
        }.getClass()));
    }
}
