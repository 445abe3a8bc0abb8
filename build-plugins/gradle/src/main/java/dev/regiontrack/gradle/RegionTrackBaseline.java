package dev.regiontrack.gradle;

import java.io.File;
import java.io.IOException;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;

/** Adds the findings of JVMs to the baseline. From then on they are known, and fail no build. */
public class RegionTrackBaseline extends RegionTrackTask {
    private File baseline;
    private boolean prune;

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
