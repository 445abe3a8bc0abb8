package dev.regiontrack.junit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import dev.regiontrack.annotations.ExpectViolation;
import dev.regiontrack.annotations.Provoke;
import java.util.List;
import org.junit.AssumptionViolatedException;
import org.junit.Test;
import org.opentest4j.TestAbortedException;

/** Tests that ask to be repeated, but cannot be or ask wrongly, and the result of one run of several. */
public class RepeatedTest {
    @Provoke(runs = 1)
    private static final class Once {
    }

    @Provoke
    private static final class Often {
    }

    private static boolean run(Class<?> type) throws Throwable {
        return Repeated.run("a.ATest.f()", type.getAnnotation(Provoke.class), null, number -> fail("it runs"));
    }

    @Test
    public void one_that_does_not_ask_or_has_no_agent_is_left_alone() throws Throwable {
        assertFalse(run(Object.class));
        assertFalse(run(Often.class));
    }

    @Test
    public void one_run_is_too_few() throws Throwable {
        try {
            run(Once.class);
            fail("it is refused");
        } catch (IllegalArgumentException e) {
            assertEquals("@Provoke(runs = 1) of a.ATest.f(): expected at least 2, because the first run learns what the next ones try", e.getMessage());
        }
    }

    private static Finding finding(String method) {
        return new Finding(new String[] {method, "lost update", method + " was violated", "main", "a.A.f(A.java:3)"});
    }

    @Test
    public void a_run_fails_with_what_is_not_expected_and_says_which_it_was() {
        ExpectViolation expected = Expects.TOLD;
        Told both = new Told("a.ATest.f()", "", List.of(finding("a.A.f()"), finding("a.A.g()")));
        assertTrue(both.violation(expected, "run 3 of at most 20").getMessage().endsWith("\n\nin run 3 of at most 20"));
        assertFalse(both.violation(expected, "").getMessage().contains("a.A.f() was violated"));
        assertTrue(both.has(expected));
        Told one = new Told("a.ATest.f()", "", List.of(finding("a.A.f()")));
        assertNull(one.violation(expected, "run 3"));
        assertFalse(one.has(null));
        Told none = new Told("a.ATest.f()", "", List.of());
        assertFalse(none.has(expected));
        assertNull(none.missing(null, 4));
        assertEquals("expected a violation of A.f, and there was none, in any of 4 runs", none.missing(expected, 4).getMessage());
    }

    @Test
    public void a_violation_is_worse_than_a_failed_assumption_and_not_than_a_failure() {
        Throwable violation = new ViolationError(List.of(finding("a.A.f()")));
        for (Throwable skipped : List.of(new TestAbortedException("of its own"), new AssumptionViolatedException("of its own"))) {
            assertSame(violation, Worse.of(skipped, violation));
            assertSame(skipped, violation.getSuppressed()[violation.getSuppressed().length - 1]);
        }
        Throwable failure = new AssertionError("of its own");
        assertSame(failure, Worse.of(failure, violation));
        assertSame(violation, failure.getSuppressed()[0]);
    }

    private static final class Expects {
        static final ExpectViolation TOLD = told();

        @ExpectViolation(method = "A.f")
        private static ExpectViolation told() {
            try {
                return Expects.class.getDeclaredMethod("told").getAnnotation(ExpectViolation.class);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
