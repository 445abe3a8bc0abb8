package violating;

import java.util.concurrent.locks.StampedLock;
import schedule.Steps;

/**
 * An optimistic read that a writer invalidates, and that reads again: its first reads have happened all the same. One that does not look whether it is
 * valid.
 */
public class OptimisticRetry {
    private final StampedLock lock = new StampedLock();
    private int x;
    private int y;

    private void move(int by) {
        long stamp = lock.writeLock();
        x += by;
        y -= by;
        lock.unlockWrite(stamp);
    }

    // finding: violating.OptimisticRetry.sum() inconsistent view
    int sum() {
        long stamp = lock.tryOptimisticRead();
        int sum = x + y;
        Steps.done(1);
        Steps.await(2);
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            sum = x + y;
            lock.unlockRead(stamp);
        }
        return sum;
    }

    // finding: violating.OptimisticRetry.sumOfTwoTimes() inconsistent view
    int sumOfTwoTimes() {
        lock.tryOptimisticRead();
        int sum = x;
        Steps.done(3);
        Steps.await(4);
        return sum + y;
    }

    public static void main(String[] args) throws InterruptedException {
        OptimisticRetry p = new OptimisticRetry();
        Steps.run(() -> System.out.println(p.sum() + " " + p.sumOfTwoTimes()), () -> {
            Steps.await(1);
            p.move(1);
            Steps.done(2);
            Steps.await(3);
            p.move(2);
            Steps.done(4);
        });
    }
}
