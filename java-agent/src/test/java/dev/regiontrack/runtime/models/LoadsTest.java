package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Which call of a cache has loaded its key. */
public class LoadsTest {
    private final Object cache = new Object();
    private final String key = new String("k");

    @Test
    public void a_load_of_the_key_during_the_call_is_its_own() {
        Loads load = new Loads(cache, key, 0);
        assertTrue(Loads.isOf(load, null, cache, key));
        assertTrue(Loads.isOf(load, new Loads(cache, key, 0), cache, key));
    }

    @Test
    public void a_load_before_the_call_is_not() {
        Loads load = new Loads(cache, key, 0);
        assertFalse(Loads.isOf(load, load, cache, key));
        assertFalse(Loads.isOf(null, null, cache, key));
    }

    @Test
    public void a_load_of_another_key_or_into_another_cache_is_not() {
        Loads load = new Loads(cache, key, 0);
        assertFalse(Loads.isOf(load, null, cache, new String("k")));
        assertFalse(Loads.isOf(load, null, new Object(), key));
    }
}
