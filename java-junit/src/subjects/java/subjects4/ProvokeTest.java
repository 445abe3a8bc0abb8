package subjects4;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import dev.regiontrack.annotations.ExpectViolation;
import dev.regiontrack.annotations.Provoke;
import dev.regiontrack.junit4.RegionTrackRule;
import dev.regiontrack.junit4.RegionTrackRunner;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import shared.Account;
import shared.Counter;

/** Tests that are repeated until something rare happens, by the rule and by the runner. */
public class ProvokeTest {
    @Rule(order = Integer.MIN_VALUE)
    public final RegionTrackRule violations = new RegionTrackRule();
    private Account account;

    @Before
    public void open() {
        assertEquals(null, account);
        account = new Account();
    }

    @After
    public void close() {
        account = null;
    }

    @Test
    @Provoke
    public void twoWithdraw() {
        Account.twice(() -> account.withdraw(80));
    }

    @Test
    @Provoke
    public void twoWithdrawAtOnce() {
        Account.twice(() -> account.withdrawAtOnce(80));
        assertEquals(20, account.balance());
    }

    @Test
    @Provoke
    @ExpectViolation(kind = "*check*")
    public void isExpected() {
        Account.twice(() -> account.withdraw(80));
    }

    /** By an assumption, in the run with a violation. */
    @Test
    @Provoke
    public void isSkippedToo() {
        Counter.raced().increment();
        assumeTrue("of its own", false);
    }

    /** A new instance for each run. */
    @RunWith(RegionTrackRunner.class)
    @Provoke
    public static class Whole {
        private final Account account = new Account();

        @Test
        public void ofTheClass() {
            Account.twice(() -> account.withdraw(80));
        }

        @Test
        public void fixed() {
            Account.twice(() -> account.withdrawAtOnce(80));
            assertEquals(20, account.balance());
        }
    }
}
