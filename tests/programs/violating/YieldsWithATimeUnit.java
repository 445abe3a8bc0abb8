package violating;

import java.util.concurrent.TimeUnit;

/** A method that waits by {@link TimeUnit#timedWait} between two accesses: the call gives the monitor up, as {@code Object.wait} does. */
public class YieldsWithATimeUnit {
    private int state;
    private boolean isDone;

    // waits inside: violating.YieldsWithATimeUnit.waits()
    synchronized void waits() throws InterruptedException {
        int before = state;
        while (!isDone) {
            TimeUnit.MINUTES.timedWait(this, 1);
        }
        state += before;
    }

    private synchronized void finish() {
        state++;
        isDone = true;
        notifyAll();
    }

    /** Without a time it does not wait. */
    synchronized int passes() throws InterruptedException {
        int before = state;
        TimeUnit.MINUTES.timedWait(this, 0);
        return state - before;
    }

    public static void main(String[] args) throws InterruptedException {
        YieldsWithATimeUnit a = new YieldsWithATimeUnit();
        Thread waiting = new Thread(() -> {
            try {
                a.waits();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        a.finish();
        waiting.join();
        System.out.println(a.state + a.passes());
    }
}
