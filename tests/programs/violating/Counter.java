package violating;

import schedule.Steps;

/**
 * A counter without synchronization.
 */
public class Counter {
    private int count;

    // finding: violating.Counter.increment() lost update
    void increment() {
        int seen = count;
        Steps.done(1);
        Steps.await(2);
        count = seen + 1;
    }

    void add(int n) {
        count += n;
    }

    public static void main(String[] args) throws InterruptedException {
        Counter counter = new Counter();
        Steps.run(counter::increment, () -> {
            Steps.await(1);
            counter.add(5);
            Steps.done(2);
        });
        System.out.println("count " + counter.count);
    }
}
