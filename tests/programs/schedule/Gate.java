package schedule;

import java.util.function.BooleanSupplier;

/**
 * A place in a round of a loop at which a method waits, without an effect, while other threads do something: {@code while (Gate.$jacocoShut == 1) { Thread.yield(); }}.
 * Like everything in this package it makes no events.
 */
public final class Gate {
    /**
     * The number of the place at which to wait. It is called like what a tool for coverage adds, so that to read it is no event in the method either, and does not
     * end its round.
     */
    public static volatile int $jacocoShut;

    private Gate() {
    }

    /**
     * Runs a method in a thread. While it waits at place 1, the first of the others runs in another thread, to its end; then the next one while it waits at
     * place 2, and so on.
     */
    public static void during(Runnable method, Runnable... others) throws InterruptedException {
        $jacocoShut = 1;
        Thread thread = new Thread(method, "method");
        thread.start();
        for (Runnable other : others) {
            Steps.awaitNextYield(thread);
            if (!thread.isAlive()) {
                throw new IllegalStateException("the method did not come to place " + $jacocoShut);
            }
            Steps.alone(other, "other");
            $jacocoShut++;
        }
        $jacocoShut = 0;
        thread.join();
    }

    /** Runs a method again and again in each of some threads, until it returns false; meanwhile, so often, something else. */
    public static void atOnce(int threads, BooleanSupplier method, int times, Runnable meanwhile) throws InterruptedException {
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new Thread(() -> {
                while (method.getAsBoolean()) {
                    Thread.onSpinWait();
                }
            }, "method " + i);
            all[i].start();
        }
        for (int i = 0; i < times; i++) {
            meanwhile.run();
        }
        for (Thread thread : all) {
            thread.join();
        }
    }
}
