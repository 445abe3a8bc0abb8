package altered;

import schedule.Steps;

/** A class below one that is unchanged, whose field it uses. */
public class Below extends Till {
    // finding: altered.Below.first() lost update
    @Override
    public void first() {
        int old = money;
        Steps.done(1);
        Steps.await(2);
        money = old + 1;
    }

    @Override
    public void second() {
        money = 9;
    }
}
