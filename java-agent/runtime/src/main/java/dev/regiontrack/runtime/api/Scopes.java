package dev.regiontrack.runtime.api;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.jdk.Tasks;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;

/**
 * Scopes: parts of the run, such as tests, that ask which violations are theirs. A thread works for one scope at a time; a thread that it starts, and a task
 * that it gives to an executor, a fork-join pool or a future, work for the same one.
 *
 * <p>A violation belongs to the scope for which the thread of the violated block works when it happens or, if that scope has ended, to the nearest one around it
 * that has not. What is suppressed or known, and blocks that wait inside, do not count, as in the report.
 *
 * <p>Called by reflection, by the names and types here: {@code regiontrack-junit5} and {@code regiontrack-junit4} of other versions may be there.
 */
public final class Scopes {
    private static final String FINDINGS = "\u001e";
    private static final String PARTS = "\u001f";

    private Scopes() {
    }

    /** True once the agent watches the program. */
    public static boolean isActive() {
        return bridge() != null;
    }

    /** A new scope, inside another one or, if {@code parent} is 0, in none. No thread works for it yet. */
    public static int begin(int parent) {
        Bridge bridge = bridge();
        if (bridge == null) {
            return 0;
        }
        Tasks.useScopes();
        return bridge.scope(parent);
    }

    /** The running thread works for this scope from now on; 0 is none. Returns the one for which it has worked. */
    public static int enter(int scope) {
        if (bridge() == null) {
            return 0;
        }
        ThreadState t = Threads.current();
        t.settle();
        return t.worksFor(scope);
    }

    /**
     * A scope ends: what was found in it until now, after a wait for what was recorded before. First an array with one text: why there may be more, empty if there is
     * not. Then one for each finding: method, kind, what the report says of it, name of the violated block's thread, its stack (a frame a line, as Java prints
     * them, the innermost first), and for each other thread that took part its name and where it was, in the same form.
     */
    public static String[][] end(int scope) {
        Bridge bridge = bridge();
        if (bridge == null) {
            return new String[][] {{"the agent is not there"}};
        }
        ThreadState t = Threads.current();
        t.settle();
        String told;
        try (Inside inside = t.inside()) {
            told = bridge.told(scope);
        }
        if (told == null) {
            return new String[][] {{"the agent has failed"}};
        }
        String[] findings = told.split(FINDINGS, -1);
        String[][] all = new String[findings.length][];
        for (int i = 0; i < all.length; i++) {
            all[i] = findings[i].split(PARTS, -1);
        }
        return all;
    }

    private static Bridge bridge() {
        Transport transport = Session.transport();
        return transport instanceof Bridge ? (Bridge) transport : null;
    }
}
