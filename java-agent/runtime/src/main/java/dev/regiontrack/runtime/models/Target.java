package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.protocol.Variables;
import dev.regiontrack.runtime.shadows.Layout;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import jdk.internal.misc.Unsafe;

/**
 * The field to which a {@code VarHandle}, a field updater or an offset of {@code sun.misc.Unsafe} gives access, or the elements of arrays: the
 * variable is the same as for the program's own accesses. It is read from the fields of the handle's class. Other handles (views of bytes, those that
 * call functions) have no target, nor have offsets at which no field or element begins.
 */
final class Target {
    private static final Unsafe U = Memory.U;
    private static final Target NONE = new Target(null, null, 0, "");
    private static final Target ELEMENTS = new Target(null, null, 0, "");
    /** What is accessed follows from each call's arguments. */
    private static final Target OFFSETS = new Target(null, null, 0, "");
    private static final String UNSAFE = "sun.misc.Unsafe";
    /** By class: the targets of the used offsets of its objects, and of its static fields, which are negated. */
    private static final ClassValue<Map<Long, Target>> BY_OFFSET = new ClassValue<Map<Long, Target>>() {
        @Override
        protected Map<Long, Target> computeValue(Class<?> c) {
            return new ConcurrentHashMap<>();
        }
    };
    private static final String HANDLE = "java.lang.invoke.VarHandle";

    /** By site: the name of what calls there access; empty if they access several. A thread that reads an outdated array reports again. */
    private static String[] told = new String[1 << 10];

    /** The class that declares the field; weak, because a static field of it can hold the handle. */
    private final WeakReference<Class<?>> type;
    /** For a static field. */
    private final Shadow statics;
    private final int slot;
    /** The name in reports; empty if it has none. */
    private final String name;
    /** The name of a field that only constructors seem to write, until a call has written it; otherwise null. */
    private String constant;

    private Target(Class<?> type, Shadow statics, int slot, String name) {
        this.type = new WeakReference<>(type);
        this.statics = statics;
        this.slot = slot;
        this.name = name;
    }

    static Target of(Object handle) {
        Class<?> c = handle.getClass();
        if (c.getClassLoader() != null) {
            return NONE;
        }
        if (c.getName().equals(UNSAFE)) {
            return OFFSETS;
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

    /** Returns the offset of a field of a class of the platform, or of its superclass. */
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
                if (layout.isConstructed(at)) {
                    Target constructed = new Target(null, null, 0, "");
                    constructed.constant = c.getName() + '.' + Layout.nameOf(layout.field(at));
                    return constructed;
                }
                return layout.slot(at) < 0 ? NONE : new Target(c, isStatic ? layout.statics : null, layout.slot(at), nameOf(c, layout.field(at)));
            }
        }
        return NONE;
    }

    private static String nameOf(Class<?> c, String field) {
        boolean isNumber = "BSCIJFD".indexOf(field.charAt(Layout.descriptorAt(field))) >= 0;
        return (isNumber ? "number " : "") + c.getName() + '.' + Layout.nameOf(field);
    }

    /** Reports to the reader of the records, once, what the calls at a site access. */
    void tell(int site, ThreadState t) {
        String[] all = told;
        String known = site < all.length ? all[site] : null;
        if (known == null || !known.isEmpty() && known != name && !known.equals(name)) {
            try (Inside inside = t.inside()) {
                tell(site);
            }
        }
    }

    private void tell(int site) {
        synchronized (Target.class) {
            if (site >= told.length) {
                told = java.util.Arrays.copyOf(told, Math.max(site + 1, 2 * told.length));
            }
            String before = told[site];
            if (before == null || !before.isEmpty() && !before.equals(name)) {
                // A site that accesses several variables has no name for any.
                told[site] = before == null ? name : "";
                Session.target(site, told[site]);
            }
        }
    }

    /** Returns what a call gives access to; {@code o} and {@code number} are its first arguments. */
    Target at(Object o, long number, ThreadState t) {
        if (this != OFFSETS) {
            return this;
        }
        if (o == null || o.getClass().isArray()) {
            return o == null ? NONE : ELEMENTS;
        }
        try (Inside inside = t.inside()) {
            Target ofObject = at(o.getClass(), number, false);
            // The JVM keeps static fields in the class object.
            return ofObject == NONE && o instanceof Class ? at((Class<?>) o, number, true) : ofObject;
        }
    }

    private static Target at(Class<?> c, long offset, boolean isStatic) {
        Map<Long, Target> known = BY_OFFSET.get(c);
        long key = isStatic ? -offset : offset;
        Target target = known.get(key);
        if (target == null) {
            try {
                target = ofField(c, offset, isStatic);
            } catch (InternalError | LinkageError | NoSuchFieldException e) {
                target = NONE;
            }
            known.put(key, target);
        }
        return target;
    }

    /**
     * Returns the index of the element to which a call gives access, if this is about elements: the number itself, or that of the element that begins
     * there.
     */
    long index(Object o, long number) {
        if (this != OFFSETS || o == null || !o.getClass().isArray()) {
            return number;
        }
        char type = Memory.typeOf(o);
        long at = number - Memory.element(type, 0);
        long scale = Memory.element(type, 1) - Memory.element(type, 0);
        return at >= 0 && at % scale == 0 ? at / scale : -1;
    }

    /** Before a call that may write: if accesses to the field are no events, that is lost. */
    void writes(ThreadState t) {
        String lost = constant;
        if (lost != null) {
            constant = null;
            try (Inside inside = t.inside()) {
                Session.lost("writes by handles to " + lost + ", which only constructors seem to write");
            }
        }
    }

    /** Initialises the class of a static field, before its variable is locked. The access itself would do that otherwise. */
    void initialize() {
        Class<?> c = statics == null ? null : type.get();
        if (c != null && U.shouldBeInitialized(c)) {
            U.ensureClassInitialized(c);
        }
    }

    /**
     * Returns the shadow that has the variable; null if it is unknown, or the call will fail. {@code o} and {@code number} are the first
     * arguments.
     */
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
