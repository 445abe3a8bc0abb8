package atomic;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import schedule.Steps;

/**
 * One operation of an updater is atomic; an exchange that fails reads; other fields are other variables.
 */
public class Updaters {
    private static final AtomicIntegerFieldUpdater<Updaters> COUNT =
        AtomicIntegerFieldUpdater.newUpdater(Updaters.class, "count");
    private static final AtomicReferenceFieldUpdater<Updaters, String> NAME =
        AtomicReferenceFieldUpdater.newUpdater(Updaters.class, String.class, "name");
    private volatile int count;
    private volatile String name = "a";
    private volatile int other;

    boolean twice() {
        boolean first = NAME.compareAndSet(this, "x", "y");
        int seen = COUNT.incrementAndGet(this);
        Steps.done(1);
        Steps.await(2);
        return first | NAME.compareAndSet(this, "x", name + seen);
    }

    int fail(AtomicIntegerFieldUpdater<Updaters> updater) {
        try {
            return updater.incrementAndGet(null);
        } catch (NullPointerException | ClassCastException e) {
            return COUNT.get(this);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Updaters p = new Updaters();
        Steps.run(p::twice, () -> {
            Steps.await(1);
            p.other++;
            p.fail(COUNT);
            COUNT.addAndGet(p, 3);
            NAME.weakCompareAndSet(p, "x", "z");
            Steps.done(2);
        });
        System.out.println(p.count + p.name + p.other);
    }
}
