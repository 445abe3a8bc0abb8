package altered;

import schedule.Steps;

/**
 * In this version one thread has everything to itself. Tests compile another one, of which the lines with {@code changed:} are part.
 */
public class Till implements Work {
    int money;
    private int visits;

    @Override
    public void first() {
        int old = visits;
        Steps.done(1);
        Steps.await(2);
        visits = old + 1;
        money++;
    }

    @Override
    public void second() {
        // changed: visits = 9;
    }
}
