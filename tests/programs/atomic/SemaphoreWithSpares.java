package atomic;

import java.util.concurrent.Semaphore;
import schedule.Steps;

/**
 * With a permit to spare nobody knows whose release came before an acquisition; and a reduced number proves nothing.
 */
public class SemaphoreWithSpares {
    private final Semaphore permits = new Semaphore(2);

    void twice() {
        permits.tryAcquire();
        permits.release();
        Steps.done(1);
        Steps.await(2);
        permits.tryAcquire();
        permits.release();
    }

    public static void main(String[] args) throws InterruptedException {
        SemaphoreWithSpares p = new SemaphoreWithSpares();
        Steps.run(p::twice, () -> {
            Steps.await(1);
            p.permits.tryAcquire();
            p.permits.release();
            Steps.done(2);
        });
        System.out.println(p.permits.availablePermits());
    }
}
