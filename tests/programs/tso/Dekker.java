package tso;

import schedule.Steps;

/**
 * Dekker's algorithm for two threads, which enter one after the other.
 */
public class Dekker {
    private final Cell[] flags;
    private final Cell turn;
    private int counter;

    Dekker(String kind) {
        flags = new Cell[] {Cell.of(kind, 0), Cell.of(kind, 0)};
        turn = Cell.of(kind, 0);
    }

    void count(int me) {
        int other = 1 - me;
        flags[me].set(1);
        while (flags[other].get() == 1) {
            if (turn.get() == other) {
                flags[me].set(0);
                while (turn.get() == other) {
                    Thread.onSpinWait();
                }
                flags[me].set(1);
            }
        }
        increment();
        turn.set(other);
        flags[me].set(0);
    }

    void increment() {
        counter++;
    }

    public static void main(String[] args) throws InterruptedException {
        Dekker dekker = new Dekker(args[0]);
        Steps.run(() -> {
            dekker.count(0);
            Steps.done(1);
            Steps.await(2);
            // The end of a thread is a fence: this read orders it after what the other has done.
            System.out.println(dekker.flags[1].get());
        }, () -> {
            Steps.await(1);
            dekker.count(1);
            Steps.done(2);
        });
        System.out.println(dekker.counter);
    }
}
