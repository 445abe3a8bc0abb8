package atomic;

import schedule.Steps;

/**
 * Data that is complete before a volatile write publishes it, read by threads that have seen that write.
 */
public class VolatilePublication {
    private int left;
    private int right;
    private volatile boolean ready;

    void publish(int value) {
        left = value;
        right = value;
        ready = true;
    }

    int sum() {
        return ready ? left + right : 0;
    }

    public static void main(String[] args) throws InterruptedException {
        VolatilePublication data = new VolatilePublication();
        Steps.run(() -> {
            System.out.println("before " + data.sum());
            Steps.done(1);
            Steps.await(2);
            System.out.println("after " + data.sum());
        }, () -> {
            Steps.await(1);
            data.publish(21);
            Steps.done(2);
        });
    }
}
