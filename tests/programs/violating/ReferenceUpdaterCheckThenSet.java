package violating;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import schedule.Steps;

/**
 * A field is checked plainly, and set by an updater.
 */
public class ReferenceUpdaterCheckThenSet {
    private static final AtomicReferenceFieldUpdater<ReferenceUpdaterCheckThenSet, String> NAME =
        AtomicReferenceFieldUpdater.newUpdater(ReferenceUpdaterCheckThenSet.class, String.class, "name");
    private volatile String name;

    // finding: violating.ReferenceUpdaterCheckThenSet.fill(java.lang.String) lost update
    void fill(String to) {
        if (name == null) {
            Steps.done(1);
            Steps.await(2);
            NAME.set(this, to);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ReferenceUpdaterCheckThenSet p = new ReferenceUpdaterCheckThenSet();
        Steps.run(() -> p.fill("first"), () -> {
            Steps.await(1);
            NAME.compareAndSet(p, null, "second");
            Steps.done(2);
        });
        System.out.println(p.name);
    }
}
