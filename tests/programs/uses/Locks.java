package uses;

import static schedule.Threads.second;
import static schedule.Threads.secondBegins;
import static schedule.Threads.secondEnds;
import static schedule.Threads.secondWaits;
import static schedule.Threads.third;
import static schedule.Threads.untilWaits;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import schedule.Steps;

/**
 * Locks, those that readers share, and conditions.
 */
class Locks {
    private final Lock lock = new ReentrantLock();
    private final Lock other = new OwnLock();
    private final ReadWriteLock shared = new ReentrantReadWriteLock();
    private final StampedLock stamped = new StampedLock();

    /** One of the program's own. */
    private static final class OwnLock extends ReentrantLock {
        private static final long serialVersionUID = 1;
    }

    /** It calls code that is not watched, which may write. */
    private static void section(Lock lock) {
        lock.lock();
        Steps.done(0);
        lock.unlock();
    }

    private static void emptySection(Lock lock) {
        lock.lock();
        lock.unlock();
    }

    int twoEmptySectionsAroundOneIsAtomic() {
        emptySection(lock);
        second(() -> emptySection(lock));
        emptySection(lock);
        return 1;
    }

    int twoEmptySectionsAroundOneThatMayWriteIsViolated() {
        emptySection(lock);
        second(() -> section(lock));
        emptySection(lock);
        return 1;
    }

    int twoSectionsAroundOneIsViolated() {
        section(lock);
        second(() -> section(lock));
        section(lock);
        return 1;
    }

    int twoSectionsAroundOneOfAnotherLockIsAtomic() {
        section(lock);
        second(() -> section(other));
        section(lock);
        return 1;
    }

    int twoSectionsOfOwnLockAroundTryLockIsViolated() {
        section(other);
        second(() -> {
            if (other.tryLock(1, TimeUnit.HOURS)) {
                other.unlock();
            }
        });
        section(other);
        return 1;
    }

    int oneSectionAroundTryLockThatFailsIsAtomic() {
        lock.lock();
        second(() -> {
            if (lock.tryLock()) {
                throw new IllegalStateException("it is not held");
            }
        });
        lock.unlock();
        return 1;
    }

    int innerSectionsAroundTryLockThatFailsIsAtomic() {
        lock.lock();
        section(lock);
        second(() -> {
            if (lock.tryLock()) {
                throw new IllegalStateException("it is not held");
            }
        });
        section(lock);
        lock.unlock();
        return 1;
    }

    int oneSectionBetweenTwoOfAnotherThreadIsAtomic() {
        second(() -> section(lock));
        section(lock);
        second(() -> section(lock));
        return 1;
    }

    int sectionsOfTwoLocksAroundBothInOrderIsViolated() {
        section(lock);
        second(() -> {
            section(lock);
            section(other);
        });
        section(other);
        return 1;
    }

    int sectionsOfTwoLocksAroundBothTheOtherWayIsAtomic() {
        section(lock);
        second(() -> {
            section(other);
            section(lock);
        });
        section(other);
        return 1;
    }

    int sectionsOfTwoLocksByThreeThreadsIsViolated() {
        section(lock);
        second(() -> {
            section(lock);
            section(shared.writeLock());
        });
        third(() -> {
            section(shared.readLock());
            section(other);
        });
        section(other);
        return 1;
    }

    int readersOnlyAreWithoutOrderIsAtomic() {
        section(lock);
        second(() -> {
            section(lock);
            section(shared.readLock());
        });
        third(() -> {
            section(shared.readLock());
            section(other);
        });
        section(other);
        return 1;
    }

    int readSectionsAroundReadSectionIsAtomic() {
        section(shared.readLock());
        second(() -> section(shared.readLock()));
        section(shared.readLock());
        return 1;
    }

    int readSectionsAroundWriteSectionIsViolated() {
        section(shared.readLock());
        second(() -> section(shared.writeLock()));
        section(shared.readLock());
        return 1;
    }

    int writeThenReadSectionAroundReadSectionIsAtomic() {
        section(shared.writeLock());
        second(() -> section(shared.readLock()));
        section(shared.readLock());
        return 1;
    }

    int readThenWriteSectionAroundReadSectionIsAtomic() {
        section(shared.readLock());
        second(() -> section(shared.readLock()));
        section(shared.writeLock());
        return 1;
    }

    int writeSectionsAroundReadSectionIsViolated() {
        section(shared.writeLock());
        second(() -> section(shared.readLock()));
        section(shared.writeLock());
        return 1;
    }

    int downgradedHoldAroundTryLockThatFailsIsAtomic() {
        shared.writeLock().lock();
        shared.readLock().lock();
        shared.writeLock().unlock();
        second(() -> {
            if (shared.writeLock().tryLock()) {
                throw new IllegalStateException("it is not held");
            }
        });
        shared.readLock().unlock();
        return 1;
    }

    int downgradedHoldAroundReaderIsAtomic() {
        shared.writeLock().lock();
        shared.readLock().lock();
        shared.writeLock().unlock();
        second(() -> section(shared.readLock()));
        shared.readLock().unlock();
        return 1;
    }

    int downgradedHoldAroundReaderThenWriteSectionIsViolated() {
        shared.writeLock().lock();
        shared.readLock().lock();
        shared.writeLock().unlock();
        second(() -> section(shared.readLock()));
        shared.readLock().unlock();
        section(shared.writeLock());
        return 1;
    }

    boolean optimisticReadAroundWriteSectionIsAtomic() {
        long stamp = stamped.tryOptimisticRead();
        second(() -> stamped.unlockWrite(stamped.writeLock()));
        return stamped.validate(stamp);
    }

    boolean optimisticReadThenReadSectionsAroundWriteSectionIsViolated() {
        stamped.unlockRead(stamped.readLock());
        second(() -> stamped.unlockWrite(stamped.writeLock()));
        stamped.unlock(stamped.readLock());
        return true;
    }

    boolean convertedHoldAroundTryWriteLockThatFailsIsAtomic() {
        long read = stamped.readLock();
        second(() -> {
            if (stamped.tryWriteLock() != 0) {
                throw new IllegalStateException("it is not held");
            }
        });
        long write = stamped.tryConvertToWriteLock(read);
        stamped.unlockWrite(write);
        return write != 0;
    }

    boolean stampedWriteSectionsAroundViewIsViolated() {
        stamped.unlockWrite(stamped.writeLock());
        second(() -> section(stamped.asReadLock()));
        stamped.unlockWrite(stamped.writeLock());
        return true;
    }

    boolean stampedReadSectionsAroundReadersOfViewsIsAtomic() {
        stamped.unlockRead(stamped.readLock());
        second(() -> section(stamped.asReadLock()));
        third(() -> section(stamped.asReadWriteLock().readLock()));
        stamped.unlockRead(stamped.readLock());
        return true;
    }

    boolean waitForConditionIsViolated() throws InterruptedException {
        Condition condition = lock.newCondition();
        boolean[] isSignalled = {false};
        lock.lock();
        Thread waiter = Thread.currentThread();
        secondBegins(() -> {
            lock.lock();
            untilWaits(waiter);
            isSignalled[0] = true;
            condition.signal();
            lock.unlock();
        });
        while (!isSignalled[0]) {
            condition.await();
        }
        lock.unlock();
        secondEnds();
        return true;
    }

    boolean waitForConditionOfWriteLockIsViolated() throws InterruptedException {
        Condition condition = shared.writeLock().newCondition();
        boolean[] isSignalled = {false};
        shared.writeLock().lock();
        Thread waiter = Thread.currentThread();
        secondBegins(() -> {
            shared.writeLock().lock();
            untilWaits(waiter);
            isSignalled[0] = true;
            condition.signal();
            shared.writeLock().unlock();
        });
        while (!isSignalled[0]) {
            condition.await();
        }
        shared.writeLock().unlock();
        secondEnds();
        return true;
    }

    long waitForConditionOfWriteLockInVainIsAtomic() throws InterruptedException {
        Condition condition = shared.writeLock().newCondition();
        shared.writeLock().lock();
        shared.writeLock().lock();
        long left = condition.awaitNanos(1);
        shared.writeLock().unlock();
        shared.writeLock().unlock();
        second(() -> section(shared.writeLock()));
        return left;
    }

    long waitForConditionOfWriteLockWithoutItIsAtomic() throws InterruptedException {
        Condition condition = shared.writeLock().newCondition();
        try {
            return condition.awaitNanos(1);
        } catch (IllegalMonitorStateException e) {
            second(() -> section(shared.writeLock()));
            return 1;
        }
    }

    long waitForConditionInVainIsAtomic() throws InterruptedException {
        Condition condition = lock.newCondition();
        lock.lock();
        long left = condition.awaitNanos(1);
        lock.unlock();
        second(() -> section(lock));
        return left;
    }

    int handOverToWaiterIsAtomic() {
        lock.lock();
        secondWaits(() -> section(lock));
        lock.unlock();
        secondEnds();
        return 1;
    }

    int handOverToWaiterAndBackIsViolated() {
        lock.lock();
        secondWaits(() -> section(lock));
        lock.unlock();
        secondEnds();
        section(lock);
        return 1;
    }
}
