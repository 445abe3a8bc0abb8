package dev.regiontrack.instrument.selection;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.threads.OwnThread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Controls when the JDK's classes of tasks, futures and synchronizers are loaded, each of which must have its hooks. Usually they are loaded when the
 * program needs them, as any other class.
 *
 * <p>But inside a transformation the JVM passes loaded classes to no transformer of the same agent. So before one can be loaded there, a thread of
 * the agent loads it while the transforming thread waits: where the agent looks at what a class extends, and where it asks a class loader of the
 * program, whose code can load anything.
 */
public final class TaskClasses {
    /** Classes of the platform that programs can extend, and that extend one of these: all such classes in {@code java.*}. */
    private static final Set<String> BELOW = Set.of("java.util.concurrent.RecursiveAction", "java.util.concurrent.RecursiveTask");
    /** Bounds the wait: the loading thread can wait for another agent that waits for the thread waiting for it. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static volatile TaskClasses all;

    private final Loading loading;
    private final Transport report;
    /** The classes that have not been loaded. Guarded by its own lock, which is not held while a class is loaded. */
    private final Set<String> left;
    private volatile boolean areAllLoaded;

    private TaskClasses(Set<String> left, Loading loading, Transport report) {
        this.left = left;
        this.loading = loading;
        this.report = report;
    }

    /** Loads a class of the platform by its name, with dots, and ensures that it has its hooks; or reports why not. */
    public interface Loading {
        /** Loads the class, if this JVM has it. */
        void load(String name);
    }

    /** The program has not begun: no class has to be loaded before {@link #load} or {@link #loadAll}. {@code names} are the classes, with dots. */
    public static void start(List<String> names, Loading loading, Transport report) {
        Set<String> left = new LinkedHashSet<>(names);
        left.addAll(BELOW);
        all = new TaskClasses(left, loading, report);
    }

    /** Must be called before code of the program can run inside a transformation. */
    public static void loadAll() {
        TaskClasses known = all;
        if (known != null) {
            known.loadApart(null);
        }
    }

    /** Must be called before the class of the platform with this name, with dots, is loaded inside a transformation. */
    public static void load(String name) {
        TaskClasses known = all;
        if (known != null) {
            known.loadApart(name);
        }
    }

    /** Without a name, loads all that are left. A class that another agent loads while this one's thread loads one of them is none of them. */
    private void loadApart(String name) {
        if (areAllLoaded || Thread.currentThread() instanceof OwnThread) {
            return;
        }
        List<String> names = left(name);
        if (names.isEmpty()) {
            return;
        }
        Work work = new Work(names);
        OwnThread thread;
        try {
            thread = new OwnThread("regiontrack-tasks", work);
            thread.start();
        } catch (SecurityException | OutOfMemoryError e) {
            // On this thread they get no hooks, which is reported.
            work.run();
            return;
        }
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (thread.isAlive()) {
            if (System.nanoTime() - end > 0) {
                report.describe(NativeBridge.FAILED, 1, "classes that a thread of the agent should have loaded by now: " + names);
                return;
            }
            // No sleep or park: an interruption stays pending, and a permit is the program's.
            Thread.yield();
        }
    }

    private List<String> left(String name) {
        synchronized (left) {
            if (name == null) {
                return new ArrayList<>(left);
            }
            return left.contains(name) ? List.of(name) : List.of();
        }
    }

    private void loaded(String name) {
        synchronized (left) {
            left.remove(name);
            areAllLoaded = left.isEmpty();
        }
    }

    /** A class, because the first lambda takes much of the stack, of which little may be left where a class is loaded. */
    private final class Work implements Runnable {
        private final List<String> names;

        Work(List<String> names) {
            this.names = names;
        }

        @Override
        public void run() {
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                try {
                    loading.load(name);
                } catch (Throwable e) {
                    // The program must not see the error, and the other classes are loaded all the same.
                    report.describe(NativeBridge.FAILED, 1, name + ": " + e);
                }
                loaded(name);
            }
        }
    }
}
