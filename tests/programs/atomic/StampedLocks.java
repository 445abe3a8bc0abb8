package atomic;

import java.util.concurrent.locks.StampedLock;
import schedule.Steps;

/**
 * Readers that share a lock do not order each other; an optimistic read orders nothing, nor does a lock that was not taken.
 */
public class StampedLocks {
    private final StampedLock lock = new StampedLock();
    private int value = 3;

    int readTwice() {
        long stamp = lock.readLock();
        int first = value;
        lock.unlockRead(stamp);
        long optimistic = lock.tryOptimisticRead();
        Steps.done(1);
        Steps.await(2);
        stamp = lock.tryReadLock();
        first += lock.validate(optimistic) ? value : 0;
        lock.unlock(stamp);
        return first;
    }

    boolean fails() {
        long seen = lock.tryWriteLock();
        Steps.done(3);
        Steps.await(4);
        return seen == 0 && lock.tryWriteLock() == 0 && lock.tryConvertToWriteLock(1) == 0;
    }

    boolean isStale(long stamp) {
        try {
            lock.unlockWrite(stamp);
            return false;
        } catch (IllegalMonitorStateException e) {
            return true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        StampedLocks p = new StampedLocks();
        Steps.run(() -> {
            p.readTwice();
            Steps.await(2);
            p.fails();
        }, () -> {
            Steps.await(1);
            long stamp = p.lock.readLock();
            System.out.println(p.value);
            p.isStale(stamp + 128);
            Steps.done(2);
            Steps.await(3);
            long other = p.lock.readLock();
            p.lock.unlockRead(other);
            Steps.done(4);
        });
        System.out.println(p.value);
    }
}
