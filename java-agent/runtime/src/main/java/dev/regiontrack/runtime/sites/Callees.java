package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.shadows.Layout;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.StackSize;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.lang.invoke.MethodHandle;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import jdk.internal.vm.annotation.Stable;

/**
 * Finds out, at the first calls, what the callees of a {@link Site} do with an array or object that the caller has made: whether they let it escape,
 * and whether the call can go to a copy. The result stays in the site.
 */
final class Callees {
    /** States of a site that lends an array, in addition to {@link Site#NEW}: its calls do not go to a copy; they can. */
    static final int ORDINARY = 1;
    static final int COPIED = 2;

    /** The number of receiver classes that a call remembers; for others, arrays escape. */
    static final int MOST_TARGETS = 4;

    private Callees() {
    }

    /** The method that a call reaches for receivers of one class. */
    static final class Target {
        @Stable
        final WeakReference<Class<?>> type;
        @Stable
        final int callee;
        @Stable
        final ClassInfo info;
        /** Whether the method has no effect except that of a {@code compareAndSet}. */
        @Stable
        final boolean tries;
        /** The class, once calls on its receivers go to the copy: it lives as long as the caller's class. */
        @Stable
        Class<?> copied;
        /** Like {@link Site#lends}, for receivers of the class. */
        @Stable
        int lends;

        Target(Class<?> type, int callee, boolean tries, ClassInfo info) {
            this.type = new WeakReference<>(type);
            this.callee = callee;
            this.tries = tries;
            this.info = info;
        }
    }

    /** An object of the class exists, so all of its classes are loaded. Takes the lock only once the result is known. */
    static int lookAtConstructor(Site s) {
        int found;
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            Class<?> c = s.load();
            Layout layout = Layout.of(c);
            boolean isWatched = layout.shadowOffset != 0 && layout.slots <= s.mostFields;
            found = isWatched && ClassInfo.keepsNothing(c, s.field) ? ClassInfo.IGNORES : ClassInfo.LEAVES;
        } catch (LinkageError | ClassNotFoundException e) {
            found = ClassInfo.LEAVES;
        }
        synchronized (s) {
            s.callee = s.callee == Site.NEW ? found : s.callee;
            return s.callee;
        }
    }

    /** Loads classes, so it holds no lock. All threads get the same result. */
    static int lookAtCallee(Site s) {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            Class<?> c = s.load();
            // Without a receiver, the selected method is known only for a class that has no subclasses.
            ClassInfo info = s.isSelecting() && !Modifier.isFinal(c.getModifiers()) ? null : ClassInfo.of(c);
            s.calleeInfo = info;
            s.isLoadedBy(c.getClassLoader());
            int does = info == null ? ClassInfo.LEAVES : does(info, s);
            s.tries = tries(does);
            s.callee = does & ~(ClassInfo.IN_PACKAGE | ClassInfo.COPIED | ClassInfo.TRIES);
        } catch (LinkageError | ClassNotFoundException e) {
            // The call itself will throw.
            s.callee = ClassInfo.LEAVES;
        }
        return s.callee;
    }

    /** Whether the class that a site names, and all of the program's classes above it, are initialised: any of them may declare the field. */
    static boolean areInitialized(Site s) {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            Class<?> c = s.load();
            s.isLoadedBy(c.getClassLoader());
            return areInitialized(c);
        } catch (LinkageError | ClassNotFoundException e) {
            // The read itself will throw.
            return false;
        }
    }

    private static boolean areInitialized(Class<?> c) {
        if (c == null || c.getClassLoader() == null) {
            return true;
        }
        boolean are = !Memory.U.shouldBeInitialized(c) && areInitialized(c.getSuperclass());
        for (Class<?> above : c.getInterfaces()) {
            are &= areInitialized(above);
        }
        return are;
    }

    private static int does(ClassInfo info, Site s) {
        Integer does = info.does(s.field);
        return does == null || does == ClassInfo.HIDDEN ? ClassInfo.LEAVES : does;
    }

    private static boolean tries(int does) {
        return (does & ~ClassInfo.IN_PACKAGE) == (ClassInfo.LEAVES | ClassInfo.TRIES);
    }

    /** Decides whether calls of a site go to a copy from now on. */
    static int look(Site s) {
        if (!StackSize.hasRoom()) {
            s.uses = 0;
            return Site.NEW;
        }
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            s.lends = isCopied(s) ? COPIED : ORDINARY;
            return s.lends;
        } catch (OutOfMemoryError | StackOverflowError e) {
            s.uses = 0;
            return Site.NEW;
        }
    }

    /** The same for receivers of a class that is not known to have a copy. */
    static boolean look(Site s, Class<?> type) {
        Target known = s.target(type);
        return known != null && known.lends == Site.NEW && look(s, known, type) == COPIED && !known.info.isRedefined;
    }

    private static boolean isCopied(Site s) {
        boolean isCopied = false;
        if (s.isSelecting()) {
            for (int i = 0; s.targets != null && i < MOST_TARGETS && s.targets[i] != null; i++) {
                isCopied |= isCopied(s, s.targets[i].callee, s.targets[i].info);
            }
        } else {
            isCopied = isCopied(s, s.callee(), s.calleeInfo) && copy(s) != null;
        }
        return isCopied;
    }

    private static boolean isCopied(Site s, int callee, ClassInfo info) {
        return callee == ClassInfo.TOUCHES && (info.keepers.get(s.field) & ClassInfo.COPIED) != 0;
    }

    /** Holds no lock, because it can call the program's class loaders. All threads get the same result. */
    private static int look(Site s, Target target, Class<?> type) {
        if (!StackSize.hasRoom()) {
            return Site.NEW;
        }
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            boolean isCopied = isCopied(s, target.callee, target.info) && Copies.outlives(type, s.loader.get()) && copyFor(s, type) != null;
            target.copied = isCopied ? type : null;
            target.lends = isCopied ? COPIED : ORDINARY;
            return target.lends;
        } catch (LinkageError e) {
            target.lends = ORDINARY;
            return ORDINARY;
        } catch (OutOfMemoryError | StackOverflowError e) {
            return Site.NEW;
        }
    }

    /** Returns the copy of the static method that the site calls; null if it cannot be called. */
    static MethodHandle copy(Site s) {
        try {
            return Copies.find(s.load(), s.field);
        } catch (LinkageError | ClassNotFoundException e) {
            return null;
        }
    }

    /** Returns the copy of the method that the site calls for receivers of this class; null if it cannot be called. */
    static MethodHandle copyFor(Site s, Class<?> type) {
        return Copies.find(declaring(s, type), s.field);
    }

    /** All threads get the same result; each class is entered once. */
    static int lookAtCallee(Site s, Class<?> type) {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            return calleeFor(s, type);
        }
    }

    private static int calleeFor(Site s, Class<?> type) {
        Class<?> nearest = declaring(s, type);
        ClassInfo info = nearest == null ? ClassInfo.NONE : ClassInfo.of(nearest);
        int declared = does(info, s);
        boolean isOther = nearest == null || isDeclaredOtherwise(s, nearest, declared);
        int found = isOther ? ClassInfo.LEAVES : declared & ~(ClassInfo.IN_PACKAGE | ClassInfo.COPIED | ClassInfo.TRIES);
        if (nearest != null) {
            s.isLoadedBy(nearest.getClassLoader());
        }
        s.put(type, new Target(type, found, !isOther && tries(declared), info));
        return found;
    }

    /** Returns the nearest class with a declaration of the method; null if that may be a class whose methods are unknown. */
    private static Class<?> declaring(Site s, Class<?> type) {
        for (Class<?> c = type;; c = c.getSuperclass()) {
            ClassInfo info = ClassInfo.of(c);
            if (info == null || info.does(s.field) != null) {
                return info == null ? null : c;
            }
        }
    }

    /**
     * Whether the JVM may select another declaration than the nearest, because that may not override: if the nearest or one above it is neither
     * public nor protected, and they are not in the same package.
     */
    private static boolean isDeclaredOtherwise(Site s, Class<?> nearest, int declared) {
        int all = declared;
        boolean isElsewhere = false;
        for (Class<?> c = nearest.getSuperclass(); c != null; c = c.getSuperclass()) {
            ClassInfo info = ClassInfo.of(c);
            Integer above = info == null ? null : info.does(s.field);
            if (above != null && above == ClassInfo.HIDDEN) {
                return true;
            }
            if (above != null) {
                all |= above & ClassInfo.IN_PACKAGE;
                isElsewhere |= c.getClassLoader() != nearest.getClassLoader() || !c.getPackageName().equals(nearest.getPackageName());
            }
            if (info == null && c.getClassLoader() != null) {
                return true;
            }
        }
        return isElsewhere && (all & ClassInfo.IN_PACKAGE) != 0;
    }
}
