package shared;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Forces another thread's step in between: {@link #between} runs it in a thread that is ready, and returns when it is done. The agent is told to leave this class alone, so waiting
 * makes no events, and orders nothing.
 */
public final class Race {
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

    /** Waits, without an event. */
    public static void await(AtomicBoolean flag) {
        while (!flag.get()) {
            Thread.onSpinWait();
        }
    }
}
