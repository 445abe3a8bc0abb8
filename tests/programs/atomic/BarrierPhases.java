package atomic;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Threads take turns with one field, with a barrier between them; a barrier that breaks, and is reset, orders nothing.
 */
public class BarrierPhases {
    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private final CyclicBarrier broken = new CyclicBarrier(2);
    private int value;

    int add(int n) {
        value += n;
        return value;
    }

    // waits inside: atomic.BarrierPhases.pass(java.util.concurrent.CyclicBarrier)
    private static void pass(CyclicBarrier barrier) {
        try {
            barrier.await(barrier.getParties(), TimeUnit.HOURS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isBroken() throws InterruptedException {
        try {
            broken.await(0, TimeUnit.SECONDS);
            return false;
        } catch (BrokenBarrierException | TimeoutException e) {
            return broken.isBroken();
        }
    }

    // waits inside: atomic.BarrierPhases.runner(int,boolean)
    private void runner(int n, boolean isFirst) {
        for (int turn = 0; turn < 3; turn++) {
            if (isFirst == (turn % 2 == 0)) {
                add(n);
            }
            pass(barrier);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        BarrierPhases p = new BarrierPhases();
        Thread other = new Thread(() -> p.runner(10, false), "other");
        other.start();
        p.runner(1, true);
        other.join();
        System.out.println(p.isBroken());
        System.out.println(p.isBroken());
        p.broken.reset();
        Thread last = new Thread(() -> pass(p.broken), "last");
        last.start();
        pass(p.broken);
        last.join();
        System.out.println(p.value);
    }
}
