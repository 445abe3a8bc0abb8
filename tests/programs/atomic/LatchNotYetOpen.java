package atomic;

import java.util.concurrent.CountDownLatch;
import schedule.Steps;

/**
 * Who finds that something is left to count down learns nothing of those that have counted.
 */
public class LatchNotYetOpen {
    private final CountDownLatch latch = new CountDownLatch(2);
    private int value;

    boolean isDone() {
        int seen = value;
        Steps.done(1);
        Steps.await(2);
        return latch.getCount() == 0 && seen > 0;
    }

    private void finish() {
        value = 1;
        latch.countDown();
    }

    public static void main(String[] args) throws InterruptedException {
        LatchNotYetOpen p = new LatchNotYetOpen();
        Steps.run(() -> System.out.println(p.isDone()), () -> {
            Steps.await(1);
            p.finish();
            Steps.done(2);
        });
    }
}
