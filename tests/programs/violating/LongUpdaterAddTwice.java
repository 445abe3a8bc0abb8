package violating;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import schedule.Steps;

/**
 * Two additions by an updater, with a plain read of another thread between them.
 */
public class LongUpdaterAddTwice {
    static class Sum {
        volatile long sum;
    }

    static class Sums extends Sum {
        private static final AtomicLongFieldUpdater<Sum> SUM = AtomicLongFieldUpdater.newUpdater(Sum.class, "sum");
        int other;
    }

    private final Sums sums = new Sums();

    // finding: violating.LongUpdaterAddTwice.move(long) torn update
    void move(long n) {
        Sums.SUM.addAndGet(sums, -n);
        Steps.done(1);
        Steps.await(2);
        Sums.SUM.getAndAdd(sums, n);
    }

    public static void main(String[] args) throws InterruptedException {
        LongUpdaterAddTwice p = new LongUpdaterAddTwice();
        Steps.run(() -> p.move(1), () -> {
            Steps.await(1);
            System.out.println(p.sums.sum);
            Steps.done(2);
        });
        System.out.println(p.sums.sum);
    }
}
