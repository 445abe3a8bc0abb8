package dev.regiontrack.instrument.selection;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.threads.OwnThread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * When the JDK's classes of tasks, futures and synchronizers are loaded, each of which must have its hooks: when the program needs one, as any other class.
 *
 * <p>But inside a transformation the JVM offers what is loaded to no transformer of the same agent. So before one can be loaded there, a thread of the agent loads it,
 * and the other one waits for that: where the agent looks at what a class extends, and where it asks a class loader of the program, whose code can load anything.
 */
public final class TaskClasses {
    /** Classes of the platform that programs can extend, and that extend one of these: all that there are in {@code java.*}. */
    private static final Set<String> BELOW = Set.of("java.util.concurrent.RecursiveAction", "java.util.concurrent.RecursiveTask");
    /** The thread that loads them can wait for another agent that waits for the thread that waits for it; so this has an end. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static volatile TaskClasses all;

    private final Loading loading;
    private final Transport report;
    /** Those that have not been loaded. Its lock guards it; it is not held while a class is loaded. */
    private final Set<String> left;
    private volatile boolean areAllLoaded;

    private TaskClasses(Set<String> left, Loading loading, Transport report) {
        this.left = left;
        this.loading = loading;
        this.report = report;
    }

    /** Loads a class of the platform by its name, with dots, and sees to it that it has its hooks; or reports why not. */
    public interface Loading {
        /** Loads it, if this JVM has it. */
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

    /** Without a name: all that are left. What another agent loads while this one's thread loads one of them is none of them. */
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

    /** A class, because the first lambda takes much of the stack, of which there may be little where a class is loaded. */
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
                    // The program must not see it, and the others are loaded all the same.
                    report.describe(NativeBridge.FAILED, 1, name + ": " + e);
                }
                loaded(name);
            }
        }
    }
}
