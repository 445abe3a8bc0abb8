package violating;

import java.util.concurrent.locks.ReentrantLock;
import schedule.Steps;

/**
 * Two critical sections of a lock object, with another thread's between them.
 */
public class TwoExplicitLocks {
    private final ReentrantLock lock = new ReentrantLock();
    private int value;

    private int get() {
        lock.lock();
        try {
            return value;
        } finally {
            lock.unlock();
        }
    }

    private void set(int to) {
        lock.lock();
        try {
            value = to;
        } finally {
            lock.unlock();
        }
    }

    // finding: violating.TwoExplicitLocks.add(int) stale check-then-act across critical sections
    void add(int n) {
        int seen = get();
        Steps.done(1);
        Steps.await(2);
        set(seen + n);
    }

    public static void main(String[] args) throws InterruptedException {
        TwoExplicitLocks counter = new TwoExplicitLocks();
        Steps.run(() -> counter.add(1), () -> {
            Steps.await(1);
            counter.set(5);
            Steps.done(2);
        });
        System.out.println(counter.get());
    }
}
