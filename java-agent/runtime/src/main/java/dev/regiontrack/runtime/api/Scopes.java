package dev.regiontrack.runtime.api;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.jdk.Tasks;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.util.Arrays;

/**
 * Scopes: parts of the run, such as tests, that ask which violations are theirs. A thread works for one scope at a time; a thread that it starts, and
 * a task that it gives to an executor, a fork-join pool or a future, work for the same one.
 *
 * <p>A violation belongs to the scope for which the thread of the violated block works when it happens or, if that scope has ended, to the nearest
 * one around it that has not. As in the report, suppressed and known violations and blocks that wait inside do not count.
 *
 * <p>Names and types must stay, because other versions of {@code regiontrack-junit5} and {@code regiontrack-junit4} may call this class by
 * reflection.
 */
public final class Scopes {
    private static final String FINDINGS = "\u001e";
    private static final String PARTS = "\u001f";
    /** How many texts {@link #endAll} returns for each finding before those of {@link #end}. */
    private static final int MORE = 2;

    private Scopes() {
    }

    /** Whether the agent watches the program. */
    public static boolean isActive() {
        return bridge() != null;
    }

    /** Begins a scope, inside another one or, if {@code parent} is 0, in none. No thread works for it yet. */
    public static int begin(int parent) {
        Bridge bridge = bridge();
        if (bridge == null) {
            return 0;
        }
        Tasks.useScopes();
        return bridge.scope(parent);
    }

    /** Makes the running thread work for this scope; 0 is none. Returns the scope for which it worked before. */
    public static int enter(int scope) {
        if (bridge() == null) {
            return 0;
        }
        ThreadState t = Threads.current();
        t.settle();
        return t.worksFor(scope);
    }

    /**
     * Ends a scope. Waits until what was recorded before is analysed, then returns the scope's findings. The first array has one text: why there may
     * be more findings, or empty. Then comes an array for each finding: method, kind, the report's text, name of the violated block's thread, its
     * stack (a frame a line, as Java prints them, the innermost first), and for each other thread that took part its name and where it was, in the
     * same form.
     */
    public static String[][] end(int scope) {
        String[][] all = endAll(scope);
        String[][] found = new String[all.length][];
        found[0] = all[0];
        int count = 1;
        for (int i = 1; i < all.length; i++) {
            if (!all[i][1].isEmpty()) {
                found[count++] = Arrays.copyOfRange(all[i], MORE, all[i].length);
            }
        }
        return Arrays.copyOf(found, count);
    }

    /**
     * Like {@link #end}, but also returns suppressed and known findings. Two more texts come first in each finding's array: its number for
     * {@link #expect}, and {@code counts} or, if it is suppressed or known, nothing.
     */
    public static String[][] endAll(int scope) {
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

    /**
     * The test with this name, whose scope has ended, expects the findings with these numbers. A finding that was violated only in tests that expect
     * it is not reported, and sets no exit code.
     */
    public static void expect(int scope, String test, String[] numbers) {
        Bridge bridge = bridge();
        if (bridge == null) {
            return;
        }
        ThreadState t = Threads.current();
        t.settle();
        try (Inside inside = t.inside()) {
            bridge.describe(NativeBridge.EXPECTED, scope, String.join(" ", numbers) + '\n' + test);
        }
    }

    private static Bridge bridge() {
        Transport transport = Session.transport();
        return transport instanceof Bridge ? (Bridge) transport : null;
    }
}
