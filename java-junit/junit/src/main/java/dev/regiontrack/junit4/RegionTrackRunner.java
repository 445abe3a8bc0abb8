package dev.regiontrack.junit4;

import org.junit.runner.notification.RunNotifier;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.Statement;

/**
 * The test in which a method was not atomic fails: {@code @RunWith(RegionTrackRunner.class)}. It sees all of a test, with constructor and rules. What happens in
 * {@code @BeforeClass} and {@code @AfterClass}, and in threads that outlive their test, fails the class.
 */
public final class RegionTrackRunner extends BlockJUnit4ClassRunner {
    /** For the tests of this class. */
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
                // The constructor runs before the statement does.
                RegionTrackRunner.super.methodBlock(method).evaluate();
            }
        };
        return new Watched(base, describeChild(method));
    }
}
