package violating;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Turns;

/**
 * Sections of a lock that is taken in ways that can fail, and waits for a condition that end by themselves, with another thread's section in between.
 */
public class InterruptibleLocks {
    private final Turns turns = new Turns();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition never = lock.newCondition();
    private int sections;

    // finding: violating.InterruptibleLocks.twice() stale check-then-act across critical sections
    void twice() throws InterruptedException {
        lock.lockInterruptibly();
        lock.unlock();
        turns.give(this::section);
        lock.lockInterruptibly();
        lock.unlock();
    }

    // waits inside: violating.InterruptibleLocks.inTime()
    boolean inTime() throws InterruptedException {
        lock.lock();
        lock.unlock();
        turns.give(this::section);
        lock.lock();
        try {
            long left = never.awaitNanos(1000);
            return left > 0 | never.awaitUntil(new java.util.Date(0)) | never.await(0, TimeUnit.SECONDS);
        } finally {
            lock.unlock();
        }
    }

    private void section() {
        lock.lock();
        sections++;
        lock.unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        InterruptibleLocks p = new InterruptibleLocks();
        p.turns.run(() -> {
            try {
                p.twice();
                System.out.println(p.inTime());
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
    }
}
