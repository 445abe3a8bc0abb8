package subjects5;

import org.junit.jupiter.api.Test;
import shared.Counter;

/** A planted bug, and methods without one. */
class PlainTest {
    @Test
    void before() {
        Counter.raced().fixed();
    }

    @Test
    void planted() {
        Counter.raced().increment();
    }

    @Test
    void notAtomic() {
        Counter.raced().estimate();
    }

    @Test
    void waits() throws Exception {
        Counter.raced().delegate();
    }

    @Test
    void atomic() throws Exception {
        Counter.raced().delegateAtomically();
    }
}
