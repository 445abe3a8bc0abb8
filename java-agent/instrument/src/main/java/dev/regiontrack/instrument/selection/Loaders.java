package dev.regiontrack.instrument.selection;

import dev.regiontrack.instrument.RuntimeNames;
import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Decides which class loaders find the agent's runtime. Some (OSGi's) delegate only a few packages to their parents; their classes cannot
 * call hooks.
 *
 * <p>Asking a loader runs its code. No thread waits for an answer that another thread is getting, because it can hold the lock of a class
 * that the other needs: each thread asks for itself. Once a loader has found the runtime, the JVM caches the answer, for each class of it. OSGi's loaders can
 * answer by who asks, and refuse the program's classes what they give the agent, so a loader with code of its own is asked for every class.
 *
 * <p>While the loader's code runs, no transformer sees the classes that it loads on this thread: they have to be searched for.
 */
public final class Loaders {
    private final Instrumentation instrumentation;
    private final Map<ClassLoader, Boolean> answers = new WeakHashMap<>();

    public Loaders(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Whether classes of this loader can call hooks. Classes loaded by the query are added to {@code loaded}, possibly with others. */
    public boolean findRuntime(ClassLoader loader, List<Class<?>> loaded) {
        if (loader == ClassLoader.getSystemClassLoader()) {
            return true;
        }
        synchronized (answers) {
            Boolean answer = answers.get(loader);
            if (answer != null) {
                return answer;
            }
        }
        if (!runsProgram(loader)) {
            return ask(loader);
        }
        TaskClasses.loadAll();
        Set<Class<?>> before = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            before.add(type);
        }
        try {
            return ask(loader);
        } finally {
            for (Class<?> type : instrumentation.getAllLoadedClasses()) {
                if (!before.contains(type)) {
                    loaded.add(type);
                }
            }
        }
    }

    /** Whether the query runs code that is not the platform's: of the loader or of a parent. */
    private static boolean runsProgram(ClassLoader loader) {
        for (ClassLoader asked = loader; asked != null; asked = asked.getParent()) {
            ClassLoader author = asked.getClass().getClassLoader();
            if (author != null && author != ClassLoader.getPlatformClassLoader()) {
                return true;
            }
        }
        return false;
    }

    private static boolean finds(ClassLoader loader, String name) throws ClassNotFoundException {
        Class<?> own;
        try {
            own = Class.forName(name, false, null);
        } catch (ClassNotFoundException e) {
            // It is defined only if this run has such calls.
            return true;
        }
        return Class.forName(name, false, loader) == own;
    }

    private boolean ask(ClassLoader loader) {
        boolean answer;
        try {
            answer = true;
            for (String name : runsProgram(loader) ? RuntimeNames.ALL : List.of(RuntimeNames.HOOKS)) {
                answer = answer && finds(loader, name.replace('/', '.'));
            }
        } catch (ClassNotFoundException e) {
            answer = false;
        }
        synchronized (answers) {
            // Any other exception can be temporary, so the loader is asked again. A loader that has found the runtime
            // keeps finding it.
            if (answer || !answers.containsKey(loader)) {
                answers.put(loader, answer);
            }
            return answers.get(loader);
        }
    }
}
