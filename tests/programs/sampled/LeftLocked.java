package sampled;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls that throw while something is held: an element of an atomic array that is not there, a wait that is interrupted. Whoever comes next must
 * not wait for a thread that does nothing watched any more, nor seem to come after it.
 */
public class LeftLocked {
    private final AtomicIntegerArray counts = new AtomicIntegerArray(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    private int guarded;

    private void miss() {
        try {
            Runnable missing = () -> counts.incrementAndGet(1);
            missing.run();
        } catch (IndexOutOfBoundsException e) {
            Thread.yield();
        }
    }

    private void hit() {
        counts.incrementAndGet(0);
    }

    private void lock() {
        lock.lock();
    }

    private void unlock() {
        lock.unlock();
    }

    private void await() throws InterruptedException {
        condition.await();
    }

    /** Takes the lock, waits, is interrupted, and leaves the lock, each in a method of its own. */
    private void interrupted() {
        lock();
        try {
            Thread.currentThread().interrupt();
            await();
        } catch (InterruptedException e) {
            guarded++;
        } finally {
            unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        LeftLocked shared = new LeftLocked();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                for (int round = 0; round < 300; round++) {
                    shared.miss();
                    shared.hit();
                    shared.interrupted();
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(shared.counts.get(0) + " " + shared.guarded);
    }
}
