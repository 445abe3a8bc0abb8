package atomic;

import java.util.concurrent.locks.StampedLock;
import schedule.Steps;

/**
 * Optimistic reads whose fields nobody writes meanwhile; one that a writer invalidates before it has read anything.
 */
public class OptimisticReads {
    private final StampedLock lock = new StampedLock();
    private int x;
    private int y;

    private void move(int by) {
        long stamp = lock.writeLock();
        x += by;
        y -= by;
        lock.unlockWrite(stamp);
    }

    int sum() {
        long stamp = lock.tryOptimisticRead();
        int sum = x + y;
        return lock.validate(stamp) ? sum : -1;
    }

    int sumAfterAll() {
        long stamp = lock.tryOptimisticRead();
        Steps.done(1);
        Steps.await(2);
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                return x + y;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return -1;
    }

    public static void main(String[] args) throws InterruptedException {
        OptimisticReads p = new OptimisticReads();
        Steps.run(() -> {
            System.out.println(p.sumAfterAll());
            Steps.await(3);
            System.out.println(p.sum());
        }, () -> {
            Steps.await(1);
            p.move(1);
            Steps.done(2);
            p.move(2);
            Steps.done(3);
        });
    }
}
