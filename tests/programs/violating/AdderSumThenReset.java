package violating;

import java.util.concurrent.atomic.LongAdder;
import schedule.Steps;

/**
 * What is added between the sum and the reset is lost.
 */
public class AdderSumThenReset {
    private final LongAdder sum = new LongAdder();

    // finding: violating.AdderSumThenReset.take() lost update
    long take() {
        Steps.await(1);
        long taken = sum.sum();
        Steps.done(2);
        Steps.await(3);
        sum.reset();
        return taken;
    }

    public static void main(String[] args) throws InterruptedException {
        AdderSumThenReset p = new AdderSumThenReset();
        Steps.run(p::take, () -> {
            p.sum.increment();
            Steps.done(1);
            Steps.await(2);
            p.sum.add(7);
            Steps.done(3);
        });
        System.out.println(p.sum);
    }
}
