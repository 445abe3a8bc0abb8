package violating;

import java.util.concurrent.locks.StampedLock;
import schedule.Steps;

/**
 * Two critical sections of a lock with stamps, with another thread's between them.
 */
public class StampedLockTwoSections {
    private final StampedLock lock = new StampedLock();
    private int value;

    private int get() {
        long stamp = lock.readLock();
        try {
            return value;
        } finally {
            lock.unlockRead(stamp);
        }
    }

    private void set(int to) {
        long stamp = lock.writeLock();
        try {
            value = to;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    // finding: violating.StampedLockTwoSections.add(int) lost update
    void add(int n) {
        int seen = get();
        Steps.done(1);
        Steps.await(2);
        set(seen + n);
    }

    public static void main(String[] args) throws InterruptedException {
        StampedLockTwoSections p = new StampedLockTwoSections();
        Steps.run(() -> p.add(1), () -> {
            Steps.await(1);
            p.set(5);
            Steps.done(2);
        });
        System.out.println(p.get());
    }
}
