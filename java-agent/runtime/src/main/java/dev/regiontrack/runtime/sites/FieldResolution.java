package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.profile.Learning;
import dev.regiontrack.runtime.shadows.Layout;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;
import jdk.internal.reflect.Reflection;
import jdk.internal.vm.annotation.DontInline;

/**
 * Finds the field that a {@link Site} accesses, at the first access, by the JVM's rule (the class, its interfaces, its superclass), through the
 * loader of the class that contains the instruction.
 */
final class FieldResolution {
    private static final Unsafe U = Memory.U;

    private FieldResolution() {
    }

    /**
     * Resolves a site; returns its state. A site that cannot be resolved passes: the instruction throws its own error. Loads classes, so it holds no
     * lock.
     */
    @DontInline
    static int resolve(Site s) {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            return resolveIn(s, s.load());
        } catch (LinkageError | ClassNotFoundException e) {
            return s.pass();
        }
    }

    private static int resolveIn(Site s, Class<?> c) throws ClassNotFoundException {
        for (Class<?> d = c; d != null; d = d.getSuperclass()) {
            Layout layout = Layout.of(d);
            int at = layout.find(s.field);
            if (at >= 0) {
                boolean isVariable = layout.isStatic(at) == s.isStatic && layout.slot(at) >= 0;
                return isVariable && isAccessible(s, c, d, layout.access(at)) ? take(s, d, layout, at) : s.pass();
            }
            if (s.isStatic && isInInterfaces(s, d)) {
                return s.pass();
            }
        }
        Session.lost("accesses to " + s.owner + '.' + s.field + ": the field's class cannot be looked at");
        return s.pass();
    }

    /** Fields of interfaces are final. */
    private static boolean isInInterfaces(Site s, Class<?> c) {
        for (Class<?> i : c.getInterfaces()) {
            if (Layout.of(i).find(s.field) >= 0 || isInInterfaces(s, i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the JVM allows the instruction to access the field; if not, it throws, which must not happen while the
     * variable is locked. {@code c} is the class that the instruction names.
     */
    private static boolean isAccessible(Site s, Class<?> c, Class<?> d, int access) throws ClassNotFoundException {
        Class<?> from = Class.forName(s.in, false, s.loader.get());
        if (from == d && from == c) {
            return true;
        }
        boolean isPackage = from.getClassLoader() == d.getClassLoader() && from.getPackageName().equals(d.getPackageName());
        boolean isMember = Modifier.isPublic(access) || (Modifier.isPrivate(access) ? from.isNestmateOf(d)
            : isPackage || Modifier.isProtected(access) && d.isAssignableFrom(from));
        if (isMember && Reflection.verifyMemberAccess(from, c, null, Modifier.PUBLIC)) {
            return true;
        }
        Session.tolerated("accesses to " + s.owner + '.' + s.field + " in " + s.in + ": the JVM refuses them");
        return false;
    }

    private static int take(Site s, Class<?> d, Layout layout, int at) {
        if (Learning.isOn() && !d.getName().equals(s.owner)) {
            Session.declared(s.number, d.getName());
        }
        try {
            if (s.isStatic) {
                Field f = layout.reflected(d, s.field);
                return s.publish(layout, at, U.staticFieldOffset(f), new WeakReference<>(d), new WeakReference<>(U.staticFieldBase(f)));
            }
            long offset = layout.isAmbiguous(at) ? U.objectFieldOffset(layout.reflected(d, s.field)) : U.objectFieldOffset(d, Layout.nameOf(s.field));
            return s.publish(layout, at, offset, null, null);
        } catch (NoSuchFieldException | LinkageError e) {
            Session.lost("accesses to " + s.owner + '.' + s.field + ": " + e);
            return s.pass();
        }
    }
}
