package atomic;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A thread that waits for a condition outside of any method that is to be atomic comes after who has signalled.
 */
public class ConditionOutside {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int value;

    int add(int n) {
        lock.lock();
        try {
            value += n;
            changed.signal();
            changed.signalAll();
            return value;
        } finally {
            lock.unlock();
        }
    }

    int value() {
        lock.lock();
        try {
            return value;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ConditionOutside p = new ConditionOutside();
        Thread other = new Thread(() -> p.add(2), "other");
        p.lock.lock();
        try {
            other.start();
            while (p.value == 0) {
                p.changed.await();
            }
        } finally {
            p.lock.unlock();
        }
        System.out.println(p.add(p.value()));
        other.join();
    }
}
