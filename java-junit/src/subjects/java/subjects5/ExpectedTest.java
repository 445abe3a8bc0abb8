package subjects5;

import dev.regiontrack.annotations.ExpectViolation;
import dev.regiontrack.annotations.Provoke;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import shared.Account;
import shared.Counter;

/** Violations each of which is expected where it happens. */
@Execution(ExecutionMode.CONCURRENT)
class ExpectedTest {
    @Test
    @ExpectViolation(method = "Counter.increment", kind = "lost *")
    void once() {
        Counter.raced().increment();
    }

    @RepeatedTest(2)
    @ExpectViolation
    void again() {
        Counter.raced().increment();
    }

    @TestFactory
    @ExpectViolation
    Stream<DynamicTest> made() {
        return Stream.of(DynamicTest.dynamicTest("one", () -> Counter.raced().increment()));
    }

    /** With the agent's {@code provoke=tests}. */
    static class ProvokedTest {
        private Account account;

        @BeforeEach
        void open() {
            account = new Account();
        }

        @Test
        @Provoke
        @ExpectViolation(method = "Account.withdraw")
        void seldom() {
            Account.twice(() -> account.withdraw(80));
        }
    }
}
