package violating;

import java.util.concurrent.atomic.AtomicLongArray;
import schedule.Steps;

/**
 * Two reads of one element, with another thread's write between them.
 */
public class AtomicLongArrayTwoReads {
    private final AtomicLongArray sums = new AtomicLongArray(1000);

    // finding: violating.AtomicLongArrayTwoReads.twice(int) unrepeatable read
    long twice(int at) {
        long seen = sums.get(at);
        Steps.done(1);
        Steps.await(2);
        return seen + sums.get(at);
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicLongArrayTwoReads p = new AtomicLongArrayTwoReads();
        Steps.run(() -> p.twice(700), () -> {
            Steps.await(1);
            p.sums.getAndUpdate(700, value -> value + 7);
            Steps.done(2);
        });
        System.out.println(p.sums.get(700));
    }
}
