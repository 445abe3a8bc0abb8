package violating;

import java.util.concurrent.Semaphore;
import schedule.Steps;

/**
 * The same if the semaphore is fair, and all of its permits are acquired at once.
 */
public class FairSemaphoreTwoSections {
    private final Semaphore permits = new Semaphore(3, true);

    // finding: violating.FairSemaphoreTwoSections.twice() stale check-then-act across critical sections
    void twice() {
        permits.acquireUninterruptibly(3);
        permits.release(3);
        Steps.done(1);
        Steps.await(2);
        permits.acquireUninterruptibly(3);
        permits.release(3);
    }

    public static void main(String[] args) throws InterruptedException {
        FairSemaphoreTwoSections p = new FairSemaphoreTwoSections();
        Steps.run(p::twice, () -> {
            Steps.await(1);
            p.permits.acquireUninterruptibly(3);
            p.permits.release(3);
            Steps.done(2);
        });
        System.out.println(p.permits.availablePermits());
    }
}
