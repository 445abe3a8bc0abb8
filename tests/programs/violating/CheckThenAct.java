package violating;

import schedule.Steps;

/**
 * A table that checks for a key and then puts it: each step holds the lock, but nothing holds it across both.
 */
public class CheckThenAct {
    private final int[] keys = new int[8];
    private int size;

    synchronized boolean contains(int key) {
        for (int i = 0; i < size; i++) {
            if (keys[i] == key) {
                return true;
            }
        }
        return false;
    }

    synchronized void add(int key) {
        keys[size++] = key;
    }

    // finding: violating.CheckThenAct.addIfAbsent(int,int) stale check-then-act across critical sections
    void addIfAbsent(int key, int step) {
        if (!contains(key)) {
            Steps.done(step);
            // The thread that came first continues when the other has returned.
            Steps.await(step == 1 ? 3 : 2);
            add(key);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CheckThenAct table = new CheckThenAct();
        Steps.run(() -> table.addIfAbsent(7, 1), () -> {
            Steps.await(1);
            table.addIfAbsent(7, 2);
            Steps.done(3);
        });
        System.out.println("size " + table.size);
    }
}
