package violating;

import java.util.concurrent.Semaphore;

/**
 * A method that lets another thread begin, and waits for it.
 */
public class SemaphoreInside {
    private final Semaphore start = new Semaphore(0);
    private final Semaphore end = new Semaphore(0);

    // waits inside: violating.SemaphoreInside.race()
    void race() {
        start.release();
        end.acquireUninterruptibly();
    }

    public static void main(String[] args) throws InterruptedException {
        SemaphoreInside p = new SemaphoreInside();
        Thread runner = new Thread(() -> {
            p.start.acquireUninterruptibly();
            p.end.release();
        }, "runner");
        runner.start();
        p.race();
        runner.join();
        System.out.println(p.start.availablePermits() + p.end.availablePermits());
    }
}
