package violating;

import schedule.Steps;

/**
 * Static synchronized methods, which lock the class, and the class itself as a lock: two critical sections, with another thread's in
 * between.
 */
public class ClassLocks {
    private static int count;

    private static synchronized int get() {
        return count;
    }

    private static synchronized void set(int value) {
        count = value;
    }

    // finding: violating.ClassLocks.increment() stale check-then-act across critical sections
    static void increment() {
        int seen = get();
        Steps.done(1);
        Steps.await(2);
        set(seen + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Steps.run(ClassLocks::increment, () -> {
            Steps.await(1);
            synchronized (ClassLocks.class) {
                count = 5;
            }
            Steps.done(2);
        });
        System.out.println(get());
    }
}
