package subjects5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.regiontrack.annotations.ExpectViolation;
import dev.regiontrack.annotations.Provoke;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import shared.Account;
import shared.Counter;

/** Tests that are repeated until something rare happens, in parallel with others. Each run needs an account of its own. */
@Execution(ExecutionMode.CONCURRENT)
class ProvokeTest {
    private Account account;
    private int runs;

    @BeforeEach
    void open(TestInfo test) {
        assertEquals(null, account, test.getDisplayName());
        account = new Account();
        runs++;
    }

    @AfterEach
    void close() {
        account = null;
    }

    /** Not repeated. */
    @Test
    void once() {
        Account.twice(() -> account.withdrawAtOnce(80));
        assertEquals(1, runs);
    }

    @Test
    @Provoke
    void twoWithdraw() {
        Account.twice(() -> account.withdraw(80));
    }

    @Test
    @Provoke
    void twoWithdrawAtOnce() {
        Account.twice(() -> account.withdrawAtOnce(80));
        assertEquals(20, account.balance());
    }

    @Test
    @Provoke(runs = 20)
    @ExpectViolation(method = "Account.withdraw")
    void isExpected() {
        Account.twice(() -> account.withdraw(80));
    }

    @Test
    @Provoke
    @ExpectViolation
    void isExpectedInVain() {
        Account.twice(() -> account.withdrawAtOnce(80));
    }

    @Test
    @Provoke
    void failsInTheSecondRun() {
        Account.twice(() -> account.withdrawAtOnce(80));
        assertEquals(1, runs, "runs");
    }

    /** By an assumption, in the run with a violation. */
    @Test
    @Provoke
    void isSkippedToo() {
        Counter.raced().increment();
        assumeTrue(false, "of its own");
    }

    @Test
    @Provoke(runs = 1)
    void asksForTooFew() {
    }

    @RepeatedTest(2)
    @Provoke
    void template() {
        Account.twice(() -> account.withdraw(80));
    }

    @TestFactory
    @Provoke
    Stream<DynamicTest> made() {
        return Stream.of(
            DynamicTest.dynamicTest("fixed", () -> both(new Account(), true)), DynamicTest.dynamicTest("planted", () -> both(new Account(), false)));
    }

    private static void both(Account account, boolean atOnce) {
        Account.twice(() -> {
            if (atOnce) {
                account.withdrawAtOnce(80);
            } else {
                account.withdraw(80);
            }
        });
    }

    @Nested
    @Provoke
    class Whole {
        @Test
        void ofTheClass() {
            Account.twice(() -> account.withdraw(80));
        }
    }
}
