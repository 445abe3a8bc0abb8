package shared;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Forces another thread's step in between: {@link #between} runs it in a thread that is ready, and returns when it is done. The agent is told to leave this class alone, so waiting
 * makes no events, and orders nothing.
 */
public final class Race {
    private static final Set<Thread> TESTS = ConcurrentHashMap.newKeySet();
    private static final AtomicBoolean HAS_WAITED = new AtomicBoolean();

    private final AtomicBoolean isWanted = new AtomicBoolean();
    private final AtomicBoolean isDone = new AtomicBoolean();

    /** Starts the thread that makes the step. */
    public Race(Runnable step) {
        Thread thread = new Thread(() -> {
            await(isWanted);
            step.run();
            isDone.set(true);
        }, "other");
        thread.setDaemon(true);
        thread.start();
    }

    /** Makes the step now, and waits until it is done. */
    public void between() {
        isWanted.set(true);
        await(isDone);
    }

    /** The running thread begins one of two tests that are repeated. */
    public static void begins() {
        TESTS.add(Thread.currentThread());
    }

    /** Called first by the test that is repeated first: waits until the other one waits for its turn. Returns where it does; later an empty text. */
    public static String whereTheOtherWaits() {
        if (!HAS_WAITED.compareAndSet(false, true)) {
            return "";
        }
        while (true) {
            for (Thread test : TESTS) {
                StackTraceElement[] stack = test.getStackTrace();
                boolean waits = Arrays.stream(stack).anyMatch(frame -> frame.getClassName().startsWith("dev.regiontrack.") && frame.getMethodName().equals("take"));
                if (waits && test != Thread.currentThread()) {
                    return Arrays.toString(stack);
                }
            }
            Thread.onSpinWait();
        }
    }

    /** Waits, without an event. */
    public static void await(AtomicBoolean flag) {
        while (!flag.get()) {
            Thread.onSpinWait();
        }
    }
}
