package violating;

import java.util.concurrent.atomic.AtomicStampedReference;
import schedule.Steps;

/**
 * A stamp is read and set in two steps.
 */
public class StampedReferenceReadThenSet {
    private final AtomicStampedReference<String> name = new AtomicStampedReference<>("a", 0);

    // finding: violating.StampedReferenceReadThenSet.advance(java.lang.String) lost update by get and set
    void advance(String to) {
        int stamp = name.getStamp();
        Steps.done(1);
        Steps.await(2);
        name.set(to, stamp + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        StampedReferenceReadThenSet p = new StampedReferenceReadThenSet();
        Steps.run(() -> p.advance("b"), () -> {
            Steps.await(1);
            p.name.attemptStamp("a", 7);
            Steps.done(2);
        });
        System.out.println(p.name.getReference() + p.name.getStamp());
    }
}
