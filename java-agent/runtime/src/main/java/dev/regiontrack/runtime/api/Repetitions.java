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
 * Repeats tests within the run, to provoke rare interleavings: the first repetition learns between which places other threads could come, later ones
 * are steered to them. One test at a time is repeated; others wait. Only threads that work for the scope of the repetition are held.
 *
 * <p>A run by the schedule of a test ({@code replay=}) repeats only that test, once, following the schedule.
 *
 * <p>Order of calls: {@link #begin(String)}; for each repetition {@link #next} after its scope has begun, and {@link #over} after the scope has
 * ended; {@link #end}. One thread makes all calls, by reflection, as with {@link Scopes}.
 */
public final class Repetitions {
    private static final String LEARN = "learn";
    private static final String END = "end";
    private static final String FAILED = "the agent has failed";
    /** The answer for a repetition that is steered. */
    private static final String STEER = "steer";
    /** The answers for the two repetitions of a test that follows a schedule. */
    private static final String PLAIN = "plain";
    private static final String REPLAY = "replay";
    private static final int BEGIN = 0;
    private static final int NEXT = 1;
    private static final int OVER = 2;
    private static final int LAST = 3;

    /** The thread that repeats a test, or null. */
    private static Thread current;
    /** The origin that the repeating thread had before the current repetition. Used by that thread alone. */
    private static Origin former;

    private Repetitions() {
    }

    /** Begins an unnamed test, which leaves no schedule: for versions of {@code regiontrack-junit} that do not know {@link #begin(String)}. */
    public static String begin() {
        return begin("");
    }

    /**
     * Begins the repetitions of a test, after those of any other test have ended. Returns why it cannot be repeated, without a final full stop; empty
     * if it can.
     */
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
     * Returns what the next repetition, which works for this scope, does: {@code learn}, {@code steer}, or {@code end} if there is nothing left to
     * try; in a run by a schedule {@code plain}, {@code replay} and {@code end}. Adds calls to loaded code where threads are to be held.
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

    /** Ends a repetition: no thread is held for it any more. */
    public static void over() {
        stop(OVER);
    }

    /** Ends the test. */
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
