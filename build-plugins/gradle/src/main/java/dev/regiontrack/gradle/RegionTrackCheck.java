package dev.regiontrack.gradle;

import dev.regiontrack.plugins.Judgement;
import dev.regiontrack.plugins.Reports;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.gradle.api.GradleException;
import org.gradle.api.logging.LogLevel;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;

/** Fails if the JVMs' reports have a violation that is neither suppressed nor known, or are incomplete, or if tests ran without the agent. */
public class RegionTrackCheck extends RegionTrackTask {
    private File page;
    private boolean failOnViolation = true;
    private boolean failOnIncomplete = true;

    /** The report for a person. */
    @Internal
    public File getPage() {
        return page;
    }

    /** The report for a person. */
    public void setPage(File page) {
        this.page = page;
    }

    /** Whether a violation fails the build. */
    @Input
    public boolean isFailOnViolation() {
        return failOnViolation;
    }

    /** Whether a violation fails the build. */
    public void setFailOnViolation(boolean fails) {
        failOnViolation = fails;
    }

    /** Whether an incomplete answer fails the build, also that of tests without the agent. */
    @Input
    public boolean isFailOnIncomplete() {
        return failOnIncomplete;
    }

    /** Whether an incomplete answer fails the build, also that of tests without the agent. */
    public void setFailOnIncomplete(boolean fails) {
        failOnIncomplete = fails;
    }

    /** Judges the reports. */
    @TaskAction
    public void judge() {
        List<File> reports = found();
        if (!reports.isEmpty()) {
            judge(reports);
        }
        // With a report of another task, too, the answer lacks everything about these tests.
        String without = getReports().getFiles().stream().filter(file -> file.getName().equals(Reports.WITHOUT_AGENT))
            .map(note -> note.getParentFile().getName()).sorted().collect(Collectors.joining(", "));
        if (!without.isEmpty()) {
            lacks(without);
        }
    }

    /** Fails, or warns, because the tests of these tasks ran without the agent. */
    private void lacks(String tasks) {
        String why = "tests of " + tasks + " have run, and no JVM with the agent: something has replaced its argument, such as"
            + "  doFirst { jvmArgs = [..] },  where  jvmArgs '..'  keeps it, or it did not start, which the output of the tests says";
        if (failOnIncomplete) {
            throw new GradleException(why);
        }
        getLogger().warn(why);
    }

    private void judge(List<File> reports) {
        Judgement judgement;
        try {
            judgement = command().judge(reports);
        } catch (IOException e) {
            throw new GradleException("regiontrack: " + e.getMessage(), e);
        }
        boolean fails = judgement.isViolation() && failOnViolation || judgement.isIncomplete() && failOnIncomplete;
        boolean isBad = judgement.isViolation() || judgement.isIncomplete();
        LogLevel level = fails ? LogLevel.ERROR : isBad ? LogLevel.WARN : LogLevel.LIFECYCLE;
        judgement.lines().forEach(line -> getLogger().log(level, line));
        if (fails) {
            throw new GradleException(judgement.lines().get(0) + "; see " + (page.isFile() ? page : reports.get(0).getParentFile()));
        }
    }
}
