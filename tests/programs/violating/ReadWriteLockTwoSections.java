package violating;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import schedule.Steps;

/**
 * Two sections of readers, with one of a writer between them.
 */
public class ReadWriteLockTwoSections {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private void reader() {
        lock.readLock().lock();
        lock.readLock().unlock();
    }

    private boolean writer() {
        boolean isTaken = lock.writeLock().tryLock();
        lock.writeLock().unlock();
        return isTaken;
    }

    // finding: violating.ReadWriteLockTwoSections.twice() stale check-then-act across critical sections
    void twice() {
        reader();
        Steps.done(1);
        Steps.await(2);
        reader();
    }

    public static void main(String[] args) throws InterruptedException {
        ReadWriteLockTwoSections p = new ReadWriteLockTwoSections();
        Steps.run(p::twice, () -> {
            Steps.await(1);
            System.out.println(p.writer());
            Steps.done(2);
        });
        System.out.println(p.lock.getReadLockCount());
    }
}
