package violating;

import java.util.concurrent.atomic.AtomicIntegerArray;
import schedule.Steps;

/**
 * An element of an array of atomic integers that is read and set in two steps.
 */
public class AtomicArrayGetThenSet {
    private final AtomicIntegerArray counts = new AtomicIntegerArray(3);

    // finding: violating.AtomicArrayGetThenSet.add(int,int) lost update by get and set
    void add(int at, int n) {
        int seen = counts.get(at);
        Steps.done(1);
        Steps.await(2);
        counts.set(at, seen + n);
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicArrayGetThenSet p = new AtomicArrayGetThenSet();
        Steps.run(() -> p.add(1, 5), () -> {
            Steps.await(1);
            p.counts.incrementAndGet(1);
            Steps.done(2);
        });
        System.out.println(p.counts);
    }
}
