package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bodies.Platform;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks into maps that are no events, because what they would have found has no consequence if it is nothing. Called by the copies of methods' code that run first
 * ({@code instrument.classes.Rehearsals}).
 */
public final class Looks {
    private Looks() {
    }

    /**
     * True if the map is one whose calls run no code of the program for such a key and leave no trace, and the key is not in it. In any doubt it is false, and the look
     * is made once more, with its hook.
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
