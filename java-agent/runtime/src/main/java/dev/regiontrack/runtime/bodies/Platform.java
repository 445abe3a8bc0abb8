package dev.regiontrack.runtime.bodies;

import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.util.Set;

/**
 * The platform's classes that are watched because the user has named them. They were loaded before the agent, so no field can be added to them: the
 * shadows of their objects are in the table of {@link dev.regiontrack.runtime.shadows.Arrays}.
 *
 * <p>The agent's own code uses such classes too, in hooks and while it instruments a class; with hooks there, hooks would recurse without end. So
 * each method of these classes has two bodies, and asks here at its entry which one to run: the original while the thread is inside the agent
 * ({@link Inside}), otherwise the one with hooks.
 */
public final class Platform {
    private static volatile boolean isOn;
    private static volatile Set<Class<?>> watched = Set.of();
    /** Superclasses that are watched only for objects of some of their subclasses, and these subclasses. */
    private static volatile Set<Class<?>> above = Set.of();
    private static volatile Class<?>[] below = new Class<?>[0];

    private Platform() {
    }

    /** Begins to watch these classes; {@code superclasses}, which are not among them, only for objects of {@code subclasses}. */
    public static void watch(Set<Class<?>> classes, Set<Class<?>> superclasses, Set<Class<?>> subclasses) {
        watched = Set.copyOf(classes);
        above = Set.copyOf(superclasses);
        below = subclasses.toArray(new Class<?>[0]);
        isOn = true;
    }

    /** Whether classes of the platform are watched. */
    public static boolean isOn() {
        return isOn;
    }

    /** Whether the code of class {@code c} is watched when a receiver of class {@code receiver} runs it. */
    public static boolean isWatched(Class<?> c, Class<?> receiver) {
        return isOn && (watched.contains(c) || above.contains(c) && isBelow(receiver));
    }

    private static boolean isBelow(Class<?> receiver) {
        for (Class<?> c : below) {
            if (c.isAssignableFrom(receiver)) {
                return true;
            }
        }
        return false;
    }

    // ---- called at entries of methods: return true if the body with hooks is to run

    /** For a method of a class that is watched for all objects. */
    public static boolean watches() {
        try {
            return isOn && isOutside();
        } catch (OutOfMemoryError | StackOverflowError e) {
            return false;
        }
    }

    /** For a method of a superclass that is watched for some objects. */
    public static boolean watches(Object receiver) {
        try {
            return isOn && isBelow(receiver.getClass()) && isOutside();
        } catch (OutOfMemoryError | StackOverflowError e) {
            return false;
        }
    }

    private static boolean isOutside() {
        ThreadState t = Threads.made();
        return t != null && !t.isInside() && t.loading == 0;
    }

    // ---- called around the agent's work when a class is instrumented

    /** Marks what the thread does as the agent's until the result is closed; null if that makes no difference. */
    public static Inside inside() {
        ThreadState t = isOn ? Threads.made() : null;
        return t == null ? null : t.inside();
    }

    // ---- called in the platform's class loaders, which the JVM calls where a program first uses a class: loading is not the program's act

    /** The thread begins to load a class. */
    public static void loads() {
        ThreadState t = isOn ? Threads.made() : null;
        if (t != null) {
            t.loading++;
        }
    }

    /** The thread has loaded the class, or failed. Not every call of {@link #loads} had an effect. */
    public static void loaded() {
        ThreadState t = isOn ? Threads.made() : null;
        if (t != null && t.loading > 0) {
            t.loading--;
        }
    }
}
