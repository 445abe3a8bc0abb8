package dev.regiontrack.runtime.shadows;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Map;
import java.util.Set;
import jdk.internal.vm.annotation.DontInline;

/**
 * The place of a class's shadow and the numbers of its fields: instance fields across the superclasses, static fields separately.
 *
 * <p>The shadow field is that of the topmost class that has one; if no class has one, the shadow is in the table of {@link Arrays}.
 * Created at the first use of a class, when its superclasses exist.
 */
public final class Layout {
    private static final ClassValue<Layout> LAYOUTS = new ClassValue<Layout>() {
        @Override
        protected Layout computeValue(Class<?> c) {
            ThreadState t = Threads.current();
            try (Inside inside = t.inside()) {
                return new Layout(c);
            }
        }
    };

    /** Type numbers for the locks of classes. Separate from the layouts, which cannot be made before a class is used. */
    private static final ClassValue<Integer> CLASS_LOCKS = new ClassValue<Integer>() {
        @Override
        protected Integer computeValue(Class<?> c) {
            ThreadState t = Threads.current();
            try (Inside inside = t.inside()) {
                return Session.type(c.getTypeName() + ".class");
            }
        }
    };

    /** Offset of the shadow field, or 0. */
    public final long shadowOffset;
    /** The number of instance fields that are variables, of the class and its superclasses. */
    public final int slots;
    /** Number of the type, for reports. */
    public final int type;
    /** The shadow of the statics. */
    public final Shadow statics;

    private final ClassInfo info;
    /** By field: its slot, in the object or in the statics; -1 if it is final, or as good as final. */
    private final int[] numbers;
    /** The class's fields, once one of them was needed. With a copy for each site, a program with large classes would start noticeably later. */
    private Field[] declared;

    private Layout(Class<?> c) {
        Layout above = c.getSuperclass() == null ? null : of(c.getSuperclass());
        info = c.isArray() ? null : infoOf(c);
        numbers = new int[info == null ? 0 : info.fields.length];
        int instance = above == null ? 0 : above.slots;
        int ofClass = 0;
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = info.isConstant(i) ? -1 : isStatic(i) ? ofClass++ : instance++;
            if (numbers[i] >= Shadows.MAX) {
                numbers[i] = -1;
                Session.lost("accesses to " + c.getName() + '.' + nameOf(info.fields[i]) + ": beyond the first " + Shadows.MAX + " fields");
            }
        }
        slots = Math.min(instance, Shadows.MAX);
        long inherited = above == null ? 0 : above.shadowOffset;
        shadowOffset = inherited != 0 || info == null || !info.hasShadow ? inherited : Memory.U.objectFieldOffset(c, ClassInfo.SHADOW);
        type = Session.type(c.getTypeName());
        statics = ofClass == 0 ? null : Shadows.of(Math.min(ofClass, Shadows.MAX), Session.idBlock(), null, 0);
    }

    public static Layout of(Class<?> c) {
        return LAYOUTS.get(c);
    }

    /** Returns the type number of a lock, for reports: that of its class, which is this one; but a class has a number under its own name. */
    public int typeOf(Object lock) {
        return lock instanceof Class ? CLASS_LOCKS.get((Class<?>) lock) : type;
    }

    /** Reads the fields of a class that was not instrumented by reflection; null if that fails (a field's type is missing). */
    private static ClassInfo infoOf(Class<?> c) {
        ClassInfo known = ClassInfo.of(c);
        if (known != null || c == Object.class) {
            return known;
        }
        try {
            Field[] declared = c.getDeclaredFields();
            String[] names = new String[declared.length];
            int[] access = new int[declared.length];
            for (int i = 0; i < names.length; i++) {
                names[i] = declared[i].getName() + ':' + descriptor(declared[i].getType());
                access[i] = declared[i].getModifiers();
            }
            return new ClassInfo("", new String[0], names, access, false, Set.of(), Map.of(), new long[0], Map.of(), Set.of(), Map.of());
        } catch (LinkageError | RuntimeException e) {
            return null;
        }
    }

    private static String descriptor(Class<?> type) {
        return java.lang.invoke.MethodType.methodType(type).toMethodDescriptorString().substring(2);
    }

    /** Returns the index of a field that the class itself declares, or -1. */
    public int find(String field) {
        return info == null ? -1 : info.find(field);
    }

    /** Returns the index of the field with this offset that the class itself declares, or -1. */
    public int find(Class<?> c, long offset, boolean isStatic) throws NoSuchFieldException {
        for (int i = 0; i < numbers.length; i++) {
            if (isStatic(i) == isStatic) {
                Field f = reflected(c, info.fields[i]);
                if (offset == (isStatic ? Memory.U.staticFieldOffset(f) : Memory.U.objectFieldOffset(f))) {
                    return i;
                }
            }
        }
        return -1;
    }

    /** Returns a field's name and descriptor, {@code count:I}. */
    public String field(int index) {
        return info.fields[index];
    }

    /** Returns the slot of a field; -1 if it is final, or as good as final, or beyond the limit of slots. */
    public int slot(int index) {
        return numbers[index];
    }

    /** Whether accesses to a field are no events because only constructors seem to write it: writes by a handle go unnoticed. */
    public boolean isConstructed(int index) {
        return info.constructed.contains(info.fields[index]);
    }

    /** Whether another field of the class has the same name, which the JVM allows. */
    public boolean isAmbiguous(int index) {
        String name = nameOf(info.fields[index]);
        int same = 0;
        for (String field : info.fields) {
            same += nameOf(field).equals(name) ? 1 : 0;
        }
        return same > 1;
    }

    /** Returns a field of this layout's class, by reflection. Throws if the type of any field of the class is missing. */
    public Field reflected(Class<?> c, String field) throws NoSuchFieldException {
        Field[] all = declared;
        if (all == null) {
            all = declared(c);
            Memory.U.storeFence();
            declared = all;
        }
        String name = nameOf(field);
        for (Field f : all) {
            if (name.equals(f.getName()) && field.endsWith(':' + descriptor(f.getType()))) {
                return f;
            }
        }
        throw new NoSuchFieldException(field);
    }

    /** The agent asks, not the program, whose code is on the stack and may not have the permission. */
    @SuppressWarnings("removal")
    private static Field[] declared(Class<?> c) {
        return System.getSecurityManager() == null ? c.getDeclaredFields() : AccessController.doPrivileged(new DeclaredFields(c));
    }

    private static final class DeclaredFields implements PrivilegedAction<Field[]> {
        private final Class<?> c;

        DeclaredFields(Class<?> c) {
            this.c = c;
        }

        @Override
        public Field[] run() {
            return c.getDeclaredFields();
        }
    }

    /** Returns the name in name:descriptor. */
    public static String nameOf(String field) {
        return field.substring(0, descriptorAt(field) - 1);
    }

    /** Returns where the descriptor begins in name:descriptor. A name can contain a colon, as in the scripts that Nashorn compiles. */
    public static int descriptorAt(String field) {
        int colon = field.lastIndexOf(':');
        while (colon > 0 && !isDescriptor(field, colon + 1)) {
            colon = field.lastIndexOf(':', colon - 1);
        }
        return colon + 1;
    }

    /** Whether a field's descriptor begins here and ends with the text: the name of a class can contain a colon, too. */
    private static boolean isDescriptor(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) == '[') {
            at++;
        }
        boolean isClass = text.startsWith("L", at) && text.endsWith(";");
        return isClass || at == text.length() - 1 && "BCDFIJSZ".indexOf(text.charAt(at)) >= 0;
    }

    /** Returns the access flags of a field. */
    public int access(int index) {
        return info.access[index];
    }

    public boolean isStatic(int index) {
        return Modifier.isStatic(info.access[index]);
    }

    /** Returns the shadow of an object of this class, created if necessary. */
    public Shadow shadowOf(Object o, ThreadState t) {
        if (shadowOffset == 0) {
            return Arrays.shadowOf(o, t);
        }
        Shadow h = (Shadow) Refs.getAcquire(o, shadowOffset);
        return h != null && h.owner == o ? h : make(o, t);
    }

    @DontInline
    private Shadow make(Object o, ThreadState t) {
        for (;;) {
            Shadow h = (Shadow) Refs.getAcquire(o, shadowOffset);
            if (h != null && h.owner == o) {
                return h;
            }
            // None yet, or that of the object from which this one was cloned.
            Shadow fresh = Shadows.of(slots, t.ids.next(), o, 0);
            if (Refs.compareAndSet(o, shadowOffset, h, fresh)) {
                return fresh;
            }
        }
    }
}
