package dev.regiontrack.instrument.selection;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.threads.OwnThread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * When the JDK's classes of tasks, futures and synchronizers are loaded, each of which must have its hooks: when the program needs one, as any other class.
 *
 * <p>But inside a transformation the JVM offers what is loaded to no transformer of the same agent. So before one can be loaded there, a thread of the agent loads it,
 * and the other one waits for that: where the agent looks at what a class extends, and where it asks a class loader of the program, whose code can load anything.
 */
public final class TaskClasses {
    /** Classes of the platform that programs can extend, and that extend one of these. */
    private static final Set<String> BELOW = Set.of("java.util.concurrent.RecursiveAction", "java.util.concurrent.RecursiveTask");
    /** The thread that loads them waits for nobody; but it must not be able to stop the program. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long LOOK_NANOS = 50_000;

    private static TaskClasses all;

    private final Set<String> left;
    private final Loading loading;
    private final Transport report;

    private TaskClasses(Set<String> left, Loading loading, Transport report) {
        this.left = left;
        this.loading = loading;
        this.report = report;
    }

    /** Loads a class of the platform by its name, with dots, and sees to it that it has its hooks; or reports why not. */
    public interface Loading {
        /** Must not throw. */
        void load(String name);
    }

    /** The program has not begun: none has to be loaded before {@link #load} or {@link #loadAll}. {@code names} are the classes, with dots. */
    public static void start(List<String> names, Loading loading, Transport report) {
        Set<String> left = new LinkedHashSet<>(names);
        left.addAll(BELOW);
        all = new TaskClasses(left, loading, report);
    }

    /** Must be called before code of the program can run inside a transformation. */
    public static void loadAll() {
        if (all != null) {
            all.loadApart(null);
        }
    }

    /** Must be called before the class of the platform with this name, with dots, is loaded inside a transformation. */
    public static void load(String name) {
        if (all != null) {
            all.loadApart(name);
        }
    }

    /** Without a name: all that are left. */
    private synchronized void loadApart(String name) {
        if (name == null ? left.isEmpty() : !left.contains(name)) {
            return;
        }
        List<String> names = new ArrayList<>(name == null ? left : List.of(name));
        left.removeAll(names);
        OwnThread thread;
        try {
            thread = new OwnThread("regiontrack-tasks", () -> names.forEach(loading::load));
            thread.start();
        } catch (SecurityException | OutOfMemoryError e) {
            // On this thread they get no hooks, which is reported.
            names.forEach(loading::load);
            return;
        }
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (thread.isAlive()) {
            if (System.nanoTime() - end > 0) {
                report.describe(NativeBridge.FAILED, 1, "classes that a thread of the agent should have loaded by now: " + names);
                return;
            }
            // Returns at once if the program has interrupted its thread.
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
