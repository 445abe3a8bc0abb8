package violating;

import schedule.Steps;

/**
 * Every access is synchronized, but an update is a get and a set.
 */
public class SplitUpdate {
    private int value;

    synchronized int get() {
        return value;
    }

    synchronized void set(int value) {
        this.value = value;
    }

    // finding: violating.SplitUpdate.twice() stale check-then-act across critical sections
    void twice() {
        int seen = get();
        Steps.done(1);
        Steps.await(2);
        set(2 * seen);
    }

    public static void main(String[] args) throws InterruptedException {
        SplitUpdate cell = new SplitUpdate();
        cell.set(3);
        Steps.run(cell::twice, () -> {
            Steps.await(1);
            cell.set(100);
            Steps.done(2);
        });
        System.out.println("value " + cell.get());
    }
}
