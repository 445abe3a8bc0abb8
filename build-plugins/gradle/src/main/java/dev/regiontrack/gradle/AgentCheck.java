package dev.regiontrack.gradle;

import dev.regiontrack.plugins.Reports;
import java.io.File;
import java.io.IOException;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.testing.TestDescriptor;
import org.gradle.api.tasks.testing.TestListener;
import org.gradle.api.tasks.testing.TestResult;

/**
 * Leaves a note beside the reports of a task if its tests ran, and no JVM with the agent: an action that runs after {@link AttachAgent} can replace
 * the JVMs' arguments. The note is an output of the task: it stays while the tests are up to date, and comes with them from the build cache.
 */
final class AgentCheck implements TestListener {
    private final File reports;

    AgentCheck(File reports) {
        this.reports = reports;
    }

    /** The suite of all tests ends last, when their JVMs have ended. Without tests, none need have started. */
    @Override
    public void afterSuite(TestDescriptor suite, TestResult result) {
        if (suite.getParent() == null && result.getTestCount() > result.getSkippedTestCount()) {
            try {
                Reports.noteIfMissing(reports);
            } catch (IOException e) {
                throw new GradleException("regiontrack: " + e.getMessage(), e);
            }
        }
    }

    @Override
    public void beforeSuite(TestDescriptor suite) {
    }

    @Override
    public void beforeTest(TestDescriptor test) {
    }

    @Override
    public void afterTest(TestDescriptor test, TestResult result) {
    }
}
