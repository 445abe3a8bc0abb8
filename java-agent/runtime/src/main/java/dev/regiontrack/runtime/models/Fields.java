package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;

/** Offsets of the fields of the platform's classes that models read. */
final class Fields {
    private Fields() {
    }

    /** Returns the offset of a field; 0 if it has another name in this JVM, which is counted as {@code what} of its class. */
    static long offset(Class<?> c, String field, String what) {
        try {
            return Memory.U.objectFieldOffset(c, field);
        } catch (InternalError e) {
            Session.tolerated(what + " of " + c.getName() + ", whose field has another name in this JVM");
            return 0;
        }
    }
}
