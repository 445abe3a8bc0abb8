package atomic;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import schedule.Steps;

/**
 * What threads add commutes, so an addition can come between two others; and one look is one step.
 */
public class Adders {
    private final LongAdder sum = new LongAdder();
    private final DoubleAdder weight = new DoubleAdder();
    private final LongAccumulator most = new LongAccumulator(Math::max, 0);

    void addTwice(int n) {
        sum.add(n);
        weight.add(n);
        most.accumulate(n);
        Steps.done(1);
        Steps.await(2);
        sum.increment();
        weight.add(n);
        most.accumulate(n + 1);
    }

    long take() {
        return sum.sumThenReset();
    }

    public static void main(String[] args) throws InterruptedException {
        Adders p = new Adders();
        Steps.run(() -> p.addTwice(3), () -> {
            Steps.await(1);
            p.sum.increment();
            p.weight.add(2);
            p.most.accumulate(9);
            Steps.done(2);
        });
        System.out.println(p.take() + " " + p.weight + " " + p.most);
    }
}
