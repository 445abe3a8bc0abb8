package atomic;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import schedule.Steps;

/**
 * A writer that gives back what it does not have changes nothing; one that finds readers takes nothing.
 */
public class ReadWriteLockNotHeld {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    void twice() {
        lock.readLock().lock();
        Steps.done(1);
        Steps.await(2);
        lock.readLock().unlock();
    }

    private String writer() {
        if (lock.writeLock().tryLock()) {
            return "taken";
        }
        try {
            lock.writeLock().unlock();
            return "given back";
        } catch (IllegalMonitorStateException e) {
            return "not held";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ReadWriteLockNotHeld p = new ReadWriteLockNotHeld();
        Steps.run(p::twice, () -> {
            Steps.await(1);
            System.out.println(p.writer());
            Steps.done(2);
        });
        System.out.println(p.lock.getReadLockCount());
    }
}
