package dev.regiontrack.runtime;

import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import jdk.internal.misc.Unsafe;

/**
 * The field to which a {@code VarHandle} or a field updater gives access, or that it gives access to the elements of arrays: the
 * variable is the one that the program's own accesses have. It is in the fields of the handle's class. Other handles (views of bytes, those that
 * call functions) have no target.
 */
final class Target {
    private static final Unsafe U = Memory.U;
    private static final Target NONE = new Target(null, null, 0);
    private static final Target ELEMENTS = new Target(null, null, 0);
    private static final String HANDLE = "java.lang.invoke.VarHandle";

    /** The class that has the field; weak, because a static field of it can hold the handle. */
    private final WeakReference<Class<?>> type;
    /** Of a static field. */
    private final Shadow statics;
    private final int slot;

    private Target(Class<?> type, Shadow statics, int slot) {
        this.type = new WeakReference<>(type);
        this.statics = statics;
        this.slot = slot;
    }

    static Target of(Object handle) {
        Class<?> c = handle.getClass();
        if (c.getClassLoader() != null) {
            return NONE;
        }
        try {
            if (handle instanceof VarHandle) {
                return ofHandle(handle, c);
            }
            boolean isUpdater = handle instanceof AtomicIntegerFieldUpdater || handle instanceof AtomicLongFieldUpdater
                || handle instanceof AtomicReferenceFieldUpdater;
            return isUpdater ? ofField((Class<?>) Refs.get(handle, offset(c, "tclass")), U.getLong(handle, offset(c, "offset")), false) : NONE;
        } catch (InternalError | LinkageError | NoSuchFieldException e) {
            Session.tolerated("accesses by " + c.getName() + ", whose fields have other names in this JVM");
            return NONE;
        }
    }

    private static Target ofHandle(Object handle, Class<?> c) throws NoSuchFieldException {
        String name = c.getName();
        if (name.equals("java.lang.invoke.LazyInitializingVarHandle")) {
            return of(Refs.get(handle, offset(c, "target")));
        }
        if (!name.startsWith(HANDLE)) {
            return NONE;
        }
        if (name.endsWith("$Array")) {
            return ELEMENTS;
        }
        if (name.contains("$FieldInstanceRead")) {
            return ofField((Class<?>) Refs.get(handle, offset(c, "receiverType")), U.getLong(handle, offset(c, "fieldOffset")), false);
        }
        if (name.contains("$FieldStaticRead")) {
            Object base = Refs.get(handle, offset(c, "base"));
            return base instanceof Class ? ofField((Class<?>) base, U.getLong(handle, offset(c, "fieldOffset")), true) : NONE;
        }
        return NONE;
    }

    /** Where a class of the platform, or the one above it, has a field. */
    private static long offset(Class<?> c, String field) {
        try {
            return U.objectFieldOffset(c, field);
        } catch (InternalError e) {
            return U.objectFieldOffset(c.getSuperclass(), field);
        }
    }

    private static Target ofField(Class<?> type, long offset, boolean isStatic) throws NoSuchFieldException {
        for (Class<?> c = type; c != null; c = isStatic ? null : c.getSuperclass()) {
            Layout layout = Layout.of(c);
            int at = layout.find(c, offset, isStatic);
            if (at >= 0) {
                return layout.slot(at) < 0 ? NONE : new Target(c, isStatic ? layout.statics : null, layout.slot(at));
            }
        }
        return NONE;
    }

    /** Initialises the class of a static field, before its variable is locked. The access itself would do that otherwise. */
    void initialize() {
        Class<?> c = statics == null ? null : type.get();
        if (c != null && U.shouldBeInitialized(c)) {
            U.ensureClassInitialized(c);
        }
    }

    /** The shadow that has the variable; null if it is unknown, or the call will fail. {@code o} and {@code number} are the first arguments. */
    Shadow of(Object o, long number, ThreadState t) {
        if (this == ELEMENTS) {
            boolean isElement = o != null && o.getClass().isArray() && number >= 0 && number < java.lang.reflect.Array.getLength(o);
            return isElement ? Variables.of(o, (int) number, t) : null;
        }
        Class<?> c = type.get();
        if (c == null || statics != null) {
            return statics;
        }
        return c.isInstance(o) ? Layout.of(o.getClass()).shadowOf(o, t).piece(slot) : null;
    }

    int slot(long number) {
        return this == ELEMENTS ? (int) number : slot;
    }
}
