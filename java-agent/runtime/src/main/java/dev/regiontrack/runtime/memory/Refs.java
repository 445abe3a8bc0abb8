package dev.regiontrack.runtime.memory;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** Accesses references by offset, by the names that the internal Unsafe's methods have since Java 12; the jar has a second class for Java 11. */
public final class Refs {
    private static final Unsafe U = Unsafe.getUnsafe();

    private Refs() {
    }

    @ForceInline
    public static Object get(Object o, long offset) {
        return U.getReference(o, offset);
    }

    @ForceInline
    public static Object getAcquire(Object o, long offset) {
        return U.getReferenceAcquire(o, offset);
    }

    @ForceInline
    public static boolean compareAndSet(Object o, long offset, Object expected, Object value) {
        return U.compareAndSetReference(o, offset, expected, value);
    }

    @ForceInline
    static void set(Object o, long offset, Object value) {
        U.putReference(o, offset, value);
    }
}
