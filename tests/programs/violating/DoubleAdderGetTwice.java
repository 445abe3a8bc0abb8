package violating;

import java.util.concurrent.atomic.DoubleAdder;
import schedule.Steps;

/**
 * Two looks at a sum, with an addition by another thread between them.
 */
public class DoubleAdderGetTwice {
    private final DoubleAdder sum = new DoubleAdder();

    // finding: violating.DoubleAdderGetTwice.change() unrepeatable read
    double change() {
        Steps.await(1);
        double first = sum.sum();
        Steps.done(2);
        Steps.await(3);
        return sum.doubleValue() - first;
    }

    public static void main(String[] args) throws InterruptedException {
        DoubleAdderGetTwice p = new DoubleAdderGetTwice();
        Steps.run(p::change, () -> {
            p.sum.add(3);
            Steps.done(1);
            Steps.await(2);
            p.sum.add(7);
            Steps.done(3);
        });
        System.out.println(p.sum);
    }
}
