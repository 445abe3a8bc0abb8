package violating;

import java.util.concurrent.Semaphore;
import schedule.Steps;

/**
 * Who drains a semaphore comes after those who have released what there is.
 */
public class SemaphoreDrained {
    private final Semaphore permits = new Semaphore(2);

    // finding: violating.SemaphoreDrained.twice() stale check-then-act across critical sections
    void twice() {
        permits.drainPermits();
        permits.release(2);
        Steps.done(1);
        Steps.await(2);
        permits.drainPermits();
        permits.release(2);
    }

    public static void main(String[] args) throws InterruptedException {
        SemaphoreDrained p = new SemaphoreDrained();
        Steps.run(p::twice, () -> {
            Steps.await(1);
            p.permits.tryAcquire(2);
            p.permits.release(2);
            Steps.done(2);
        });
        System.out.println(p.permits.availablePermits());
    }
}
