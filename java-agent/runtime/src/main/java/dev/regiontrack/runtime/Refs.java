package dev.regiontrack.runtime;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** References by offset: the internal Unsafe's names for them since Java 12; the jar holds a class for each. */
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
