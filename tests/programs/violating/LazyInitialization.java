package violating;

import schedule.Steps;

/**
 * An object that is created at its first use, by the first thread that needs it, or by both.
 */
public class LazyInitialization {
    private static Object instance;

    // finding: violating.LazyInitialization.get(int,int) lost update
    static Object get(int done, int await) {
        if (instance == null) {
            Steps.done(done);
            Steps.await(await);
            instance = new Object();
        }
        return instance;
    }

    public static void main(String[] args) throws InterruptedException {
        Object[] got = new Object[2];
        Steps.run(() -> got[0] = get(1, 3), () -> {
            Steps.await(1);
            got[1] = get(2, 2);
            Steps.done(3);
        });
        System.out.println("the same " + (got[0] == got[1]));
    }
}
