package schedule;

/**
 * Two more threads, each of which does what it is given while the caller waits, or beside it. Like everything in this package it makes no events.
 */
public final class Threads {
    private static final Threads SECOND = new Threads("second");
    private static final Threads THIRD = new Threads("third");

    private final Thread thread;
    private Step step;
    private volatile boolean isBusy;
    private volatile boolean hasBegun;
    private volatile Throwable failure;

    /** What a thread does. */
    public interface Step {
        void run() throws Exception;
    }

    private Threads(String name) {
        thread = new Thread(this::serve, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Both exist from now on. */
    public static void start() {
        third(() -> { });
        second(() -> { });
    }

    /** The second thread does this, to its end. */
    public static void second(Step step) {
        SECOND.begin(step);
        SECOND.end();
    }

    /** The third thread does this, to its end. */
    public static void third(Step step) {
        THIRD.begin(step);
        THIRD.end();
    }

    /** The second thread begins this. */
    public static void secondBegins(Step step) {
        SECOND.begin(step);
    }

    /** The second thread begins this, and waits in it for another one. */
    public static void secondWaits(Step step) {
        SECOND.begin(step);
        while (SECOND.isBusy && !(SECOND.hasBegun && SECOND.thread.getState() == Thread.State.WAITING)) {
            Thread.yield();
        }
    }

    /** The second thread comes to the end of what it has begun. */
    public static void secondEnds() {
        SECOND.end();
    }

    /** Waits until a thread waits. */
    public static void untilWaits(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
    }

    private synchronized void begin(Step next) {
        isBusy = true;
        hasBegun = false;
        step = next;
        notifyAll();
    }

    /** An interruption of the caller makes no difference. */
    private void end() {
        while (isBusy) {
            Thread.yield();
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    private void serve() {
        while (true) {
            try {
                Step next = await();
                hasBegun = true;
                next.run();
            } catch (Throwable e) {
                failure = e;
            }
            isBusy = false;
        }
    }

    private synchronized Step await() throws InterruptedException {
        while (step == null) {
            wait();
        }
        Step next = step;
        step = null;
        return next;
    }
}
