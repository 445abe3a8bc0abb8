package advised;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import schedule.Steps;

/**
 * Methods that give up what they hold, and take it again. With the argument {@code fixed} they keep it as the advice says. Only methods called {@code once..} have to
 * be atomic.
 */
public class Sections {
    private final boolean isFixed;
    private final ReentrantReadWriteLock shared = new ReentrantReadWriteLock();
    private final ReentrantReadWriteLock upgraded = new ReentrantReadWriteLock();
    private final StampedLock stamped = new StampedLock();
    private final Semaphore permit = new Semaphore(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Object monitor = new Object();
    private boolean isReady;
    private boolean isSet;
    private int count;
    private int step;

    Sections(boolean isFixed) {
        this.isFixed = isFixed;
    }

    /** The other thread waits for the lock that is kept. */
    private void meet() {
        Steps.done(++step);
        step++;
        if (!isFixed) {
            Steps.await(step);
        }
    }

    private void afterwards() {
        Steps.await(step);
    }

    // finding: advised.Sections.onceShared() stale check-then-act across critical sections
    // access: advised.Sections.onceShared() acquire of ReentrantReadWriteLock (field Sections.shared), shared, by lock
    // access: advised.Sections.onceShared() acquire of ReentrantReadWriteLock (field Sections.shared), exclusive, by lock
    // advice: advised.Sections.onceShared() if it is meant to be atomic: keep the read lock from Sections.java:
    void onceShared() {
        shared.readLock().lock();
        int seen = count;
        if (!isFixed) {
            shared.readLock().unlock();
        }
        meet();
        if (!isFixed) {
            shared.readLock().lock();
        }
        seen += count;
        shared.readLock().unlock();
    }

    // finding: advised.Sections.onceUpgraded() stale check-then-act from read lock to write lock
    // access: advised.Sections.onceUpgraded() acquire of ReentrantReadWriteLock (field Sections.upgraded), shared, by lock
    // access: advised.Sections.onceUpgraded() acquire of ReentrantReadWriteLock (field Sections.upgraded), exclusive, by lock
    // advice: advised.Sections.onceUpgraded() if it is meant to be atomic: take the write lock at Sections.java:
    // advice: advised.Sections.onceUpgraded() who has the read lock waits for the write lock forever
    void onceUpgraded() {
        if (isFixed) {
            upgraded.writeLock().lock();
            int seen = count;
            meet();
            count = seen + 1;
            upgraded.writeLock().unlock();
            return;
        }
        upgraded.readLock().lock();
        int seen = count;
        upgraded.readLock().unlock();
        meet();
        upgraded.writeLock().lock();
        count = seen + 1;
        upgraded.writeLock().unlock();
    }

    // finding: advised.Sections.onceStamped() stale check-then-act across critical sections
    // access: advised.Sections.onceStamped() acquire of StampedLock (field Sections.stamped), exclusive, by writeLock
    // advice: advised.Sections.onceStamped() if it is meant to be atomic: keep the write lock from Sections.java:
    // advice: advised.Sections.onceStamped() with its stamp, and do not lock again in between: a StampedLock waits for itself
    void onceStamped() {
        long stamp = stamped.writeLock();
        count++;
        if (!isFixed) {
            stamped.unlockWrite(stamp);
        }
        meet();
        stamp = isFixed ? stamp : stamped.writeLock();
        count++;
        stamped.unlockWrite(stamp);
    }

    // finding: advised.Sections.oncePermitted() stale check-then-act across critical sections
    // access: advised.Sections.oncePermitted() write of permits of Semaphore (field Sections.permit) by release
    // access: advised.Sections.oncePermitted() read of permits of Semaphore (field Sections.permit) by acquireUninterruptibly
    // advice: advised.Sections.oncePermitted() if it is meant to be atomic: keep the permit from Sections.java:
    void oncePermitted() {
        permit.acquireUninterruptibly();
        count++;
        if (!isFixed) {
            permit.release();
        }
        meet();
        if (!isFixed) {
            permit.acquireUninterruptibly();
        }
        count++;
        permit.release();
    }

    // finding: advised.Sections.onceAwaited() stale check-then-act across critical sections
    // access: advised.Sections.onceAwaited() release java.util.concurrent.locks.ReentrantLock by awaitUninterruptibly
    // access: advised.Sections.onceAwaited() acquire java.util.concurrent.locks.ReentrantLock by awaitUninterruptibly
    // access: advised.Sections.onceAwaited() release java.util.concurrent.locks.ReentrantLock
    // access: advised.Sections.onceAwaited() acquire java.util.concurrent.locks.ReentrantLock
    // advice: advised.Sections.onceAwaited() no lock can help, because the wait at Sections.java:
    // advice: advised.Sections.onceAwaited() end the method before the wait or begin it after
    void onceAwaited() {
        if (!isFixed) {
            lock.lock();
            awaitReady();
        }
        // The lock is held since the wait.
        count++;
        lock.unlock();
    }

    private void awaitReady() {
        while (!isReady) {
            Steps.done(step + 1);
            changed.awaitUninterruptibly();
        }
    }

    // finding: advised.Sections.onceNotified() stale check-then-act across critical sections
    // access: advised.Sections.onceNotified() release java.lang.Object by wait
    // access: advised.Sections.onceNotified() acquire java.lang.Object by wait
    // access: advised.Sections.onceNotified() release java.lang.Object
    // access: advised.Sections.onceNotified() acquire java.lang.Object
    // advice: advised.Sections.onceNotified() no lock can help, because the wait at Sections.java:
    void onceNotified() throws InterruptedException {
        synchronized (monitor) {
            if (!isFixed) {
                awaitSet();
            }
            count++;
        }
    }

    private void awaitSet() throws InterruptedException {
        while (!isSet) {
            Steps.done(step + 1);
            monitor.wait();
        }
    }

    private void waits() {
        try {
            if (isFixed) {
                lock.lock();
                awaitReady();
            }
            onceAwaited();
            step += 2;
            if (isFixed) {
                synchronized (monitor) {
                    awaitSet();
                    onceNotified();
                }
            } else {
                onceNotified();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void ready() {
        lock.lock();
        isReady = true;
        changed.signal();
        lock.unlock();
    }

    private void set() {
        synchronized (monitor) {
            isSet = true;
            monitor.notify();
        }
    }

    private void write(ReentrantReadWriteLock lock) {
        lock.writeLock().lock();
        count++;
        lock.writeLock().unlock();
    }

    private void stamp() {
        long stamp = stamped.writeLock();
        count++;
        stamped.unlockWrite(stamp);
    }

    private void acquire() {
        permit.acquireUninterruptibly();
        count++;
        permit.release();
    }

    public static void main(String[] args) throws InterruptedException {
        Sections p = new Sections(args.length > 0);
        List<Runnable> methods = List.of(p::onceShared, p::onceUpgraded, p::onceStamped, p::oncePermitted);
        List<Runnable> others = List.of(() -> p.write(p.shared), () -> p.write(p.upgraded), p::stamp, p::acquire, p::ready, p::set);
        Steps.run(() -> {
            for (Runnable method : methods) {
                method.run();
                p.afterwards();
            }
            p.waits();
        }, () -> {
            for (int i = 0; i < others.size(); i++) {
                Steps.await(2 * i + 1);
                others.get(i).run();
                Steps.done(2 * i + 2);
            }
        });
        System.out.println("done");
    }
}
