package violating;

import schedule.Steps;

/**
 * Double-checked locking with a volatile field, which is correct, but not atomic if both threads pass the first check:
 * no order of the two calls explains that the call which checked first and found nothing did not create the object.
 */
public class DoubleCheckedLocking {
    private volatile Object instance;

    // finding: violating.DoubleCheckedLocking.get(int,int) interference
    Object get(int done, int await) {
        Object seen = instance;
        if (seen == null) {
            Steps.done(done);
            Steps.await(await);
            synchronized (this) {
                seen = instance;
                if (seen == null) {
                    seen = new Object();
                    instance = seen;
                }
            }
        }
        return seen;
    }

    public static void main(String[] args) throws InterruptedException {
        DoubleCheckedLocking lazy = new DoubleCheckedLocking();
        Object[] got = new Object[2];
        Steps.run(() -> got[0] = lazy.get(1, 3), () -> {
            Steps.await(1);
            got[1] = lazy.get(2, 2);
            Steps.done(3);
        });
        System.out.println("the same " + (got[0] == got[1]));
    }
}
