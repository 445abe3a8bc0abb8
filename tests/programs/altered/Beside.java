package altered;

import schedule.Steps;

/** A class that uses the field of an object whose class is unchanged. */
public class Beside implements Work {
    private final Till till = new Till();

    // finding: altered.Beside.first() lost update
    @Override
    public void first() {
        int old = till.money;
        Steps.done(1);
        Steps.await(2);
        till.money = old + 1;
    }

    @Override
    public void second() {
        till.money = 9;
    }
}
