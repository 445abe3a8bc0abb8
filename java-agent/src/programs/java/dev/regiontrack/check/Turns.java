package dev.regiontrack.check;

import dev.regiontrack.runtime.hooks.Rounds;
import dev.regiontrack.runtime.threads.Threads;
import java.util.concurrent.SynchronousQueue;

/** A thread that does one thing after the other, when it is told to. Nothing here makes an event, so that nothing but what it does orders it. */
public final class Turns {
    private final SynchronousQueue<Runnable> tasks = new SynchronousQueue<>();
    private final SynchronousQueue<String> done = new SynchronousQueue<>();
    private final Thread thread;
    private boolean isOver;

    public Turns() {
        thread = new Thread() {
            @Override
            public void run() {
                try {
                    while (!isOver) {
                        tasks.take().run();
                        done.put("");
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        thread.setDaemon(true);
    }

    /** Starts the thread. */
    public Turns start() {
        thread.start();
        return this;
    }

    /** The thread does this now. */
    public void does(Runnable task) {
        try {
            tasks.put(task);
            done.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls the hook at the start of a round. */
    public static void begin() {
        Rounds.begin(Threads.current());
    }

    /** The hook where a round leads back to its start. */
    public static void again() {
        Rounds.again(Threads.current());
    }

    /** The hook where what a round has read is used. */
    public static void used() {
        Rounds.used(Threads.current());
    }

    /** What a step does, with an object of its own. */
    public interface Step<T> {
        void take(T own);
    }

    /** Takes a step, and prints what threads have recorded in it. */
    public static <T> void show(String name, T own, Step<T> step) throws ReflectiveOperationException {
        step.take(own);
        Dump.next(name);
    }

    /** Takes a value that was read. */
    public static void use(int value) {
        if (value < 0) {
            throw new IllegalStateException("no thread writes " + value);
        }
    }

    /** Ends the thread. */
    public void end() throws InterruptedException {
        does(() -> isOver = true);
        while (thread.isAlive()) {
            Thread.sleep(1);
        }
    }
}
