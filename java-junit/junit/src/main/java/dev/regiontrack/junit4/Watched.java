package dev.regiontrack.junit4;

import dev.regiontrack.annotations.ExpectViolation;
import dev.regiontrack.annotations.Provoke;
import dev.regiontrack.junit.Repeated;
import dev.regiontrack.junit.Scope;
import java.util.ArrayList;
import java.util.List;
import org.junit.AssumptionViolatedException;
import org.junit.runner.Description;
import org.junit.runners.model.MultipleFailureException;
import org.junit.runners.model.Statement;

/** A test, or a class of tests, in which a violation is a failure. */
final class Watched extends Statement {
    private final Statement base;
    private final Description description;

    Watched(Statement base, Description description) {
        this.base = base;
        this.description = description;
    }

    @Override
    public void evaluate() throws Throwable {
        ExpectViolation expected = description.isTest() ? description.getAnnotation(ExpectViolation.class) : null;
        Scope scope = Scope.begin(description.getDisplayName(), null);
        List<Throwable> thrown = new ArrayList<>();
        boolean isJudged = false;
        try {
            isJudged = Repeated.run(description.getDisplayName(), asked(), expected, number -> base.evaluate());
            if (!isJudged) {
                base.evaluate();
            }
        } catch (MultipleFailureException e) {
            thrown.addAll(e.getFailures());
        } catch (Throwable e) {
            thrown.add(e);
        }
        Throwable failure = failure(scope, isJudged ? null : expected, thrown.isEmpty());
        if (failure != null) {
            thrown.add(failure);
        }
        MultipleFailureException.assertEmpty(thrown);
    }

    /** The annotation that asks to repeat the test; null if there is none. */
    private Provoke asked() {
        if (!description.isTest()) {
            return null;
        }
        Provoke asked = description.getAnnotation(Provoke.class);
        return asked != null || description.getTestClass() == null ? asked : description.getTestClass().getAnnotation(Provoke.class);
    }

    private static Throwable failure(Scope scope, ExpectViolation expected, boolean hasEnded) {
        if (scope != null) {
            return scope.end(expected).failure(expected, hasEnded);
        }
        return expected != null && hasEnded ? new AssumptionViolatedException("a violation is expected, and the agent is not there to see it") : null;
    }
}
