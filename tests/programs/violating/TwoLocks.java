package violating;

import schedule.Steps;

/**
 * Two accounts, each with its own lock, and a transfer that holds one after the other.
 */
public class TwoLocks {
    private final Object left = new Object();
    private final Object right = new Object();
    private int inLeft = 100;
    private int inRight;

    // finding: violating.TwoLocks.transfer(int) interference between two locks
    void transfer(int amount) {
        synchronized (left) {
            inLeft -= amount;
        }
        Steps.done(1);
        Steps.await(2);
        synchronized (right) {
            inRight += amount;
        }
    }

    int total() {
        synchronized (left) {
            synchronized (right) {
                return inLeft + inRight;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        TwoLocks bank = new TwoLocks();
        Steps.run(() -> bank.transfer(30), () -> {
            Steps.await(1);
            System.out.println("total " + bank.total());
            Steps.done(2);
        });
        System.out.println("total " + bank.total());
    }
}
