package schedule;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * A thread that counts a variable up while another one runs a method that reads it: the method can wait, without an event, until the variable has changed
 * since it was read. Like everything in this package it makes no events.
 */
public final class Interference {
    /** Up to here the variable is counted. */
    public static final int END = 20;
    private static final int ROUNDS = 4;
    private static final int MOST = 100_000;

    /**
     * What the variable has at least: {@code while (c < Interference.END && Interference.$jacocoNow <= c) {}} waits until it is not {@code c} any more. It is called like
     * what a tool for coverage adds, so that to read it is no event in the method either.
     * The variable can be one ahead of this. A method that has read an object, and does not know the count in it, waits until two more have been counted.
     */
    public static volatile int $jacocoNow;

    private Interference() {
    }

    /** Runs a method many times, each time while another thread counts: {@code reset} before, {@code next} for each step, which returns what it has written. */
    public static void during(Runnable reset, IntSupplier next, Runnable method) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            once(reset, next, works -> { }, always(method));
        }
    }

    /** The same, where each step is made only when the method waits for it by {@link Thread#yield}: what it reads first is never the last value. */
    public static void duringWait(Runnable reset, IntSupplier next, Runnable method) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            once(reset, next, Steps::awaitNextYield, always(method));
        }
    }

    /** The same as {@link #during} until the method says that the variable has changed meanwhile. */
    public static void until(Runnable reset, IntSupplier next, BooleanSupplier method) throws InterruptedException {
        int tries = 0;
        while (!once(reset, next, works -> { }, method)) {
            if (++tries == MOST) {
                throw new IllegalStateException("the variable never changed");
            }
        }
    }

    private static BooleanSupplier always(Runnable method) {
        return () -> {
            method.run();
            return true;
        };
    }

    private static boolean once(Runnable reset, IntSupplier next, Consumer<Thread> awaits, BooleanSupplier method) throws InterruptedException {
        reset.run();
        $jacocoNow = 0;
        boolean[] result = new boolean[1];
        Flag isReady = new Flag();
        Thread works = new Thread(() -> {
            isReady.set();
            result[0] = method.getAsBoolean();
        });
        Thread counts = new Thread(() -> {
            isReady.await();
            for (int i = 0; i < END;) {
                awaits.accept(works);
                i = next.getAsInt();
                $jacocoNow = i;
                Thread.yield();
            }
        });
        works.start();
        counts.start();
        works.join();
        counts.join();
        return result[0];
    }
}
