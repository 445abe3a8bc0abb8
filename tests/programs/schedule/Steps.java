package schedule;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Forces the order in which the threads of a test program reach certain places, without events: the programs are run
 * with {@code exclude=schedule.*}, so nothing in here is an event, and waiting is not an event either.
 */
public final class Steps {
    private static final AtomicInteger DONE = new AtomicInteger();

    private Steps() {
    }

    /** The step is done: threads that wait for it continue. */
    public static void done(int step) {
        DONE.accumulateAndGet(step, Math::max);
    }

    /** Waits for the step. */
    public static void await(int step) {
        while (DONE.get() < step) {
            Thread.onSpinWait();
        }
    }

    /** Waits until a thread is in {@link Thread#yield}. */
    public static void awaitYield(Thread thread) {
        for (;;) {
            for (StackTraceElement element : thread.getStackTrace()) {
                if (element.getMethodName().equals("yield")) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
    }

    /** Runs both in separate threads until they end. Neither does anything before both are started. */
    public static void run(Runnable first, Runnable second) throws InterruptedException {
        AtomicBoolean areStarted = new AtomicBoolean();
        Thread[] threads = {new Thread(after(areStarted, first), "first"), new Thread(after(areStarted, second), "second")};
        for (Thread thread : threads) {
            thread.start();
        }
        areStarted.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Runs it in a thread of its own, to its end. */
    public static void alone(Runnable what, String name) throws InterruptedException {
        Thread thread = new Thread(what, name);
        thread.start();
        thread.join();
    }

    private static Runnable after(AtomicBoolean areStarted, Runnable what) {
        return () -> {
            while (!areStarted.get()) {
                Thread.onSpinWait();
            }
            what.run();
        };
    }
}
