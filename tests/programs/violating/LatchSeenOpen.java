package violating;

import java.util.concurrent.CountDownLatch;
import schedule.Steps;

/**
 * Who finds that nothing is left to count down comes after all that have counted, without waiting.
 */
public class LatchSeenOpen {
    private final CountDownLatch latch = new CountDownLatch(2);
    private int value;

    // finding: violating.LatchSeenOpen.isDone() inconsistent view
    boolean isDone() {
        int seen = value;
        Steps.done(1);
        Steps.await(2);
        return latch.getCount() == 0 && seen > 0;
    }

    private void finish() {
        value = 1;
        latch.countDown();
        latch.countDown();
    }

    public static void main(String[] args) throws InterruptedException {
        LatchSeenOpen p = new LatchSeenOpen();
        Steps.run(() -> System.out.println(p.isDone()), () -> {
            Steps.await(1);
            p.finish();
            Steps.done(2);
        });
    }
}
