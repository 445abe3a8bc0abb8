package schedule;

import java.util.concurrent.atomic.AtomicInteger;

/** Runs something in another thread while a method is at a certain place. Like everything in this package it makes no events. */
public final class Meanwhile {
    private static final AtomicInteger STATE = new AtomicInteger();
    private static final int ARMED = 1;
    private static final int THERE = 2;
    private static final int OVER = 3;

    private Meanwhile() {
    }

    /** Runs a method in a thread; {@code other} runs in another one, to its end, when the method is {@link #here} for the first time. */
    public static void during(Runnable method, Runnable other) throws InterruptedException {
        STATE.set(ARMED);
        Steps.run(method, () -> {
            await(THERE);
            other.run();
            STATE.set(OVER);
        });
    }

    /** The place. It comes once: also the other thread can be there, and goes on. */
    public static void here() {
        if (STATE.compareAndSet(ARMED, THERE)) {
            await(OVER);
        }
    }

    private static void await(int state) {
        while (STATE.get() != state) {
            Thread.onSpinWait();
        }
    }
}
