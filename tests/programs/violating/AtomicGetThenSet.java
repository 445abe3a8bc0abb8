package violating;

import java.util.concurrent.atomic.AtomicInteger;
import schedule.Steps;

/**
 * An atomic integer that is read and set in two steps loses an update.
 */
public class AtomicGetThenSet {
    private final AtomicInteger count = new AtomicInteger();

    // finding: violating.AtomicGetThenSet.add(int) lost update by get and set
    void add(int n) {
        int seen = count.get();
        Steps.done(1);
        Steps.await(2);
        count.set(seen + n);
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicGetThenSet counter = new AtomicGetThenSet();
        Steps.run(() -> counter.add(1), () -> {
            Steps.await(1);
            counter.count.incrementAndGet();
            Steps.done(2);
        });
        System.out.println(counter.count.get());
    }
}
