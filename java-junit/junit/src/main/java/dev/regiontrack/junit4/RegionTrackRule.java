package dev.regiontrack.junit4;

import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * Fails a test in which a method was not atomic: {@code @Rule public final RegionTrackRule violations = new RegionTrackRule();}. As a
 * {@code @ClassRule}, it sees what happens in {@code @BeforeClass}, {@code @AfterClass} and threads that outlive their test. Among several rules, it
 * sees what the rules inside it do; {@code order = Integer.MIN_VALUE} makes it the outermost one.
 */
public final class RegionTrackRule implements TestRule {
    @Override
    public Statement apply(Statement base, Description description) {
        return new Watched(base, description);
    }
}
