package subjects5;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import shared.Counter;
import shared.Race;

/** Violations outside tests fail the class. */
class ClassTest {
    static class BeforeTest {
        @BeforeAll
        static void before() {
            Counter.raced().increment();
        }

        @Test
        void passes() {
            Counter.raced().fixed();
        }
    }

    static class LateTest {
        private static final AtomicBoolean HAS_ENDED = new AtomicBoolean();
        private static final AtomicBoolean IS_DONE = new AtomicBoolean();

        @Test
        void leavesOneBehind() {
            Counter counter = Counter.raced();
            new Thread(() -> {
                Race.await(HAS_ENDED);
                counter.increment();
                IS_DONE.set(true);
            }).start();
        }

        @AfterAll
        static void after() {
            HAS_ENDED.set(true);
            Race.await(IS_DONE);
        }
    }

    @Nested
    class Inner {
        @Test
        void planted() {
            Counter.raced().increment();
        }
    }
}
