package atomic;

import java.util.concurrent.CountDownLatch;
import schedule.Steps;

/**
 * Who counts a latch down comes before who passes it, and not the other way round; a latch that is not open yet orders nothing, nor does
 * counting down one that is open.
 */
public class LatchOneWay {
    private final CountDownLatch open = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(3);

    long count() throws InterruptedException {
        closed.countDown();
        Steps.done(1);
        Steps.await(2);
        open.await();
        open.countDown();
        Steps.done(3);
        Steps.await(4);
        return open.getCount();
    }

    public static void main(String[] args) throws InterruptedException {
        LatchOneWay latches = new LatchOneWay();
        CountDownLatch last = new CountDownLatch(1);
        Steps.run(() -> {
            try {
                System.out.println(latches.count());
                last.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, () -> {
            Steps.await(1);
            latches.closed.countDown();
            latches.open.countDown();
            Steps.done(2);
            Steps.await(3);
            try {
                latches.open.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            last.countDown();
            Steps.done(4);
        });
    }
}
