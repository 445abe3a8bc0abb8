package life;

import java.util.concurrent.locks.LockSupport;
import schedule.Steps;

/**
 * Permits and interrupts given before a flood of events, which fills rings, are still there after it.
 */
public class PermitsAndInterrupts {
    private final int[] cells = new int[64];
    private int value;
    private long sum;

    void flood() {
        for (int i = 0; i < 200_000; i++) {
            touch(i);
        }
    }

    synchronized void touch(int i) {
        value = i;
        sum += cells[i & 63] + value;
    }

    public static void main(String[] args) throws InterruptedException {
        PermitsAndInterrupts work = new PermitsAndInterrupts();
        Thread worker = new Thread(() -> {
            Steps.await(1);
            work.flood();
            LockSupport.park();
            System.out.println("permit kept, interrupted " + Thread.currentThread().isInterrupted());
        }, "worker");
        worker.start();
        LockSupport.unpark(worker);
        worker.interrupt();
        Steps.done(1);
        work.flood();
        worker.join();
        System.out.println("sum " + work.sum);
    }
}
