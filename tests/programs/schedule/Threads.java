package schedule;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * More threads, which do what they are given while the caller waits, or beside it. Like everything in this package it makes no events.
 */
public final class Threads {
    private static final Threads SECOND = new Threads("second");
    private static final Threads THIRD = new Threads("third");
    private static final Deque<Threads> NEW = new ArrayDeque<>();

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

    /** Two exist from now on, and so many more that do one thing each. */
    public static void start(int newcomers) {
        third(() -> { });
        second(() -> { });
        for (int i = 0; i < newcomers; i++) {
            NEW.add(new Threads("new"));
        }
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

    /** A thread that has done nothing before does this, to its end. */
    public static void newcomer(Step step) {
        Threads next = NEW.remove();
        next.begin(step);
        next.end();
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
