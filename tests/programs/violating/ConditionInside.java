package violating;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Steps;

/**
 * A method that waits for a condition gives its lock back meanwhile.
 */
public class ConditionInside {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean isReady;

    // waits inside: violating.ConditionInside.await()
    void await() {
        lock.lock();
        try {
            Steps.done(1);
            while (!isReady) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    void signal() {
        lock.lock();
        try {
            isReady = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ConditionInside p = new ConditionInside();
        Thread waiter = new Thread(p::await, "waiter");
        waiter.start();
        Steps.await(1);
        // Gets the lock once the waiter gives it back.
        p.signal();
        waiter.join();
        System.out.println(p.isReady);
    }
}
