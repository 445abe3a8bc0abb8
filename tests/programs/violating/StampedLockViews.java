package violating;

import java.util.concurrent.locks.StampedLock;
import schedule.Steps;

/**
 * Two critical sections of the views of a lock with stamps, with another thread's between them.
 */
public class StampedLockViews {
    private final StampedLock lock = new StampedLock();

    // finding: violating.StampedLockViews.twice() stale check-then-act across critical sections
    int twice() {
        lock.asReadLock().lock();
        int readers = lock.getReadLockCount();
        lock.asReadLock().unlock();
        Steps.done(1);
        Steps.await(2);
        lock.asReadWriteLock().readLock().lock();
        readers += lock.getReadLockCount();
        lock.asReadWriteLock().readLock().unlock();
        return readers;
    }

    public static void main(String[] args) throws InterruptedException {
        StampedLockViews p = new StampedLockViews();
        Steps.run(() -> System.out.println(p.twice()), () -> {
            Steps.await(1);
            p.lock.asWriteLock().lock();
            p.lock.asWriteLock().unlock();
            Steps.done(2);
        });
        System.out.println(p.lock.isWriteLocked());
    }
}
