package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** When the keys of an argument that can change are known. */
public class BulkTest {
    private static Object[] keys(Object... keys) {
        return keys;
    }

    @Test
    public void keys_are_known_if_they_are_the_same_objects_in_the_same_order() {
        String key = new String("a");
        assertTrue(Bulk.areSame(keys(), keys()));
        assertTrue(Bulk.areSame(keys(key, 1), keys(key, 1)));
        assertFalse(Bulk.areSame(keys(key), keys(new String("a"))));
        assertFalse(Bulk.areSame(keys(key, 1), keys(1, key)));
        assertFalse(Bulk.areSame(keys(key), keys(key, 1)));
        assertFalse(Bulk.areSame(keys(key, 1), keys(key)));
    }
}
