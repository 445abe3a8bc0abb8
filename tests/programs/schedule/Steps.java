package schedule;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Forces the order in which the threads of a test program reach certain places, without events: the programs are run
 * with {@code exclude=schedule.*}, so nothing in here is an event, and waiting is not an event either.
 */
public final class Steps {
    /** In nanoseconds. */
    private static final long ENOUGH = 50_000;
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

    /** Waits until a thread that was started is in {@link Thread#yield} or waits for a time by {@code parkNanos}, or has ended. */
    public static void awaitYield(Thread thread) {
        while (thread.isAlive()) {
            for (StackTraceElement element : thread.getStackTrace()) {
                if (element.getMethodName().equals("yield") || element.getMethodName().equals("parkNanos")) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
    }

    /** Waits until a thread that was started is parked, or has ended. */
    public static void awaitParked(Thread thread) {
        while (thread.isAlive()) {
            for (StackTraceElement element : thread.getStackTrace()) {
                if (element.getClassName().equals("java.util.concurrent.locks.LockSupport")) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
    }

    /**
     * Waits until a thread that was started has seen what was written before this call, and is in {@link Thread#yield} after that, or has ended. It can be in there for long
     * where other threads run, so it must have used a processor meanwhile, much longer than it takes to come out.
     */
    public static void awaitNextYield(Thread thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getThreadCpuTime(thread.getId());
        while (thread.isAlive() && threads.getThreadCpuTime(thread.getId()) < before + ENOUGH) {
            Thread.yield();
        }
        awaitYield(thread);
    }

    /** Runs a method in another thread, and something else while that waits for this monitor. */
    public static void whileLocked(Object monitor, Runnable method, Runnable meanwhile) throws InterruptedException {
        Thread thread = new Thread(method);
        synchronized (monitor) {
            thread.start();
            while (thread.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            meanwhile.run();
        }
        thread.join();
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
