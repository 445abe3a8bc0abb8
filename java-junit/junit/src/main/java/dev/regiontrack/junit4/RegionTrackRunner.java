package dev.regiontrack.junit4;

import org.junit.runner.notification.RunNotifier;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.Statement;

/**
 * Fails a test in which a method was not atomic: {@code @RunWith(RegionTrackRunner.class)}. It sees the whole test, with constructor and rules. A
 * violation in {@code @BeforeClass} or {@code @AfterClass}, or in a thread that outlives its test, fails the class.
 */
public final class RegionTrackRunner extends BlockJUnit4ClassRunner {
    /** A runner for the tests of this class. */
    public RegionTrackRunner(Class<?> type) throws InitializationError {
        super(type);
    }

    @Override
    protected Statement classBlock(RunNotifier notifier) {
        return new Watched(super.classBlock(notifier), getDescription());
    }

    @Override
    protected Statement methodBlock(FrameworkMethod method) {
        Statement base = new Statement() {
            @Override
            public void evaluate() throws Throwable {
                // This call runs the constructor, so it belongs inside the statement.
                RegionTrackRunner.super.methodBlock(method).evaluate();
            }
        };
        return new Watched(base, describeChild(method));
    }
}
