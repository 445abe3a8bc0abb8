package atomic;

import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import schedule.Steps;

/**
 * Threads take turns with one field, with a phase between them; who arrives and goes on waits for nobody; a phaser that is terminated, and a phase
 * that is not over in time, order nothing.
 */
public class PhaserPhases {
    private final Phaser phaser = new Phaser(2) {
        @Override
        protected boolean onAdvance(int phase, int parties) {
            value++;
            return super.onAdvance(phase, parties);
        }
    };
    private final Phaser open = new Phaser(2);
    private int value;
    private int other;

    int add(int n) {
        value += n;
        return value;
    }

    // waits inside: atomic.PhaserPhases.runner(int,boolean)
    private void runner(int n, boolean isFirst) {
        for (int turn = 0; turn < 3; turn++) {
            if (isFirst == (turn % 2 == 0)) {
                add(n);
            }
            phaser.arriveAndAwaitAdvance();
        }
    }

    int arrives() {
        other = 1;
        Steps.done(1);
        Steps.await(2);
        return open.arrive() + other;
    }

    boolean isNotOver() throws InterruptedException {
        other = 2;
        Steps.done(3);
        Steps.await(4);
        try {
            open.awaitAdvanceInterruptibly(1, 0, TimeUnit.SECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        }
    }

    int terminated() {
        other = 3;
        Steps.done(5);
        Steps.await(6);
        return open.awaitAdvance(1) < 0 ? 3 : 0;
    }

    private int look(int step) {
        Steps.await(step);
        return other;
    }

    public static void main(String[] args) throws InterruptedException {
        PhaserPhases p = new PhaserPhases();
        Thread second = new Thread(() -> p.runner(10, false), "second");
        second.start();
        p.runner(1, true);
        second.join();
        System.out.println(p.value);
        Steps.run(() -> {
            try {
                System.out.println(p.arrives() + " " + p.isNotOver() + " " + p.terminated());
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        }, () -> {
            p.look(1);
            Steps.done(2);
            p.look(3);
            p.open.arrive();
            Steps.done(4);
            p.look(5);
            p.open.forceTermination();
            Steps.done(6);
        });
    }
}
