package dev.regiontrack.runtime.memory;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** References by offset, by the names of the internal Unsafe's methods in Java 11; the jar has a second class for later versions. */
@SuppressWarnings({"deprecation", "removal"})
public final class Refs {
    private static final Unsafe U = Unsafe.getUnsafe();

    private Refs() {
    }

    @ForceInline
    public static Object get(Object o, long offset) {
        return U.getObject(o, offset);
    }

    @ForceInline
    public static Object getAcquire(Object o, long offset) {
        return U.getObjectAcquire(o, offset);
    }

    @ForceInline
    public static boolean compareAndSet(Object o, long offset, Object expected, Object value) {
        return U.compareAndSetObject(o, offset, expected, value);
    }

    @ForceInline
    static void set(Object o, long offset, Object value) {
        U.putObject(o, offset, value);
    }
}
