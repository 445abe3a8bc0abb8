package atomic;

import java.util.concurrent.Semaphore;
import schedule.Steps;

/**
 * One section of a semaphore with one permit; what is under it needs no other lock.
 */
public class SemaphoreAsLock {
    private final Semaphore permit = new Semaphore(1);
    private int value;

    int add(int n) {
        permit.acquireUninterruptibly();
        try {
            value += n;
            Steps.done(1);
            return value;
        } finally {
            permit.release();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        SemaphoreAsLock p = new SemaphoreAsLock();
        Steps.run(() -> p.add(1), () -> {
            Steps.await(1);
            p.add(2);
        });
        System.out.println(p.value);
    }
}
