package violating;

import java.util.concurrent.locks.StampedLock;
import schedule.Steps;

/**
 * Two critical sections of a lock with stamps, with another thread's between them.
 */
public class StampedLockTwoSections {
    private final StampedLock lock = new StampedLock();

    private boolean look() {
        long stamp = lock.readLock();
        try {
            return lock.isReadLocked();
        } finally {
            lock.unlockRead(stamp);
        }
    }

    private boolean change() {
        long stamp = lock.writeLock();
        try {
            return lock.isWriteLocked();
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    // finding: violating.StampedLockTwoSections.both() stale check-then-act from read lock to write lock
    boolean both() {
        boolean seen = look();
        Steps.done(1);
        Steps.await(2);
        return seen & change();
    }

    public static void main(String[] args) throws InterruptedException {
        StampedLockTwoSections p = new StampedLockTwoSections();
        Steps.run(() -> System.out.println(p.both()), () -> {
            Steps.await(1);
            p.change();
            Steps.done(2);
        });
        System.out.println(p.look());
    }
}
