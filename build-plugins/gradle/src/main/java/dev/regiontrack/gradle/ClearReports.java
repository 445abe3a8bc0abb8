package dev.regiontrack.gradle;

import dev.regiontrack.plugins.Reports;
import java.io.File;
import java.io.IOException;
import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Task;

/** The first action of a task whose JVMs do not get the agent: removes the reports that they left when they did. */
final class ClearReports implements Action<Task> {
    private final File reports;

    ClearReports(File reports) {
        this.reports = reports;
    }

    @Override
    public void execute(Task task) {
        try {
            Reports.clear(reports);
        } catch (IOException e) {
            throw new GradleException(e.getMessage(), e);
        }
    }
}
