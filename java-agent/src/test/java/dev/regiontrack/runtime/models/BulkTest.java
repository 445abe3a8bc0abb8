package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** When the keys of a mutable argument are known. */
public class BulkTest {
    private static boolean areSame(Object[] then, Object[] now) {
        return Bulk.areSame(then, then.length, now);
    }

    private static Object[] keys(Object... keys) {
        return keys;
    }

    @Test
    public void keys_are_known_if_they_are_the_same_objects_in_the_same_order() {
        String key = new String("a");
        assertTrue(areSame(keys(), keys()));
        assertTrue(areSame(keys(key, 1), keys(key, 1)));
        assertFalse(areSame(keys(key), keys(new String("a"))));
        assertFalse(areSame(keys(key, 1), keys(1, key)));
        assertFalse(areSame(keys(key), keys(key, 1)));
        assertFalse(areSame(keys(key, 1), keys(key)));
    }
}
