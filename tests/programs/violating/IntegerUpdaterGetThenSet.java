package violating;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import schedule.Steps;

/**
 * A field updater and a plain write access the same field.
 */
public class IntegerUpdaterGetThenSet {
    private static final AtomicIntegerFieldUpdater<IntegerUpdaterGetThenSet> COUNT =
        AtomicIntegerFieldUpdater.newUpdater(IntegerUpdaterGetThenSet.class, "count");
    private int before;
    private volatile int count;

    // finding: violating.IntegerUpdaterGetThenSet.add(int) lost update by get and set
    void add(int n) {
        int seen = COUNT.get(this);
        Steps.done(1);
        Steps.await(2);
        COUNT.set(this, seen + n);
    }

    public static void main(String[] args) throws InterruptedException {
        IntegerUpdaterGetThenSet p = new IntegerUpdaterGetThenSet();
        Steps.run(() -> p.add(1), () -> {
            Steps.await(1);
            p.count = 7;
            Steps.done(2);
        });
        System.out.println(p.count + p.before);
    }
}
