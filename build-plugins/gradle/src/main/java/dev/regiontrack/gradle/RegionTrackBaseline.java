package dev.regiontrack.gradle;

import java.io.File;
import java.io.IOException;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;

/**
 * Adds the findings of JVMs to the baseline. From then on they are known, and fail no build. It does not run the tests: with regiontrack-junit those
 * whose findings are to be known fail, and what depends on them does not run.
 */
public class RegionTrackBaseline extends RegionTrackTask {
    private File baseline;
    private boolean prune;

    /** Without reports, a line says how to get some. */
    public RegionTrackBaseline() {
        onlyIf(task -> ((RegionTrackBaseline) task).hasReports());
    }

    private boolean hasReports() {
        if (getReports().isEmpty()) {
            getLogger().lifecycle("no finding to add: no JVM has left a report; run the tests before, as by  gradle test");
            return false;
        }
        return true;
    }

    /** The baseline file, which is created if missing. */
    @Internal
    public File getBaseline() {
        return baseline;
    }

    /** The baseline file, which is created if missing. */
    public void setBaseline(File baseline) {
        this.baseline = baseline;
    }

    /** Whether to remove findings that were not found again. A run can miss a finding because of its schedule. */
    @Internal
    public boolean isPrune() {
        return prune;
    }

    /** Whether to remove findings that were not found again. A run can miss a finding because of its schedule. */
    public void setPrune(boolean prune) {
        this.prune = prune;
    }

    /** Adds the findings. */
    @TaskAction
    public void update() {
        try {
            getLogger().lifecycle(command().updateBaseline(baseline, prune, found()));
        } catch (IOException e) {
            throw new GradleException("regiontrack: " + e.getMessage(), e);
        }
    }
}
