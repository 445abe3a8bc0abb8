package atomic;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import schedule.Steps;

/**
 * One operation each; an exchange that fails only reads.
 */
public class OtherAtomicsOnce {
    private final AtomicLong sum = new AtomicLong();
    private final AtomicBoolean flag = new AtomicBoolean();
    private final AtomicReference<String> name = new AtomicReference<>("a");

    long inLong() {
        long seen = sum.get();
        Steps.done(1);
        Steps.await(2);
        return seen + sum.get();
    }

    boolean inBoolean() {
        boolean seen = flag.get();
        Steps.done(3);
        Steps.await(4);
        return seen ^ flag.getPlain();
    }

    String inReference() {
        String seen = name.getAcquire();
        Steps.done(5);
        Steps.await(6);
        return seen + name.get();
    }

    public static void main(String[] args) throws InterruptedException {
        OtherAtomicsOnce p = new OtherAtomicsOnce();
        Steps.run(() -> {
            p.inLong();
            p.inBoolean();
            p.inReference();
        }, () -> {
            Steps.await(1);
            p.sum.compareAndSet(7, 8);
            Steps.done(2);
            Steps.await(3);
            p.flag.compareAndSet(true, false);
            Steps.done(4);
            Steps.await(5);
            p.name.get();
            Steps.done(6);
        });
        System.out.println(p.sum + " " + p.flag + p.name);
    }
}
