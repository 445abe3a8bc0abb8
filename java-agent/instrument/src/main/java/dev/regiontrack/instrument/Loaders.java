package dev.regiontrack.instrument;

import dev.regiontrack.runtime.Hooks;
import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Which class loaders find the agent's runtime. Some (OSGi's) ask their parents for a few packages only; their classes could not call a hook.
 *
 * <p>To ask a loader is to run its code. No thread waits for the answer to another one: it may hold the lock of a class that the other
 * needs. It asks for itself; once a loader has found the runtime, the JVM keeps that answer.
 *
 * <p>What the loader's code loads meanwhile, on this thread, the JVM shows to no transformer: it has to be looked for.
 */
final class Loaders {
    private final Instrumentation instrumentation;
    private final Map<ClassLoader, Boolean> answers = new WeakHashMap<>();

    Loaders(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** True if classes of this loader can call hooks. Classes that were loaded by the asking are added to {@code loaded}, perhaps with others. */
    boolean findRuntime(ClassLoader loader, List<Class<?>> loaded) {
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

    /** True if asking runs code that is not the platform's: of the loader or of one above it. */
    private static boolean runsProgram(ClassLoader loader) {
        for (ClassLoader asked = loader; asked != null; asked = asked.getParent()) {
            ClassLoader author = asked.getClass().getClassLoader();
            if (author != null && author != ClassLoader.getPlatformClassLoader()) {
                return true;
            }
        }
        return false;
    }

    private boolean ask(ClassLoader loader) {
        boolean answer;
        try {
            answer = Class.forName(Hooks.class.getName(), false, loader) == Hooks.class;
        } catch (ClassNotFoundException e) {
            answer = false;
        }
        synchronized (answers) {
            // What else a loader throws may be for now only: it is asked again. One that has found the runtime finds it for good.
            if (answer || !answers.containsKey(loader)) {
                answers.put(loader, answer);
            }
            return answers.get(loader);
        }
    }
}
