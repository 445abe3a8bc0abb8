package subjects5;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.regiontrack.annotations.Provoke;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import shared.Race;

/** Two tests that are repeated: one waits for the other, and its {@code @Timeout} does not measure that. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 1, unit = TimeUnit.HOURS)
class TurnTest {
    @BeforeEach
    void begin() {
        Race.begins();
    }

    @Test
    @Provoke(runs = 2)
    void one() {
        look();
    }

    @Test
    @Provoke(runs = 2)
    void other() {
        look();
    }

    private static void look() {
        String where = Race.whereTheOtherWaits();
        assertFalse(where.contains("TimeoutExtension"), where);
    }
}
