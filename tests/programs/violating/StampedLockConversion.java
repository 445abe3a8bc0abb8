package violating;

import java.util.concurrent.locks.StampedLock;
import schedule.Steps;

/**
 * Two sections that convert their stamps, with another thread's between them.
 */
public class StampedLockConversion {
    private final StampedLock lock = new StampedLock();

    // finding: violating.StampedLockConversion.twice() stale check-then-act across critical sections
    boolean twice() {
        long stamp = lock.tryWriteLock();
        stamp = lock.tryConvertToReadLock(stamp);
        lock.unlock(stamp);
        Steps.done(1);
        Steps.await(2);
        stamp = lock.tryConvertToWriteLock(lock.tryReadLock());
        return stamp != 0 && lock.tryConvertToOptimisticRead(stamp) != 0;
    }

    public static void main(String[] args) throws InterruptedException {
        StampedLockConversion p = new StampedLockConversion();
        Steps.run(p::twice, () -> {
            Steps.await(1);
            long stamp = p.lock.writeLock();
            p.lock.unlock(stamp);
            Steps.done(2);
        });
        System.out.println(p.lock.isWriteLocked());
    }
}
