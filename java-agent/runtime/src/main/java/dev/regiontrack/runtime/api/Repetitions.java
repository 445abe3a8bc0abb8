package dev.regiontrack.runtime.api;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.steering.Plan;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.Origin;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;

/**
 * Tests that are repeated within the run, so that what seldom happens does: the first repetition learns between which places other threads could come, others are
 * steered to them. One test at a time is repeated; others wait. Only threads that work for the scope of the repetition are held.
 *
 * <p>A run by the schedule of a test ({@code replay=}) repeats that one alone, once: it follows the schedule then.
 *
 * <p>In this order: {@link #begin(String)}; for each repetition {@link #next}, when its scope has begun, and {@link #over}, when that has ended; {@link #end}. All are called by
 * one thread, and by reflection, as {@link Scopes}.
 */
public final class Repetitions {
    private static final String LEARN = "learn";
    private static final String END = "end";
    private static final String FAILED = "the agent has failed";
    /** What the repetitions of a test that are steered are called. */
    private static final String STEER = "steer";
    /** What the two of a test are called that follows a schedule. */
    private static final String PLAIN = "plain";
    private static final String REPLAY = "replay";
    private static final int BEGIN = 0;
    private static final int NEXT = 1;
    private static final int OVER = 2;
    private static final int LAST = 3;

    /** Who repeats a test; null if nobody does. */
    private static Thread current;
    /** How the thread was started that repeats one, while a repetition runs. Used by that thread alone. */
    private static Origin former;

    private Repetitions() {
    }

    /** The same of a test without a name, of a {@code regiontrack-junit} that does not know the following one: it leaves no schedule. */
    public static String begin() {
        return begin("");
    }

    /** A test of this name is to be repeated. Waits until no other one is. Returns why it cannot be, in a line without the end of a sentence; empty if it can. */
    public static String begin(String test) {
        Bridge bridge = bridge();
        if (bridge == null) {
            return "the agent is not there";
        }
        try {
            if (!take()) {
                return "the test runs inside another one that is repeated";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "the thread was interrupted";
        }
        String why = FAILED;
        try {
            describe(bridge, test);
            why = ask(bridge, BEGIN, 0);
        } finally {
            if (!why.isEmpty()) {
                give();
            }
        }
        return why;
    }

    /**
     * What the next repetition does, which works for this scope: {@code learn}, {@code steer}, or {@code end} if there is nothing left to be tried; in a run by a schedule {@code plain}, {@code
     * replay} and {@code end}. In code that is loaded calls are put where threads are to be held.
     */
    public static String next(int scope) {
        Bridge bridge = bridge();
        String next = bridge == null ? END : ask(bridge, NEXT, scope);
        if (next.isEmpty() || next.equals(END) || next.equals(FAILED)) {
            return END;
        }
        boolean isFree = next.equals(LEARN) || next.equals(PLAIN);
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            former = Origin.begin(t, !isFree);
            if (next.equals(LEARN)) {
                Session.learn(true);
            }
            if (isFree) {
                return next;
            }
            if (next.equals(REPLAY)) {
                Plan.replay(scope);
                return REPLAY;
            }
            Plan.steer(next, bridge, scope);
        }
        return STEER;
    }

    /** A repetition is over: nobody is held for it any more. */
    public static void over() {
        stop(OVER);
    }

    /** The test is over. */
    public static void end() {
        try {
            stop(LAST);
        } finally {
            give();
        }
    }

    private static void stop(int step) {
        Plan.end();
        Session.learn(false);
        if (former != null) {
            Origin.end(Threads.current(), former);
            former = null;
        }
        Bridge bridge = bridge();
        if (bridge != null) {
            ask(bridge, step, 0);
        }
    }

    private static void describe(Bridge bridge, String test) {
        ThreadState t = Threads.current();
        t.settle();
        try (Inside inside = t.inside()) {
            bridge.describe(NativeBridge.TEST, 0, test);
        }
    }

    private static String ask(Bridge bridge, int step, int scope) {
        ThreadState t = Threads.current();
        t.settle();
        try (Inside inside = t.inside()) {
            String answer = bridge.repeat(step, scope);
            return answer == null ? FAILED : answer;
        }
    }

    private static synchronized boolean take() throws InterruptedException {
        if (current == Thread.currentThread()) {
            return false;
        }
        while (current != null) {
            Repetitions.class.wait();
        }
        current = Thread.currentThread();
        return true;
    }

    private static synchronized void give() {
        current = null;
        Repetitions.class.notifyAll();
    }

    private static Bridge bridge() {
        Transport transport = Session.transport();
        return transport instanceof Bridge ? (Bridge) transport : null;
    }
}
