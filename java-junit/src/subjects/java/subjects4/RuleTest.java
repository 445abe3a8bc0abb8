package subjects4;

import dev.regiontrack.annotations.ExpectViolation;
import dev.regiontrack.junit4.RegionTrackRule;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import shared.Counter;

/** The rule, for tests and for their class. */
public class RuleTest {
    @ClassRule
    public static final RegionTrackRule OF_CLASS = new RegionTrackRule();
    @Rule(order = Integer.MIN_VALUE)
    public final RegionTrackRule violations = new RegionTrackRule();

    @BeforeClass
    public static void before() {
        Counter.raced().increment();
    }

    @Test
    public void fixed() {
        Counter.raced().fixed();
    }

    @Test
    public void planted() {
        Counter.raced().increment();
    }

    @Test
    @ExpectViolation(method = "shared.Counter.increment()")
    public void expected() {
        Counter.raced().increment();
    }

    @Test
    @ExpectViolation
    public void missing() {
        Counter.raced().fixed();
    }
}
