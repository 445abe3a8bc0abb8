package violating;

import schedule.Steps;

/**
 * A list with synchronized methods, and an unsynchronized loop over it.
 */
public class VectorIteration {
    private final Integer[] items = {1, 2, 3};
    private int size = 3;

    synchronized int size() {
        return size;
    }

    synchronized Integer get(int index) {
        return index < size ? items[index] : null;
    }

    synchronized void removeLast() {
        items[--size] = null;
    }

    // finding: violating.VectorIteration.sum() stale check-then-act across critical sections
    int sum() {
        int sum = 0;
        int end = size();
        Steps.done(1);
        Steps.await(2);
        for (int i = 0; i < end; i++) {
            Integer item = get(i);
            sum += item == null ? 0 : item;
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        VectorIteration list = new VectorIteration();
        Steps.run(() -> System.out.println("sum " + list.sum()), () -> {
            Steps.await(1);
            list.removeLast();
            Steps.done(2);
        });
    }
}
