package violating;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * A method that passes a barrier twice; what another thread does between the two comes between.
 */
public class BarrierInside {
    private final CyclicBarrier barrier = new CyclicBarrier(2, () -> System.out.println("all"));

    // waits inside: violating.BarrierInside.pass()
    private void pass() {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    // waits inside: violating.BarrierInside.twice()
    void twice() {
        pass();
        pass();
    }

    public static void main(String[] args) throws InterruptedException {
        BarrierInside p = new BarrierInside();
        Thread other = new Thread(() -> {
            p.pass();
            p.pass();
        }, "other");
        other.start();
        p.twice();
        other.join();
        System.out.println(p.barrier.getNumberWaiting());
    }
}
