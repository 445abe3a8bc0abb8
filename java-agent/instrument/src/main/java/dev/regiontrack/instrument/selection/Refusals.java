package dev.regiontrack.instrument.selection;

import java.util.Set;

/**
 * The classes of the platform in which there can be no hooks. They must include all that a hook calls without marking the thread
 * as inside the agent ({@link dev.regiontrack.runtime.bodies.Platform}); a test checks all calls in the runtime.
 */
public final class Refusals {
    private static final String OF_JVM = "the JVM and the agent's hooks are built on it";
    private static final String OF_HOOKS = "the agent's hooks call it";
    private static final String BY_OTHER_MEANS = "its state is changed by means that no hook sees; calls of it have models";
    private static final String OF_THREADS = "the JVM runs it while a thread is neither here nor there";

    /** The only classes of {@code java.lang} that are no part of the language or of the JVM. */
    private static final Set<String> BUFFERS = Set.of("java.lang.AbstractStringBuilder", "java.lang.StringBuffer", "java.lang.StringBuilder");
    /** {@code ClassValue} keeps its values in a map of its own class. */
    private static final Set<String> CALLED = Set.of("java.util.Arrays", "java.util.WeakHashMap");
    private static final Set<String> SCHEDULERS = Set.of("java.util.concurrent.ThreadPoolExecutor", "java.util.concurrent.ScheduledThreadPoolExecutor",
        "java.util.concurrent.ThreadLocalRandom", "java.util.concurrent.LinkedTransferQueue", "java.util.concurrent.FutureTask");

    private Refusals() {
    }

    /** Returns why a class of this name, with dots, has no hooks; null if it can have them. Nested classes are treated like the outer one. */
    public static String reason(String name) {
        int dollar = name.indexOf('$');
        String outer = dollar < 0 ? name : name.substring(0, dollar);
        String in = outer.substring(0, outer.lastIndexOf('.') + 1);
        if (in.equals("java.lang.") && !BUFFERS.contains(outer) || in.startsWith("java.lang.") && in.length() > "java.lang.".length()
            || in.startsWith("jdk.internal.") || in.startsWith("sun.") || outer.equals("java.net.URLClassLoader")) {
            return OF_JVM;
        }
        if (CALLED.contains(outer)) {
            return OF_HOOKS;
        }
        if (in.equals("java.util.concurrent.locks.") || in.equals("java.util.concurrent.atomic.")) {
            return BY_OTHER_MEANS;
        }
        return outer.startsWith("java.util.concurrent.ForkJoin") || SCHEDULERS.contains(outer) ? OF_THREADS : null;
    }
}
