package violating;

import java.util.concurrent.atomic.LongAccumulator;
import schedule.Steps;

/**
 * Two looks at an accumulator, with another thread's value between them.
 */
public class AccumulatorGetTwice {
    private final LongAccumulator most = new LongAccumulator(Math::max, 0);

    // finding: violating.AccumulatorGetTwice.spread() unrepeatable read
    long spread() {
        Steps.await(1);
        long first = most.get();
        Steps.done(2);
        Steps.await(3);
        return most.get() - first;
    }

    public static void main(String[] args) throws InterruptedException {
        AccumulatorGetTwice p = new AccumulatorGetTwice();
        Steps.run(p::spread, () -> {
            p.most.accumulate(3);
            Steps.done(1);
            Steps.await(2);
            p.most.accumulate(7);
            Steps.done(3);
        });
        System.out.println(p.most);
    }
}
