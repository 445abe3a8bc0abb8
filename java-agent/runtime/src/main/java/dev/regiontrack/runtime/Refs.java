package dev.regiontrack.runtime;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** References by offset, by the names of the internal Unsafe's methods since Java 12; the jar has a second class for Java 11. */
final class Refs {
    private static final Unsafe U = Unsafe.getUnsafe();

    private Refs() {
    }

    @ForceInline
    static Object get(Object o, long offset) {
        return U.getReference(o, offset);
    }

    @ForceInline
    static Object getAcquire(Object o, long offset) {
        return U.getReferenceAcquire(o, offset);
    }

    @ForceInline
    static boolean compareAndSet(Object o, long offset, Object expected, Object value) {
        return U.compareAndSetReference(o, offset, expected, value);
    }

    @ForceInline
    static void set(Object o, long offset, Object value) {
        U.putReference(o, offset, value);
    }
}
