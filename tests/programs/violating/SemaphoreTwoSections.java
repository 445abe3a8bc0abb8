package violating;

import java.util.concurrent.Semaphore;
import schedule.Steps;

/**
 * A semaphore with one permit is a lock: two sections, with another thread's between them.
 */
public class SemaphoreTwoSections {
    private final Semaphore permits = new Semaphore(1);

    // finding: violating.SemaphoreTwoSections.twice() stale check-then-act across critical sections
    void twice() {
        permits.acquireUninterruptibly();
        permits.release();
        Steps.done(1);
        Steps.await(2);
        permits.acquireUninterruptibly();
        permits.release();
    }

    public static void main(String[] args) throws InterruptedException {
        SemaphoreTwoSections p = new SemaphoreTwoSections();
        Steps.run(p::twice, () -> {
            Steps.await(1);
            p.permits.acquireUninterruptibly();
            p.permits.release();
            Steps.done(2);
        });
        System.out.println(p.permits.availablePermits());
    }
}
