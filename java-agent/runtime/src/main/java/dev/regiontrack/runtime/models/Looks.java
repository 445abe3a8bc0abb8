package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bodies.Platform;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lookups in maps that are no events, because finding nothing has no consequence. Called by the copies of methods' code that run first
 * ({@code instrument.classes.Rehearsals}).
 */
public final class Looks {
    private Looks() {
    }

    /**
     * Whether calls of the map run no code of the program for such a key and leave no trace, and the key is not in it. In any doubt false; the lookup
     * is then repeated, with its hook.
     */
    public static boolean isAbsent(Object map, Object key) {
        try {
            boolean isKnown = map != null && map.getClass() == ConcurrentHashMap.class && key != null && ModelledObject.isByValue(key);
            return isKnown && !Platform.isWatched(ConcurrentHashMap.class, ConcurrentHashMap.class) && !((ConcurrentHashMap<?, ?>) map).containsKey(key);
        } catch (OutOfMemoryError | StackOverflowError e) {
            return false;
        }
    }
}
