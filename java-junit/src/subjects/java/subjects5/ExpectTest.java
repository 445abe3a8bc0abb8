package subjects5;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.regiontrack.annotations.ExpectViolation;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import shared.Counter;

/** Violations that are expected, and ones that come with another failure or in one invocation of several. */
class ExpectTest {
    @Test
    @ExpectViolation
    void happens() {
        Counter.raced().increment();
    }

    @Test
    @ExpectViolation(method = "Counter.increment", kind = "lost *")
    void happensAsSaid() {
        Counter.raced().increment();
    }

    @Test
    @ExpectViolation
    void doesNotHappen() {
        Counter.raced().fixed();
    }

    @Test
    @ExpectViolation(method = "Counter.fixed")
    void otherHappens() {
        Counter.raced().increment();
    }

    @Test
    void failsToo() {
        Counter.raced().increment();
        fail("of its own");
    }

    @Test
    void isSkippedToo() {
        Counter.raced().increment();
        assumeTrue(false, "of its own");
    }

    @RepeatedTest(2)
    void second(RepetitionInfo info) {
        Counter counter = Counter.raced();
        if (info.getCurrentRepetition() == 2) {
            counter.increment();
        }
    }

    @TestFactory
    Stream<DynamicTest> made() {
        return Stream.of(
            DynamicTest.dynamicTest("fixed", () -> Counter.raced().fixed()), DynamicTest.dynamicTest("planted", () -> Counter.raced().increment()),
            DynamicTest.dynamicTest("skipped", this::isSkippedToo));
    }
}
