package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;

/**
 * Links calls that lend an array to the copies that other classes have of their methods for such calls. In a copy, accesses to the array have no
 * hooks, and the array is not stored anywhere, so the JIT compiler can optimise it away as it can without the agent.
 *
 * <p>A copy is private, so that serialization does not see it, and {@link dev.regiontrack.runtime.jdk.Reflected} hides it. The call is an
 * {@code invokedynamic}, which belongs to the calling class: handles in the table of sites would keep classes from being unloaded. References are
 * passed as objects, so that linking loads no class.
 */
public final class Copies {
    private static final Unsafe U = Memory.U;
    private static final MethodHandles.Lookup ALL;
    private static final MethodHandle FIND_LOADED;
    private static final MethodHandle IS;
    private static final MethodHandle SELECT;

    private Copies() {
    }

    static {
        try {
            Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
            ALL = (MethodHandles.Lookup) Refs.get(U.staticFieldBase(field), U.staticFieldOffset(field));
            MethodHandles.Lookup own = MethodHandles.lookup();
            FIND_LOADED = ALL.findVirtual(ClassLoader.class, "findLoadedClass", MethodType.methodType(Class.class, String.class));
            IS = own.findStatic(Copies.class, "is", MethodType.methodType(boolean.class, Class.class, Object.class));
            SELECT = own.findVirtual(Selected.class, "select", MethodType.methodType(MethodHandle.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Links a call at this site, which first asks whether to call a copy ({@link Site#borrows}). */
    public static CallSite link(MethodHandles.Lookup caller, String name, MethodType type, int site) {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            Site s = Site.of(site);
            return s.isSelecting() ? new Selected(type, s) : new ConstantCallSite(Callees.copy(s).asType(type));
        }
    }

    /**
     * Finds the copy of a method, named as in {@link ClassInfo#parameter}; null if it cannot be called without loading a class. Usually
     * all classes of arguments are loaded, since calls have been made, but those of null arguments may not be.
     */
    static MethodHandle find(Class<?> declaring, String parameter) {
        boolean isStatic = parameter.startsWith(ClassInfo.STATIC);
        int end = parameter.lastIndexOf(':');
        int open = parameter.indexOf('(');
        String name = parameter.substring(isStatic ? ClassInfo.STATIC.length() : 0, open);
        ClassLoader loader = declaring.getClassLoader();
        try {
            String desc = parameter.substring(open, end);
            if (!areLoaded(desc, loader)) {
                return null;
            }
            MethodType type = MethodType.fromMethodDescriptorString(desc, loader).appendParameterTypes(ThreadState.class);
            if (name.equals("<init>")) {
                return ALL.findConstructor(declaring, type);
            }
            return isStatic ? ALL.findStatic(declaring, name, type) : ALL.findSpecial(declaring, name, type, declaring);
        } catch (ReflectiveOperationException | LinkageError | TypeNotPresentException e) {
            return null;
        }
    }

    private static boolean areLoaded(String desc, ClassLoader loader) {
        for (int at = desc.indexOf('L'); at >= 0; at = desc.indexOf('L', at)) {
            int end = desc.indexOf(';', at);
            String name = desc.substring(at + 1, end).replace('/', '.');
            at = end;
            if (!name.startsWith("java.") && !isLoaded(name, loader)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLoaded(String name, ClassLoader loader) {
        try {
            return (Class<?>) FIND_LOADED.invokeExact(loader, name) != null;
        } catch (Throwable e) {
            return false;
        }
    }

    /** Whether the class lives at least as long as the classes of a loader: a call in one of these can keep it. */
    static boolean outlives(Class<?> type, ClassLoader loader) {
        for (ClassLoader l = loader; l != null; l = l.getParent()) {
            if (l == type.getClassLoader()) {
                return true;
            }
        }
        return false;
    }

    private static boolean is(Class<?> type, Object receiver) {
        return receiver.getClass() == type;
    }

    /** A call that selects the copy by the receiver's class: a comparison for each class seen, of which there are few. */
    private static final class Selected extends MutableCallSite {
        private final Site site;
        private final MethodHandle other;
        private final List<Class<?>> classes = new ArrayList<>();

        Selected(MethodType type, Site site) {
            super(type);
            this.site = site;
            other = MethodHandles.foldArguments(MethodHandles.exactInvoker(type), SELECT.bindTo(this));
            setTarget(other);
        }

        /** Selects the copy for a receiver of a new class. What this does with collections of the platform is not the program's. */
        private MethodHandle select(Object receiver) {
            ThreadState t = Threads.current();
            try (Inside inside = t.inside()) {
                return add(receiver);
            }
        }

        private synchronized MethodHandle add(Object receiver) {
            if (!classes.contains(receiver.getClass())) {
                classes.add(receiver.getClass());
                // All comparisons are new: the old ones have a profile, which would let other classes follow.
                MethodHandle all = other;
                for (Class<?> c : classes) {
                    all = MethodHandles.guardWithTest(MethodHandles.insertArguments(IS, 0, c), copyFor(c), all);
                }
                setTarget(all);
            }
            return copyFor(receiver.getClass());
        }

        private MethodHandle copyFor(Class<?> c) {
            return Callees.copyFor(site, c).asType(type());
        }
    }
}
