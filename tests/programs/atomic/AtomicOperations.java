package atomic;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import schedule.Steps;

/**
 * A loop that compares and sets; a failed exchange reads; readers that share a lock do not order each other.
 */
public class AtomicOperations {
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicReference<String> name = new AtomicReference<>("a");
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private int value = 3;

    int next() {
        return count.incrementAndGet();
    }

    boolean twice() {
        boolean first = name.compareAndSet("x", "y");
        Steps.done(1);
        Steps.await(2);
        return first | name.compareAndSet("x", "z");
    }

    int read() {
        lock.readLock().lock();
        try {
            return value;
        } finally {
            lock.readLock().unlock();
        }
    }

    int readTwice() {
        int first = read();
        Steps.done(3);
        Steps.await(4);
        return first + read();
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicOperations operations = new AtomicOperations();
        Steps.run(() -> {
            operations.next();
            operations.twice();
            operations.readTwice();
        }, () -> {
            Steps.await(1);
            operations.next();
            operations.name.compareAndSet("x", "w");
            Steps.done(2);
            Steps.await(3);
            operations.read();
            Steps.done(4);
        });
        System.out.println(operations.count + operations.name.get());
    }
}
