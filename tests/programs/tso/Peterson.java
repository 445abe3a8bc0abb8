package tso;

import schedule.Steps;

/**
 * Peterson's algorithm for two threads, which enter one after the other.
 */
public class Peterson {
    private final Cell[] flags;
    private final Cell turn;
    private int counter;

    Peterson(String kind) {
        flags = new Cell[] {Cell.of(kind, 0), Cell.of(kind, 0)};
        turn = Cell.of(kind, 0);
    }

    void count(int me) {
        int other = 1 - me;
        flags[me].set(1);
        turn.set(other);
        while (flags[other].get() == 1 && turn.get() == other) {
            Thread.onSpinWait();
        }
        increment();
        flags[me].set(0);
    }

    void increment() {
        counter++;
    }

    public static void main(String[] args) throws InterruptedException {
        Peterson peterson = new Peterson(args[0]);
        Steps.run(() -> {
            peterson.count(0);
            Steps.done(1);
            Steps.await(2);
            // The end of a thread is a fence: this read orders it after what the other has done.
            System.out.println(peterson.flags[1].get());
        }, () -> {
            Steps.await(1);
            peterson.count(1);
            Steps.done(2);
        });
        System.out.println(peterson.counter);
    }
}
