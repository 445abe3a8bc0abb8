package subjects4;

import static org.junit.Assert.fail;

import dev.regiontrack.junit4.RegionTrackRunner;
import org.junit.Test;
import org.junit.runner.RunWith;
import shared.Counter;

/** The runner, also if a test runs in a thread of its own. */
@RunWith(RegionTrackRunner.class)
public class RunnerTest {
    @Test
    public void fixed() {
        Counter.raced().fixed();
    }

    @Test(timeout = 60_000)
    public void planted() {
        Counter.raced().increment();
    }

    @Test
    public void failsToo() {
        Counter.raced().increment();
        fail("of its own");
    }
}
