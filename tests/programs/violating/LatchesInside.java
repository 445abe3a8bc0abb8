package violating;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A method that lets another thread begin, and waits for it.
 */
public class LatchesInside {
    private final CountDownLatch start = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(2);

    // waits inside: violating.LatchesInside.race()
    boolean race() throws InterruptedException {
        start.countDown();
        // The count is zero already.
        start.countDown();
        return end.await(1, TimeUnit.HOURS);
    }

    void runner() {
        try {
            start.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        end.countDown();
        end.countDown();
    }

    public static void main(String[] args) throws InterruptedException {
        LatchesInside latches = new LatchesInside();
        Thread runner = new Thread(latches::runner, "runner");
        runner.start();
        System.out.println(latches.race());
        runner.join();
    }
}
