package dev.regiontrack.runtime.steering;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.IdentityHashMap;

/**
 * Detects whether the JVM is ending: the platform forgets the program's shutdown hooks when it begins to run them. A hook of our own would be one
 * more thread, which the program could see.
 */
public final class Ending {
    /** Reads the hooks; null if this platform keeps them elsewhere, so that a hold lasts for its full time. */
    private static MethodHandle hooks;

    private Ending() {
    }

    /** Finds the platform's field. */
    static void find() {
        try {
            Class<?> type = Class.forName("java.lang.ApplicationShutdownHooks");
            hooks = MethodHandles.privateLookupIn(type, MethodHandles.lookup()).findStaticGetter(type, "hooks", IdentityHashMap.class);
            // Links the call now, and not while the program holds its locks.
            if (hasBegun()) {
                hooks = null;
            }
        } catch (ReflectiveOperationException e) {
            hooks = null;
        }
    }

    /** Whether the JVM is ending. */
    public static boolean hasBegun() {
        try {
            return hooks != null && (IdentityHashMap<?, ?>) hooks.invoke() == null;
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return false;
        }
    }
}
