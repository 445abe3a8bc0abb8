package atomic;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import schedule.Steps;

/**
 * Elements of arrays of atomics are variables of their own; an index that does not exist is none.
 */
public class AtomicArrayElements {
    private final AtomicIntegerArray counts = new AtomicIntegerArray(100);
    private final AtomicLongArray sums = new AtomicLongArray(2);
    private final AtomicReferenceArray<String> names = new AtomicReferenceArray<>(2);

    int move(int from, int to) {
        int seen = counts.getAndSet(from, 0);
        sums.addAndGet(0, seen);
        names.set(0, "moved");
        Steps.done(1);
        Steps.await(2);
        sums.addAndGet(0, seen);
        names.compareAndSet(0, "moved", "done");
        return counts.addAndGet(to, seen);
    }

    boolean isThere(int at) {
        try {
            return counts.get(at) > 0;
        } catch (IndexOutOfBoundsException e) {
            return false;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicArrayElements p = new AtomicArrayElements();
        Steps.run(() -> p.move(1, 99), () -> {
            Steps.await(1);
            p.counts.incrementAndGet(2);
            p.sums.incrementAndGet(1);
            p.names.set(1, "other");
            p.isThere(100);
            p.isThere(-1);
            Steps.done(2);
        });
        System.out.println(p.counts.get(2) + " " + p.sums + p.names);
    }
}
