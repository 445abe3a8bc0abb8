package violating;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import schedule.Steps;

/**
 * Atomic variables that are read and set in two steps, or set in two steps that belong together.
 */
public class OtherAtomics {
    private final AtomicLong sum = new AtomicLong();
    private final AtomicBoolean flag = new AtomicBoolean();
    private final AtomicReference<String> name = new AtomicReference<>("a");

    // finding: violating.OtherAtomics.inLong() lost update by get and set
    void inLong() {
        long seen = sum.get();
        Steps.done(1);
        Steps.await(2);
        sum.set(seen + 1);
    }

    // finding: violating.OtherAtomics.inBoolean() lost update by get and set
    void inBoolean() {
        boolean seen = flag.get();
        Steps.done(3);
        Steps.await(4);
        flag.set(!seen);
    }

    // finding: violating.OtherAtomics.inReference() torn update
    void inReference() {
        name.set("b");
        Steps.done(5);
        Steps.await(6);
        name.getAndSet("c");
    }

    public static void main(String[] args) throws InterruptedException {
        OtherAtomics p = new OtherAtomics();
        Steps.run(() -> {
            p.inLong();
            p.inBoolean();
            p.inReference();
        }, () -> {
            Steps.await(1);
            p.sum.addAndGet(7);
            Steps.done(2);
            Steps.await(3);
            p.flag.compareAndSet(false, true);
            Steps.done(4);
            Steps.await(5);
            p.name.accumulateAndGet("x", String::concat);
            Steps.done(6);
        });
        System.out.println(p.sum + " " + p.flag + p.name);
    }
}
