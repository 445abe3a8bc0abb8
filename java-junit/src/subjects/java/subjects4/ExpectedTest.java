package subjects4;

import dev.regiontrack.annotations.ExpectViolation;
import dev.regiontrack.junit4.RegionTrackRunner;
import org.junit.Test;
import org.junit.runner.RunWith;
import shared.Counter;

/** A violation that is expected where it happens. */
@RunWith(RegionTrackRunner.class)
public class ExpectedTest {
    @Test
    @ExpectViolation
    public void expected() {
        Counter.raced().increment();
    }
}
